"""A product that could deliver nothing does not go on serving."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from infra.local import product as module
from infra.local.product import Product
from infra.local.store.queue import SqliteBus
from infra.local.store.triggers import Triggers
from shared.errors import MemexError

ROOT = Path(__file__).parents[3]


async def ends(_self: object) -> None:
    await asyncio.sleep(0.1)


async def fails(_self: object) -> None:
    await asyncio.sleep(0.1)
    raise sqlite3.OperationalError("a text that quotes a note")


@pytest.mark.parametrize(("part", "name"), [(Triggers, "triggers"), (SqliteBus, "bus")])
@pytest.mark.parametrize(("how", "reason"), [(ends, "came to an end"), (fails, "OperationalError at ")])
async def test_all_stops_when_a_part_of_it_ends(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    part: type,
    name: str,
    how: object,
    reason: str,
) -> None:
    monkeypatch.setattr(part, "run", how)
    with pytest.raises(MemexError, match=name) as caught:
        async with Product(tmp_path, environ={}) as product:
            await asyncio.sleep(30)
    assert reason in caught.value.message
    assert "quotes" not in caught.value.message + caplog.text
    assert f"{name} stopped unbidden" in caplog.text
    async with httpx.AsyncClient() as client:
        with pytest.raises(httpx.ConnectError):
            await client.get(product.origin)
    monkeypatch.undo()
    async with Product(tmp_path, environ={}):
        pass  # the folder was given back


async def test_a_server_that_ends_stops_the_product_too(tmp_path: Path) -> None:
    with pytest.raises(MemexError, match="server"):
        async with Product(tmp_path, environ={}):
            (server,) = [task for task in asyncio.all_tasks() if task.get_coro().__qualname__ == "Server.serve"]  # type: ignore[union-attr]
            server.cancel()
            await asyncio.sleep(30)


async def test_a_sweep_that_fails_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sweeps = 0

    async def sweep(*_: object, **__: object) -> None:
        nonlocal sweeps
        sweeps += 1
        raise sqlite3.OperationalError("a text that quotes a note")

    monkeypatch.setattr(module, "sweep", sweep)
    monkeypatch.setattr(Product, "_swept", sweep)
    monkeypatch.setattr(module, "TICK_SECONDS", 0.01)
    async with Product(tmp_path, environ={}, tick=True), asyncio.timeout(5):
        while sweeps < 3:
            await asyncio.sleep(0.01)
    assert "a sweep failed, and comes again: OperationalError at " in caplog.text
    assert "quotes" not in caplog.text


async def test_what_the_body_raises_stays_what_it_is(tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="mine"):
        async with Product(tmp_path, environ={}):
            raise KeyError("mine")


def serve(*arguments: str, before: str = "") -> subprocess.Popen[str]:
    program = f"{before}\nfrom infra.local.command import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_serve_ends_with_a_clear_message_and_exit_code(tmp_path: Path) -> None:
    broken = (
        "import asyncio\nfrom infra.local.store.triggers import Triggers\n"
        "async def run(self):\n    await asyncio.sleep(0.5)\n    raise ValueError('quotes a note')\nTriggers.run = run"
    )
    process = serve("serve", "--port", "0", "--data", str(tmp_path), before=broken)
    out, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert out.startswith("ready ")
    assert "memex: Memex stopped, because a part of it did (triggers: ValueError at" in errors
    assert "Traceback" not in errors and "quotes" not in errors


def test_serve_stops_when_asked_and_that_is_no_failure(tmp_path: Path) -> None:
    process = serve("serve", "--port", "0", "--data", str(tmp_path))
    assert process.stdout
    assert process.stdout.readline().startswith("ready ")
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (0, "")
