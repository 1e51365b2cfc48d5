import asyncio
from pathlib import Path

import pytest

from shared.errors import Conflict
from shared.models.base import moment
from shared.models.operation import Failure, RoutineInput
from shared.operations.ending import cancel, fail
from shared.preferences import Choices, choose
from shared.routines.change import RoutineChange, all_of, change
from shared.routines.due import operation_id, run_now, start_due
from shared.store.answers import Key
from shared.store.documents import Query
from tests.fakes.desk import START, Crash, Killed
from tests.shared.routines.working import (
    MORNING,
    TENANT,
    Bureau,
    done,
    given_a_slot,
    operations_of,
    routine_of,
    runs_of,
    started,
    switched_on,
)

DAY = 86_400.0


async def test_nothing_runs_that_nobody_switched_on(desk: Bureau) -> None:
    for _ in range(3):
        desk.time += DAY
        assert await start_due(desk) == 0
    assert await operations_of(desk) == []
    assert [one.routine.enabled for one in await all_of(desk, TENANT)] == [False, False]
    assert [one.next_due_at for one in await all_of(desk, TENANT)] == [None, None]


async def test_what_is_due_starts_once_however_often_it_is_looked_for(desk: Bureau) -> None:
    await switched_on(desk)
    desk.time = MORNING - 1
    assert await start_due(desk) == 0
    desk.time = MORNING
    assert await start_due(desk) == 1
    assert await start_due(desk) == 0
    desk.time += 900
    assert await start_due(desk) == 0
    (operation,) = await operations_of(desk)
    assert isinstance(operation.input, RoutineInput)
    assert (operation.kind, operation.input.routine) == ("routine", "daily_review")
    assert operation.input.due_at == moment(MORNING)
    (run,) = await runs_of(desk)
    assert (run.id, run.status, run.due_at, run.by) == (operation.id, "queued", moment(MORNING), "schedule")
    kept = await routine_of(desk)
    assert (kept.last_day, kept.last_due_at) == ("2027-01-16", moment(MORNING))


async def test_many_ticks_at_the_same_moment_start_one(desk: Bureau) -> None:
    await switched_on(desk)
    await switched_on(desk, "nightly_digest", at="06:59")
    desk.time = MORNING
    assert sum(await asyncio.gather(*(start_due(desk) for _ in range(6)))) == 2
    assert len(await operations_of(desk)) == len(await runs_of(desk)) == 2


@pytest.mark.parametrize("died_after", [False, True])
async def test_a_tick_that_dies_anywhere_is_made_good_by_the_next(tmp_path: Path, died_after: bool) -> None:
    for at in range(1, 100):
        desk = Bureau(tmp_path / f"{at}")
        await switched_on(desk)
        desk.time = MORNING
        desk.reborn(Crash(at=at, after=died_after))
        try:
            await start_due(desk)
            survived = True
        except Killed:
            survived = False
        desk.reborn()
        desk.time += 900
        await start_due(desk)
        (operation,) = await operations_of(desk)
        assert operation.id == operation_id(TENANT, "daily_review", MORNING)
        assert [run.id for run in await runs_of(desk)] == [operation.id]
        assert (await routine_of(desk)).last_day == "2027-01-16"
        assert ("operation-events", {"tenant": TENANT}) in desk.world[1].heard
        assert await start_due(desk) == 0
        desk.close()
        if survived:
            assert at > 6
            return


async def test_days_that_were_missed_are_caught_up_once(desk: Bureau) -> None:
    await switched_on(desk)
    desk.time = MORNING + 5 * DAY + 3600
    assert await start_due(desk) == 1
    assert await start_due(desk) == 0
    (run,) = await runs_of(desk)
    assert run.due_at == moment(MORNING + 5 * DAY)
    desk.time = MORNING + 6 * DAY
    assert await start_due(desk) == 1


async def test_it_is_due_by_the_persons_own_clock(desk: Bureau) -> None:
    zone = Choices(time_zone="America/New_York")
    await choose(desk.store, desk.settings, TENANT, zone, desk.now())
    await switched_on(desk)
    (review, _) = await all_of(desk, TENANT)
    assert (review.time_zone, review.next_due_at) == ("America/New_York", START + 4 * 3600)
    desk.time = START + 4 * 3600 - 1
    assert await start_due(desk) == 0
    desk.time += 1
    assert await start_due(desk) == 1


async def test_one_tenants_trouble_keeps_no_other_from_its_turn(desk: Bureau) -> None:
    for tenant in ("a", "b", "c"):
        await switched_on(desk, tenant=tenant)
    (document,) = [one for one in await desk.store.query(Query("routines", None)) if "/b/" in one.path]
    from shared.store.documents import Write

    await desk.store.commit([Write(document.path, {**document.data, "at": "noon"})])
    desk.time = MORNING
    assert await start_due(desk) == 2
    assert [len(await operations_of(desk, tenant)) for tenant in ("a", "b", "c")] == [1, 0, 1]


async def test_only_those_that_are_on_are_read(desk: Bureau) -> None:
    await switched_on(desk, tenant="a")
    for n in range(30):
        await switched_on(desk, tenant=f"off{n}")
        await change(desk, f"off{n}", "ann", "daily_review", RoutineChange(enabled=False), expected=None)
    desk.reborn()
    assert await start_due(desk) == 0
    assert desk.crash.uses < 6


async def test_switched_off_again_before_its_time_it_does_not_run(desk: Bureau) -> None:
    await switched_on(desk)
    await change(desk, TENANT, "ann", "daily_review", RoutineChange(enabled=False), expected=None)
    desk.time = MORNING + 60
    assert await start_due(desk) == 0


async def test_a_routine_that_is_moved_runs_no_second_time_that_day(desk: Bureau) -> None:
    await switched_on(desk)
    desk.time = MORNING
    assert await start_due(desk) == 1
    desk.time += 60
    await change(desk, TENANT, "ann", "daily_review", RoutineChange(at="09:00"), expected=None)
    (review, _) = await all_of(desk, TENANT)
    assert review.next_due_at == MORNING + DAY + 2 * 3600
    desk.time = MORNING + 3 * 3600
    assert await start_due(desk) == 0


async def test_a_change_of_a_routine_that_somebody_else_changed_is_refused(desk: Bureau) -> None:
    await switched_on(desk)
    with pytest.raises(Conflict) as refused:
        await change(desk, TENANT, "ann", "daily_review", RoutineChange(at="09:00"), expected=0)
    assert refused.value.code == "revision_conflict"


# -- now -------------------------------------------------------------------------------------------------------


async def test_a_run_that_a_person_wants_now_needs_no_schedule_and_moves_none(desk: Bureau) -> None:
    operation = await run_now(desk, TENANT, "nightly_digest", None)
    (run,) = await runs_of(desk)
    assert (run.id, run.by, run.status, run.routine) == (operation.id, "person", "queued", "nightly_digest")
    assert not (await routine_of(desk, "nightly_digest")).enabled
    # Twice within the minute is one run; later, it is refused while that one goes on.
    assert (await run_now(desk, TENANT, "nightly_digest", None)).id == operation.id
    desk.time += 61
    with pytest.raises(Conflict) as refused:
        await run_now(desk, TENANT, "nightly_digest", None)
    assert refused.value.code == "already_running" and operation.id in refused.value.next
    await cancel(desk, TENANT, operation.id)
    assert (await run_now(desk, TENANT, "nightly_digest", None)).id != operation.id


async def test_the_same_key_gives_the_same_run_even_later(desk: Bureau) -> None:
    key = Key(f"tenants/{TENANT}/idempotency/k", "0" * 64)
    first = await run_now(desk, TENANT, "daily_review", key)
    desk.time += 3600
    assert (await run_now(desk, TENANT, "daily_review", key)).id == first.id
    assert len(await operations_of(desk)) == 1


async def test_a_run_now_in_the_minute_of_the_schedule_is_that_run(desk: Bureau) -> None:
    await switched_on(desk)
    desk.time = MORNING + 30
    operation = await run_now(desk, TENANT, "daily_review", None)
    assert await start_due(desk) == 1
    assert [one.id for one in await operations_of(desk)] == [operation.id]


# -- failures --------------------------------------------------------------------------------------------------


WHY = Failure(code="model_refused", message="The model refused.", next="Choose another one.")


async def failed_on(desk: Bureau, day: int) -> None:
    desk.time = MORNING + day * DAY
    operation = await started(desk)
    await fail(desk, TENANT, operation.id, WHY)


async def test_three_failures_in_a_row_pause_it_and_say_why(desk: Bureau) -> None:
    await switched_on(desk)
    for day in range(2):
        await failed_on(desk, day)
        assert ((await routine_of(desk)).failures, (await routine_of(desk)).paused) == (day + 1, None)
    await failed_on(desk, 2)
    paused = (await routine_of(desk)).paused
    assert (
        paused and paused.reason == "It failed 3 times in a row. The last time: The model refused. Choose another one."
    )
    assert [run.status for run in await runs_of(desk)] == ["failed"] * 3
    assert (await runs_of(desk))[0].error == WHY
    desk.time = MORNING + 3 * DAY
    assert await start_due(desk) == 0
    assert (await all_of(desk, TENANT))[0].next_due_at is None


@pytest.mark.parametrize("wanted", [RoutineChange(resume=True), RoutineChange(enabled=True)])
async def test_it_is_resumed_with_a_clean_slate_and_catches_up_nothing(desk: Bureau, wanted: RoutineChange) -> None:
    await switched_on(desk)
    for day in range(3):
        await failed_on(desk, day)
    desk.time = MORNING + 5 * DAY + 60
    if wanted.enabled:
        await change(desk, TENANT, "ann", "daily_review", RoutineChange(enabled=False), expected=None)
    await change(desk, TENANT, "ann", "daily_review", wanted, expected=None)
    kept = await routine_of(desk)
    assert (kept.paused, kept.failures, kept.active) == (None, 0, True)
    assert await start_due(desk) == 0
    desk.time = MORNING + 6 * DAY
    assert await start_due(desk) == 1


async def test_a_success_forgets_the_failures_and_a_cancelled_run_counts_as_neither(desk: Bureau) -> None:
    await switched_on(desk)
    await failed_on(desk, 0)
    await failed_on(desk, 1)
    desk.time = MORNING + 2 * DAY
    await cancel(desk, TENANT, (await started(desk)).id)
    assert (await routine_of(desk)).failures == 2
    desk.time = MORNING + 3 * DAY
    assert (await done(desk, await started(desk))).status == "completed"
    assert (await routine_of(desk)).failures == 0
    assert [run.status for run in await runs_of(desk)] == ["completed", "cancelled", "failed", "failed"]


async def test_a_run_that_ends_before_it_was_written_down_is_written_down(desk: Bureau) -> None:
    from shared.operations.start import start

    wanted = RoutineInput(routine="daily_review", due_at=moment(MORNING))
    operation = await start(desk, TENANT, "routine", wanted, operation_id=operation_id(TENANT, "daily_review", MORNING))
    await cancel(desk, TENANT, operation.id)
    assert [(run.id, run.status) for run in await runs_of(desk)] == [(operation.id, "cancelled")]


async def test_a_run_with_a_slot_shows_that_it_runs(desk: Bureau) -> None:
    await switched_on(desk)
    desk.time = MORNING
    await start_due(desk)
    operation = await given_a_slot(desk)
    assert [(run.id, run.status) for run in await runs_of(desk)] == [(operation.id, "running")]
