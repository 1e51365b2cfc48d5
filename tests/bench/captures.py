"""Captures a second over real HTTP, at 1 and at 16 clients, beside a bare FastAPI function that inserts one row."""

import asyncio
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TypedDict

ROOT = Path(__file__).parents[2]
KEY = "bench-key"
ROUNDS, SECONDS = 5, 2.0
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
            return [asyncio.run(_compare(ours.port, floor.port, clients)) for clients in (1, 16)]
        finally:
            ours.stop()
            floor.stop()


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
    """One client on one kept connection; written by hand, so that the client is not what is measured."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    chance, done = random.Random(port), 0
    while time.perf_counter() < until:
        body = b'{"text": "%s"}' % " ".join(chance.choices(WORDS, k=40)).encode()
        writer.write(
            b"POST /api/v1/captures HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n"
            b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % (port, KEY.encode(), len(body)) + body
        )
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 201"), head
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        await reader.readexactly(length)
        done += 1
    writer.close()
    await writer.wait_closed()
    return done


class _Ours:
    def __init__(self, data: Path) -> None:
        command = "from infra.local.command.serve import serve; serve()"
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
