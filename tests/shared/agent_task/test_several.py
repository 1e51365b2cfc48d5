"""A task by several agents: the graph plans, looks, writes and judges; form and checks are those of one agent."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from shared.agent.model import Answer, Delta, ModelBusy, Question
from shared.models.operation import Operation
from shared.operations import waiting
from shared.operations.dispatch import dispatch
from shared.preferences import Choices, choose
from shared.store.documents import Query
from tests.fakes.desk import Crash, Killed
from tests.fakes.scripted import calls, says
from tests.shared.agent_task.working import AUGUST, TENANT, WALL, TaskDesk, claim, form, seen


@dataclass
class Cast:
    """A model whose answer depends on what it is shown alone."""

    asks: bool = False
    looks: bool = False
    """Whether the check calls a tool before it speaks."""
    verdicts: list[str] = field(default_factory=list)
    troubles: list[Exception] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    name: str = "cast"

    async def stream(self, question: Question) -> AsyncIterator[Delta | Answer]:
        agent, answer = self._answer(question)
        self.asked.append(agent)
        self.questions.append(question)
        if self.troubles:
            raise self.troubles.pop(0)
        yield answer

    def _answer(self, question: Question) -> tuple[str, Answer]:
        if "Fill in the form for a task" in question.instruction:
            return "form", form(claim("Tied to wires.", "S1"), claim("Made up.", "S99"))
        if "You plan how" in question.instruction:
            plan = '{"steps": ["Look."], "query": "pears", "sources": ["note"]}'
            return "planner", says(plan if question.schema else "- Look.")
        if "You review a draft" in question.instruction:
            return "critic", says(self.verdicts.pop(0) if self.verdicts else "OK It is borne out.")
        if "You verify a draft" in question.instruction:
            return "verifier", says('{"verdict": "pass", "reasons": []}')
        if "You check single claims" in question.instruction:
            looked = any(message.answers for message in question.messages)
            if self.looks and not looked:
                return "check", calls(("search_notes", {"query": "pears"}))
            return "check", says("All of it stands there.")
        if any(message.answers for message in question.messages):
            return "researcher", says("Tied to wires [S1].")
        if self.asks:
            wanted = [("ask_user", {"question": "Which wall?"}), ("create_note", {"text": "Wires matter."})]
        else:
            wanted = [("create_note", {"text": "Wires matter."}), ("search_notes", {"query": "pears"})]
        return "researcher", calls(*wanted)  # type: ignore[arg-type]


async def several(desk: TaskDesk, **more: Any) -> None:
    wanted = Choices.model_validate({"agent_mode": "multi", **more})
    await choose(desk.store, desk.settings, TENANT, wanted, desk.now())


async def finished(desk: TaskDesk, operation_id: str) -> Operation:
    """Run to the end, answering what is asked."""
    doors: Any = desk
    for _ in range(80):
        operation = await desk.operation(operation_id)
        if operation.status == "waiting_for_input":
            if not operation.answered:
                await waiting.give(doors, TENANT, operation_id, "the south one")
            await dispatch(doors, TENANT, patience=0)
        elif operation.status != "running":
            return operation
        elif operation.execution is None:
            await dispatch(doors, TENANT, patience=0)
        else:
            desk.time += (await desk.step(operation_id)).wait_seconds
    raise AssertionError("it goes on and on")


async def begun(desk: TaskDesk, cast: Cast, **more: Any) -> str:
    await several(desk, **more)
    await desk.note(WALL)
    await desk.note(AUGUST)
    desk.answering = cast
    operation_id = await desk.submit()
    await desk.dispatch()
    return operation_id


async def test_the_agents_plan_look_write_and_judge_and_the_form_is_checked(desk: TaskDesk) -> None:
    cast = Cast()
    operation = await finished(desk, await begun(desk, cast))
    assert (operation.status, operation.partial) == ("completed", None)
    assert cast.asked == ["planner", "researcher", "researcher", "check", "critic", "form"]
    assert operation.output and operation.output["schema"] == "memex.agent_task/1"
    made: Any = operation.output["claims"]
    assert [(one["claim"], one["sources"], one["unsupported"]) for one in made] == [
        ("Tied to wires.", ["S1"], False),
        ("Made up.", [], True),
    ]
    events = await desk.events(operation.id)
    assert {"plan", "evidence", "critique"} <= {event.type for event in events}
    assert operation.usage.tokens == 15 * len(cast.asked)
    log = await desk.log(operation.id)
    assert {"task.tool_call", "task.tool_result", "task.streaming"} <= {event.event for event in log}
    assert "You are Memex, the second brain of one person, at work on a task" in cast.questions[1].instruction
    assert WALL in seen(cast.questions[1])
    assert [one.action.tool for one in await desk.approvals()] == ["create_note"]


async def test_a_draft_that_is_sent_back_is_written_anew_without_acting_twice(desk: TaskDesk) -> None:
    cast = Cast(verdicts=["REVISE: it is too short."])
    operation = await finished(desk, await begun(desk, cast))
    assert operation.status == "completed"
    assert (cast.asked.count("critic"), cast.asked.count("researcher")) == (2, 3)
    assert "too short" in seen(cast.questions[5])
    assert len(await desk.approvals()) == 1


async def test_what_a_judge_looked_up_is_on_record_under_its_name(desk: TaskDesk) -> None:
    cast = Cast(looks=True)
    operation = await finished(desk, await begun(desk, cast))
    assert cast.asked == ["planner", "researcher", "researcher", "check", "check", "critic", "form"]
    looked = [one for one in await desk.events(operation.id) if getattr(one, "agent", "") and "tool_" in one.type]
    assert [one.type for one in looked] == ["tool_call", "tool_result"]
    assert len({getattr(one, "call_id", "") for one in looked}) == 1
    assert "search_notes" in seen(cast.questions[4]) and WALL in seen(cast.questions[4])


async def test_accurate_adds_the_verifier(desk: TaskDesk) -> None:
    cast = Cast()
    await finished(desk, await begun(desk, cast, accuracy_mode="accurate", verifier_check=False))
    assert cast.asked == ["planner", "researcher", "researcher", "critic", "verifier", "form"]


async def test_what_only_the_person_knows_is_asked_and_nothing_runs_twice(desk: TaskDesk) -> None:
    cast = Cast(asks=True)
    operation = await finished(desk, await begun(desk, cast))
    assert operation.status == "completed"
    assert cast.asked == ["planner", "researcher", "researcher", "check", "critic", "form"]
    assert "the south one" in seen(cast.questions[2])
    assert len(await desk.approvals()) == 1


async def test_trouble_that_passes_is_waited_for_and_pays_for_nothing_twice(desk: TaskDesk) -> None:
    cast = Cast()
    operation_id = await begun(desk, cast)
    cast.troubles = [ModelBusy(), ModelBusy()]
    operation = await finished(desk, operation_id)
    assert (operation.status, operation.troubles) == ("completed", 0)
    assert cast.asked == ["planner"] * 3 + ["researcher", "researcher", "check", "critic", "form"]


async def test_slow_answers_are_spread_over_steps_and_asked_once(desk: TaskDesk) -> None:
    class Slow(Cast):
        async def stream(self, question: Question) -> Any:
            desk.time += 25
            async for piece in super().stream(question):
                yield piece

    cast = Slow()
    operation = await finished(desk, await begun(desk, cast, task_timeout_seconds=3_600))
    assert (operation.status, operation.partial) == ("completed", None)
    assert cast.asked == ["planner", "researcher", "researcher", "check", "critic", "form"]


async def test_over_the_budget_it_ends_with_what_it_found(tmp_path: Path) -> None:
    desk = TaskDesk(tmp_path, research_paid=False, operation_budget_tokens=4_000)
    cast = Cast()
    operation = await finished(desk, await begun(desk, cast))
    assert operation.status == "completed" and operation.partial
    assert "MEMEX_OPERATION_BUDGET_TOKENS" in operation.partial
    assert "form" not in cast.asked
    desk.close()


@pytest.mark.parametrize("asks", [False, True], ids=["works", "asks"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_task_survives_a_death_at_any_moment(tmp_path: Path, after: bool, asks: bool) -> None:
    at, died = -1, True
    while died:
        at += 3
        desk = TaskDesk(tmp_path / str(at), research_paid=False)
        cast = Cast(asks)
        operation_id = await begun(desk, cast)
        desk.reborn(Crash(at, after))
        try:
            operation = await finished(desk, operation_id)
            died = False
        except Killed:
            desk.reborn()
            operation = await finished(desk, operation_id)
        assert (operation.status, operation.partial) == ("completed", None)
        assert len(await desk.approvals()) == 1
        events = await desk.events(operation.id)
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        called = [event.call_id for event in events if event.type == "tool_call"]
        answered = [event.call_id for event in events if event.type == "tool_result"]
        assert len(set(called)) == len(called) and set(called) <= set(answered)
        assert len(set(answered)) == len(answered)
        assert len(cast.asked) <= (8 if died else 6), cast.asked
        assert await desk.store.query(Query("leases", f"tenants/{TENANT}")) == []
        desk.close()
    assert at > 60
