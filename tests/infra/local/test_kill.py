"""kill -9 at any moment: nothing captured is lost, nothing is bought twice, nothing is stuck."""

import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from threading import Thread

import httpx
import pytest

ROOT = Path(__file__).parents[3]
RUNS, KILLS = 20, 50
COMMAND = "from infra.local.command.serve import serve; serve()"
FACT = "Fact {n}: a pear tree numbered {n} grows flat against a sunny wall when it is tied to wires in spring."


class Server:
    """The local product as a process of its own, on one folder and one port."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.port = 0
        self.key = "kill-test-key"
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        environ = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "MEMEX_DEVICE_KEY": self.key,
            "MEMEX_MAX_RUNNING": str(RUNS),
            "MEMEX_FIRST_EVENT_SECONDS": "2",
        }
        self.process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, "--port", str(self.port), "--data", str(self.data)],
            cwd=ROOT,
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout
        ready = self.process.stdout.readline()
        found = re.search(r"ready http://127\.0\.0\.1:(\d+)/", ready)
        assert found, f"it did not start: {ready!r}"
        self.port = int(found[1])

    def kill(self) -> None:
        assert self.process and self.process.stdout
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def client(self) -> httpx.Client:
        return httpx.Client(
            base_url=f"http://127.0.0.1:{self.port}", headers={"Authorization": f"Bearer {self.key}"}, timeout=10
        )

    def get(self, path: str, **params: str | int) -> dict[str, object]:
        """Read, however often the process dies meanwhile."""
        for _ in range(200):
            try:
                with self.client() as client:
                    return dict(client.get(path, params=params).raise_for_status().json())
            except httpx.TransportError:
                time.sleep(0.05)
        raise AssertionError("the server stays away")


class Person(Thread):
    """Captures a wish for research again and again until it is answered, as the web client does."""

    def __init__(self, server: Server, number: int, wait: float) -> None:
        super().__init__(daemon=True)
        self.server = server
        self.number = number
        self.wait = wait
        self.note_id = ""

    def run(self) -> None:
        time.sleep(self.wait)
        body = {"text": f"Question {self.number}: how does a pear tree grow flat against a wall?", "research": True}
        headers = {"Idempotency-Key": f"person-{self.number}"}
        while not self.note_id:
            try:
                with self.server.client() as client:
                    answer = client.post("/api/v1/captures", json=body, headers=headers)
                self.note_id = str(answer.raise_for_status().json()["note"]["id"])
            except httpx.TransportError:
                time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_fifty_deaths_during_twenty_runs_lose_nothing_and_buy_nothing_twice(tmp_path: Path) -> None:
    rng = random.Random(20261130)
    server = Server(tmp_path)
    server.start()
    with server.client() as client:
        for number in range(6):
            client.post("/api/v1/captures", json={"text": FACT.format(n=number)}).raise_for_status()
    people = [Person(server, number, wait=number * 2.0) for number in range(RUNS)]
    for person in people:
        person.start()
    for _ in range(KILLS):
        time.sleep(rng.uniform(0.0, 1.2))
        server.kill()
        server.start()
    for person in people:
        person.join(timeout=60)
    notes = [person.note_id for person in people]
    assert all(notes)
    until = time.monotonic() + 120
    while server.get("/api/v1/operations", status="active")["operations"]:
        assert time.monotonic() < until, "an operation is stuck"
        time.sleep(0.2)
    outcomes = _outcomes(server, notes)
    server.kill()

    creates = _creates(tmp_path)
    assert all(count == 1 for count in creates.values()), creates
    assert set(creates) <= set(notes)
    for note_id, (status, code, reports) in outcomes.items():
        if status == "completed":
            assert reports == 1, note_id
        else:
            assert (status, code, reports) == ("failed", "start_unknown", 0), (note_id, status, code)
    assert sum(status == "completed" for status, _, _ in outcomes.values()) >= RUNS // 2


def _outcomes(server: Server, notes: list[str]) -> dict[str, tuple[str, str, int]]:
    found = server.get("/api/v1/notes", kind="research", limit=200)["notes"]
    assert isinstance(found, list)
    reports = Counter(report["source_note_id"] for report in found)
    outcomes = {}
    for note_id in notes:
        note = server.get(f"/api/v1/notes/{note_id}")["note"]
        assert isinstance(note, dict)
        operation = server.get(f"/api/v1/operations/{note['research']['operation_id']}")["operation"]
        assert isinstance(operation, dict)
        assert note["research"]["status"] == operation["status"]
        code = operation["error"]["code"] if operation["error"] else ""
        if code:
            assert operation["error"]["next"]
        outcomes[note_id] = (operation["status"], code, reports[note_id])
    return outcomes


def _creates(data: Path) -> Counter[str]:
    """How often the research service was asked to start, by note, from its own books."""
    with sqlite3.connect(data / "research.db") as db:
        rows = db.execute("SELECT json_extract(labels, '$.note') FROM requests WHERE action = 'create'").fetchall()
    db.close()
    return Counter(str(row[0]) for row in rows)
