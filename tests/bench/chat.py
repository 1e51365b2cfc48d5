"""A turn of the chat over HTTP, with a model that answers at once and one call of a tool, beside ADK's own server."""

import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, Protocol

from tests.bench.captures import KEY, ROOT, Row, _free_port, _start, _stop

PAST = (0, 20, 200)
"""Turns that the conversation has had."""
ROUNDS, TURNS = 5, 3
SAID = "Please tell me the exact time of day in Berlin right now."
"""It leans on nothing said before, so that ours asks the model no more often than ADK does."""
AGENTS = Path(__file__).parent / "agents"


class Server(Protocol):
    """Somebody to talk to."""

    def begin(self) -> str: ...

    def turn(self, session: str) -> None: ...

    def connect(self) -> None: ...


def measure() -> list[Row]:
    """Milliseconds a turn, both in turn; and ours after 200 turns beside ours after 20."""
    with tempfile.TemporaryDirectory() as folder, _ours(Path(folder)) as ours, _adk(Path(folder)) as adk:
        for server in (ours, adk):
            _past(server, 5)
        rows = [_row(f"a turn of the chat after {turns}, ms", _pairs(ours, adk, turns)) for turns in PAST]
        return [*rows, _row("a turn of ours after 200 beside one after 20, ms", _late(ours), goal=2.0)]


def _row(name: str, pairs: list[tuple[float, float]], goal: float = 1.0) -> Row:
    return {
        "name": name,
        "ours": median(one for one, _ in pairs) * 1e3,
        "floor": median(other for _, other in pairs) * 1e3,
        "ratio": median(one / other for one, other in pairs),
        "goal": goal,
        "at_least": False,
    }


def _pairs(ours: Server, adk: Server, turns: int) -> list[tuple[float, float]]:
    # Both conversations are begun anew each time, but for the long ones, which a few more turns don't change.
    long = [_past(server, turns) for server in (ours, adk)] if turns > 20 else None
    found = []
    for _ in range(ROUNDS):
        sessions = long or [_past(server, turns) for server in (ours, adk)]
        mine, theirs = (_timed(*one, new=not turns) for one in zip((ours, adk), sessions, strict=True))
        found.append((mine, theirs))
    return found


def _late(ours: Server) -> list[tuple[float, float]]:
    late, early = _past(ours, 200), _past(ours, 20)
    return [(_timed(ours, late, new=False), _timed(ours, early, new=False)) for _ in range(ROUNDS)]


def _past(server: Server, turns: int) -> str:
    server.connect()
    session = server.begin()
    for _ in range(turns):
        server.turn(session)
    return session


def _timed(server: Server, session: str, *, new: bool) -> float:
    server.connect()
    times = []
    for _ in range(TURNS):
        began = time.perf_counter()
        server.turn(session)
        times.append(time.perf_counter() - began)
        if new:
            session = server.begin()
    return median(times)


class _Client:
    """One kept connection."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def connect(self) -> None:
        """Anew: while others were asked, the server may have hung up."""
        self._connection.close()
        self._connection.connect()

    def post(self, path: str, body: object, **headers: str) -> bytes:
        sent = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json", **headers}
        self._connection.request("POST", path, json.dumps(body).encode(), sent)
        answer = self._connection.getresponse()
        read = answer.read()
        assert answer.status in (200, 201), read
        return read


class _Ours(_Client):
    def begin(self) -> str:
        told: dict[str, Any] = json.loads(self.post("/api/v1/chat/sessions", {}))
        return str(told["session"]["id"])

    def turn(self, session: str) -> None:
        read = self.post(f"/api/v1/chat/sessions/{session}/messages", {"text": SAID}, Accept="text/event-stream")
        assert b"event: done" in read and b"tool_result" in read and b"pears are ripe" in read


class _Adk(_Client):
    _begun = 0

    def begin(self) -> str:
        self._begun += 1
        session = f"session{self._begun}"
        self.post(f"/apps/bare/users/me/sessions/{session}", {})
        return session

    def turn(self, session: str) -> None:
        said = {"role": "user", "parts": [{"text": SAID}]}
        where = {"app_name": "bare", "user_id": "me", "session_id": session}
        read = self.post("/run_sse", {**where, "streaming": True, "new_message": said})
        assert b"functionResponse" in read and b"pears are ripe" in read


@contextmanager
def _ours(folder: Path) -> Iterator[_Ours]:
    port = _free_port()
    process = _start(["-m", "tests.bench.scripted", "--port", str(port), "--data", str(folder / "ours")])
    try:
        yield _Ours(port)
    finally:
        _stop(process)


@contextmanager
def _adk(folder: Path) -> Iterator[_Adk]:
    """ADK's server with sessions in SQLite, through its own service: the one on SQLAlchemy is no part of our set-up."""
    port = _free_port()
    sessions = f"--session_service_uri=sqlite:///{folder / 'adk.db'}"
    command = [sys.executable, "-m", "google.adk.cli", "api_server", f"--port={port}", sessions]
    process = subprocess.Popen(
        [*command, "--log_level=critical", str(AGENTS)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _until_served(port, process)
        yield _Adk(port)
    finally:
        _stop(process)


def _until_served(port: int, process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + 60
    while True:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/list-apps")
            connection.getresponse().read()
            return
        except OSError:
            assert process.poll() is None and time.monotonic() < until, "adk api_server did not start"
            time.sleep(0.2)
