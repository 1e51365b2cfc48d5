"""The one source of time of the local product: real, or virtual for tests. It never lets `now` and `sleep` disagree."""

import asyncio
import contextlib
import json
import math
import time
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Protocol

from infra.local.folder import keep
from shared.errors import NotConfigured


class Clock(Protocol):
    """What everything local that waits or dates something is given."""

    def now(self) -> float:
        """Unix seconds."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return once `now` has moved on by `seconds`."""
        ...

    def busy(self) -> contextlib.AbstractContextManager[None]:
        """Mark work in progress: a virtual clock doesn't jump while any is held, except by one that sleeps."""
        ...

    def advance(self, seconds: float) -> None:
        """Move `now` forward and wake everyone whose deadline has passed."""
        ...


class RealClock:
    """Wall time plus an offset that only `advance` moves; the offset survives a restart when it has a file.

    Stored deadlines are in shifted time: without the file, a restart after `advance` would prolong them all.
    """

    def __init__(self, offset_file: Path | None = None) -> None:
        self._file = offset_file
        self._offset = _read_offset(offset_file)
        self._moved = asyncio.Event()

    @property
    def offset(self) -> float:
        """Seconds by which `now` is ahead of the wall."""
        return self._offset

    def now(self) -> float:
        """Unix seconds."""
        return time.time() + self._offset

    async def sleep(self, seconds: float) -> None:
        """Return once `now` has moved on by `seconds`, by waiting or by `advance`; give the loop one turn anyway."""
        deadline = self.now() + seconds
        await asyncio.sleep(0)
        while (left := deadline - self.now()) > 0:
            with contextlib.suppress(TimeoutError):
                # An hour at a time: the wall may be set, or the machine suspended, unnoticed by the loop's timer.
                async with asyncio.timeout(min(left, 3_600.0)):
                    await self._moved.wait()

    @contextlib.contextmanager
    def busy(self) -> Iterator[None]:
        """Do nothing: real time waits for nobody."""
        yield

    def advance(self, seconds: float) -> None:
        """Move `now` forward and wake everyone whose deadline has passed."""
        _require_forward(seconds)
        self._offset += seconds
        if self._file is not None:
            keep(self._file, json.dumps({"offset_seconds": self._offset}))
        self._moved.set()
        self._moved = asyncio.Event()


class VirtualClock:
    """Stands still while anyone is busy, and jumps to the next deadline once everyone waits for one."""

    # Handing over from a finished task to the one that awaits it (gather, HTTP, locks) takes a few turns of
    # the loop in which nobody is marked busy.
    _QUIET_TURNS = 12

    def __init__(self, start: float = 1_700_000_000.0) -> None:
        self._now = start
        self._holds: set[_Hold] = set()
        self._sleepers: list[_Sleeper] = []
        self._waking = 0
        self._watching = False
        self._quiet = 0
        self._current: ContextVar[_Hold | None] = ContextVar("hold", default=None)

    def now(self) -> float:
        """Unix seconds."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Return once the clock has jumped past the deadline; give the loop one turn when that is now."""
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        sleeper = _Sleeper(self._now + seconds, asyncio.get_running_loop().create_future())
        # The hold is taken from the context, not the task: what is awaited may run in tasks of its own.
        hold = self._current.get()
        if hold is not None:
            hold.sleeping += 1
        self._sleepers.append(sleeper)
        self._watch()
        try:
            await sleeper.woken
        finally:
            if hold is not None:
                hold.sleeping -= 1
            if sleeper in self._sleepers:
                self._sleepers.remove(sleeper)
            else:
                self._waking -= 1
            self._watch()

    @contextlib.contextmanager
    def busy(self) -> Iterator[None]:
        """Keep the clock from jumping, except while the holder itself sleeps."""
        hold = _Hold()
        self._holds.add(hold)
        token = self._current.set(hold)
        try:
            yield
        finally:
            with contextlib.suppress(ValueError):  # entered in another context, as fixtures are
                self._current.reset(token)
            self._holds.discard(hold)
            self._watch()

    def advance(self, seconds: float) -> None:
        """Move `now` forward and wake everyone whose deadline has passed."""
        _require_forward(seconds)
        self._wake_until(self._now + seconds)

    def _watch(self) -> None:
        self._quiet = 0
        if not self._watching and self._sleepers:
            self._watching = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        if not self._sleepers or self._waking or any(not hold.sleeping for hold in self._holds):
            self._watching = False  # whoever is at work calls _watch when done
            return
        self._quiet += 1
        if self._quiet >= self._QUIET_TURNS:
            self._quiet = 0
            self._wake_until(min(sleeper.deadline for sleeper in self._sleepers))
        asyncio.get_running_loop().call_soon(self._turn)

    def _wake_until(self, moment: float) -> None:
        self._now = max(self._now, moment)
        for sleeper in [one for one in self._sleepers if one.deadline <= self._now]:
            self._sleepers.remove(sleeper)
            self._waking += 1
            if not sleeper.woken.done():
                sleeper.woken.set_result(None)


class _Hold:
    __slots__ = ("sleeping",)

    def __init__(self) -> None:
        self.sleeping = 0


class _Sleeper:
    __slots__ = ("deadline", "woken")

    def __init__(self, deadline: float, woken: asyncio.Future[None]) -> None:
        self.deadline = deadline
        self.woken = woken


def _require_forward(seconds: float) -> None:
    if not 0 <= seconds < math.inf:
        raise ValueError("a clock only moves forward")


def _read_offset(file: Path | None) -> float:
    if file is None or not file.exists():
        return 0.0
    try:
        offset = json.loads(file.read_bytes())["offset_seconds"]
        _require_forward(offset)
    except (OSError, ValueError, TypeError, KeyError):
        # Not taken for zero: all stored deadlines would lie further away than they were set.
        raise NotConfigured(
            f"{file} does not hold by how much the clock was moved.",
            next='Restore it from a copy; or, for a clock that was never moved, write {"offset_seconds": 0} into it.',
        ) from None
    return float(offset)
