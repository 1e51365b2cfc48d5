"""People go first, and background work goes on all the same."""

import asyncio
import time
from itertools import pairwise

from infra.local.guard import Foreground


async def test_background_work_waits_while_a_person_waits() -> None:
    foreground = Foreground()
    with foreground.request():
        began = time.monotonic()
        waiting = asyncio.create_task(foreground.give_way())
        await asyncio.sleep(0.1)
        assert not waiting.done()
    await waiting
    assert 0.1 <= time.monotonic() - began < 0.2, "it goes on soon after the answer"


async def test_a_stream_that_has_begun_holds_nobody_up() -> None:
    foreground = Foreground()
    with foreground.request() as begun:
        begun()
        begun()
        await asyncio.sleep(0.03)
        began = time.monotonic()
        await foreground.give_way()
        assert time.monotonic() - began < 0.01


async def test_a_failed_request_holds_nobody_up() -> None:
    foreground = Foreground()
    try:
        with foreground.request():
            raise RuntimeError
    except RuntimeError:
        await asyncio.sleep(0.03)
    began = time.monotonic()
    await foreground.give_way()
    assert time.monotonic() - began < 0.01


async def test_under_constant_load_background_work_goes_on_one_piece_at_a_time() -> None:
    foreground = Foreground()
    done: list[float] = []

    async def work() -> None:
        while True:
            await foreground.give_way()
            done.append(time.monotonic())
            await asyncio.sleep(0)

    async def load() -> None:
        while True:
            with foreground.request():
                await asyncio.sleep(0.005)

    tasks = [asyncio.create_task(one) for one in (load(), load(), work(), work(), work())]
    await asyncio.sleep(1.1)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert 3 <= len(done) <= 6
    gaps = [after - before for before, after in pairwise(done)]
    assert min(gaps) > 0.15, "never two at once"
