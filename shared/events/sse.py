"""Server-sent events as text. It only writes frames, and knows when silence has lasted too long."""

import asyncio
from collections.abc import AsyncIterator
from typing import TypeVar

T = TypeVar("T")

PING = b": still here\n\n"


def frame(event: str, data: str, number: int | None = None) -> bytes:
    """One event; `data` is a single line of JSON, `number` becomes its id, by which a client resumes."""
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {event}\ndata: {data}\n\n".encode()


async def kept_alive(source: AsyncIterator[T], seconds: float) -> AsyncIterator[T | None]:
    """What comes from a source, and None whenever nothing came for so long: time for a `PING`."""
    following: asyncio.Future[T] | None = None
    try:
        while True:
            following = following or asyncio.ensure_future(_next(source))
            done, _ = await asyncio.wait({following}, timeout=seconds)
            if not done:
                yield None
                continue
            try:
                value = following.result()
            except StopAsyncIteration:
                return
            following = None
            yield value
    finally:
        if following:
            following.cancel()


async def _next(source: AsyncIterator[T]) -> T:
    return await anext(source)
