"""Good manners of work that nobody waits for: between its steps it lets people go first. It never stops for good."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

GiveWay = Callable[[], Awaitable[None]]
"""Returns once no person waits, or after a while all the same."""

PATIENCE = 0.2
"""Seconds that one piece of work gives away between its steps; after that it finishes."""
_LOOKS = 3
"""Turns of the event loop until a request that has just arrived is known to be one: read, parsed, begun."""


@dataclass(slots=True)
class _Manners:
    give_way: GiveWay
    given: float = 0.0


_MANNERS: ContextVar[_Manners | None] = ContextVar("manners", default=None)


@contextmanager
def courteous(give_way: GiveWay | None) -> Iterator[None]:
    """One piece of background work: each read, commit and message inside gives way before."""
    before = _MANNERS.set(_Manners(give_way) if give_way else None)
    try:
        yield
    finally:
        _MANNERS.reset(before)


async def step() -> None:
    """Between two steps: for background work the moment to let people go first; for them, nothing."""
    manners = _MANNERS.get()
    if manners is None or manners.given >= PATIENCE:
        return
    for _ in range(_LOOKS):
        await asyncio.sleep(0)
    began = time.monotonic()
    await manners.give_way()
    manners.given += time.monotonic() - began
