"""A task that needs a person: it asks, leaves its slot, and goes on with what they said. And one that is cancelled."""

import asyncio
from typing import Any

import pytest

from shared.agent.model import Answer, Question
from shared.agent_task.calls import says_yes
from shared.models.operation import Operation
from shared.operations import waiting
from shared.operations.dispatch import dispatch
from shared.operations.ending import cancel
from shared.store.operations import Operations
from tests.fakes.scripted import calls, says
from tests.shared.agent_task.test_task import _open, result
from tests.shared.agent_task.working import TENANT, WALL, TaskDesk, claim, form, seen

ASKS = calls(("ask_user", {"question": "Which wall?", "options": ["south", "north"]}))
PAGE = "https://evil.example/steal"


async def give(desk: TaskDesk, operation: Operation, text: str) -> None:
    doors: Any = desk
    await waiting.give(doors, TENANT, operation.id, text)


async def slots(desk: TaskDesk) -> set[str]:
    return set((await Operations(desk.store, TENANT).slots()).holders)


async def test_it_asks_and_goes_on_with_the_answer(desk: TaskDesk) -> None:
    await desk.note(WALL)
    model = desk.says(ASKS, says("South."), form(claim("Tied.", "S1")))
    operation = await desk.ask()
    assert operation.status == "waiting_for_input"
    assert operation.asked
    assert (operation.asked.text, operation.asked.options) == ("Which wall?", ["south", "north"])
    assert await slots(desk) == set()
    await give(desk, operation, "the south one")
    done = await desk.run(operation.id)
    assert done.status == "completed"
    assert "the south one" in seen(model.questions[1])
    assert len(model.questions) == 3
    assert await slots(desk) == set()
    log = [event.event for event in await desk.log(operation.id)]
    assert log.count("task.tool_call") == log.count("task.tool_result") == 2


async def test_two_questions_get_an_answer_each(desk: TaskDesk) -> None:
    await desk.note(WALL)
    twice = calls(("ask_user", {"question": "Which wall?"}), ("ask_user", {"question": "Which tree?"}))
    desk.says(twice, says("So."), form(claim("Tied.", "S1")))
    operation = await desk.ask()
    await give(desk, operation, "south")
    operation = await desk.run(operation.id)
    assert operation.status == "waiting_for_input"
    assert operation.asked and operation.asked.text == "Which tree?"
    await give(desk, operation, "pear")
    operation = await desk.run(operation.id)
    assert operation.status == "completed"
    results = [event for event in await desk.events(operation.id) if event.type == "tool_result"]
    assert [event.result["answer"] for event in results if event.tool == "ask_user"] == ["south", "pear"]


async def test_a_step_of_the_execution_that_asked_does_not_go_on(desk: TaskDesk) -> None:
    await desk.note(WALL)
    desk.says(ASKS)
    operation_id = await desk.submit()
    await desk.dispatch()
    first = ((await desk.operation(operation_id)).execution or "").rpartition("/")[2]
    while (await desk.step(operation_id, first)).status == "running":
        pass
    assert (await desk.step(operation_id, first)).status == "superseded"
    await give(desk, await desk.operation(operation_id), "south")
    await desk.dispatch()
    assert (await desk.step(operation_id, first)).status == "superseded"


@pytest.mark.survival(9)
@pytest.mark.parametrize("answer", ["no", "yes, but another page", "never", "yes no"])
async def test_whatever_is_no_plain_yes_is_a_no_and_the_model_hears_it(desk: TaskDesk, answer: str) -> None:
    await desk.note(f"{WALL} See {PAGE}")
    desk.settings = _open(desk)
    model = desk.says(calls(("http_fetch", {"url": PAGE})), says("Without."), form(claim("Tied.", "S1")))
    operation = await desk.ask()
    assert operation.status == "waiting_for_input"
    assert operation.asked and operation.asked.options == ["yes", "no"]
    await give(desk, operation, answer)
    operation = await desk.run(operation.id)
    assert operation.status == "completed"
    assert answer in seen(model.questions[1])
    results = [event for event in await desk.events(operation.id) if event.type == "tool_result"]
    assert [event.result["error"] for event in results if not event.ok] == ["denied"]


async def test_a_yes_lets_the_call_through_once_and_its_own_rules_still_hold(desk: TaskDesk) -> None:
    await desk.note(f"{WALL} See {PAGE}")
    desk.settings = _open(desk)
    desk.says(calls(("http_fetch", {"url": PAGE})), says("So."), form(claim("Tied.", "S1")))
    operation = await desk.ask()
    await give(desk, operation, "Yes.")
    operation = await desk.run(operation.id)
    assert operation.status == "completed"
    results = [event for event in await desk.events(operation.id) if event.type == "tool_result"]
    # An address that only a note holds is not fetched, whatever a person said to it.
    assert [event.result["error"] for event in results if not event.ok] == ["address_not_given"]
    assert operation.answer is None
    from shared.store.activity import Activities

    decisions = [one.decision for one in await Activities(desk.store, TENANT).page() if one.kind == "tool"]
    assert sorted(decisions) == ["approved", "asked"]


@pytest.mark.parametrize(
    ("text", "yes"), [("yes", True), ("Yes, please.", True), ("JA", True), ("yesterday", False), ("", False)]
)
def test_a_plain_yes(text: str, yes: bool) -> None:
    assert says_yes(text) is yes


@pytest.mark.survival(10)
async def test_a_wait_that_runs_out_cancels_it_and_nothing_is_done(desk: TaskDesk) -> None:
    await desk.note(WALL)
    desk.says(ASKS)
    operation = await desk.ask()
    desk.time += 25 * 3600
    doors: Any = desk
    await dispatch(doors, TENANT, patience=0)
    operation = await desk.operation(operation.id)
    assert operation.status == "cancelled"
    assert operation.error and operation.error.code == "input_expired"


# -- cancelling


async def test_cancelling_between_steps_stops_it_and_asks_no_model(desk: TaskDesk) -> None:
    await desk.note(WALL)
    model = desk.says(says("x"))
    operation_id = await desk.submit()
    await desk.dispatch()
    assert (await desk.step(operation_id)).status == "running"
    doors: Any = desk
    await cancel(doors, TENANT, operation_id)
    assert (await desk.step(operation_id)).status == "deduped"
    assert model.questions == []
    assert (await desk.log(operation_id))[-1].event == "task.cancelled"


async def test_cancelling_while_a_model_is_at_work_ends_the_call(desk: TaskDesk) -> None:
    await desk.note(WALL)
    stopped = asyncio.Event()

    async def hangs(_question: Question) -> Answer:
        doors: Any = desk
        await cancel(doors, TENANT, operation_id)
        desk.sleeping = _soon
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        raise AssertionError

    async def waits(seconds: float) -> None:
        while desk.sleeping is waits:
            await asyncio.sleep(0)
        await _soon(seconds)

    desk.sleeping = waits
    desk.says(hangs)
    operation_id = await desk.submit()
    await desk.dispatch()
    assert (await desk.step(operation_id)).status == "running"
    assert (await desk.step(operation_id)).status == "deduped"
    assert stopped.is_set()
    log = await desk.log(operation_id)
    assert log[-1].event == "task.cancelled"
    assert await slots(desk) == set()


async def _soon(seconds: float) -> None:
    """The short waits are over at once; the time limit is not."""
    if seconds > 10:
        await asyncio.Event().wait()
    await asyncio.sleep(0)


async def test_a_call_that_was_cancelled_in_mid_answer_leaves_no_proposal(desk: TaskDesk) -> None:
    await desk.note(WALL)
    doors: Any = desk

    async def cancels(_question: Question) -> Answer:
        await cancel(doors, TENANT, operation_id)
        return calls(("create_note", {"text": "Too late."}))

    desk.says(cancels)
    operation_id = await desk.submit()
    operation = await desk.run(operation_id)
    assert operation.status == "cancelled"
    assert await desk.approvals() == []


# -- time


@pytest.mark.survival(4)
async def test_over_its_time_what_was_found_is_kept_and_the_limit_named(desk: TaskDesk) -> None:
    note = await desk.note(WALL)

    async def slow(_question: Question) -> Answer:
        desk.time += 10_000
        return calls(("get_note", {"note_id": note.id}))

    desk.says(slow)
    operation = await desk.ask()
    assert operation.status == "completed"
    assert operation.partial and "task_timeout_seconds" in operation.partial
    assert result(operation).claims[0].claim == WALL


async def test_over_its_time_with_nothing_found_it_failed(desk: TaskDesk) -> None:
    operation_id = await desk.submit()
    await desk.dispatch()
    desk.time += 10_000
    assert (await desk.step(operation_id)).status == "failed"
    operation = await desk.operation(operation_id)
    assert operation.error and operation.error.code == "deadline_exceeded"


@pytest.mark.survival(6)
async def test_an_execution_that_died_leaves_what_was_found_once_time_is_over(desk: TaskDesk) -> None:
    from shared.operations.drive import recover

    await desk.note(WALL)
    desk.says(says("Tied."))
    operation_id = await desk.submit()
    await desk.dispatch()
    for _ in range(2):
        await desk.step(operation_id)
    desk.time += 10_000
    doors: Any = desk
    operation = await desk.operation(operation_id)
    desk.engine.states[operation.execution or ""] = "FAILED"
    await recover(doors, TENANT, operation)
    operation = await desk.operation(operation_id)
    assert (operation.status, operation.error) == ("completed", None)
    assert operation.partial


async def test_a_model_that_never_answers_is_given_up_after_a_while(desk: TaskDesk) -> None:
    await desk.note(WALL)

    async def hangs(_question: Question) -> Answer:
        await asyncio.Event().wait()
        raise AssertionError

    async def late(seconds: float) -> None:
        if seconds < 10:
            await asyncio.Event().wait()

    desk.sleeping = late
    desk.says(hangs, says("Tied."), form(claim("Tied.", "S1")))
    operation_id = await desk.submit()
    await desk.dispatch()
    await desk.step(operation_id)
    answer = await desk.step(operation_id)
    assert (answer.status, answer.wait_seconds > 0) == ("running", True)
    operation = await desk.operation(operation_id)
    assert operation.troubles == 1
    # Nobody knows what it cost, so it counts with what was expected.
    assert operation.usage.tokens > 0
    desk.sleeping = _never
    assert (await desk.run(operation_id)).status == "completed"


async def _never(_seconds: float) -> None:
    await asyncio.Event().wait()
