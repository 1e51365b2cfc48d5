"""Nothing a person wrote reaches standard output or error of `memex serve`, whatever goes wrong."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[3]
MARKER = "MaRkEr7f3A91"
KEY = "log-test-key"
# What no request can bring about: errors in the loop, in a thread, in a destructor and in an answer under way.
FAULTS = f"""
import asyncio, functions.api.main as api, threading
from infra.local import product
from starlette.responses import StreamingResponse
from starlette.routing import Route

def fails(*_): raise ValueError("a note says {MARKER}")

class Gone:
    def __del__(self): fails()

async def lost(text): fails()

async def begun(_request):
    async def parts():
        yield b"{MARKER} "
        fails()
    return StreamingResponse(parts())

async def faults(self):
    asyncio.get_running_loop().call_soon(fails, "{MARKER}")
    asyncio.create_task(lost("{MARKER}"))
    threading.Thread(target=fails, name="{MARKER}").start()
    Gone()
    await ticking(self)

ticking, product.Product._ticking = product.Product._ticking, faults
api.app.router.routes.insert(0, Route("/api/v1/begun", begun))
from infra.local.command import main
main()
"""


def until(true: Callable[[], object]) -> None:
    for _ in range(300):
        if true():
            return
        time.sleep(0.1)
    raise AssertionError("it does not come")


def says(errors: Path, told: str) -> bool:
    return told in errors.read_text()


def change(data: Path, sql: str, *values: str | float) -> None:
    db = sqlite3.connect(data / "memex.db", isolation_level=None, timeout=20)
    db.execute(sql, values)
    db.close()


def test_nothing_a_person_wrote_reaches_standard_output_or_error(tmp_path: Path) -> None:
    out, errors, data = tmp_path / "out", tmp_path / "errors", tmp_path / "data"
    with out.open("wb") as stdout, errors.open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-c", FAULTS, "serve", "--port", "0", "--data", str(data)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "MEMEX_DEVICE_KEY": KEY},
            stdout=stdout,
            stderr=stderr,
        )
    try:
        until(lambda: b"ready " in out.read_bytes())
        address = out.read_text().split()[1].partition("/#")[0]
        with httpx.Client(base_url=address, headers={"Authorization": f"Bearer {KEY}"}, timeout=30) as client:
            live_with_it(client, data, errors)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)
    said = out.read_text() + errors.read_text()
    assert MARKER.lower() not in said.lower()
    assert process.returncode == 0
    assert KEY not in errors.read_text()
    lines = [json.loads(line) for line in errors.read_text().splitlines()]
    # Each fault was really met, and says where.
    for told in ("in the event loop", "a thread was stopped", "that nobody could catch", "Exception in ASGI"):
        assert [line for line in lines if told in line["message"] and " at " in line["error"]], told
    assert [line for line in lines if "unforeseen" in line["message"]]
    assert [line for line in lines if "the table could not be read" in line["message"]]
    assert [line for line in lines if "was answered 500" in line["message"]]


def live_with_it(client: httpx.Client, data: Path, errors: Path) -> None:
    """Capture, search, edit, research; then bad input; then what can't be foreseen."""

    def capture(**entry: object) -> str:
        return str(client.post("/api/v1/captures", json=entry).raise_for_status().json()["note"]["id"])

    for n in range(3):
        capture(text=f"# Pears\n\nPear {n}, says {MARKER}, grows flat on a wall.", title=f"{MARKER} {n}", tags=[MARKER])
    note = capture(text=f"How do pears grow, {MARKER}?", url=f"https://example.org/{MARKER}")
    for query in ({"q": MARKER}, {"tag": MARKER.lower()}, {"cursor": MARKER}, {"kind": MARKER}):
        client.get("/api/v1/notes", params=query)
    client.patch(f"/api/v1/notes/{note}", json={"body": f"How do pears grow on walls, {MARKER}?"}).raise_for_status()
    client.post(f"/api/v1/notes/{note}/research").raise_for_status()
    until(lambda: not client.get("/api/v1/operations", params={"status": "active"}).json()["operations"])
    client.get(f"/api/v1/notes/{MARKER}")
    client.get(f"/{MARKER}", headers={"Origin": f"http://{MARKER}.example"})
    client.get("/api/v1/notes", headers={"Authorization": f"Bearer {MARKER}"})
    for body in (
        f'{{"text": {{"{MARKER}": 1}}}}',
        f"{{{MARKER}",
        f'{{"text": "{MARKER}\\ud800"}}',
        f'{{"{MARKER}": 1}}',
    ):
        assert client.post("/api/v1/captures", content=body.encode()).status_code >= 400
        assert client.patch(f"/api/v1/notes/{note}", content=body.encode()).status_code >= 400
    try:
        client.get("/api/v1/begun")
    except httpx.RemoteProtocolError:
        pass
    # Rows that no version of the product wrote: for a reader, for the enrichment, and for the bus itself.
    for damaged in (f'{{"body": {{"{MARKER}": 1}}, "{MARKER}": "{MARKER}"}}', f"{{{MARKER}"):
        change(data, "UPDATE documents SET data = ? WHERE collection = 'notes' AND id = ?", damaged, note)
        assert client.get(f"/api/v1/notes/{note}").status_code == 500
        assert client.patch(f"/api/v1/notes/{note}", json={"title": MARKER}).status_code == 500
    message = json.dumps({"tenant": "default", "note_id": note, "enrich": "true"})
    for attributes, told in ((message, "was answered 500"), (f"{{{MARKER}", "the table could not be read")):
        insert = (
            "INSERT INTO deliveries (subscription, message_id, attributes, published_at) VALUES ('enrich', 1, ?, ?)"
        )
        change(data, insert, attributes, time.time())
        capture(text=f"Wakes the bus, {MARKER}")
        until(partial(says, errors, told))
