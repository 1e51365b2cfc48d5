"""Tool calls, put together from the pieces in which a stream brings them. It never guesses what a piece should say."""

import json
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import NoReturn
from uuid import uuid4

from pydantic import JsonValue

from shared.agent.model import ToolCall
from shared.agent.models.letters import whole
from shared.models.base import JsonDict

_ENTRY = 10
"""Characters that an entry counts for beside its text, so that a stream of empty ones comes to its limit, too."""


@dataclass(slots=True)
class _Call:
    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    given: JsonDict | None = None
    """Arguments of a server that sends them as an object instead of text."""


class Fragments:
    """Feed it the entries of `tool_calls`; it knows which belong together, also where a server doesn't number them."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._numbered: dict[int, _Call] = {}
        """The last one of each number."""
        self.size = 0
        """Characters so far; an entry counts as some even where it says nothing."""

    def feed(self, entries: JsonValue) -> None:
        """Take one piece of the stream: a list of entries, each a piece of a call."""
        for entry in entries if isinstance(entries, list) else []:
            if isinstance(entry, dict):
                self._one(entry)

    def _one(self, entry: JsonDict) -> None:
        function = entry.get("function")
        part = function if isinstance(function, dict) else entry
        index, id, name = entry.get("index"), _text(entry.get("id")), _text(part.get("name"))
        call = self._place(index if isinstance(index, int) else None, id, name)
        call.id = call.id or id
        call.name = call.name or name
        arguments = part.get("arguments")
        if isinstance(arguments, str):
            call.arguments.append(arguments)
            self.size += len(arguments)
        elif isinstance(arguments, dict):
            call.given = arguments
            self.size += len(json.dumps(arguments))
        self.size += _ENTRY + len(id) + len(name)

    def _place(self, index: int | None, id: str, name: str) -> _Call:
        """The call that a piece belongs to; a new one where it begins one."""
        same = self._numbered.get(index) if index is not None else self._calls[-1] if self._calls else None
        if same and not _begins(same, id, name):
            return same
        made = _Call()
        self._calls.append(made)
        if index is not None:
            self._numbered[index] = made
        return made

    def end(self, taken: Collection[str]) -> tuple[ToolCall, ...]:
        """All calls, each with an id of its own that is not one of `taken`; nameless ones are nothing to run."""
        used = set(taken)
        found: list[ToolCall] = []
        for call in self._calls:
            if not call.name:
                continue
            # Some servers count from zero in every answer, and an id must name one call of the conversation.
            id = call.id if call.id and call.id not in used else f"call_{uuid4().hex}"
            used.add(id)
            arguments, broken = (call.given, "") if call.given is not None else parsed("".join(call.arguments))
            found.append(ToolCall(id, call.name, arguments, broken))
        return tuple(found)


def _begins(last: _Call, id: str, name: str) -> bool:
    """Whether a piece with this id and name begins a new call although its number says no, or says nothing."""
    if id and last.id:
        return id != last.id
    begun = bool(last.arguments) or last.given is not None
    return bool(name and last.name and not id and begun and not parsed("".join(last.arguments))[1])


def parsed(text: str) -> tuple[JsonDict, str]:
    """Arguments, and why they can't be read (then they are empty). No text at all means no arguments."""
    if not text.strip():
        return {}, ""
    try:
        value: JsonValue = json.loads(text, parse_constant=_no_number)
    except RecursionError:
        return {}, "the arguments are nested too deeply"
    except ValueError as error:
        where = f" at character {error.pos + 1}" if isinstance(error, json.JSONDecodeError) else ""
        return {}, f"the arguments are no valid JSON{where}"
    if not isinstance(value, dict):
        return {}, "the arguments are no JSON object"
    return {whole(name): _whole(one) for name, one in value.items()}, ""


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _whole(value: JsonValue) -> JsonValue:
    match value:
        case str():
            return whole(value)
        case list():
            return [_whole(one) for one in value]
        case dict():
            return {whole(name): _whole(one) for name, one in value.items()}
        case _:
            return value


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""
