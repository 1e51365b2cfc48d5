"""What a model is given at work on a task, from the run's events: within its window, everything read marked as data."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from pydantic import JsonValue

from shared.agent.model import Message, Question, ToolSpec
from shared.agent.prompt import as_data, text
from shared.agent.replay import replay
from shared.agent_task.standing import GATHER, OURS, Read, Standing
from shared.events.trace import ToolResult, TraceEvent
from shared.models.base import JsonDict
from shared.operations.paid import CHARACTERS_PER_TOKEN, length
from shared.preferences import Preferences
from shared.zone import zone_of

_LEFT_OUT: JsonDict = {"left_out": "It was shown before; there is no room for it any more."}
_WRITE = "Fill in the form for this task now, from the sources above."
_QUESTION = 4_000
"""Characters of the task beside the sources."""


def work_question(
    events: Sequence[TraceEvent], stand: Standing, tools: tuple[ToolSpec, ...], chosen: Preferences, now: datetime
) -> Question:
    """The task with what was read for it, and everything that was said and answered since."""
    ids = {url: read.source.id for url, read in stand.sources.items()}
    said = [event for event in events if not (isinstance(event, ToolResult) and event.call_id in OURS)]
    material = next((one.result for one in events if isinstance(one, ToolResult) and one.call_id == GATHER), {})
    first = [as_data(_labelled_dict(_data(material), ids))] if stand.sources else []
    rest = [_labelled_message(message, ids) for message in replay(said)]
    messages = _fitting([*first, *rest], chosen.context_tokens * CHARACTERS_PER_TOKEN)
    return Question(_instruction("task", now, chosen.time_zone), tuple(messages), tools, think=chosen.think)


def form_question(stand: Standing, chosen: Preferences, now: datetime) -> Question:
    """The sources, the task, the answer so far, and the wish for the form."""
    room = chosen.context_tokens * CHARACTERS_PER_TOKEN // 2 // max(1, len(stand.sources))
    sources: list[JsonValue] = [_shown(read, room) for read in stand.sources.values()]
    messages = [as_data({"sources": sources}), Message("user", stand.question[: chosen.context_tokens])]
    if stand.draft:
        messages.append(Message("model", stand.draft))
    messages.append(Message("user", _WRITE))
    return Question(_instruction("form", now, chosen.time_zone), tuple(messages))


def _instruction(name: str, now: datetime, zone: str) -> str:
    here = now.astimezone(zone_of(zone))
    return f"Today is {here:%A}, {here.day} {here:%B %Y}.\n\n{text(name)}"


def _shown(read: Read, room: int) -> JsonDict:
    source = read.source
    return {"id": source.id, "title": source.title, "url": source.url, "text": read.text[:room]}


def _data(result: JsonDict) -> JsonDict:
    data = result.get("data")
    return data if isinstance(data, dict) else result


def _labelled_message(message: Message, ids: Mapping[str, str]) -> Message:
    answers = tuple(replace(answer, result=_labelled_dict(answer.result, ids)) for answer in message.answers)
    return replace(message, answers=answers)


def _labelled_dict(value: JsonDict, ids: Mapping[str, str]) -> JsonDict:
    labelled: JsonDict = {name: _labelled(one, ids) for name, one in value.items()}
    address = value.get("link") or value.get("url")
    if isinstance(address, str) and address in ids:
        return {"source": ids[address], **labelled}
    return labelled


def _labelled(value: JsonValue, ids: Mapping[str, str]) -> JsonValue:
    """The value with each source's id beside its address, as claims are to name it."""
    if isinstance(value, dict):
        return _labelled_dict(value, ids)
    return [_labelled(one, ids) for one in value] if isinstance(value, list) else value


def _fitting(messages: list[Message], characters: int) -> list[Message]:
    """The messages, the oldest answers of tools left out where there is no room for all of them."""
    left = characters - sum(map(length, messages))
    found = list(messages)
    for at, message in enumerate(found):
        if left >= 0:
            break
        if message.answers and message is not messages[-1]:
            found[at] = replace(message, answers=tuple(replace(one, result=_LEFT_OUT) for one in message.answers))
            left += length(message) - length(found[at])
    return found
