"""Server-sent events, read from a byte stream as it comes. A frame that the stream cut off is never handed out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from shared.errors import Upstream

MAX_FRAME = 1_000_000
"""Bytes of one event; a stream that sends more without a blank line is not one that we read."""

_LINE_END = re.compile(rb"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event: its name (`message` where the stream gives none) and its data lines, joined."""

    name: str
    data: str
    id: str = ""


class EventReader:
    """Feed it bytes; it hands out each whole event."""

    def __init__(self) -> None:
        self._rest = b""
        self._name = ""
        self._id = ""
        self._data: list[str] = []
        self._size = 0

    def feed(self, chunk: bytes) -> Iterator[ServerEvent]:
        """The events that this chunk completes."""
        self._rest += chunk
        while end := _LINE_END.search(self._rest):
            if end[0] == b"\r" and end.end() == len(self._rest):
                break  # a line feed may follow in the next chunk, and the two are one line end
            line, self._rest = self._rest[: end.start()], self._rest[end.end() :]
            event = self._line(line.decode("utf-8", "replace").removeprefix("\ufeff"))
            if event:
                yield event
        if len(self._rest) + self._size > MAX_FRAME:
            raise Upstream("The stream sent an event that is too large", code="too_large")

    def _line(self, line: str) -> ServerEvent | None:
        if not line:
            event = ServerEvent(self._name or "message", "\n".join(self._data), self._id) if self._data else None
            self._name, self._data, self._size = "", [], 0
            return event
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
            self._size += len(value)
        elif field == "event":
            self._name = value
        elif field == "id":
            self._id = value
        return None
