"""Steps a second of the workflow engine beside a bare loop that stores one row a step."""

import asyncio
import sqlite3
import tempfile
import time
from pathlib import Path
from statistics import median

import httpx

from infra.local.clock import RealClock
from infra.local.workflow.engine import Engine
from tests.bench.captures import Row

STEPS = 6_000
ROUNDS = 5
LOOP = """
main:
  steps:
    - init: {assign: [{n: 0}]}
    - count: {assign: [{n: "${n + 1}"}]}
    - again:
        switch:
          - condition: ${n < %d}
            next: count
    - done: {return: "${n}"}
"""


def measure() -> list[Row]:
    """Both in turn; the engine's steps are durable across a killed process, like the floor's rows."""
    pairs = []
    with tempfile.TemporaryDirectory() as name:
        for turn in range(ROUNDS):
            pairs.append((asyncio.run(_engine(Path(name) / f"e{turn}")), _bare(Path(name) / f"b{turn}.db")))
    return [
        {
            "name": "workflow steps a second",
            "ours": median(one for one, _ in pairs),
            "floor": median(other for _, other in pairs),
            "ratio": median(one / other for one, other in pairs),
            "goal": 0.5,
            "at_least": True,
        }
    ]


async def _engine(folder: Path) -> float:
    folder.mkdir()
    async with httpx.AsyncClient() as client:
        engine = Engine(
            folder,
            {"loop": LOOP % (STEPS // 2)},
            client,
            RealClock(),
            sign=lambda audience: audience,
            project="p",
            location="l",
        )
        await engine.start()
        began = time.perf_counter()
        execution = await engine.create("loop")
        ended = await engine.wait(execution.id)
        took = time.perf_counter() - began
        await engine.stop()
    assert ended.result == str(STEPS // 2)
    return STEPS / took


def _bare(file: Path) -> float:
    db = sqlite3.connect(file, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=NORMAL")
    db.execute("CREATE TABLE steps (number INTEGER PRIMARY KEY, name TEXT, state TEXT, value INTEGER)")
    began = time.perf_counter()
    for number in range(STEPS):
        db.execute("INSERT INTO steps VALUES (?, 'count', 'SUCCEEDED', ?)", (number, number))
    took = time.perf_counter() - began
    db.close()
    return STEPS / took
