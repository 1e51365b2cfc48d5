"""Capturing: a thought, a link or a question becomes a note in one commit. Nothing else happens in that request."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, Self

from pydantic import AwareDatetime, Field, field_validator, model_validator

from shared.enrichment.address import linked
from shared.errors import Conflict, Unprocessable
from shared.hashtags import Typed, typed
from shared.models.base import RESEARCH, Model, Tags, moment
from shared.models.ids import Id, is_id, ulid, ulid_floor
from shared.models.note import Citation, Enrichment, Note, Origin, ResearchState, web_address
from shared.store import answers
from shared.store.documents import Documents, Expect, Write
from shared.store.notes import Notes
from shared.store.origins import origin_path
from shared.store.records import until_settled

SKEW_SECONDS = 60.0
"""How far a device's clock may be ahead of ours."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WRITTEN_OUT = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d")
_NOTE = "#/notes/"
_WRITTEN = ("research", "digest", "review")
"""Kinds of notes that Memex wrote."""


class Exported(Model):
    """What the file of an export says of the note that it was: a claim, believed where it can do no harm."""

    note_id: Id | None = None
    """Kept where no note has it and it is of no time to come; a note that has it is answered, and never changed."""
    kind: Literal["capture", "link", "research", "digest", "review"] = "capture"
    source_note_id: Id | None = None
    citations: list[Citation] = Field(default=[], max_length=500)

    @field_validator("citations")
    @classmethod
    def _addresses_only(cls, citations: list[Citation]) -> list[Citation]:
        # Clients make links of them.
        for one in citations:
            if not (one.url.startswith(_NOTE) and is_id(one.url.removeprefix(_NOTE))):
                web_address(one.url)
        return citations


class Capture(Model):
    """What a person drops in: some text, or an address, or both."""

    text: str | None = None
    url: str | None = None
    title: str | None = Field(default=None, max_length=500)
    tags: Tags = Field(default=[], max_length=50)
    research: bool = False
    """Ask for a researched report; the tag `research` does the same."""
    source: Literal["web", "cli", "api", "import"] = "api"
    origin: Origin | None = None
    """For imports: the same origin is taken once."""
    exported: Exported | None = None
    """For imports of what an export wrote: the note is taken once, wherever its file lies."""
    created_at: AwareDatetime | None = None
    """When it was written, where that was not just now (RFC 3339 with an offset): its place in the feed."""

    @field_validator("url")
    @classmethod
    def _http_only(cls, url: str | None) -> str | None:
        return web_address(url) if url else None

    @field_validator("created_at", mode="before")
    @classmethod
    def _written_out(cls, created_at: object) -> object:
        # A number would be taken for a time, too: of seconds or milliseconds, nobody could tell.
        if isinstance(created_at, str) and not _WRITTEN_OUT.match(created_at):
            raise ValueError("a date, a time and an offset are needed, such as 2024-01-05T12:00:00Z")
        if created_at is not None and not isinstance(created_at, str | datetime):
            raise ValueError("a time is given as text, such as 2024-01-05T12:00:00Z")
        return created_at

    @field_validator("created_at")
    @classmethod
    def _not_before_1970(cls, created_at: datetime | None) -> datetime | None:
        # An id has no room for times before that.
        if created_at is not None and created_at < _EPOCH:
            raise ValueError("times before 1970 can't be kept")
        return created_at

    @model_validator(mode="after")
    def _not_empty(self) -> Self:
        if not (self.text or "").strip() and not self.url and not (self.title or "").strip():
            raise ValueError("there is nothing in it: give a text, a title or an address")
        return self


@dataclass(frozen=True, slots=True)
class Captured:
    """The note, and whether this capture made it."""

    note: Note
    fresh: bool


def new_note(entry: Capture, now: float) -> Note:
    """The note that a capture becomes. Its id carries the time of its writing, so that the feed shows it there."""
    written = _written(entry, now)
    # An imported vault may be full of notes that were researched long ago: there only the switch counts.
    hashtags = Typed() if entry.source == "import" else typed(entry.text or "")
    # Hashtags without a word besides ask nothing.
    asks = RESEARCH in hashtags.tags and bool(not hashtags.alone or entry.url or (entry.title or "").strip())
    wanted = entry.research or asks or (RESEARCH in entry.tags and entry.source != "import")
    tags = list(dict.fromkeys((*entry.tags, *hashtags.tags, *((RESEARCH,) if wanted else ()))))
    claimed = entry.exported
    # A link with a few words around it is a link; what is imported is what its file says.
    url = entry.url or (linked(entry.text or "") if entry.source != "import" else None)
    kind = claimed.kind if claimed and claimed.kind in _WRITTEN else "link" if url else "capture"
    return Note(
        id=_kept_id(claimed, now) or ulid(written.timestamp()),
        created_at=written,
        # Always ours: the sweep tells by it how long enrichment has been waiting.
        updated_at=moment(now),
        kind=kind,
        body=entry.text or "",
        title=(entry.title or "").strip() or None,
        url=url,
        tags=tags,
        source=entry.source,
        source_note_id=claimed.source_note_id if claimed else None,
        citations=claimed.citations if claimed else [],
        # What was written for a person has its title, its tags and no tasks of theirs.
        enrichment=Enrichment(status="none" if kind in _WRITTEN else "pending"),
        research=ResearchState(requested=wanted),
        origin=entry.origin,
    )


def _kept_id(claimed: Exported | None, now: float) -> Id | None:
    # One of a time to come would stay on top of the feed until then.
    ahead = ulid_floor(now + SKEW_SECONDS)
    return claimed.note_id if claimed and claimed.note_id and claimed.note_id < ahead else None


def _written(entry: Capture, now: float) -> datetime:
    if entry.created_at is None:
        return moment(now)
    if entry.created_at > moment(now + SKEW_SECONDS):
        raise Unprocessable(
            "created_at: lies in the future", next="Leave it out, or set the clock of this device right."
        )
    return entry.created_at.astimezone(UTC)


async def capture(
    documents: Documents, tenant: str, entry: Capture, now: float, *, key: answers.Key | None = None
) -> Captured:
    """Store it. A repeat of the same request, imported file or exported note answers the note that is there."""
    notes = Notes(documents, tenant)

    async def attempt() -> Captured:
        note = new_note(entry, now)
        writes = notes.put(note, Expect.ABSENT, body=note.body)
        if key:
            writes.append(answers.write(key, note.id, now))
        if entry.origin:
            writes.append(Write(origin_path(tenant, entry.origin), {"note_id": note.id}, Expect.ABSENT))
        try:
            await documents.commit(writes)
        except Conflict:
            if known := await _earlier(documents, tenant, entry, key, now):
                return Captured((await notes.get(known)).value, fresh=False)
            raise
        return Captured(note, fresh=True)

    return await until_settled(attempt)


async def _earlier(documents: Documents, tenant: str, entry: Capture, key: answers.Key | None, now: float) -> Id | None:
    if key and (known := await answers.known(documents, key, now)):
        return known
    if entry.origin and (document := await documents.get(origin_path(tenant, entry.origin))):
        return str(document.data["note_id"])
    claimed = entry.exported.note_id if entry.exported else None
    if claimed and await documents.get(Notes(documents, tenant).path(claimed)):
        return claimed
    return None
