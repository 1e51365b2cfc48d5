"""The canary: both reads, its own identity, an expiry, a cleanup receipt, and no person's scope."""

from typing import Any

import pytest

from shared.memory.canary import FACT, TTL_SECONDS, sing
from shared.memory.scope import scope_of
from tests.shared.memory.world import TENANT, World


async def test_it_writes_reads_in_four_ways_deletes_and_looks_again(world: World) -> None:
    song = await sing(world.services)
    assert song.healthy and song.told == "write healthy (clean_write), cleanup healthy (deletion_converged)"
    assert song.written and song.cleaned
    written = song.written.reads
    assert [one.hits for one in (written.get, written.listed, written.scope, written.similarity)] == [1, 1, 1, 1]
    cleaned = song.cleaned.reads
    assert [one.asked for one in (cleaned.get, cleaned.listed, cleaned.scope, cleaned.similarity)] == [1, 1, 1, 1]
    assert [one.hits for one in (cleaned.get, cleaned.listed, cleaned.scope, cleaned.similarity)] == [0, 0, 0, 0]
    ((_, scope, fact, _, created, _, expires, deleted),) = world.bank.everything()
    assert fact == FACT and deleted is not None and expires == created + TTL_SECONDS
    assert "memex-canary" in scope and TENANT not in scope


async def test_it_touches_no_persons_memories_and_each_has_a_scope_of_its_own(world: World) -> None:
    await world.remembers("I drink green tea.")
    before = world.bank.everything()
    world.clock.advance(1)
    await sing(world.services)
    world.clock.advance(1)
    await sing(world.services)
    after = world.bank.everything()
    assert [row for row in after if row in before] == before
    assert len({row[1] for row in after}) == 3
    assert await world.bank.facts(scope_of(TENANT, "sam")) == {"I drink green tea."}


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ({"keep_deleted": True}, "write healthy (clean_write), cleanup failed (deleted_still_visible)"),
        ({"never_shown": True}, "write failed (created_not_fetchable)"),
        ({"no_similarity": True}, "write degraded (similarity_miss_list_hit), cleanup healthy (deletion_converged)"),
        ({"never_done": True}, "write uncertain (deadline_passed)"),
        ({"foreign_rows": True}, "write failed (wrong_scope_result)"),
        ({"lag": 4}, "write healthy (clean_write), cleanup healthy (deletion_converged)"),
        ({"down": True}, "The memory service failed to answer (HTTP 503)"),
    ],
)
async def test_each_fault_of_the_service_is_told_as_what_it_is(world: World, fault: dict[str, Any], told: str) -> None:
    await world.remembers("I drink green tea.")
    world.bank.fails(**fault)
    song = await sing(world.services)
    assert song.told.startswith(told)
    assert song.healthy is ("lag" in fault)
    assert "yellow" not in song.told


async def test_what_it_can_not_delete_expires(world: World) -> None:
    world.bank.fails(keep_deleted=True)
    await sing(world.services)
    world.bank.fails()
    world.clock.advance(TTL_SECONDS + 1)
    await world.bank.client.inventory({"any": "scope"})
    assert world.bank.everything() == []


async def test_without_a_service_it_says_so(world: World) -> None:
    del world.services.__dict__["memory"]
    song = await sing(world.services)
    assert not song.healthy and song.receipts == [] and "No memory bank" in song.problem
