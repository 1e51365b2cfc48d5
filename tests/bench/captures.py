"""Captures over real HTTP: how many beside a bare FastAPI function that inserts one row; how fast during an import."""

import asyncio
import json
import os
import random
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import TypedDict

ROOT = Path(__file__).parents[2]
KEY = "bench-key"
ROUNDS, SECONDS = 5, 2.0
IMPORTED, BATCH, IN_FLIGHT = 2_000, 20, 4
PAUSE = 0.05
"""Between a person's captures; without it nothing else would ever get its turn, and nothing would be measured."""
WORDS = (
    "tea leaf water garden pear wall wire spring august light south warm bread flour salt time book note idea link "
    "question answer meeting train city river bridge window paper pencil music song quiet morning evening walk rain"
).split()


class Row(TypedDict):
    name: str
    ours: float
    floor: float
    ratio: float
    goal: float
    at_least: bool


def measure() -> list[Row]:
    """Rates of both, in turn, so that a machine's moods hit both; the median of each, and of the ratios."""
    with tempfile.TemporaryDirectory() as folder:
        ours, floor = _Ours(Path(folder) / "ours"), _Bare(Path(folder) / "bare.db")
        try:
            rates = [asyncio.run(_compare(ours.port, floor.port, clients)) for clients in (1, 16)]
        finally:
            ours.stop()
            floor.stop()
        busy, idle = _Ours(Path(folder) / "busy"), _Ours(Path(folder) / "idle")
        try:
            return [*rates, *asyncio.run(_beside_an_import(busy, idle))]
        finally:
            busy.stop()
            idle.stop()


async def _compare(ours: int, floor: int, clients: int) -> Row:
    for port in (ours, floor):
        await _rate(port, clients, 0.5)
    pairs = [(await _rate(ours, clients, SECONDS), await _rate(floor, clients, SECONDS)) for _ in range(ROUNDS)]
    return {
        "name": f"captures a second, {clients} client{'s' if clients > 1 else ''}",
        "ours": median(one for one, _ in pairs),
        "floor": median(other for _, other in pairs),
        "ratio": median(one / other for one, other in pairs),
        "goal": 0.6,
        "at_least": True,
    }


async def _rate(port: int, clients: int, seconds: float) -> float:
    until = time.perf_counter() + seconds
    began = time.perf_counter()
    counts = await asyncio.gather(*(_client(port, until) for _ in range(clients)))
    return sum(counts) / (time.perf_counter() - began)


async def _client(port: int, until: float) -> int:
    chance, done = random.Random(port), 0
    async with _connected(port) as connection:
        while time.perf_counter() < until:
            await connection.post("/api/v1/captures", b'{"text": "%s"}' % _text(chance).encode(), b"201")
            done += 1
    return done


async def _beside_an_import(busy: "_Ours", idle: "_Ours") -> list[Row]:
    """One person's captures while 2,000 notes come in, until all of them are enriched: median and 95th percentile.

    They are compared with captures on a second, idle product, in turn with the others. An earlier moment of the same
    product would be no fair floor: then this machine had nothing else to do, while the import is a process of its own
    that wants its share of the cores (and so does whatever else runs here). What is left between the two is what the
    product itself adds by being busy, and that is what could be better or worse.
    """
    for one in (busy, idle):
        await _rate(one.port, 1, 1.0)
        await _until_idle(one.data)
    importer = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.bench.importing", str(busy.port), str(busy.data), cwd=ROOT, env=_environ()
    )
    ours, floor = await _latencies(busy, idle, asyncio.create_task(importer.wait()))
    assert importer.returncode == 0
    return [
        {
            "name": f"capture during an import of {IMPORTED:,}, {what}, ms",
            "ours": of(ours) * 1e3,
            "floor": of(floor) * 1e3,
            "ratio": of(ours) / of(floor),
            "goal": 1.2,
            "at_least": False,
        }
        for what, of in (("median", median), ("p95", _p95))
    ]


async def _latencies(busy: "_Ours", idle: "_Ours", until: "asyncio.Task[int]") -> tuple[list[float], list[float]]:
    chance = random.Random(7)
    found: tuple[list[float], list[float]] = ([], [])
    async with _connected(busy.port) as one, _connected(idle.port) as other:
        while not until.done():
            body = b'{"text": "%s"}' % _text(chance).encode()
            for connection, times in zip((one, other), found, strict=True):
                began = time.perf_counter()
                await connection.post("/api/v1/captures", body, b"201")
                times.append(time.perf_counter() - began)
                await asyncio.sleep(PAUSE / 2)
    return found


async def bring_in(port: int, data: Path) -> None:
    """Import as `memex import` does: batches, a few at a time; done when all that came is enriched."""
    chance = random.Random(11)
    batches = iter([_batch(chance, start) for start in range(0, IMPORTED, BATCH)])

    async def send() -> None:
        async with _connected(port) as connection:
            for body in batches:
                await connection.post("/api/v1/captures/batch", body, b"207")

    await asyncio.gather(*(send() for _ in range(IN_FLIGHT)))
    await _until_idle(data)


def _batch(chance: random.Random, start: int) -> bytes:
    captures = [
        {
            "text": f"# {' '.join(chance.choices(WORDS, k=4))}\n\n{_text(chance)}. {_text(chance)}.",
            "source": "import",
            "origin": {"path": f"vault/{n}.md", "front_matter": "", "content_sha256": f"{n:064x}"},
        }
        for n in range(start, start + BATCH)
    ]
    return json.dumps({"captures": captures}).encode()


async def _until_idle(data: Path) -> None:
    """Until next to nothing waits; read from the file, so that the product is not asked."""
    database = sqlite3.connect(f"file:{data / 'memex.db'}?mode=ro", uri=True)
    while True:
        ((waiting,),) = database.execute(
            "SELECT (SELECT count(*) FROM changes) + (SELECT count(*) FROM deliveries)"
        ).fetchall()
        if waiting <= 5:  # a person's last capture may be on its way
            break
        await asyncio.sleep(0.25)
    database.close()


def _p95(values: list[float]) -> float:
    return quantiles(values, n=20)[-1]


def _text(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=40))


@dataclass(slots=True)
class _Connection:
    """One kept connection; written by hand, so that the client is not what is measured."""

    port: int
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def post(self, path: str, body: bytes, status: bytes) -> None:
        self.writer.write(
            b"POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n"
            b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            % (path.encode(), self.port, KEY.encode(), len(body))
            + body
        )
        head = await self.reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 " + status), head
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        await self.reader.readexactly(length)


@asynccontextmanager
async def _connected(port: int) -> AsyncIterator[_Connection]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield _Connection(port, reader, writer)
    finally:
        writer.close()
        await writer.wait_closed()


class _Ours:
    def __init__(self, data: Path) -> None:
        command = "from infra.local.command.serve import serve; serve()"
        self.data = data
        self.port = _free_port()
        self.process = _start(["-c", command, "--port", str(self.port), "--data", str(data)])

    def stop(self) -> None:
        _stop(self.process)


class _Bare:
    def __init__(self, file: Path) -> None:
        self.port = _free_port()
        self.process = _start(["-m", "tests.bench.bare", str(file), str(self.port)])

    def stop(self) -> None:
        _stop(self.process)


def _start(arguments: list[str]) -> subprocess.Popen[bytes]:
    process = subprocess.Popen([sys.executable, *arguments], cwd=ROOT, env=_environ(), stdout=subprocess.PIPE)
    assert process.stdout
    assert process.stdout.readline().startswith(b"ready")
    time.sleep(0.5)
    return process


def _environ() -> dict[str, str]:
    return {**os.environ, "MEMEX_DEVICE_KEY": KEY, "PYTHONPATH": str(ROOT)}


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.communicate()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
