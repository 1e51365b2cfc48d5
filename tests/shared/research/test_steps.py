import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from shared.capture import Capture, capture
from shared.errors import Conflict, NotConfigured, TooMany, Unreachable
from shared.models.note import Note
from shared.models.operation import Operation
from shared.operations import ending
from shared.operations.dispatch import dispatch
from shared.operations.drive import keep_slot
from shared.operations.step import Polling
from shared.research import claim, steps
from shared.research.service import Busy, Rejected, StartUnknown, Trouble
from shared.store.notes import Notes
from shared.store.operations import Operations
from shared.sweep import sweep
from tests.fakes.desk import Crash, Desk, Killed

REPORT = {
    "status": "completed",
    "steps": [
        {"type": "thought", "summary": [{"type": "text", "text": "**Scoping**"}]},
        {"type": "model_output", "content": [{"type": "text", "text": "# Tea\n\nGreen tea is tea. [cite: 1]\n\n"}]},
        {"type": "model_output", "content": [{"type": "text", "text": "**Sources:**\n1. [a](https://a.example/)\n"}]},
    ],
}
RUNNING = {"status": "in_progress", "steps": []}


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    made = Desk(tmp_path, research_paid=True, max_running=2, daily_budget_usd=100.0)
    made.service.looks = [REPORT]
    yield made
    made.close()


async def wished(desk: Desk, text: str = "What is green tea?") -> str:
    entry = Capture(text=text, tags=["research"])
    return (await capture(desk.documents, "t", entry, desk.now())).note.id


async def started(desk: Desk) -> tuple[Operation, Polling]:
    """A claimed operation that runs, and the request its execution sends."""
    operation = await claim.claim(desk, "t", await wished(desk))
    assert operation
    await dispatch(desk, "t")
    return operation, request(operation.id, "e1")


def request(operation_id: str, execution_id: str) -> Polling:
    return Polling(tenant="t", operation_id=operation_id, execution_id=execution_id, poll_seconds=30)


async def operation_of(desk: Desk, operation_id: str) -> Operation:
    return (await Operations(desk.store, "t").get(operation_id)).value


async def note_of(desk: Desk, note_id: str) -> Note:
    return (await Notes(desk.store, "t").get(note_id)).value


async def finished_well(desk: Desk, operation_id: str, note_id: str) -> None:
    """One research note, a completed operation, a free slot, a gap-free log with one ending."""
    operation = await operation_of(desk, operation_id)
    assert operation.status == "completed"
    assert operation.result_note_id == operation_id
    reports = await Notes(desk.store, "t").page(kind="research")
    assert [report.source_note_id for report in reports] == [note_id]
    assert reports[0].body.startswith("# Tea\n\nGreen tea is tea. [cite: 1]")
    assert reports[0].tags == ["research-report"]
    assert [citation.url for citation in reports[0].citations] == ["https://a.example/"]
    source = await note_of(desk, note_id)
    assert source.research.status == "completed"
    assert not source.research.requested
    assert not (await Operations(desk.store, "t").slots()).holders
    await log_is_whole(desk, operation)
    trace = await Notes(desk.store, "t").trace(operation_id)
    assert [event.seq for event in trace] == list(range(1, len(trace) + 1))
    assert trace[0].type == "thinking"


async def log_is_whole(desk: Desk, operation: Operation) -> None:
    log = await Operations(desk.store, "t").log(operation.id)
    assert [event.seq for event in log] == list(range(1, operation.events + 1))
    endings = [event for event in log if event.event in ("task.completed", "task.failed", "task.cancelled")]
    assert len(endings) == 1
    assert log[-1] == endings[0]


async def drive(desk: Desk, asked: Polling) -> str:
    """What the workflow does, without its pauses."""
    answer = await steps.create(desk, asked)
    for _ in range(300):
        if answer.status == "running":
            desk.time += answer.wait_seconds
            answer = await steps.poll(desk, asked)
        elif answer.status == "ready":
            answer = await steps.finish(desk, asked)
        else:
            return answer.status
    raise AssertionError("the run never ends")


async def test_a_run_ends_with_one_report_linked_to_its_note(desk: Desk) -> None:
    operation, asked = await started(desk)
    assert await drive(desk, asked) == "completed"
    assert operation.source_note_id
    await finished_well(desk, operation.id, operation.source_note_id)


async def test_the_same_wish_delivered_a_hundred_times_makes_one_operation(desk: Desk) -> None:
    note_id = await wished(desk)
    for _ in range(5):
        await asyncio.gather(*(claim.claim(desk, "t", note_id) for _ in range(20)))
    assert len(await Operations(desk.store, "t").page()) == 1


async def test_every_step_may_be_called_twice(desk: Desk) -> None:
    desk.service.looks = [RUNNING, RUNNING, REPORT]
    operation, asked = await started(desk)
    for _ in range(2):
        assert (await steps.create(desk, asked)).status == "running"
    for _ in range(2):
        assert (await steps.poll(desk, asked)).status == "running"
    assert (await steps.poll(desk, asked)).status == "ready"
    assert (await steps.finish(desk, asked)).status == "completed"
    assert (await steps.finish(desk, asked)).status == "deduped"
    assert len(desk.service.creates) == 1
    assert operation.source_note_id
    await finished_well(desk, operation.id, operation.source_note_id)


async def test_steps_at_the_same_moment_buy_once(desk: Desk) -> None:
    _, asked = await started(desk)
    answers = await asyncio.gather(*(steps.create(desk, asked) for _ in range(10)))
    assert len(desk.service.creates) == 1
    assert {answer.status for answer in answers} == {"running"}


async def test_a_second_execution_is_told_that_it_is_superseded(desk: Desk) -> None:
    operation, asked = await started(desk)
    await steps.create(desk, asked)
    assert (await steps.create(desk, request(operation.id, "e99"))).status == "superseded"
    assert len(desk.service.creates) == 1


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_death_at_any_moment_of_finishing_ends_in_one_report(tmp_path: Path, after: bool) -> None:
    at = 1
    while True:
        desk = Desk(tmp_path / f"{after}-{at}")
        desk.service.looks = [REPORT]
        operation, asked = await started(desk)
        await steps.create(desk, asked)
        desk.reborn(Crash(at=at, after=after))
        died = False
        try:
            await steps.finish(desk, asked)
        except Killed:
            died = True
        desk.reborn()
        if died:
            assert (await steps.finish(desk, asked)).status in ("completed", "deduped")
        assert operation.source_note_id
        await finished_well(desk, operation.id, operation.source_note_id)
        desk.close()
        if not died:
            assert at > 5, "finishing uses more doors than that"
            return
        at += 1


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_death_at_any_moment_of_starting_never_buys_twice(tmp_path: Path, after: bool) -> None:
    at, unknown = 1, 0
    while True:
        desk = Desk(tmp_path / f"{after}-{at}")
        desk.service.looks = [REPORT]
        desk.crash = Crash(at=at, after=after)
        desk._wire()
        died = False
        try:
            note_id = await wished(desk)
            await claim.claim(desk, "t", note_id)
            await dispatch(desk, "t")
            operation = (await Operations(desk.store, "t").page())[0]
            await steps.create(desk, request(operation.id, "e1"))
        except Killed:
            died = True
        desk.reborn()
        notes = await Notes(desk.store, "t").page(kind="capture")
        if notes:  # a capture that was not answered may be lost; an answered one may not
            await sweep(desk, patience=0)
            await sweep(desk, patience=0)
            operation = (await Operations(desk.store, "t").page())[0]
            for name in list(desk.engine.states):
                await drive(desk, request(operation.id, name.rpartition("/")[2]))
            operation = await operation_of(desk, operation.id)
            assert len(desk.service.creates) <= 1
            if operation.status == "failed":
                assert operation.error and operation.error.code == "start_unknown"
                unknown += 1
            else:
                await finished_well(desk, operation.id, notes[0].id)
        desk.close()
        if not died:
            break
        at += 1
    # Only between the stored intent and the stored id may the outcome be unknown.
    assert 1 <= unknown <= 3


async def test_a_start_whose_answer_was_lost_is_not_repeated(desk: Desk) -> None:
    desk.service.create_error = [StartUnknown("?")]
    operation, asked = await started(desk)
    assert (await steps.create(desk, asked)).status == "failed"
    ended = await operation_of(desk, operation.id)
    assert ended.error and ended.error.code == "start_unknown"
    assert "Start anew" in ended.error.next
    await log_is_whole(desk, ended)


async def test_a_start_that_was_not_sent_is_tried_again(desk: Desk) -> None:
    desk.service.create_error = [Unreachable("no"), Busy("slow", retry_after=7)]
    operation, asked = await started(desk)
    assert (await steps.create(desk, asked)).status == "running"
    second = await steps.poll(desk, asked)
    assert second.status == "running"
    assert second.wait_seconds >= 8
    assert await drive(desk, asked) == "completed"
    assert len(desk.service.creates) == 1
    assert operation.id


async def test_a_service_that_is_never_reached_ends_the_run_and_gives_the_money_back(desk: Desk) -> None:
    desk.service.create_error = [Unreachable("no") for _ in range(50)]
    operation, asked = await started(desk)
    assert await drive(desk, asked) == "failed"
    ended = await operation_of(desk, operation.id)
    assert ended.error and ended.error.code == "unavailable"
    document = await desk.store.get(f"tenants/t/days/{operation.budget_day}")
    assert document and document.data["paid_runs"] == 0


async def test_trouble_at_looking_is_no_failure_of_the_run(desk: Desk) -> None:
    desk.service.looks = [*[Trouble("503", upstream_status=503) for _ in range(30)], REPORT]
    operation, asked = await started(desk)
    assert await drive(desk, asked) == "completed"
    assert operation.source_note_id
    await finished_well(desk, operation.id, operation.source_note_id)


async def test_a_fresh_run_may_be_invisible_for_a_while(desk: Desk) -> None:
    hidden = [Rejected("no", service_code="permission_denied", upstream_status=403) for _ in range(3)]
    desk.service.looks = [*hidden, REPORT]
    _, asked = await started(desk)
    assert await drive(desk, asked) == "completed"


@pytest.mark.parametrize(("status", "code"), [(401, "lost"), (403, "lost"), (404, "expired")])
async def test_a_run_that_stays_invisible_is_given_up(desk: Desk, status: int, code: str) -> None:
    desk.service.looks = [Rejected("no", service_code="x", upstream_status=status)]
    operation, asked = await started(desk)
    assert await drive(desk, asked) == "failed"
    ended = await operation_of(desk, operation.id)
    assert ended.error and ended.error.code == code


async def test_the_time_limit_ends_a_run_after_one_last_look(desk: Desk) -> None:
    desk.service.looks = [RUNNING]
    operation, asked = await started(desk)
    await steps.create(desk, asked)
    desk.time += 120 * 60 + 1
    looks = desk.service.gets
    assert (await steps.abandon(desk, asked)).status == "failed"
    assert desk.service.gets == looks + 1
    ended = await operation_of(desk, operation.id)
    assert ended.error and ended.error.code == "deadline_exceeded"
    assert desk.service.cancels == ["v1_1"]
    assert not ended.remote_open


async def test_a_report_found_by_the_last_look_is_kept(desk: Desk) -> None:
    operation, asked = await started(desk)
    await steps.create(desk, asked)
    desk.time += 120 * 60 + 1
    assert (await steps.abandon(desk, asked)).status == "completed"
    assert operation.source_note_id
    await finished_well(desk, operation.id, operation.source_note_id)


async def test_a_dead_execution_is_replaced_while_the_run_goes_on(desk: Desk) -> None:
    desk.service.looks = [RUNNING, REPORT]
    operation, asked = await started(desk)
    await steps.create(desk, asked)
    desk.engine.states = dict.fromkeys(desk.engine.states, "FAILED")
    desk.time += 601
    await dispatch(desk, "t")
    assert [state for state in desk.engine.states.values()] == ["FAILED", "ACTIVE"]
    assert (await steps.poll(desk, asked)).status == "superseded"
    assert await drive(desk, request(operation.id, "e2")) == "completed"
    assert len(desk.service.creates) == 1


async def test_an_execution_that_a_person_cancelled_cancels_its_operation(desk: Desk) -> None:
    desk.service.looks = [RUNNING]
    operation, asked = await started(desk)
    await steps.create(desk, asked)
    desk.engine.states = dict.fromkeys(desk.engine.states, "CANCELLED")
    desk.time += 601
    await dispatch(desk, "t")
    assert (await operation_of(desk, operation.id)).status == "cancelled"
    assert desk.service.cancels == ["v1_1"]


async def test_a_cancel_wins_over_a_late_report(desk: Desk) -> None:
    operation, asked = await started(desk)
    await steps.create(desk, asked)
    cancelled = await ending.cancel(desk, "t", operation.id)
    assert cancelled.status == "cancelled"
    assert desk.service.cancels == ["v1_1"]
    assert list(desk.engine.states.values()) == ["CANCELLED"]
    assert (await steps.finish(desk, asked)).status == "deduped"
    assert not await Notes(desk.store, "t").page(kind="research")
    await log_is_whole(desk, await operation_of(desk, operation.id))


async def test_a_cancel_between_posting_and_storing_stops_the_run_that_was_bought(desk: Desk) -> None:
    operation, asked = await started(desk)

    class CancelledMeanwhile:
        async def create(self, *_: object) -> str:
            await ending.cancel(desk, "t", operation.id)
            return "v1_late"

        async def cancel(self, interaction_id: str) -> None:
            desk.service.cancels.append(interaction_id)

    desk.research = CancelledMeanwhile()
    assert (await steps.create(desk, asked)).status == "deduped"
    ended = await operation_of(desk, operation.id)
    assert ended.interaction_id == "v1_late"
    assert desk.service.cancels == ["v1_late"]
    assert not ended.remote_open


async def test_an_outside_run_that_could_not_be_stopped_is_stopped_by_the_sweep(desk: Desk) -> None:
    desk.service.cancel_error = Trouble("500", upstream_status=500)
    operation, asked = await started(desk)
    await steps.create(desk, asked)
    await ending.cancel(desk, "t", operation.id)
    assert (await operation_of(desk, operation.id)).remote_open
    desk.service.cancel_error = None
    await sweep(desk)
    assert not (await operation_of(desk, operation.id)).remote_open


async def test_no_more_than_the_allowed_number_runs_and_the_rest_waits_in_order(desk: Desk) -> None:
    made = []
    for number in range(4):
        desk.time += 1
        operation = await claim.claim(desk, "t", await wished(desk, f"question {number}"))
        assert operation
        made.append(operation.id)
    await dispatch(desk, "t")
    running = await Operations(desk.store, "t").oldest("running", 10)
    assert [operation.id for operation in running] == made[:2]
    await ending.cancel(desk, "t", made[0])
    await asyncio.gather(*(dispatch(desk, "t") for _ in range(5)))
    running = await Operations(desk.store, "t").oldest("running", 10)
    assert [operation.id for operation in running] == made[1:3]


async def test_the_daily_number_of_paid_runs_is_kept(tmp_path: Path) -> None:
    desk = Desk(tmp_path, daily_paid_runs=2, daily_budget_usd=100.0)
    try:
        for number in range(2):
            assert await claim.claim(desk, "t", await wished(desk, f"q{number}"))
        third = await wished(desk, "one too many")
        assert await claim.claim(desk, "t", third) is None
        refused = await note_of(desk, third)
        assert refused.research.status == "failed"
        assert refused.research.error and "MEMEX_DAILY_PAID_RUNS" in refused.research.error
        with pytest.raises(TooMany) as limit:
            await claim.request(desk, "t", third)
        assert limit.value.code == "daily_runs_reached"
        desk.time += 24 * 3600
        assert await claim.request(desk, "t", third)
    finally:
        desk.close()


async def test_asking_twice_while_it_runs_is_a_conflict(desk: Desk) -> None:
    operation, _ = await started(desk)
    assert operation.source_note_id
    with pytest.raises(Conflict) as conflict:
        await claim.request(desk, "t", operation.source_note_id)
    assert conflict.value.code == "already_running"


async def test_a_run_that_was_bought_and_never_fetched_is_taken_up_again(desk: Desk) -> None:
    desk.service.looks = [RUNNING]
    operation, asked = await started(desk)
    await steps.create(desk, asked)
    desk.time += 120 * 60 + 1
    await steps.abandon(desk, asked)
    desk.service.looks = [REPORT]
    assert operation.source_note_id
    again = await claim.request(desk, "t", operation.source_note_id)
    await dispatch(desk, "t")
    assert await drive(desk, request(again.id, "e2")) == "completed"
    assert len(desk.service.creates) == 1
    # One purchase, one charge.
    document = await desk.store.get(f"tenants/t/days/{again.budget_day}")
    assert document and document.data["paid_runs"] == 1


async def test_polls_are_few(desk: Desk) -> None:
    desk.service.looks = [RUNNING]
    _, asked = await started(desk)
    began, polls = desk.time, [0, 0]
    answer = await steps.create(desk, asked)
    while desk.time - began < 120 * 60:
        desk.time += answer.wait_seconds
        answer = await steps.poll(desk, asked)
        polls[1] += 1
        polls[0] += desk.time - began <= 30 * 60
    assert polls[0] <= 36
    assert polls[1] <= 130


async def test_settings_that_can_not_work_end_the_run_and_give_the_money_back(desk: Desk) -> None:
    desk.service.create_error = [NotConfigured("no credentials")]
    operation, asked = await started(desk)
    assert (await steps.create(desk, asked)).status == "failed"
    ended = await operation_of(desk, operation.id)
    assert ended.error and ended.error.code == "not_configured"
    document = await desk.store.get(f"tenants/t/days/{operation.budget_day}")
    assert document and document.data["paid_runs"] == 0


async def test_nothing_is_bought_while_an_earlier_run_can_not_be_seen(desk: Desk) -> None:
    desk.service.looks = [RUNNING]
    operation, asked = await started(desk)
    await steps.create(desk, asked)
    desk.time += 120 * 60 + 1
    await steps.abandon(desk, asked)
    assert operation.source_note_id
    again = await claim.request(desk, "t", operation.source_note_id)
    await dispatch(desk, "t")
    desk.service.looks = [Trouble("503", upstream_status=503), REPORT]
    assert (await steps.create(desk, request(again.id, "e2"))).status == "running"
    assert len(desk.service.creates) == 1
    assert await drive(desk, request(again.id, "e2")) == "completed"
    assert len(desk.service.creates) == 1


async def test_trouble_and_refusals_are_counted_apart(desk: Desk) -> None:
    troubles = [Trouble("503", upstream_status=503) for _ in range(9)]
    desk.service.looks = [*troubles, Rejected("no", service_code="x", upstream_status=403), REPORT]
    _, asked = await started(desk)
    assert await drive(desk, asked) == "completed"
    assert desk.service.cancels == []


async def test_a_hand_over_does_not_prolong_the_time_limit(desk: Desk) -> None:
    desk.service.looks = [RUNNING]
    operation, asked = await started(desk)
    await steps.create(desk, asked)
    desk.engine.states = dict.fromkeys(desk.engine.states, "FAILED")
    desk.time += 100 * 60
    await dispatch(desk, "t")
    desk.time += 21 * 60
    assert (await steps.poll(desk, request(operation.id, "e2"))).status == "failed"
    ended = await operation_of(desk, operation.id)
    assert ended.error and ended.error.code == "deadline_exceeded"


async def test_an_operation_that_ended_does_not_get_its_slot_back(desk: Desk) -> None:
    operation, _ = await started(desk)
    await ending.cancel(desk, "t", operation.id)
    await keep_slot(desk, "t", operation.id)
    assert not (await Operations(desk.store, "t").slots()).holders


async def test_a_report_of_a_megabyte_is_stored_whole(desk: Desk) -> None:
    sentence = "The pear tree number {n} grows flat against its own sunny wall in spring. [cite: 1] "
    text = "# Pears\n\n" + "".join(sentence.format(n=n) for n in range(12_000))
    listed = "\n\n**Sources:**\n1. [a](https://a.example/)\n"
    body = {"type": "model_output", "content": [{"type": "text", "text": text + listed}]}
    desk.service.looks = [{"status": "completed", "steps": [body]}]
    operation, asked = await started(desk)
    assert await drive(desk, asked) == "completed"
    note = await Notes(desk.store, "t").whole(operation.id)
    assert note.body == text + listed
    ended = await operation_of(desk, operation.id)
    assert ended.output and len(str(ended.output)) < 60_000
    assert any("more claims" in str(flag) for flag in ended.output["flags"])  # type: ignore[union-attr]


async def test_the_daily_budget_in_dollars_is_kept(tmp_path: Path) -> None:
    desk = Desk(tmp_path, daily_budget_usd=5.0)
    try:
        assert await claim.claim(desk, "t", await wished(desk, "first"))
        with pytest.raises(TooMany) as limit:
            await claim.request(desk, "t", await wished(desk, "second"))
        assert limit.value.code == "daily_budget_reached"
    finally:
        desk.close()


async def test_a_run_dearer_than_one_operation_may_be_is_not_bought(tmp_path: Path) -> None:
    desk = Desk(tmp_path, operation_budget_usd=1.0)
    try:
        operation, asked = await started(desk)
        assert (await steps.create(desk, asked)).status == "failed"
        ended = await operation_of(desk, operation.id)
        assert ended.error and ended.error.code == "budget_exceeded"
        assert desk.service.creates == []
    finally:
        desk.close()


async def test_an_execution_that_only_looks_alive_is_not_waited_for(desk: Desk) -> None:
    desk.service.looks = [RUNNING]
    operation, asked = await started(desk)
    await steps.create(desk, asked)
    desk.time += 120 * 60 + 601
    await sweep(desk)
    ended = await operation_of(desk, operation.id)
    assert ended.error and ended.error.code == "deadline_exceeded"
    assert not (await Operations(desk.store, "t").slots()).holders
