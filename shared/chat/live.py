"""The turns that run in this process, and who listens to them. A listener that goes away takes nothing with it."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from shared.errors import MemexError
from shared.events.trace import TraceEvent


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of text on its way, of kind `text` or `thinking`."""

    kind: str
    text: str


Heard = Piece | TraceEvent | MemexError
"""A piece, a stored event, or why the turn's end could not be stored."""


class Live:
    """One running turn: what is said in it reaches every listener, and `stop` ends it."""

    def __init__(self) -> None:
        self.stop = asyncio.Event()
        self._queues: set[asyncio.Queue[Heard | None]] = set()

    def delta(self, kind: str, text: str) -> None:
        """A piece of text that is not stored by itself."""
        self._say(Piece(kind, text))

    def event(self, event: TraceEvent) -> None:
        """An event, once it is stored."""
        self._say(event)

    def failed(self, why: MemexError) -> None:
        """The turn's end could not be stored."""
        self._say(why)

    def over(self) -> None:
        """The turn has ended, or waits; nothing more is said in it."""
        self._say(None)

    def _say(self, heard: Heard | None) -> None:
        for queue in self._queues:
            queue.put_nowait(heard)

    def listen(self) -> AsyncIterator[Heard]:
        """What is said from this moment on, until the turn is over."""
        queue: asyncio.Queue[Heard | None] = asyncio.Queue()
        self._queues.add(queue)
        return self._heard(queue)

    async def _heard(self, queue: asyncio.Queue[Heard | None]) -> AsyncIterator[Heard]:
        try:
            while (heard := await queue.get()) is not None:
                yield heard
        finally:
            self._queues.discard(queue)


LIVE: dict[str, Live] = {}
"""By run id. Another process's turns are followed through the store."""
