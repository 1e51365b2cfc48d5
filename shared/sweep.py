"""The sweep finds by reading what lost messages would have told, and acts. Safe at any time, any number of times."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable

from shared.chat.sessions import forget
from shared.chat.turns import settle
from shared.doors import Doors
from shared.models.ids import ulid_floor
from shared.operations.dispatch import dispatch
from shared.operations.drive import close
from shared.operations.waiting import expire
from shared.research import claim
from shared.store import chats, leases, operations
from shared.store.documents import Document, Documents, Query, Where, Write
from shared.store.notes import Notes
from shared.store.operations import tenant_of
from shared.store.origins import origin_path
from shared.store.records import until_settled

PAGE = 200
BIN_SECONDS = 30 * 24 * 3600
"""How long a deleted note can be restored."""
ENRICH_SECONDS = 600
"""How long enrichment may be pending before it is asked for again."""

log = logging.getLogger("memex.sweep")


async def sweep(doors: Doors, *, patience: float = 30.0, born: float | None = None) -> dict[str, int]:
    """One round over all tenants: how many things it acted on, by kind, and how many failed.

    One thing that fails keeps no other from its turn. `patience`: see `dispatch`. `born` is when this process began
    (unix seconds), where it is the only one: what gave its last sign of life before that is dead.
    """
    tenants: set[str] = set()

    async def enrichment(document: Document) -> bool:
        return await _ask_again(doors, document, 0 if patience == 0 else ENRICH_SECONDS)

    async def tenant_once(document: Document) -> bool:
        tenant = tenant_of(document)
        if tenant in tenants:
            return False
        tenants.add(tenant)
        await dispatch(doors, tenant, patience=patience)
        return True

    rounds: dict[str, tuple[AsyncIterator[Document], Callable[[Document], Awaitable[bool]]]] = {
        **({} if born is None else {"leases": (_all(doors.documents, "leases"), _free(doors, born))}),
        "wishes": (_all(doors.documents, "notes", Where("research.requested", "==", True)), _wish(doors)),
        "tenants": (_all(doors.documents, "operations", operations.IS_ACTIVE), tenant_once),
        "waits": (
            _all(doors.documents, "operations", Where("status", "==", "waiting_for_input")),
            _unanswered(doors),
        ),
        "approvals": (_all(doors.documents, "approvals", Where("status", "==", "pending")), _approval(doors)),
        "closed": (_all(doors.documents, "operations", Where("remote_open", "==", True)), _close(doors)),
        "enrichments": (_all(doors.documents, "notes", Where("enrichment.status", "==", "pending")), enrichment),
        "turns": (
            _all(doors.documents, "chat_sessions", chats.HAS_OPEN_TURN),
            _settle(doors, born),
        ),
        "forgotten": (_all(doors.documents, "chat_sessions", chats.IS_DELETED), _forget(doors)),
        "purged": (_all(doors.documents, "notes", Where("deleted", "==", True)), _purge(doors)),
    }
    counts = dict.fromkeys([*rounds, "errors"], 0)
    for kind, (documents, act) in rounds.items():
        async for document in documents:
            try:
                counts[kind] += await act(document)
            except Exception as error:
                counts["errors"] += 1
                log.error("the sweep could not act on %s: %s", document.path, type(error).__name__)
    if any(counts.values()):
        log.info("sweep %s", counts)
    return counts


async def _all(documents: Documents, collection: str, *where: Where) -> AsyncIterator[Document]:
    """Every document of a group query, a page at a time."""
    after: str | None = None
    while True:
        page = await documents.query(Query(collection, None, where, after=after, limit=PAGE))
        for document in page:
            yield document
        if len(page) < PAGE:
            return
        after = page[-1].path


def _free(doors: Doors, born: float) -> Callable[[Document], Awaitable[bool]]:
    """A lease that a dead process left."""

    async def act(document: Document) -> bool:
        return await leases.free(doors.documents, document, born)

    return act


def _forget(doors: Doors) -> Callable[[Document], Awaitable[bool]]:
    """A conversation whose deletion did not come to its end."""

    async def act(document: Document) -> bool:
        await forget(doors.documents, chats.tenant_of(document), document.id)
        return True

    return act


def _settle(doors: Doors, born: float | None) -> Callable[[Document], Awaitable[bool]]:
    """A turn that nobody works on any more, or a question that nobody answered in time."""

    async def act(document: Document) -> bool:
        before = document.data["revision"]
        tenant = chats.tenant_of(document)
        settled = await settle(doors.documents, tenant, document.id, doors.now(), born=born)
        return settled.revision != before

    return act


def _wish(doors: Doors) -> Callable[[Document], Awaitable[bool]]:
    """A note that asks for research and has no operation."""

    async def act(document: Document) -> bool:
        return await claim.claim(doors, tenant_of(document), document.id) is not None

    return act


def _unanswered(doors: Doors) -> Callable[[Document], Awaitable[bool]]:
    """A question of an operation that nobody answered in time."""

    async def act(document: Document) -> bool:
        return await expire(doors, tenant_of(document), document.id)

    return act


def _approval(doors: Doors) -> Callable[[Document], Awaitable[bool]]:
    """A proposal that nobody answered in time, or whose yes was never carried out."""

    async def act(document: Document) -> bool:
        # It brings the tools along, which most rounds don't need.
        from shared.approvals.expire import expire as settled

        return await settled(doors, document)

    return act


def _close(doors: Doors) -> Callable[[Document], Awaitable[bool]]:
    """An ended operation whose outside run could not be stopped then."""

    async def act(document: Document) -> bool:
        return await close(doors, tenant_of(document), document.id)

    return act


async def _ask_again(doors: Doors, document: Document, seconds: float) -> bool:
    """Enrichment that is pending for long is asked for again; it counts its own attempts."""
    tenant = tenant_of(document)
    found = await Notes(doors.documents, tenant).find(document.id)
    if found is None or found.value.enrichment.status != "pending" or found.value.deleted_at:
        return False
    if found.value.updated_at.timestamp() > doors.now() - seconds:
        return False
    attributes = {"tenant": tenant, "note_id": document.id, "enrich": "true", "research": "false"}
    await doors.bus.publish("note-events", attributes)
    return True


def _purge(doors: Doors) -> Callable[[Document], Awaitable[bool]]:
    """A note that was in the bin for longer than can be restored."""

    async def act(document: Document) -> bool:
        tenant = tenant_of(document)
        notes = Notes(doors.documents, tenant)
        limit = doors.now() - BIN_SECONDS

        async def attempt() -> bool:
            if document.id >= ulid_floor(limit):
                return False  # younger than the bin's time, so it can't have been there that long
            found = await notes.find(document.id)
            if found is None or found.value.deleted_at is None or found.value.deleted_at.timestamp() > limit:
                return False
            writes = notes.remove(document.id, found.version)
            if found.value.origin:
                # Gone for good means that the same file may be imported again.
                writes.append(Write(origin_path(tenant, found.value.origin), None))
            # The body goes in the commit that decides, so that a restore that comes first finds the note whole.
            await doors.documents.commit([*writes, *await notes.children(document.id, "body")])
            return True

        if purged := await until_settled(attempt):
            await notes.clear(document.id)
        return purged

    return act
