"""Enriching one note: whoever holds its lease asks, and fills what is still empty in one commit."""

from typing import Protocol

from shared.enrichment.apply import apply, fail
from shared.enrichment.enricher import Enricher, permanent
from shared.enrichment.proposal import Proposal
from shared.errors import Conflict, MemexError
from shared.models.ids import is_id
from shared.models.note import Note
from shared.store.documents import Documents, Expect
from shared.store.leases import Lease, take
from shared.store.notes import Notes
from shared.store.records import until_settled
from shared.store.tasks import Tasks

LEASE_SECONDS = 90.0
"""Longer than one model call may take."""
ATTEMPTS = 5
"""Tries before enrichment is given up; a person can ask for it again."""


class Doors(Protocol):
    """What enriching needs from the outside."""

    @property
    def documents(self) -> Documents:
        """Where documents live."""
        ...

    @property
    def enricher(self) -> Enricher:
        """Who proposes."""
        ...

    def now(self) -> float:
        """Unix seconds."""
        ...


async def enrich(doors: Doors, tenant: str, note_id: str) -> None:
    """Enrich a note that waits for it. Raises what may pass, so that the message is delivered again."""
    if not is_id(note_id):
        return
    found = await Notes(doors.documents, tenant).find(note_id)
    if found is None or not _waits(found.value):
        return
    lease = await take(doors.documents, tenant, f"enrich-{note_id}", doors.now(), LEASE_SECONDS)
    if lease is None:
        # Acknowledging here would lose the note if the other one dies.
        raise Conflict("Somebody else is enriching this note.", code="lease_held")
    # Whoever held it before may have come to the end since the note was read.
    found = await Notes(doors.documents, tenant).find(note_id)
    if found is None or not _waits(found.value):
        await doors.documents.commit([lease.release()])
        return
    note = found.value
    if lease.attempts > ATTEMPTS:
        # Those before died or failed in a way that nobody foresaw: the count is what ends it.
        tired = MemexError(
            "Enrichment was tried several times and never ended.",
            next="Ask for it again on the note; where that fails too, change the note's text.",
        )
        await _finish(doors, tenant, note_id, lease, tired)
        return
    try:
        proposal = await doors.enricher.enrich(note.title, note.body, note.url, note.tags, note.kind)
    except MemexError as error:
        if not permanent(error) and lease.attempts < ATTEMPTS:
            await doors.documents.commit([lease.again()])
            raise
        await _finish(doors, tenant, note_id, lease, error)
        return
    await _finish(doors, tenant, note_id, lease, proposal)


def _waits(note: Note) -> bool:
    return note.enrichment.status == "pending" and note.deleted_at is None


async def _finish(doors: Doors, tenant: str, note_id: str, lease: Lease, result: Proposal | MemexError) -> None:
    """Read the note as it is now, so that a person's edit meanwhile wins, and settle it."""
    notes, tasks = Notes(doors.documents, tenant), Tasks(doors.documents, tenant)

    async def attempt() -> None:
        found = await notes.find(note_id)
        writes = [lease.release()]
        if found is not None and _waits(found.value):
            if isinstance(result, MemexError):
                note = fail(found.value, f"{result.message} {result.next}".strip(), doors.now())
            else:
                note, proposed = apply(found.value, result, doors.now())
                taken = await tasks.existing([task.id for task in proposed])
                writes += [tasks.put(task, Expect.ABSENT) for task in proposed if task.id not in taken]
            writes += notes.put(note, found.version, previous=found.value)
        await doors.documents.commit(writes)

    await until_settled(attempt)
