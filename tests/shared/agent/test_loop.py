"""The loop of model and tools, with ADK (one agent) and without (a node of a graph): nobody can tell them apart."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from shared.agent import engine, loop
from shared.agent.model import Answer, Delta, Message, ModelBusy, ModelFailed, Question, ToolCall, ToolSpec
from shared.models.base import JsonDict
from tests.fakes.scripted import ScriptedModel, Step, calls, says

TOOLS = (ToolSpec("look", "", {"type": "object"}),)
pytestmark = pytest.mark.parametrize("run", [engine.run, loop.run], ids=["engine", "loop"])


class Told:
    """What a run said and did, in order."""

    def __init__(self, *steps: Step, answers: Callable[[ToolCall], Any] = lambda call: {"of": call.arguments}) -> None:
        self.model = ScriptedModel(list(steps))
        self.answers = answers
        self.seen: list[object] = []
        self.named = 0

    async def act(self, call: ToolCall) -> JsonDict | None:
        self.seen.append(("began", call.id))
        await asyncio.sleep(0)
        result = self.answers(call)
        self.seen.append(("ended", call.id))
        if isinstance(result, Exception):
            raise result
        return result  # type: ignore[no-any-return]  # as the test says

    def name(self) -> str:
        self.named += 1
        return f"n{self.named}"

    async def by(self, run: Any, *said: Message, max_calls: int = 5) -> "Told":
        question = Question("Be brief.", said or (Message("user", "Hello"),), TOOLS)
        async for piece in run(self.model, question, self.act, max_calls=max_calls, name_call=self.name):
            self.seen.append(piece)
        return self

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.seen if isinstance(piece, Delta))


def two() -> Answer:
    return calls(("look", {"at": 1}), ("look", {"at": 2}), text="First this.")


async def test_words_stream_and_end_in_one_answer(run: Any) -> None:
    told = await Told(says("Good morning.", thinking="Hm.")).by(run)
    assert told.text == "Hm.Good morning."
    assert told.seen[-1] == says("Good morning.", thinking="Hm.")


async def test_an_answer_is_heard_before_its_calls_begin_and_they_run_beside_each_other(run: Any) -> None:
    told = await Told(two(), says("Done.")).by(run)
    after = told.seen[next(n for n, one in enumerate(told.seen) if isinstance(one, Answer)) + 1 :]
    assert after[:4] == [("began", "n1"), ("began", "n2"), ("ended", "n1"), ("ended", "n2")]


async def test_the_model_is_shown_its_calls_and_what_came_of_them(run: Any) -> None:
    past = (Message("user", "Before"), Message("model", "Yes."), Message("model", ""), Message("user", "Hello"))
    told = await Told(two(), says("Done.")).by(run, *past)
    first, second = told.model.questions
    assert [(one.role, one.text) for one in first.messages] == [
        ("user", "Before"),
        ("model", "Yes."),
        ("user", "Hello"),
    ]
    asked, answered = second.messages[-2:]
    assert (asked.role, asked.text, [call.id for call in asked.calls]) == ("model", "First this.", ["n1", "n2"])
    assert [(one.call_id, one.tool, one.result) for one in answered.answers] == [
        ("n1", "look", {"of": {"at": 1}}),
        ("n2", "look", {"of": {"at": 2}}),
    ]
    assert (first.instruction, first.tools, second.tools) == ("Be brief.", TOOLS, TOOLS)


async def test_a_call_that_waits_ends_the_run_and_the_others_are_done(run: Any) -> None:
    told = await Told(two(), answers=lambda call: None if call.arguments["at"] == 1 else {}).by(run)
    assert told.seen[-1] == ("ended", "n2")
    assert len(told.model.questions) == 1


async def test_a_call_that_fails_is_raised_once_the_others_are_done(run: Any) -> None:
    told = Told(two(), answers=lambda call: ValueError("broken") if call.arguments["at"] == 1 else {})
    with pytest.raises(ValueError, match="broken"):
        await told.by(run)
    assert ("ended", "n2") in told.seen


async def test_the_last_question_is_asked_without_tools_and_its_calls_are_not_run(run: Any) -> None:
    told = await Told(two(), calls(("look", {}), text="Enough.")).by(run, max_calls=2)
    assert [question.tools for question in told.model.questions] == [TOOLS, ()]
    last = told.seen[-1]
    assert isinstance(last, Answer)
    assert (last.text, last.calls) == ("Enough.", ())


@pytest.mark.parametrize(
    ("steps", "most", "code"),
    [((Answer(text=" "),), 3, "model_empty"), ((two(), calls(("look", {}))), 2, "iteration_limit")],
)
async def test_no_answer_is_a_failure_with_a_name(run: Any, steps: tuple[Step, ...], most: int, code: str) -> None:
    with pytest.raises(ModelFailed) as failed:
        await Told(*steps).by(run, max_calls=most)
    assert failed.value.code == code


async def test_what_the_model_raises_is_raised(run: Any) -> None:
    with pytest.raises(ModelBusy):
        await Told(two(), ModelBusy()).by(run)


async def test_a_model_that_lost_its_way_is_not_followed_for_ever(run: Any) -> None:
    told = await Told(calls(*[("look\ud800", {})] * (loop.MAX_CALLS + 1)), says("Done.")).by(run)
    assert told.named == loop.MAX_CALLS
    assert {call.tool for message in told.model.questions[1].messages for call in message.calls} == {"look?"}
