"""A run of our own agents as steps of the research port, so that its trace reads as every other one does. Pure."""

from collections.abc import Iterator, Sequence

from shared.events.trace import Critique, Evidence, Plan, Thinking, ToolCall, ToolResult, TraceEvent, Verification
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
            found: JsonDict = {"result": [{"title": one.title, "url": one.url} for one in event.passages]}
            call = f"evidence-{event.seq}"
            yield Step("retrieval_call", fields={"id": call, "arguments": {}})
            yield Step("retrieval_result", fields={"call_id": call, **found})
            yield _thought("Read", event.text)
        case Thinking():
            yield Step("thought", (Part("text", event.text),))
        case ToolCall():
            yield Step(f"{event.tool}_call", fields={"id": event.call_id, "arguments": event.arguments})
        case ToolResult():
            fields: JsonDict = {"call_id": event.call_id, "result": event.result, "is_error": not event.ok}
            yield Step(f"{event.tool}_result", fields=fields)
        case Critique():
            yield _thought(f"Reviewed the draft: {event.verdict}", event.text)
        case Verification():
            yield _thought(f"Verified the draft: {event.verdict}", *event.reasons)
        case _:
            return


def _thought(headline: str, *said: str) -> Step:
    return Step("thought", (Part("text", "\n\n".join([f"**{headline}**", *filter(None, said)])),))
