"""A process that dies between any two uses of a door: the task still ends once, and nothing is done or paid twice."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from shared.agent.model import Answer, Delta, Question
from shared.models.operation import Operation
from shared.operations import waiting
from shared.operations.dispatch import dispatch
from shared.store.documents import Query
from tests.fakes.desk import Crash, Killed
from tests.fakes.scripted import calls, says
from tests.shared.agent_task.working import TENANT, WALL, TaskDesk, claim, form

MOMENTS = 44
"""Half of the uses of a door that a whole task has at most; a death beyond its end is none."""


@dataclass
class Settled:
    """A model that answers by what it is shown, so that a question that is put again has the same answer."""

    asks: bool = False
    questions: list[Question] = field(default_factory=list)
    name: str = "settled"

    async def stream(self, question: Question) -> AsyncIterator[Delta | Answer]:
        self.questions.append(question)
        if question.schema is not None:
            answer = form(claim("Tied.", "S1"))
        elif any(message.answers for message in question.messages):
            answer = says("Tied [S1].")
        elif self.asks:
            answer = calls(("ask_user", {"question": "Which wall?"}), ("create_note", {"text": "Wires matter."}))
        else:
            answer = calls(("create_note", {"text": "Wires matter."}), ("search_notes", {"query": "pears"}))
        yield Delta("text", answer.text or "...")
        yield answer


async def finished(desk: TaskDesk, operation_id: str) -> Operation:
    """Run to the end, answering what is asked."""
    doors: Any = desk
    for _ in range(80):
        operation = await desk.operation(operation_id)
        if operation.status == "waiting_for_input":
            if not operation.answered:
                await waiting.give(doors, TENANT, operation_id, "south")
            await dispatch(doors, TENANT, patience=0)
        elif operation.status != "running":
            return operation
        elif operation.execution is None:
            await dispatch(doors, TENANT, patience=0)
        else:
            desk.time += (await desk.step(operation_id)).wait_seconds
    raise AssertionError("it goes on and on")


async def checked(desk: TaskDesk, operation: Operation, model: Settled, died: bool) -> None:
    assert (operation.status, operation.partial) == ("completed", None)
    (proposal,) = await desk.approvals()
    assert proposal.action.tool == "create_note"
    log = await desk.log(operation.id)
    assert [event.seq for event in log] == list(range(1, len(log) + 1))
    assert sum(event.event in ("task.completed", "task.failed", "task.cancelled") for event in log) == 1
    events = await desk.events(operation.id)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    called = [event.call_id for event in events if event.type == "tool_call"]
    answered = [event.call_id for event in events if event.type == "tool_result"]
    assert len(set(called)) == len(called) == 2
    assert sorted(answered) == sorted([*called, "gather", "form"])
    # Of what a model said at most the answer is lost whose process died before it was stored, and that is counted.
    assert len(model.questions) <= (4 if died else 3)
    assert operation.usage.tokens >= 15 * len(model.questions)
    assert died or operation.usage.tokens == 45
    leases = await desk.store.query(Query("leases", f"tenants/{TENANT}"))
    assert leases == []


@pytest.mark.parametrize("asks", [False, True], ids=["works", "asks"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("at", range(1, MOMENTS * 2 + 1))
async def test_a_task_survives_a_death_at_any_moment(desk: TaskDesk, at: int, after: bool, asks: bool) -> None:
    await desk.note(WALL)
    model = Settled(asks)
    desk.answering = model
    operation_id = await desk.submit()
    await desk.dispatch()
    desk.reborn(Crash(at, after))
    try:
        operation = await finished(desk, operation_id)
        died = False
    except Killed:
        died = True
        desk.reborn()
        operation = await finished(desk, operation_id)
    await checked(desk, operation, model, died)


async def test_the_moments_above_are_all_there_are(tmp_path: Path) -> None:
    for asks in (False, True):
        (tmp_path / str(asks)).mkdir()
        desk = TaskDesk(tmp_path / str(asks), Settled(asks), research_paid=False)
        await desk.note(WALL)
        operation_id = await desk.submit()
        await desk.dispatch()
        desk.reborn()
        await finished(desk, operation_id)
        assert MOMENTS < desk.crash.uses <= MOMENTS * 2
        desk.close()


async def test_two_steps_at_one_moment_ask_a_model_once(desk: TaskDesk) -> None:
    import asyncio

    await desk.note(WALL)
    model = Settled()
    desk.answering = model
    operation_id = await desk.submit()
    await desk.dispatch()
    for _ in range(12):
        answers = await asyncio.gather(*(desk.step(operation_id) for _ in range(4)))
        if all(answer.status != "running" for answer in answers):
            break
        desk.time += max(answer.wait_seconds for answer in answers)
    await checked(desk, await desk.operation(operation_id), model, died=False)
