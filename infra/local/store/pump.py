"""Takes due items from a table and works on them, a few at a time. It looks only when woken or when one falls due."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, Protocol, TypeVar

from infra.local.clock import Clock
from infra.local.store.courtesy import courteous

log = logging.getLogger(__name__)


class Numbered(Protocol):
    """An item has a number that stays the same until it is done."""

    @property
    def n(self) -> int:
        """The number."""
        ...


I = TypeVar("I", bound=Numbered)  # noqa: E741  # an item


class Source(Protocol[I]):
    """Where items wait."""

    async def due(self, now: float, limit: int, busy: Sequence[int]) -> list[I]:
        """At most `limit` items whose time has come, in order, those numbered in `busy` left out."""
        ...

    def next_due(self, now: float) -> float | None:
        """When the next item falls due that is not due yet."""
        ...

    async def work(self, item: I) -> None:
        """Deal with one item and record what became of it; what it raises is logged."""
        ...


class Backoff:
    """Seconds to wait before the next attempt: doubling from `least` to `most`."""

    def __init__(self, least: float = 10.0, most: float = 600.0) -> None:
        self.least = least
        self.most = most

    def after(self, attempts: int) -> float:
        """Seconds to wait after the n-th failed attempt."""
        return float(min(self.most, self.least * 2 ** min(attempts - 1, 60)))


_PATIENCE = Backoff(least=1.0, most=30.0)
"""Before trying again where the store itself fails (a full disk)."""


class Pump(Generic[I]):
    """Works on a source until cancelled, `concurrency` items at once, in the order they come due."""

    def __init__(
        self,
        name: str,
        source: Source[I],
        *,
        clock: Clock,
        concurrency: int,
        yield_to: Callable[[], Awaitable[None]] | None,
    ) -> None:
        self._name = name
        self._source = source
        self._clock = clock
        self._concurrency = concurrency
        self._yield_to = yield_to
        self._busy: dict[int, asyncio.Task[None]] = {}
        self._woken = asyncio.Event()
        self._settled = asyncio.Event()

    def wake(self) -> None:
        """Say that something may be due."""
        self._settled.clear()
        self._woken.set()

    async def settled(self) -> None:
        """Return once nothing is due and nothing is being worked on; later retries may still wait."""
        await self._settled.wait()

    async def run(self) -> None:
        """Work until cancelled; what is under way then is cancelled too and stays in its table."""
        failures = 0
        try:
            while True:
                self._woken.clear()
                try:
                    await self._take()
                    await self._rest()
                    failures = 0
                except Exception:
                    # Whatever it was, it must not end the delivery of everything else.
                    failures += 1
                    log.exception("%s: the table could not be read; trying again", self._name)
                    await self._clock.sleep(_PATIENCE.after(failures))
        finally:
            tasks = list(self._busy.values())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _take(self) -> None:
        free = self._concurrency - len(self._busy)
        if free <= 0:
            return
        with self._clock.busy():
            items = await self._source.due(self._clock.now(), free, list(self._busy))
        for item in items:
            self._busy[item.n] = asyncio.create_task(self._one(item), name=f"{self._name}-{item.n}")
        if not self._busy and not self._woken.is_set():
            self._settled.set()

    async def _one(self, item: I) -> None:
        try:
            with self._clock.busy(), courteous(self._yield_to):
                if self._yield_to is not None:
                    await self._yield_to()
                await self._source.work(item)
        except Exception:
            log.exception("%s: item %d could not be recorded; it comes again", self._name, item.n)
            await self._clock.sleep(_PATIENCE.least)
        finally:
            self._busy.pop(item.n, None)
            self._woken.set()

    async def _rest(self) -> None:
        due = None
        if len(self._busy) < self._concurrency and not self._woken.is_set():
            due = self._source.next_due(self._clock.now())
        if due is None:
            await self._woken.wait()
            return
        timer = asyncio.create_task(self._clock.sleep(max(0.0, due - self._clock.now())))
        woken = asyncio.create_task(self._woken.wait())
        try:
            await asyncio.wait({timer, woken}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            timer.cancel()
            woken.cancel()
            await asyncio.gather(timer, woken, return_exceptions=True)
