"""The sweep finds by reading what lost messages would have told, and acts. Safe at any time, any number of times."""

import logging

from shared.capture import origin_path
from shared.models.base import moment
from shared.models.ids import ulid_floor
from shared.models.note import Enrichment, Note
from shared.research import claim
from shared.research.dispatch import dispatch
from shared.research.doors import Doors
from shared.research.drive import close
from shared.store import operations
from shared.store.documents import Document, Query, Where, Write
from shared.store.notes import Notes
from shared.store.operations import tenant_of
from shared.store.records import in_batches, until_settled

PAGE = 200
BIN_SECONDS = 30 * 24 * 3600
"""How long a deleted note can be restored."""
ENRICH_SECONDS = 600
"""How long enrichment may be pending before it is asked for again."""
ENRICH_ATTEMPTS = 5

log = logging.getLogger("memex.sweep")


async def sweep(doors: Doors, *, patience: float = 30.0) -> dict[str, int]:
    """One round over all tenants; how many things it acted on, by kind. `patience`: see `dispatch`."""
    counts = {
        "wishes": await _wishes(doors),
        "tenants": await _operations(doors, patience),
        "closed": await _left_open(doors),
        "enrichments": await _enrichments(doors, patience),
        "purged": await _bin(doors),
    }
    if any(counts.values()):
        log.info("sweep %s", counts)
    return counts


async def _pages(doors: Doors, collection: str, *where: Where) -> list[Document]:
    """All documents of a group query, page by page; each page is bounded, the whole is what needs work."""
    found: list[Document] = []
    after: str | None = None
    while True:
        page = await doors.documents.query(Query(collection, None, where, after=after, limit=PAGE))
        found += page
        if len(page) < PAGE:
            return found
        after = page[-1].path


async def _wishes(doors: Doors) -> int:
    """Notes that ask for research and have no operation."""
    wishes = await _pages(doors, "notes", Where("research.requested", "==", True))
    for document in wishes:
        await claim.claim(doors, tenant_of(document), document.id)
    return len(wishes)


async def _operations(doors: Doors, patience: float) -> int:
    """Tenants with work that has not ended: expired leases, dead executions, waiting ones with a free slot."""
    tenants: dict[str, None] = {}
    after: str | None = None
    while True:
        page = await operations.active(doors.documents, after, PAGE)
        tenants.update(dict.fromkeys(tenant_of(document) for document in page))
        if len(page) < PAGE:
            break
        after = page[-1].path
    for tenant in tenants:
        await dispatch(doors, tenant, patience=patience)
    return len(tenants)


async def _left_open(doors: Doors) -> int:
    """Ended operations whose outside run could not be stopped then."""
    found = await operations.left_open(doors.documents, None, PAGE)
    for document in found:
        await close(doors, tenant_of(document), document.id)
    return len(found)


async def _enrichments(doors: Doors, patience: float) -> int:
    """Enrichment that is pending for too long is asked for again, and given up after several tries."""
    late = moment(doors.now() - (ENRICH_SECONDS if patience > 0 else 0)).timestamp()
    asked = 0
    for document in await _pages(doors, "notes", Where("enrichment.status", "==", "pending")):
        tenant = tenant_of(document)
        found = await Notes(doors.documents, tenant).find(document.id)
        if found is None or found.value.enrichment.status != "pending" or found.value.updated_at.timestamp() > late:
            continue
        asked += 1
        if found.value.enrichment.attempts >= ENRICH_ATTEMPTS:
            await _give_up_enriching(doors, tenant, document.id)
        else:
            attributes = {"tenant": tenant, "note_id": document.id, "enrich": "true", "research": "false"}
            await doors.bus.publish("note-events", attributes)
    return asked


async def _give_up_enriching(doors: Doors, tenant: str, note_id: str) -> None:
    notes = Notes(doors.documents, tenant)

    async def attempt() -> None:
        found = await notes.find(note_id)
        if found is None or found.value.enrichment.status != "pending":
            return
        given_up = Enrichment(
            status="failed",
            error="Enrichment was tried several times and did not finish. The note is as you wrote it; try again.",
            attempts=found.value.enrichment.attempts,
            tags=found.value.enrichment.tags,
        )
        note = _touched(found.value.model_copy(update={"enrichment": given_up}), doors.now())
        await doors.documents.commit(notes.put(note, found.version, previous=found.value))

    await until_settled(attempt)


async def _bin(doors: Doors) -> int:
    """Notes in the bin for longer than can be restored: children first, the note last."""
    purged = 0
    old_enough = ulid_floor(doors.now() - BIN_SECONDS)
    for document in await _pages(doors, "notes", Where("deleted", "==", True)):
        if document.id >= old_enough:
            continue  # younger than the bin's time, so it can't have been there that long
        tenant = tenant_of(document)
        notes = Notes(doors.documents, tenant)
        found = await notes.find(document.id)
        deleted_at = found.value.deleted_at if found else None
        if found is None or deleted_at is None or deleted_at.timestamp() > doors.now() - BIN_SECONDS:
            continue
        await in_batches(doors.documents, await notes.children(document.id))
        writes = notes.remove(document.id, found.version)
        if found.value.origin:
            # Gone for good means that the same file may be imported again.
            writes.append(Write(origin_path(tenant, found.value.origin), None))
        await doors.documents.commit(writes)
        purged += 1
    return purged


def _touched(note: Note, now: float) -> Note:
    return note.model_copy(update={"revision": note.revision + 1, "updated_at": moment(now)})
