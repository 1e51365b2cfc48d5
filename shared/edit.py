"""Changing notes by a person's word: edit, bin, restore, ask again. Every change leaves its old value in the trace."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pydantic import Field, JsonValue, field_validator, model_validator

from shared.errors import Conflict, Unprocessable
from shared.events.trace import User, cut
from shared.models.base import RESEARCH, JsonDict, Model, Tags, moment
from shared.models.note import Enrichment, Note, Origin, web_address
from shared.research.claim import wish
from shared.store.documents import Documents
from shared.store.notes import Notes
from shared.store.records import Stored, until_settled


class Edit(Model):
    """What a person changes of a note; what is left out stays, and null empties what may be empty."""

    title: str | None = Field(default=None, max_length=500)
    body: str | None = None
    summary: str | None = Field(default=None, max_length=2000)
    url: str | None = None
    tags: Tags | None = Field(default=None, max_length=50)
    origin: Origin | None = None
    """For imports: the file as it is now; it must be the one that the note came from."""

    @model_validator(mode="after")
    def _never_null(self) -> "Edit":
        for field in ("body", "tags"):
            if field in self.model_fields_set and getattr(self, field) is None:
                raise ValueError(f"{field} may be empty, but not null")
        return self

    @field_validator("url")
    @classmethod
    def _http_only(cls, url: str | None) -> str | None:
        return web_address(url) if url else None


@dataclass(frozen=True, slots=True)
class _Decision:
    """What a change makes of a note: its new fields, and its new body where that changes."""

    fields: dict[str, object]
    told: JsonDict
    """Each changed field with its value before and after, for the trace."""
    body: str | None = None


async def edit(
    documents: Documents, tenant: str, note_id: str, change: Edit, now: float, *, expected: int | None = None
) -> Note:
    """Apply an edit; Conflict `revision_conflict` where the note is no longer the one that the person saw."""
    asked = change.model_dump(exclude_unset=True, exclude={"origin"})

    def decide(note: Note, body: str) -> _Decision:
        old: dict[str, object] = {**note.model_dump(include=set(asked)), "body": body}
        fields = {field: value for field, value in asked.items() if value != old[field]}
        told: JsonDict = {field: [_told(old[field]), _told(value)] for field, value in fields.items()}
        if RESEARCH in fields.get("tags", []) and RESEARCH not in note.tags:
            fields["research"] = wish(note)
        if change.origin and change.origin != note.origin:
            fields["origin"] = _same_file(note, change.origin)
        return _Decision(fields, told, fields.get("body"))

    return await _change(Notes(documents, tenant), note_id, now, "Edited", decide, expected=expected)


def _same_file(note: Note, origin: Origin) -> Origin:
    if note.origin is None or note.origin.path != origin.path:
        raise Unprocessable("origin: the note did not come from this file", next="Leave it out.")
    return origin


async def discard(documents: Documents, tenant: str, note_id: str, now: float, *, expected: int | None = None) -> Note:
    """Move a note to the bin, from where it can be restored for 30 days."""

    def decide(note: Note, _body: str) -> _Decision:
        return (
            _Decision({}, {}) if note.deleted_at else _Decision({"deleted_at": moment(now)}, {"deleted": [False, True]})
        )

    return await _change(Notes(documents, tenant), note_id, now, "Moved to the bin", decide, expected=expected)


async def restore(documents: Documents, tenant: str, note_id: str, now: float) -> Note:
    """Bring a note back from the bin."""

    def decide(note: Note, _body: str) -> _Decision:
        fields: dict[str, object] = {"deleted_at": None} if note.deleted_at else {}
        return _Decision(fields, {"deleted": [True, False]})

    return await _change(Notes(documents, tenant), note_id, now, "Restored", decide)


async def enrich_again(documents: Documents, tenant: str, note_id: str, now: float) -> Note:
    """Ask for enrichment once more; the note's own trigger starts it."""

    def decide(note: Note, _body: str) -> _Decision:
        if note.deleted_at:
            raise Conflict("The note is in the bin.", code="note_deleted", next="Restore it first.")
        pending = Enrichment(status="pending", tags=note.enrichment.tags)
        return _Decision({"enrichment": pending}, {"enrichment": [note.enrichment.status, "pending"]})

    return await _change(Notes(documents, tenant), note_id, now, "Asked for enrichment", decide)


async def _change(
    notes: Notes,
    note_id: str,
    now: float,
    text: str,
    decide: Callable[[Note, str], _Decision],
    *,
    expected: int | None = None,
) -> Note:
    """Read, decide, commit the note with its trace event; a change of nothing writes nothing."""

    async def attempt() -> Note:
        found = await notes.get(note_id)
        _as_seen(found, expected)
        decision = decide(found.value, await notes.body(found.value))
        if not decision.fields:
            return found.value
        fields = {field: value for field, value in decision.fields.items() if field != "body"}
        first = await notes.next_seq(note_id)
        events = [
            User(seq=seq, at=moment(now), text=text, changes=told)
            for seq, told in enumerate(_pieces(decision.told), first)
        ]
        return await notes.commit(
            found.value.changed(now, **fields),
            found.version,
            body=decision.body,
            previous=found.value,
            also=[notes.trace_write(note_id, event) for event in events],
        )

    return await until_settled(attempt)


def _as_seen(found: Stored[Note], expected: int | None) -> None:
    if expected is not None and expected != found.value.revision:
        raise Conflict(
            f"The note was changed meanwhile: it is at revision {found.value.revision}, you saw {expected}.",
            code="revision_conflict",
            next="Read it again and decide which version stays; nothing was overwritten.",
        )


OLD, NEW = 12_000, 2_000
"""Characters of a value in one event: the old one goes on in further events, the new one is in the note."""


def _told(value: object) -> JsonValue:
    return [str(item) for item in value] if isinstance(value, list) else None if value is None else str(value)


def _pieces(told: JsonDict) -> Iterator[JsonDict]:
    """The changes as one event each holds them: the whole old text stays on record, however long it is."""
    first: JsonDict = {}
    rest: list[JsonDict] = []
    for field, change in told.items():
        assert isinstance(change, list)
        old, new = change
        if isinstance(old, str) and len(old) > OLD:
            rest += [{field: [old[at : at + OLD], None]} for at in range(OLD, len(old), OLD)]
            old = old[:OLD]
        first[field] = [old, cut(new, NEW) if isinstance(new, str) else new]
    yield first
    yield from rest
