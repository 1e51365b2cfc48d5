"""Waiting for a person: the slot, the answer, the clock, the end of a wait."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from shared.errors import Conflict, Gone
from shared.models.operation import Operation
from shared.operations import ending, waiting
from shared.operations.dispatch import dispatch
from shared.store.notes import Notes
from shared.sweep import sweep
from tests.shared.operations.world import RUNNING, TENANT, World

DAY = 24 * 3600.0


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    made = World(tmp_path, max_running=1)
    made.service.looks = [RUNNING]
    yield made
    made.close()


async def submitted(world: World, count: int) -> list[str]:
    """So many queued operations, the first of which runs; their ids in order."""
    for _ in range(count):
        await world.wish()
    while world.mail:
        await world.deliver(world.mail.pop(0))
    await dispatch(world, TENANT)
    return sorted(operation.id for operation in await world.all())


async def now(world: World, operation_id: str) -> Operation:
    return (await world.operations.get(operation_id)).value


async def test_a_question_frees_the_slot_and_its_execution_ends_by_itself(world: World) -> None:
    first, second = await submitted(world, 2)
    asked = await waiting.wait(world, TENANT, first, "Which tea?", ["green", "black"])
    assert (asked.status, asked.asked and asked.asked.options) == ("waiting_for_input", ["green", "black"])
    assert asked.progress.message == "Waiting for your answer"
    assert await world.step(world.workflows.active[0]) == "superseded"
    await dispatch(world, TENANT)
    assert (await now(world, second)).status == "running"
    assert set((await world.operations.slots()).holders) == {second}


async def test_an_answer_waits_for_a_slot_and_then_goes_on_with_a_new_execution(world: World) -> None:
    first, second = await submitted(world, 2)
    former = (await now(world, first)).execution
    await waiting.wait(world, TENANT, first, "Which tea?")
    await dispatch(world, TENANT)
    given = await waiting.give(world, TENANT, first, "green")
    assert (given.status, given.answer) == ("waiting_for_input", "green")
    assert given.progress.message == "Waiting for a free slot"
    await dispatch(world, TENANT)
    assert (await now(world, first)).status == "waiting_for_input"
    await ending.cancel(world, TENANT, second)
    await dispatch(world, TENANT)
    going = await now(world, first)
    assert (going.status, going.answer) == ("running", "green")
    assert going.execution != former
    log = [event.event for event in await world.operations.log(first)]
    assert log == ["task.progress", "task.started", "task.progress", "task.progress", "task.progress", "task.progress"]


async def test_the_answered_and_the_queued_start_in_one_order_of_id(world: World) -> None:
    first, second, third = await submitted(world, 3)
    await waiting.wait(world, TENANT, first, "Which tea?")
    await dispatch(world, TENANT)
    await waiting.give(world, TENANT, first, "green")
    await ending.cancel(world, TENANT, second)
    await dispatch(world, TENANT)
    assert (await now(world, first)).status == "running"
    assert (await now(world, third)).status == "queued"


async def test_waiting_does_not_use_up_the_time_limit(world: World) -> None:
    [only] = await submitted(world, 1)
    started = await now(world, only)
    assert started.deadline_at and started.deadline_at.timestamp() == world.now() + 120 * 60
    world.time += 600
    await waiting.wait(world, TENANT, only, "Which tea?")
    assert (await now(world, only)).deadline_at is None
    world.time += 10 * 3600
    await waiting.give(world, TENANT, only, "green")
    await dispatch(world, TENANT)
    going = await now(world, only)
    assert going.deadline_at and going.deadline_at.timestamp() == world.now() + 110 * 60


@pytest.mark.parametrize("by", ["dispatch", "sweep", "a late answer"])
async def test_a_wait_that_expires_is_cancelled(world: World, by: str) -> None:
    [only] = await submitted(world, 1)
    await waiting.wait(world, TENANT, only, "Which tea?")
    world.time += DAY - 1
    await sweep(world)
    assert (await now(world, only)).status == "waiting_for_input"
    world.time += 1
    match by:
        case "dispatch":
            await dispatch(world, TENANT)
        case "sweep":
            assert (await sweep(world))["errors"] == 0
        case _:
            with pytest.raises(Gone) as told:
                await waiting.give(world, TENANT, only, "green")
            assert (told.value.code, bool(told.value.next)) == ("input_expired", True)
    ended = await now(world, only)
    assert ended.status == "cancelled"
    assert ended.error and ended.error.code == "input_expired"
    assert ended.error.next
    assert ended.source_note_id
    note = (await Notes(world.store, TENANT).get(ended.source_note_id)).value
    assert note.research.status == "cancelled"
    await world.check_log(ended)


async def test_many_expired_waits_are_found_by_the_sweep(world: World) -> None:
    ids = await submitted(world, 14)
    for operation_id in ids:
        await waiting.wait(world, TENANT, operation_id, "Which tea?")
        await dispatch(world, TENANT)
    world.time += DAY
    assert (await sweep(world))["errors"] == 0
    assert {operation.status for operation in await world.all()} == {"cancelled"}


async def test_an_answer_that_came_in_time_does_not_expire(world: World) -> None:
    first, second = await submitted(world, 2)
    await waiting.wait(world, TENANT, first, "Which tea?")
    await dispatch(world, TENANT)
    await waiting.give(world, TENANT, first, "green")
    world.time += 2 * DAY
    assert not await waiting.expire(world, TENANT, first)
    await ending.cancel(world, TENANT, second)
    await dispatch(world, TENANT)
    assert (await now(world, first)).status == "running"


async def test_the_same_answer_twice_is_one_and_another_is_refused(world: World) -> None:
    first, _ = await submitted(world, 2)
    await waiting.wait(world, TENANT, first, "Which tea?")
    await dispatch(world, TENANT)
    once = await waiting.give(world, TENANT, first, "green")
    assert await waiting.give(world, TENANT, first, "green") == once
    with pytest.raises(Conflict) as told:
        await waiting.give(world, TENANT, first, "black")
    assert told.value.code == "not_waiting"
    assert (await now(world, first)).answer == "green"


async def test_nothing_is_asked_of_what_does_not_run(world: World) -> None:
    first, second = await submitted(world, 2)
    await ending.cancel(world, TENANT, first)
    for operation_id, status in ((first, "cancelled"), (second, "queued")):
        assert (await waiting.wait(world, TENANT, operation_id, "Which tea?")).status == status


async def test_a_late_step_of_the_execution_that_asked_takes_nothing_over(world: World) -> None:
    [only] = await submitted(world, 1)
    asking = world.workflows.active[0]
    await world.step(asking)
    await waiting.wait(world, TENANT, only, "Which tea?")
    await waiting.give(world, TENANT, only, "green")
    world.workflows.error = None
    await dispatch(world, TENANT)
    assert await world.step(asking, "poll") == "superseded"
    assert (await now(world, only)).execution == world.workflows.active[-1]
    assert await world.step(world.workflows.active[-1], "poll") == "running"
