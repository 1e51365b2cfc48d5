"""A suspended turn as a model must see it again, from its stored events."""

from collections.abc import Sequence
from itertools import groupby

from shared.agent.model import Message, ToolAnswer, ToolCall
from shared.agent.prompt import request
from shared.events import trace
from shared.events.trace import Context, Text, ToolResult, TraceEvent, User

_Said = Text | trace.ToolCall


def replay(events: Sequence[TraceEvent]) -> tuple[Message, ...]:
    """The request, then what the model said and called, and what the tools answered, in order."""
    asked = next((event.text for event in events if isinstance(event, User)), "")
    interpreted = next((event.text for event in events if isinstance(event, Context)), "")
    return (request(asked, interpreted), *steps(events))


def steps(events: Sequence[TraceEvent]) -> tuple[Message, ...]:
    """What the model said and called, and what the tools answered, in order; the calls of judges are not its own."""
    found: list[Message] = []
    rest = [event for event in events if isinstance(event, Text | trace.ToolCall | ToolResult) and not _judges(event)]
    for answers, group in groupby(rest, key=lambda event: isinstance(event, ToolResult)):
        make = _answered if answers else _said
        found.append(make(list(group)))
    return tuple(found)


def _judges(event: Text | trace.ToolCall | ToolResult) -> bool:
    return not isinstance(event, Text) and bool(event.agent)


def _said(events: Sequence[TraceEvent]) -> Message:
    return Message(
        "model",
        "".join(event.text for event in events if isinstance(event, Text)),
        calls=tuple(
            ToolCall(event.call_id, event.tool, event.arguments, signature=event.signature)
            for event in events
            if isinstance(event, trace.ToolCall)
        ),
    )


def _answered(events: Sequence[TraceEvent]) -> Message:
    return Message(
        "tool",
        answers=tuple(
            ToolAnswer(event.call_id, event.tool, event.result) for event in events if isinstance(event, ToolResult)
        ),
    )
