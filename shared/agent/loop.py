"""The loop of model and tools for an agent that is a node of a graph: what the engine does, and no framework in it.

ADK runs the graph already; a runner of its own inside a node takes longer than all the nodes together.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace

from shared.agent.model import Answer, Delta, Message, Model, ModelFailed, Question, ToolAnswer, ToolCall
from shared.models.base import JsonDict

Act = Callable[[ToolCall], Awaitable[JsonDict | None]]
"""Runs one tool call; None means that it waits for a person, which ends the run."""

MAX_CALLS = 32
"""Calls of one answer that are run; a model that wants more has lost its way, and may ask again."""


async def run(
    model: Model, question: Question, act: Act, *, max_calls: int, name_call: Callable[[], str]
) -> AsyncIterator[Delta | Answer]:
    """Ask, run the tools that are asked for, ask again, until an answer without calls or a call that waits.

    At most `max_calls` questions; the last is asked without tools, so that it ends in words. The calls of one answer
    run beside each other, once whoever listens has taken the answer in. `name_call` gives calls their ids. Raises what
    the model or `act` raised, after the other calls have ended.
    """
    said = tuple(message for message in question.messages if message.text or message.calls or message.answers)
    for left in range(max(1, max_calls) - 1, -1, -1):
        question = replace(question, messages=said, tools=question.tools if left else ())
        answer = None
        async for piece in model.stream(question):
            if isinstance(piece, Delta):
                yield piece
            else:
                answer = settled(piece, last=not left, name_call=name_call)
        if answer is None:
            return
        yield answer
        if not answer.calls:
            return
        results = await asyncio.gather(*map(act, answer.calls), return_exceptions=True)
        done = _answers(answer.calls, results)
        if len(done) < len(answer.calls):
            return
        said = (*said, Message("model", answer.text, answer.calls), Message("tool", "", (), done))


def _answers(calls: Sequence[ToolCall], results: Sequence[JsonDict | BaseException | None]) -> tuple[ToolAnswer, ...]:
    """What the calls brought that do not wait; raises where one failed."""
    found: list[ToolAnswer] = []
    for call, result in zip(calls, results, strict=True):
        if isinstance(result, BaseException):
            raise result
        if result is not None:
            found.append(ToolAnswer(call.id, call.tool, result))
    return tuple(found)


def settled(answer: Answer, *, last: bool, name_call: Callable[[], str]) -> Answer:
    """The answer as it counts: calls under names of ours, and none of them where it was the last that may be asked.

    Raises ModelFailed where nothing is left of it.
    """
    # Asked without tools, a model may still call one; nothing answers that.
    calls = () if last else answer.calls[:MAX_CALLS]
    if not calls and not answer.text.strip():
        raise ModelFailed(
            "The model came to no answer.",
            code="iteration_limit" if last else "model_empty",
            next="Ask again, or ask for less at once. What was done so far stands.",
        )
    return replace(answer, calls=tuple(replace(call, id=name_call(), tool=_name(call.tool)) for call in calls))


def _name(tool: str) -> str:
    """A tool's name as it can be stored; one with half a character in it is no tool of ours anyway."""
    return tool.encode(errors="replace").decode()
