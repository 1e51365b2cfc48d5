"""A run of our own agents as steps of the research port, so that its trace reads as every other one does. Pure."""

from collections.abc import Iterator, Sequence

from shared.events.trace import (
    Critique,
    Error,
    Evidence,
    Plan,
    Thinking,
    ToolCall,
    ToolResult,
    TraceEvent,
    Verification,
)
from shared.models.base import JsonDict
from shared.research.interaction import Part, Step


def shown(events: Sequence[TraceEvent]) -> list[Step]:
    """The steps, oldest first; the last thought's headline is what it does now."""
    return [step for event in events for step in _steps(event)]


def _steps(event: TraceEvent) -> Iterator[Step]:
    match event:
        case Plan():
            yield _thought("Planned" if event.attempt == 1 else "Planned anew", *event.steps)
        case Evidence():
            yield _thought("Read", event.text, "\n".join(f"- {one.title or one.url}" for one in event.passages))
        case Thinking():
            yield Step("thought", (Part("text", event.text),))
        case ToolCall():
            yield Step(f"{event.tool}_call", fields={"id": event.call_id, "arguments": event.arguments})
        case ToolResult():
            fields: JsonDict = {"call_id": event.call_id, "result": _inner(event.result), "is_error": not event.ok}
            yield Step(f"{event.tool}_result", fields=fields)
        case Critique():
            yield _thought(f"Reviewed the draft: {event.verdict}", event.text)
        case Verification():
            yield _thought(f"Verified the draft: {event.verdict}", *event.reasons)
        case Error():
            yield _thought("Could not be used", event.message)
        case _:
            return


def _inner(result: JsonDict) -> JsonDict:
    """The result without the wrapper that marks it as data for a model."""
    data = result.get("data")
    return data if isinstance(data, dict) and "mark" in result else result


def _thought(headline: str, *said: str) -> Step:
    return Step("thought", (Part("text", "\n\n".join([f"**{headline}**", *filter(None, said)])),))
