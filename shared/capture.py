"""Capturing: a thought, a link or a question becomes a note in one commit. Nothing else happens in that request."""

from dataclasses import dataclass
from typing import Literal, Self

from pydantic import Field, field_validator, model_validator

from shared.errors import Conflict
from shared.models.base import RESEARCH, Model, Tags, moment
from shared.models.ids import Id, ulid
from shared.models.note import Enrichment, Note, Origin, ResearchState, web_address
from shared.store import answers
from shared.store.documents import Documents, Expect, Write
from shared.store.notes import Notes
from shared.store.origins import origin_path
from shared.store.records import until_settled


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

    @field_validator("url")
    @classmethod
    def _http_only(cls, url: str | None) -> str | None:
        return web_address(url) if url else None

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
    """The note that a capture becomes."""
    # An imported vault may be full of notes that were researched long ago: there only the switch counts.
    wanted = entry.research or (RESEARCH in entry.tags and entry.source != "import")
    tags = [*entry.tags, RESEARCH] if wanted and RESEARCH not in entry.tags else list(entry.tags)
    return Note(
        id=ulid(now),
        created_at=moment(now),
        updated_at=moment(now),
        kind="link" if entry.url else "capture",
        body=entry.text or "",
        title=(entry.title or "").strip() or None,
        url=entry.url,
        tags=tags,
        source=entry.source,
        enrichment=Enrichment(status="pending"),
        research=ResearchState(requested=wanted),
        origin=entry.origin,
    )


async def capture(
    documents: Documents, tenant: str, entry: Capture, now: float, *, key: answers.Key | None = None
) -> Captured:
    """Store it. A repeat of the same request, or of the same imported file, answers the note that is there."""
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
    return None
