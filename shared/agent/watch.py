"""Work that may be stopped, run out of time, or lose its right to go on; the answer says which of these ended it."""

import asyncio
from collections.abc import Awaitable, Coroutine
from typing import Any, Literal

Ended = Literal["played", "stopped", "late"]


async def watched(
    work: Coroutine[Any, Any, None],
    *,
    stopped: Awaitable[object],
    late: Awaitable[object],
    keeping: Awaitable[object],
) -> Ended:
    """Run `work` until it ends, `stopped` or `late` comes true, or `keeping` fails. Raises what these two raised."""
    playing, *others = tasks = [asyncio.ensure_future(one) for one in (work, stopped, late, keeping)]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if not playing.done():
            playing.cancel()
            await asyncio.wait([playing])
        stop, _, keep = others
        if keep.done():
            keep.result()
        if not playing.cancelled():
            playing.result()
            return "played"
        return "stopped" if stop.done() else "late"
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
