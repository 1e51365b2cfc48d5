import asyncio

import pytest

from shared.agent.watch import watched
from shared.chat.record import LeaseLost


async def forever() -> None:
    await asyncio.Event().wait()


async def nothing() -> None:
    """Ends at once."""


async def lost() -> None:
    raise LeaseLost("gone")


async def test_work_that_ends_is_played() -> None:
    assert await watched(nothing(), stopped=forever(), late=forever(), keeping=forever()) == "played"


async def test_what_ends_it_is_told_and_the_work_is_cancelled() -> None:
    ended: list[str] = []

    async def work() -> None:
        try:
            await forever()
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    assert await watched(work(), stopped=nothing(), late=forever(), keeping=forever()) == "stopped"
    assert await watched(work(), stopped=forever(), late=nothing(), keeping=forever()) == "late"
    with pytest.raises(LeaseLost):
        await watched(work(), stopped=forever(), late=forever(), keeping=lost())
    assert ended == ["cancelled"] * 3


async def test_what_work_raises_comes_through() -> None:
    async def broken() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        await watched(broken(), stopped=forever(), late=forever(), keeping=forever())
