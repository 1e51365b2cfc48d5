"""The canary: both reads, its own identity, an expiry, a cleanup receipt, and no person's scope."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from shared.errors import Conflict
from shared.memory.canary import FACT, SECONDS, TTL_SECONDS, sing, sing_once
from shared.memory.scope import scope_of
from shared.store import answers
from tests.fakes.desk import Crash, Door, Killed
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


async def test_one_is_tested_at_a_time_and_the_same_request_has_the_same_answer(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = answers.key(TENANT, "/canary", "k", b"")
    beside: list[str] = []
    create = world.bank.client.create

    async def slow(*asked: Any, **how: Any) -> Any:
        for other in (key, None):
            with pytest.raises(Conflict) as caught:
                await sing_once(world.services, TENANT, other)
            beside.append(caught.value.code)
        return await create(*asked, **how)

    monkeypatch.setattr(world.bank.client, "create", slow)
    song = await sing_once(world.services, TENANT, key)
    assert song.healthy and beside == ["canary_running"] * 2
    assert await sing_once(world.services, TENANT, key) == song
    assert world.bank.store.count("create") == 1
    monkeypatch.undo()
    world.clock.advance(1)
    assert (await sing_once(world.services, TENANT, None)).id != song.id
    assert world.bank.store.count("create") == 2


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_death_keeps_the_next_one_waiting_for_a_while_only(tmp_path: Path, after: bool) -> None:
    at, died = 1, True
    while died:
        (tmp_path / str(at)).mkdir()
        world = World(tmp_path / str(at))
        doors, crash = world.services.__dict__, Crash(at, after)
        kept = {name: doors[name] for name in ("documents", "memory")}
        doors.update({name: Door(door, crash) for name, door in kept.items()})
        key = answers.key(TENANT, "/canary", "k", b"")
        died = False
        try:
            await sing_once(world.services, TENANT, key)
        except Killed:
            died = True
        doors.update(kept)
        world.clock.advance(SECONDS + 31)
        again = await sing_once(world.services, TENANT, key)
        assert again.healthy and (await sing_once(world.services, TENANT, key)) == again
        world.clock.advance(TTL_SECONDS)
        await world.bank.client.inventory({"any": "scope"})
        assert [row for row in world.bank.everything() if row[7] is None] == [], "what a death left expires"
        await world.aclose()
        at += 1
    assert at > 15


async def test_a_service_that_never_answers_ends_the_test(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def hangs(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(world.bank.client, "create", hangs)
    monkeypatch.setattr("shared.memory.canary.SECONDS", 0.01)
    song = await sing_once(world.services, TENANT, None)
    assert not song.healthy and "longer than" in song.problem
    monkeypatch.undo()
    assert (await sing_once(world.services, TENANT, None)).healthy, "it has let go of its lease"


async def test_without_a_service_it_says_so(world: World) -> None:
    del world.services.__dict__["memory"]
    song = await sing(world.services)
    assert not song.healthy and song.receipts == [] and "No memory bank" in song.problem
