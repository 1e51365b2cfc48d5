"""A model's answer in a task: taken whole, its calls under ids of ours, and on record before anything follows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shared.agent.model import Answer, Model, ModelFailed, Question, ToolCall
from shared.agent_task.asked import call_draft
from shared.agent_task.record import LOGGED, Record, Say
from shared.events.trace import cut
from shared.gateway.redact import redacted
from shared.gateway.size import fitted
from shared.models.ids import derived
from shared.operations.paid import Bought
from shared.operations.transition import Change

CALLS = 12
"""Calls of one answer that are taken; a model asks again for what it misses."""
Draft = Mapping[str, object]


async def whole(model: Model, question: Question, *, calls: bool) -> Answer:
    """The answer; `calls` says whether calls alone are one. ModelFailed `model_empty` where it is none."""
    found: Answer | None = None
    async for piece in model.stream(question):
        if isinstance(piece, Answer):
            found = piece
    if found is None or not (found.text.strip() or (calls and found.calls)):
        raise ModelFailed("The model came to no answer.", code="model_empty", next="Start it anew.")
    return found


def named(record: Record, calls: Sequence[ToolCall]) -> list[ToolCall]:
    """The calls under ids of ours: the same for the same place on record, so that one run again has the same effect."""
    run, at = record.operation.id, str(record.next_seq)
    return [replace(call, id=derived(run, at, str(n))) for n, call in enumerate(calls[:CALLS])]


async def put(
    record: Record, bought: Bought[Answer], calls: Sequence[ToolCall], rest: str, also: Sequence[Draft] = ()
) -> None:
    """What it thought and said, its calls (see `named`), `also`, and what it cost, in one commit.

    `rest` is what the operation's log does not show of its text yet.
    """
    said = bought.value
    asked = [call_draft(call, call.id) for call in calls]
    drafts: list[Draft] = []
    if said.thinking:
        drafts.append({"type": "thinking", "text": cut(said.thinking)})
    if said.text.strip():
        drafts.append({"type": "text", "text": cut(said.text)})

    def say(change: Change) -> None:
        if said.thinking:
            change.think(cut(said.thinking, LOGGED))
        if rest.strip():
            change.stream(rest)
        for draft in asked:
            if isinstance(arguments := draft["arguments"], dict):
                change.called(str(draft["tool"]), fitted(redacted(arguments), LOGGED))

    await pay(record, bought, [*drafts, *asked, *also], say)


async def pay(record: Record, bought: Bought[Answer], drafts: Sequence[Draft] = (), say: Say | None = None) -> None:
    """Events, and behind them what the answer cost."""
    spent = bought.spent

    def well(change: Change) -> None:
        change.set(troubles=0)
        if say:
            say(change)

    usage: Draft = {"type": "usage", "tokens": spent.tokens, "cost_usd": spent.cost_usd}
    await record.add([*drafts, usage], well, spent=spent, also=[bought.release])
