"""What a bus delivers to in the contract: a subscriber that answers as it is told and keeps what it got."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from shared.events.bus import Bus
from shared.models.base import JsonDict


@dataclass
class Subscriber:
    """Answers with the next of `answers`, then always with 204."""

    answers: list[int | Exception] = field(default_factory=list)
    got: asyncio.Queue[JsonDict] = field(default_factory=asyncio.Queue)

    async def __call__(self, push: JsonDict) -> int:
        self.got.put_nowait(push)
        answer = self.answers.pop(0) if self.answers else 204
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def take(self, count: int) -> list[JsonDict]:
        """The next `count` pushes."""
        async with asyncio.timeout(30):
            return [await self.got.get() for _ in range(count)]


@dataclass
class BusUnderTest:
    """A bus with two subscriptions to note-events: one to all, one to what has research = true."""

    bus: Bus
    run: Callable[[], Awaitable[None]]
    all_notes: Subscriber
    research: Subscriber
    filters: bool = True
    """Whether filters hold: the Pub/Sub emulator keeps them and delivers all the same."""
    counts: bool = True
    """Whether a push says which attempt it is: the emulator counts, and does not tell."""


def attributes(push: JsonDict) -> JsonDict:
    """The message's attributes."""
    message = push["message"]
    assert isinstance(message, dict)
    found = message["attributes"]
    assert isinstance(found, dict)
    return found
