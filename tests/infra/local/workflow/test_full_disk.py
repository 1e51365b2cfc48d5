"""A store that fails for a while: the execution goes on from where it was stored last."""

import asyncio
import sqlite3
from pathlib import Path

import httpx
import pytest

from infra.local.clock import RealClock
from infra.local.workflow import engine as module
from infra.local.workflow.engine import Engine

LOOP = """
main:
  steps:
    - call: {call: http.post, args: {url: "http://f.example/"}, result: answer}
    - done: {return: "${answer.body.n}"}
"""


@pytest.mark.parametrize("method", ["save", "finish"])
async def test_an_execution_survives_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    monkeypatch.setattr(module, "STORE_RETRY_SECONDS", 0.0)
    transport = httpx.MockTransport(lambda request: httpx.Response(200, json={"n": 7}))
    async with httpx.AsyncClient(transport=transport) as client:
        engine = Engine(
            tmp_path, {"loop": LOOP}, client, RealClock(), sign=lambda audience: audience, project="p", location="l"
        )
        await engine.start()
        real, failures = getattr(engine._store, method), 0

        def failing(*args: object, **kwargs: object) -> object:
            nonlocal failures
            failures += 1
            if failures <= 3:
                raise sqlite3.OperationalError("database or disk is full")
            return real(*args, **kwargs)

        monkeypatch.setattr(engine._store, method, failing)
        execution = await engine.create("loop")
        async with asyncio.timeout(10):
            ended = await engine.wait(execution.id)
        assert (ended.state, ended.result) == ("SUCCEEDED", "7")
        assert failures > 3
        await engine.stop()
