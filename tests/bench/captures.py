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
IMPORTED, BATCH = 2_000, 20
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
        busy = _Ours(Path(folder) / "busy")
        try:
            return [*rates, asyncio.run(_beside_an_import(busy))]
        finally:
            busy.stop()


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


async def _beside_an_import(ours: "_Ours") -> Row:
    """One person's captures on the idle product; and during an import, until all that came by it is enriched."""
    await _rate(ours.port, 1, 1.0)
    await _until_idle(ours)
    before = await _latencies(ours, asyncio.create_task(asyncio.sleep(15.0)))
    await _until_idle(ours)
    imported = asyncio.create_task(_import(ours))
    during = await _latencies(ours, imported)
    await imported
    ratio = median(during) / median(before)
    return {
        "name": f"capture during an import of {IMPORTED:,}, ms (p95 {_p95(during) / _p95(before):.1f}x)",
        "ours": median(during) * 1e3,
        "floor": median(before) * 1e3,
        "ratio": ratio,
        "goal": 2.0,
        "at_least": False,
    }


async def _latencies(ours: "_Ours", until: "asyncio.Task[None]") -> list[float]:
    chance, found = random.Random(7), []
    async with _connected(ours.port) as connection:
        while not until.done():
            body = b'{"text": "%s"}' % _text(chance).encode()
            began = time.perf_counter()
            await connection.post("/api/v1/captures", body, b"201")
            found.append(time.perf_counter() - began)
            await asyncio.sleep(PAUSE)
    return found


async def _import(ours: "_Ours") -> None:
    chance = random.Random(11)
    async with _connected(ours.port) as connection:
        for start in range(0, IMPORTED, BATCH):
            batch = [
                {
                    "text": f"# {' '.join(chance.choices(WORDS, k=4))}\n\n{_text(chance)}. {_text(chance)}.",
                    "source": "import",
                    "origin": {"path": f"vault/{n}.md", "front_matter": "", "content_sha256": f"{n:064x}"},
                }
                for n in range(start, start + BATCH)
            ]
            await connection.post("/api/v1/captures/batch", json.dumps({"captures": batch}).encode(), b"207")
    await _until_idle(ours)


async def _until_idle(ours: "_Ours") -> None:
    """Until next to nothing waits; read from the file, so that the product is not asked."""
    database = sqlite3.connect(f"file:{ours.data / 'memex.db'}?mode=ro", uri=True)
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
    environ = {**os.environ, "MEMEX_DEVICE_KEY": KEY, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, *arguments], cwd=ROOT, env=environ, stdout=subprocess.PIPE)
    assert process.stdout
    assert process.stdout.readline().startswith(b"ready")
    time.sleep(0.5)
    return process


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.communicate()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
