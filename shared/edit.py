"""Changing notes by a person's word: edit, bin, restore, ask again. Every change leaves its old value in the trace."""

from collections.abc import Callable

from pydantic import Field, JsonValue, field_validator

from shared.capture import web_address
from shared.errors import Conflict, Unprocessable
from shared.events.trace import User, cut
from shared.models.base import RESEARCH, JsonDict, Model, Tags, moment
from shared.models.note import Enrichment, Note, Origin
from shared.research.claim import wish
from shared.store.documents import Documents, Expect
from shared.store.notes import Notes
from shared.store.records import Stored, until_settled


class Edit(Model):
    """What a person changes of a note; what is left out stays."""

    title: str | None = Field(default=None, max_length=500)
    body: str | None = None
    summary: str | None = Field(default=None, max_length=2000)
    url: str | None = None
    tags: Tags | None = Field(default=None, max_length=50)
    origin: Origin | None = None
    """For imports: the file as it is now; it must be the one that the note came from."""

    @field_validator("url")
    @classmethod
    def _http_only(cls, url: str | None) -> str | None:
        return web_address(url) if url else None


async def edit(
    documents: Documents, tenant: str, note_id: str, change: Edit, now: float, *, expected: int | None = None
) -> Note:
    """Apply an edit; Conflict `revision_conflict` where the note is no longer the one that the person saw."""
    notes = Notes(documents, tenant)
    asked = change.model_dump(exclude_unset=True)

    asked.pop("origin", None)

    def decide(note: Note, body: str) -> tuple[Note, str | None, JsonDict]:
        if change.origin:
            note = _from_file(note, change.origin)
        old: dict[str, object] = {**note.model_dump(include=set(asked)), "body": body}
        update = {field: value for field, value in asked.items() if value != old[field]}
        edited = note.model_copy(update=update)
        if RESEARCH in edited.tags and RESEARCH not in note.tags:
            edited = wish(edited)
        changes: JsonDict = {field: [_told(old[field]), _told(value)] for field, value in update.items()}
        return edited, update.get("body"), changes

    return await _change(notes, documents, note_id, now, "Edited", decide, expected=expected)


def _from_file(note: Note, origin: Origin) -> Note:
    if note.origin is None or note.origin.path != origin.path:
        raise Unprocessable("origin: the note did not come from this file", next="Leave it out.")
    return note.model_copy(update={"origin": origin})


async def discard(documents: Documents, tenant: str, note_id: str, now: float, *, expected: int | None = None) -> Note:
    """Move a note to the bin, from where it can be restored for 30 days."""
    return await _simple(
        documents, tenant, note_id, now, "Moved to the bin", {"deleted_at": moment(now)}, expected=expected
    )


async def restore(documents: Documents, tenant: str, note_id: str, now: float) -> Note:
    """Bring a note back from the bin."""
    return await _simple(documents, tenant, note_id, now, "Restored", {"deleted_at": None})


async def enrich_again(documents: Documents, tenant: str, note_id: str, now: float) -> Note:
    """Ask for enrichment once more; the note's own trigger starts it."""
    notes = Notes(documents, tenant)

    def decide(note: Note, _body: str) -> tuple[Note, str | None, JsonDict]:
        pending = Enrichment(status="pending", tags=note.enrichment.tags)
        return (
            note.model_copy(update={"enrichment": pending}),
            None,
            {"enrichment": [note.enrichment.status, "pending"]},
        )

    return await _change(notes, documents, note_id, now, "Asked for enrichment", decide)


async def _simple(
    documents: Documents,
    tenant: str,
    note_id: str,
    now: float,
    text: str,
    update: dict[str, object],
    *,
    expected: int | None = None,
) -> Note:
    def decide(note: Note, _body: str) -> tuple[Note, str | None, JsonDict]:
        old = note.model_dump(mode="json", include=set(update))
        after = note.model_copy(update=update)
        if (note.deleted_at is None) == (after.deleted_at is None):
            return note, None, {}
        new = after.model_dump(mode="json", include=set(update))
        return after, None, {field: [old[field], new[field]] for field in update}

    return await _change(Notes(documents, tenant), documents, note_id, now, text, decide, expected=expected)


async def _change(
    notes: Notes,
    documents: Documents,
    note_id: str,
    now: float,
    text: str,
    decide: Callable[[Note, str], tuple[Note, str | None, JsonDict]],
    *,
    expected: int | None = None,
) -> Note:
    """Read, decide, commit the note with its trace event; a change of nothing writes nothing."""

    async def attempt() -> Note:
        found = await notes.get(note_id)
        _as_seen(found, expected)
        note, body, changes = decide(found.value, await notes.body(found.value))
        if note == found.value:
            return found.value
        note = note.model_copy(update={"revision": found.value.revision + 1, "updated_at": moment(now)})
        event = User(seq=await notes.next_seq(note_id), at=moment(now), text=text, changes=changes)
        writes = notes.put(note, found.version, body=body, previous=found.value)
        await documents.commit([*writes, notes.trace_write(note_id, event, Expect.ABSENT)])
        return (await notes.get(note_id)).value

    return await until_settled(attempt)


def _as_seen(found: Stored[Note], expected: int | None) -> None:
    if expected is not None and expected != found.value.revision:
        raise Conflict(
            f"The note was changed meanwhile: it is at revision {found.value.revision}, you saw {expected}.",
            code="revision_conflict",
            next="Read it again and decide which version stays; nothing was overwritten.",
        )


def _told(value: object) -> JsonValue:
    if isinstance(value, list):
        return [cut(str(item), 100) for item in value]
    return None if value is None else cut(str(value), 20_000)
