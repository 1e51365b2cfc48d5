"""A note: what a person captured, or what was written for them. Its text is never changed by enrichment."""

import re
from typing import Literal

from pydantic import Field

from shared.models.base import Model, Record, Tags, Time
from shared.models.ids import Id
from shared.models.thesis import Thesis

Kind = Literal["capture", "link", "research", "digest", "review", "thesis"]
Source = Literal["web", "cli", "api", "import"]

INLINE_BODY = 100_000
"""Bytes of body (UTF-8) that a note document holds itself; a longer one continues in numbered parts."""


_URL = re.compile(r"https?://[^\s/?#@]+(?:[/?#]\S*)?", re.IGNORECASE)


def web_address(text: str) -> str:
    """The address, if it is one of the web; ValueError otherwise."""
    text = text.strip()
    if len(text) > 4000 or not _URL.fullmatch(text) or not text.isprintable():
        raise ValueError("only http and https addresses are taken")
    return text


class Enrichment(Model):
    """How far enrichment got, and what of the tags came from it."""

    status: Literal["pending", "enriched", "failed", "none"] = "none"
    error: str | None = None
    attempts: int = 0
    tags: list[str] = []
    """Tags that enrichment added: they are the product's guess, not the user's word."""


class ResearchState(Model):
    """What research was asked of this note, and the run that answers."""

    requested: bool = False
    """A user asked and nobody has claimed it yet; the claim clears it."""
    status: Literal["queued", "running", "completed", "failed", "cancelled"] | None = None
    operation_id: Id | None = None
    error: str | None = None
    """Why the last run failed, in a sentence for the user."""


class Citation(Model):
    """A source that was really read, as the report numbers it."""

    number: int
    title: str
    url: str
    """http(s) for a page, `#/notes/<id>` for a note."""
    source_kind: Literal["note", "web"] = "web"
    note_id: Id | None = None
    quote: str | None = None
    """The passage the report leans on, word for word."""


class Origin(Model):
    """Where an imported note came from, so that it can go back out as it came in."""

    path: str = Field(min_length=1, max_length=1000)
    """Path inside the imported folder, the folder's own name first."""
    front_matter: str = Field(default="", max_length=20_000)
    """Everything in the file before its body, word for word: byte order mark, fences and line ends included."""
    content_sha256: str = Field(pattern="^[0-9a-f]{64}$")
    """Hash of the whole file."""


class Note(Record):
    """A note as stored: `body` is the beginning only where `body_parts` is above zero."""

    kind: Kind
    body: str
    title: str | None = None
    summary: str | None = None
    url: str | None = None
    tags: Tags = []
    source: Source = "api"
    source_note_id: Id | None = None
    task_ids: list[Id] = []
    enrichment: Enrichment = Enrichment()
    research: ResearchState = ResearchState()
    citations: list[Citation] = []
    deleted_at: Time | None = None
    body_parts: int = 0
    """How many numbered parts continue the body."""
    body_version: int = 0
    """Revision at which the parts were written; it is part of their names, so a reader never mixes two bodies."""
    origin: Origin | None = None
    thesis: Thesis | None = None
    """Of a note of kind `thesis`: its status, its confidence, and the evidence."""


class Task(Record):
    """Something to do, found in a note or written by the user."""

    title: str = Field(min_length=1, max_length=500)
    status: Literal["open", "done", "dropped"] = "open"
    tags: Tags = []
    source_note_id: Id | None = None
