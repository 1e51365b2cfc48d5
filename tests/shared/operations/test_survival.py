"""What users of comparable products reported: deliveries repeated, a process that died in mid-run, odd answers."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from shared.models.operation import Operation
from shared.operations.dispatch import dispatch
from shared.research.service import Rejected
from shared.store.days import Days, date_of
from shared.store.notes import Notes
from shared.sweep import sweep
from tests.fakes.desk import Crash
from tests.shared.operations.world import REPORT, RUNNING, TENANT, World

BOUND = 600 + 15 * 60
"""Seconds until a dead run is found at the latest: its lease, and the pause between two sweeps."""


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    made = World(tmp_path)
    yield made
    made.close()


async def running(world: World) -> tuple[Operation, str]:
    """An operation that runs, and its execution."""
    await world.wish()
    await world.deliver(world.mail.pop())
    await dispatch(world, TENANT)
    world.collect()
    world.mail.clear()
    [operation] = await world.all()
    return operation, world.workflows.active[0]


@pytest.mark.survival(5)
async def test_deliveries_repeated_at_once_and_after_the_end_make_one_report_and_one_charge(world: World) -> None:
    note_id = await world.wish()
    wish = world.mail.pop()
    await asyncio.gather(*(world.deliver(wish) for _ in range(5)))
    await asyncio.gather(*(dispatch(world, TENANT) for _ in range(5)))
    [operation] = await world.all()
    for act in ("create", "poll", "finish"):
        for name in world.workflows.active:
            await asyncio.gather(*(world.step(name, act) for _ in range(5)), sweep(world), dispatch(world, TENANT))
    assert (await world.operations.get(operation.id)).value.status == "completed"
    for _ in range(3):
        await world.deliver(wish)
        await sweep(world)
        for name in world.workflows.states:
            for act in ("create", "poll", "finish", "fail"):
                assert await world.step(name, act) == "deduped"
    await world.run_all()
    assert len(world.service.creates) == 1
    assert (await Days(world.store, TENANT).get(date_of(world.now()))).paid_runs == 1
    reports = await Notes(world.store, TENANT).page(kind="research")
    assert [report.source_note_id for report in reports] == [note_id]
    assert len(await world.all()) == 1
    await world.check({})


@pytest.mark.survival(6)
@pytest.mark.parametrize("killed_in", ["create", "poll", "finish"])
async def test_a_run_without_a_live_worker_goes_on_or_fails_and_frees_its_slot_in_time(
    world: World, killed_in: str
) -> None:
    world.service.looks = [RUNNING, REPORT]
    operation, name = await running(world)
    while world.workflows.following[name] != killed_in:
        await world.step(name)
        world.service.looks = world.service.looks[-1:]
    assert not await world.survive(world.step(name), Crash(at=3))
    world.workflows.states[name] = "FAILED"
    died = world.now()
    while world.now() < died + BOUND:
        world.time += 15 * 60
        await sweep(world)
    await world.run_all()
    assert world.now() - died < BOUND + 15 * 60
    assert (await world.operations.get(operation.id)).value.status == "completed"
    assert not (await world.operations.slots()).holders
    await world.check({})


@pytest.mark.survival(6)
async def test_a_run_that_can_not_go_on_fails_and_frees_its_slot_in_time(world: World) -> None:
    world.service.looks = [RUNNING]
    operation, name = await running(world)
    await world.step(name)
    world.workflows.states[name] = "FAILED"
    world.time += 121 * 60
    await sweep(world)
    ended = (await world.operations.get(operation.id)).value
    assert (ended.status, ended.error and ended.error.code) == ("failed", "deadline_exceeded")
    assert not (await world.operations.slots()).holders
    assert world.service.cancels == ["v1_1"]
    await world.check({})


TEXT = REPORT["steps"]
ODD = {
    "finished without a report": ({"status": "completed", "steps": []}, "failed", "empty_report"),
    "stopped early with a report": ({"status": "incomplete", "steps": TEXT}, "completed", ""),
    "stopped early without one": ({"status": "incomplete", "steps": []}, "failed", "provider_failed"),
    "out of its budget with a report": ({"status": "budget_exceeded", "steps": TEXT}, "completed", ""),
    "out of its budget without one": ({"status": "budget_exceeded", "steps": []}, "failed", "provider_failed"),
    "asks for something": ({"status": "requires_action", "steps": []}, "failed", "needs_action"),
    "failed there": ({"status": "failed", "steps": []}, "failed", "provider_failed"),
    "cancelled there": ({"status": "cancelled", "steps": []}, "failed", "provider_cancelled"),
    "queued for ever": ({"status": "queued", "steps": []}, "failed", "deadline_exceeded"),
    "a status that nobody knows": ({"status": "pondering", "steps": []}, "failed", "deadline_exceeded"),
    "another id at the end": ({**REPORT, "id": "v1_other"}, "completed", ""),
    "gone": (Rejected("no", service_code="NOT_FOUND", upstream_status=404), "failed", "expired"),
    "not to be seen": (Rejected("no", service_code="PERMISSION_DENIED", upstream_status=403), "failed", "lost"),
}


@pytest.mark.survival(7)
@pytest.mark.parametrize("odd", ODD)
async def test_each_odd_answer_of_the_service_leads_to_a_state_with_words_for_it(world: World, odd: str) -> None:
    look, status, code = ODD[odd]
    world.service.looks = [look]
    operation, _ = await running(world)
    await world.run_all()
    ended = (await world.operations.get(operation.id)).value
    assert (ended.status, ended.error.code if ended.error else "") == (status, code)
    if ended.error:
        assert ended.error.message
        assert ended.error.next
    else:
        assert (ended.partial is None) == (odd == "another id at the end")
    await world.check({})
