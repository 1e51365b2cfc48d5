"""Both clocks keep `now` and `sleep` together."""

import asyncio
import time
from pathlib import Path

import pytest

from infra.local.clock import RealClock, VirtualClock


async def test_two_virtual_hours_pass_at_once() -> None:
    clock = VirtualClock()
    start, begun = clock.now(), time.perf_counter()
    for _ in range(240):
        await clock.sleep(30)
    assert clock.now() == start + 7200
    assert time.perf_counter() - begun < 1


async def test_sleepers_wake_in_the_order_of_their_deadlines_and_see_that_time() -> None:
    clock = VirtualClock(0)
    seen: list[tuple[str, float]] = []

    async def nap(name: str, seconds: float) -> None:
        await clock.sleep(seconds)
        seen.append((name, clock.now()))

    await asyncio.gather(nap("late", 20), nap("early", 10), nap("last", 20.5))
    assert seen == [("early", 10), ("late", 20), ("last", 20.5)]


async def test_the_clock_stands_still_while_someone_is_busy() -> None:
    clock = VirtualClock(0)
    sleeper = asyncio.create_task(clock.sleep(10))
    with clock.busy():
        for _ in range(50):
            await asyncio.sleep(0)
        assert clock.now() == 0
    await sleeper
    assert clock.now() == 10


async def test_who_sleeps_while_busy_does_not_hold_the_clock_up() -> None:
    clock = VirtualClock(0)
    with clock.busy():
        await clock.sleep(5)
        # what is awaited may run in a task of its own, such as a web framework's middleware
        await asyncio.create_task(clock.sleep(5))
    assert clock.now() == 10


async def test_a_woken_task_gets_to_work_before_the_clock_jumps_again() -> None:
    clock = VirtualClock(0)
    seen: list[float] = []

    async def worker() -> None:
        await clock.sleep(10)
        with clock.busy():
            for _ in range(30):
                await asyncio.sleep(0)
            seen.append(clock.now())

    await asyncio.gather(worker(), clock.sleep(11))
    assert seen == [10]


async def test_advancing_wakes_those_whose_time_has_come_and_no_others() -> None:
    clock = VirtualClock(0)
    with clock.busy():
        early, late = asyncio.create_task(clock.sleep(10)), asyncio.create_task(clock.sleep(100))
        await asyncio.sleep(0)
        clock.advance(50)
        await early
        assert clock.now() == 50
        assert not late.done()
    await late


async def test_a_cancelled_sleep_leaves_the_clock_usable() -> None:
    clock = VirtualClock(0)
    task = asyncio.create_task(clock.sleep(1000))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await clock.sleep(1)
    assert clock.now() == 1


async def test_a_sleep_of_nothing_returns_at_once() -> None:
    clock = VirtualClock(0)
    with clock.busy():
        await clock.sleep(0)
    assert clock.now() == 0


@pytest.mark.parametrize("clock", [VirtualClock(), RealClock()])
def test_no_clock_goes_backward(clock: VirtualClock | RealClock) -> None:
    with pytest.raises(ValueError, match="forward"):
        clock.advance(-1)


async def test_advancing_the_real_clock_ends_real_sleeps() -> None:
    clock = RealClock()
    start = clock.now()
    sleeper = asyncio.create_task(clock.sleep(3600))
    await asyncio.sleep(0)
    clock.advance(1800)
    await asyncio.sleep(0)
    assert not sleeper.done()
    clock.advance(1801)
    async with asyncio.timeout(5):
        await sleeper
    assert 3600 < clock.now() - start < 3700


async def test_a_short_real_sleep_passes_by_itself() -> None:
    clock = RealClock()
    with clock.busy():
        await clock.sleep(0.001)


def test_the_offset_survives_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "clock.json"
    RealClock(file).advance(500)
    assert RealClock(file).offset == 500
    assert RealClock().offset == 0
