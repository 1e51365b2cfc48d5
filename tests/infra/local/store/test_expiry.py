"""What is past its time is deleted, as Firestore's policies do it; nothing else is."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.local.clock import VirtualClock
from infra.local.store import expiry
from infra.local.store.documents import SqliteDocuments
from shared.memory.canary import sing_once
from shared.memory.scope import scope_of
from shared.models.base import JsonDict, moment, rfc3339
from shared.store import answers
from shared.store.documents import Document, Query, Write
from shared.store.memories import KEPT_SECONDS, Memories
from tests.shared.memory.world import TENANT, World

DAY = 86_400.0


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def store(tmp_path: Path, clock: VirtualClock) -> Iterator[SqliteDocuments]:
    with SqliteDocuments(tmp_path, now=clock.now) as made:
        yield made


async def found(store: SqliteDocuments, collection: str) -> list[Document]:
    return await store.query(Query(collection, None, limit=5_000))


async def test_an_answer_is_deleted_after_its_day_and_what_has_no_end_stays(
    store: SqliteDocuments, clock: VirtualClock
) -> None:
    kept = answers.key("t", "/x", "a key", b"")
    assert kept
    soon: JsonDict = {"expires_at": rfc3339(moment(clock.now() + 1))}
    # A gate's end is told in the gate, and a note may hold any words: neither is the store's to end.
    others = [Write("tenants/t/notes/n", soon), Write("tenants/t/receipts/r", {"at": soon["expires_at"]})]
    await store.commit([answers.write(kept, "id", clock.now()), *others])
    clock.advance(DAY - 1)
    assert await expiry.end(store) == 0
    clock.advance(1)
    assert (await expiry.end(store), await expiry.end(store)) == (1, 0)
    assert await found(store, "idempotency") == []
    assert len(await found(store, "notes")) == len(await found(store, "receipts")) == 1


async def test_more_than_one_commit_takes_are_all_deleted(store: SqliteDocuments, clock: VirtualClock) -> None:
    old: JsonDict = {"expires_at": rfc3339(moment(clock.now() - 1))}
    count = 2 * expiry.BATCH + 1
    for start in range(0, count, 300):
        stop = min(start + 300, count)
        await store.commit([Write(f"tenants/t{n}/memory_scopes/s/receipts/r", old) for n in range(start, stop)])
    assert await expiry.end(store) == count
    assert await found(store, "receipts") == []


async def test_receipts_end_after_ninety_days_with_what_only_they_name_and_the_memory_stays(tmp_path: Path) -> None:
    world = World(tmp_path)
    store = world.services.documents
    memories = Memories(store, TENANT)
    scope = (await memories.references()).scope(scope_of(TENANT, "sam"))
    operation = await world.remembers("I drink green tea.")
    await sing_once(world.services, TENANT, None)
    await world.recalls("tea")
    names = {str(one.data["name"]) for one in await found(store, "memory_names")}
    assert operation.interaction_id in names
    world.clock.advance(KEPT_SECONDS - DAY)
    assert await expiry.end(store) == 0
    assert await world.used("tea") == {"I drink green tea."}
    assert [one.occasion for one in await memories.receipts(scope)] == ["recall", "recall", "generation"]
    world.clock.advance(2 * DAY)
    assert await expiry.end(store) == 4
    assert [one.occasion for one in await memories.receipts(scope)] == ["recall"]
    assert await found(store, "memory_canaries") == []
    left = {str(one.data["name"]) for one in await found(store, "memory_names")}
    assert names - left == {operation.interaction_id}, "what a memory and a person are called is still to be found"
    assert await world.used("tea") == {"I drink green tea."}, "what is expected of it does not end"
    await world.aclose()
