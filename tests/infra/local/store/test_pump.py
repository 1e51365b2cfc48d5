"""What goes wrong with a table stops the work on it for a moment, never for good."""

import asyncio
import json
import logging
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from infra.local.clock import VirtualClock
from infra.local.store.pump import Pump
from shared.log import Line


@dataclass
class Item:
    n: int


class Table:
    """Three items; each of its three methods fails when it is told to."""

    def __init__(self, failing: str, times: int) -> None:
        self.failing, self.times = failing, times
        self.left = [Item(1), Item(2), Item(3)]
        self.done: list[int] = []

    def _maybe(self, name: str) -> None:
        if name == self.failing and self.times:
            self.times -= 1
            raise sqlite3.OperationalError("a text that quotes a note")

    async def due(self, now: float, limit: int, busy: Sequence[int]) -> list[Item]:
        self._maybe("due")
        return [item for item in self.left if item.n not in busy][:limit]

    def next_due(self, now: float) -> float | None:
        self._maybe("next_due")
        return None

    async def work(self, item: Item) -> None:
        self._maybe("work")
        self.left.remove(item)
        self.done.append(item.n)


@pytest.mark.parametrize("failing", ["due", "next_due", "work"])
async def test_an_error_of_the_store_is_logged_and_everything_is_delivered(
    failing: str, caplog: pytest.LogCaptureFixture
) -> None:
    table, clock = Table(failing, 4), VirtualClock()
    pump = Pump("test", table, clock=clock, concurrency=2, yield_to=None)
    running = asyncio.create_task(pump.run())
    async with asyncio.timeout(5):
        while table.times or len(table.done) < 3:
            await asyncio.sleep(0.001)
    assert not running.done()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert sorted(table.done) == [1, 2, 3]
    lines = [json.loads(Line().format(record)) for record in caplog.records if record.levelno == logging.ERROR]
    assert len(lines) == 4
    assert {line["error"].partition(":")[0] for line in lines} == {"OperationalError at infra/local/store/pump.py"}
    assert "quotes" not in str(lines)


async def test_pauses_grow_while_the_store_stays_away() -> None:
    table, clock = Table("due", 8), VirtualClock()
    began = clock.now()
    running = asyncio.create_task(Pump("test", table, clock=clock, concurrency=1, yield_to=None).run())
    async with asyncio.timeout(5):
        while len(table.done) < 3:
            await asyncio.sleep(0.001)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert clock.now() - began == 1 + 2 + 4 + 8 + 16 + 30 + 30 + 30
