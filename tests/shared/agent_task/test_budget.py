"""What a task may pay: checked before each question, kept in parts, and gone on from without paying twice."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from shared.agent.model import ModelFailed
from shared.agent_task.paid import PAUSES
from shared.models.operation import AgentInput
from shared.operations.start import start
from shared.store.days import Days, date_of
from shared.store.leases import take
from tests.fakes.scripted import calls, says
from tests.shared.agent_task.test_task import result
from tests.shared.agent_task.working import QUESTION, TENANT, WALL, TaskDesk, claim, form, seen

PRICES = ("scripted=1000/2000",)
"""A thousandth of a dollar for each token in, twice that for one out."""


@pytest.mark.survival(4)
async def test_over_the_budget_nothing_more_is_asked_and_the_limit_is_named(desk: TaskDesk) -> None:
    note = await desk.note(WALL)
    look = calls(("get_note", {"note_id": note.id}))
    desk.settings = replace(desk.settings, operation_budget_tokens=5_500)
    model = desk.says(replace(look, tokens_in=4_000, tokens_out=1_000), says("never asked"))
    operation = await desk.ask()
    assert len(model.questions) == 1
    assert operation.status == "completed"
    assert operation.partial and "5500" in operation.partial and "OPERATION_BUDGET_TOKENS" in operation.partial
    assert result(operation).claims[0].claim == WALL
    assert operation.usage.tokens == 5_000


async def test_over_the_budget_with_nothing_found_it_failed(desk: TaskDesk) -> None:
    desk.settings = replace(desk.settings, operation_budget_tokens=1_000)
    model = desk.says(says("never asked"))
    operation = await desk.ask()
    assert model.questions == []
    assert operation.error and operation.error.code == "budget_exceeded"
    assert "1000" in operation.error.message
    assert operation.error.next


async def test_money_is_counted_for_the_operation_and_for_the_day(desk: TaskDesk) -> None:
    await desk.note(WALL)
    desk.settings = replace(desk.settings, prices=PRICES, operation_budget_usd=100.0, daily_budget_usd=100.0)
    desk.says(says("Tied."), form(claim("Tied.", "S1")))
    operation = await desk.ask()
    assert operation.status == "completed"
    assert round(operation.usage.cost_usd, 6) == 0.04
    day = await Days(desk.store, TENANT).get(date_of(desk.now()))
    assert (day.paid_runs, round(day.cost_usd, 6)) == (0, 0.04)


@pytest.mark.parametrize("refused", [1, len(PAUSES)])
async def test_an_answer_that_was_paid_for_outlasts_a_store_that_is_full_for_a_moment(
    desk: TaskDesk, monkeypatch: pytest.MonkeyPatch, refused: int
) -> None:
    left = refused
    commit = desk.documents.commit

    async def full(writes: Any) -> None:
        nonlocal left
        if left and model.questions:
            left -= 1
            raise OSError(28, "No space left on device")
        await commit(writes)

    async def pause(seconds: float) -> None:
        if seconds not in PAUSES:
            await asyncio.Event().wait()
        desk.time += seconds

    await desk.note(WALL)
    model = desk.says(says("Tied."), form(claim("Tied.", "S1")))
    monkeypatch.setattr(desk.documents, "commit", full, raising=False)
    desk.sleeping = pause
    begun = desk.time
    operation = await desk.ask()
    assert (operation.status, left, len(model.questions)) == ("completed", 0, 2)
    assert desk.time - begun < 60 and operation.usage.tokens == 30


async def test_the_days_budget_stops_it_too(desk: TaskDesk) -> None:
    await desk.note(WALL)
    desk.settings = replace(desk.settings, prices=PRICES, operation_budget_usd=100.0, daily_budget_usd=0.01)
    model = desk.says(says("never asked"))
    operation = await desk.ask()
    assert model.questions == []
    assert operation.partial and "DAILY_BUDGET" in operation.partial


async def again(desk: TaskDesk, question: str = QUESTION) -> Any:
    """What starting it anew does: the same input, as a new operation."""
    doors: Any = desk
    desk.time += 1
    made = await start(doors, TENANT, "agent_task", AgentInput(question=question))
    return await desk.run(made.id)


@pytest.mark.survival(4)
async def test_started_anew_it_goes_on_and_pays_for_no_answer_twice(desk: TaskDesk) -> None:
    note = await desk.note(WALL)
    look = calls(("get_note", {"note_id": note.id}), ("create_note", {"text": "Wires matter."}))
    desk.settings = replace(desk.settings, operation_budget_tokens=5_500)
    desk.says(replace(look, tokens_in=4_000, tokens_out=1_000))
    first = await desk.ask()
    assert first.partial
    desk.settings = replace(desk.settings, operation_budget_tokens=50_000)
    model = desk.says(says("Tied."), form(claim("Tied.", "S1")))
    second = await again(desk)
    assert (second.status, second.partial) == ("completed", None)
    # It was shown what the first run had bought, and bought only what was missing.
    assert [call.tool for message in model.questions[0].messages for call in message.calls] == [
        "get_note",
        "create_note",
    ]
    assert second.usage.tokens == 30
    assert len(await desk.approvals()) == 1
    log = [event.event for event in await desk.log(second.id)]
    assert log[-1] == "task.completed"


async def test_a_draft_that_was_paid_for_only_lacks_its_form(desk: TaskDesk) -> None:
    await desk.note(WALL)
    desk.says(says("They are tied to wires."), says("no form"), says("none"))
    first = await desk.ask()
    assert first.partial
    model = desk.says(form(claim("Tied.", "S1")))
    second = await again(desk)
    assert (second.status, second.partial, len(model.questions)) == ("completed", None, 1)


async def test_another_question_begins_from_nothing(desk: TaskDesk) -> None:
    await desk.note(WALL)
    desk.says(says("They are tied to wires."), says("no form"), says("none"))
    await desk.ask()
    model = desk.says(says("Else."), form(claim("Tied.", "S1")))
    await again(desk, "How do pears grow tall against a wall?")
    assert len(model.questions) == 2


async def test_a_finished_one_is_not_gone_on_from(desk: TaskDesk) -> None:
    await desk.note(WALL)
    desk.says(says("Tied."), form(claim("Tied.", "S1")))
    assert (await desk.ask()).partial is None
    model = desk.says(says("Tied once more."), form(claim("Tied.", "S1")))
    await again(desk)
    assert len(model.questions) == 2


async def test_a_new_run_reads_the_notes_as_they_are_now(desk: TaskDesk) -> None:
    await desk.note(WALL)
    desk.says(says("Tied."), ModelFailed("Broken.", code="model_rejected"))
    first = await desk.ask()
    assert first.partial
    await desk.note("Pears against a wall need water in June.")
    model = desk.says(form(claim("Water.", "S1")))
    await again(desk)
    assert "water in June" in seen(model.questions[0])


async def test_a_question_whose_process_died_counts_as_paid(desk: TaskDesk) -> None:
    await desk.note(WALL)
    desk.says(says("Tied."), form(claim("Tied.", "S1")))
    operation_id = await desk.submit()
    await desk.dispatch()
    await desk.step(operation_id)
    # What a dead process leaves: the lease of a question, and no answer.
    assert await take(desk.store, TENANT, f"task-{operation_id}", desk.now(), 240)
    waits = await desk.step(operation_id)
    assert (waits.status, waits.wait_seconds) == ("running", 10)
    operation = await desk.run(operation_id)
    assert operation.status == "completed"
    assert operation.usage.tokens > 30


async def test_a_question_that_kills_every_process_is_given_up(desk: TaskDesk) -> None:
    await desk.note(WALL)
    model = desk.says()
    operation_id = await desk.submit()
    await desk.dispatch()
    await desk.step(operation_id)
    for died in range(5, 0, -1):
        assert await take(desk.store, TENANT, f"task-{operation_id}", desk.now() - 241 * died, 240)
    operation = await desk.run(operation_id)
    assert operation.error and operation.error.code == "steps_failed"
    assert model.questions == []
