"""A conversation on the whole product, over real HTTP: the person goes away in mid-answer and comes back."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.product import Pace, Product
from shared.agent.model import Answer, Question
from tests.fakes.scripted import ScriptedModel, calls, says

CHAT = "/api/v1/chat"


@pytest.mark.survival(1)
async def test_a_reader_who_goes_away_takes_nothing_with_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = asyncio.Event()

    async def later(_question: Question) -> Answer:
        await gone.wait()
        return says("Both are noted.")

    wanted = calls(("create_note", {"text": "A thought."}), ("create_tasks", {"tasks": [{"title": "Water"}]}))
    model = ScriptedModel([wanted, later])
    async with Product(tmp_path / "data", environ={}, pace=Pace()) as product:
        monkeypatch.setattr(product.services, "model", lambda _name: model)
        headers = {"Authorization": f"Bearer {product.key}"}
        async with httpx.AsyncClient(base_url=product.origin, headers=headers, timeout=30) as client:
            chat = (await client.post(f"{CHAT}/sessions")).json()["session"]["id"]
            await dropped(client, f"{CHAT}/sessions/{chat}/messages", after=2)
            running = (await client.get(f"{CHAT}/sessions/{chat}")).json()["session"]["turn"]
            assert running["status"] == "running"
            refused = await client.post(f"{CHAT}/sessions/{chat}/messages", json={"text": "And?"})
            assert (refused.status_code, refused.json()["error"]["code"]) == (409, "turn_running")
            gone.set()
            # Taken up where it broke: what was missed, then what comes, then the end.
            frames = await followed(client, f"{CHAT}/sessions/{chat}/events", {"Last-Event-ID": "2"})
            assert [name for name in frames if name != "trace"] == ["done"]
            reopened = (await client.get(f"{CHAT}/sessions/{chat}")).json()
    assert reopened["session"]["turn"]["status"] == "done"
    assert [event["type"] for event in reopened["trace"]] == [
        "user",
        "tool_call",
        "tool_call",
        "tool_result",
        "tool_result",
        "text",
        "usage",
    ]
    assert all(event["ok"] for event in reopened["trace"] if event["type"] == "tool_result")


async def dropped(client: httpx.AsyncClient, url: str, *, after: int) -> None:
    """Say something, and hang up after so many events of the answer."""
    async with client.stream("POST", url, json={"text": "Note it, please."}) as answer:
        heard = 0
        async for line in answer.aiter_lines():
            heard += line == "event: trace"
            if heard == after:
                return
    raise AssertionError("the answer ended too early")


async def followed(client: httpx.AsyncClient, url: str, headers: dict[str, str]) -> list[Any]:
    """The names of a stream's events, to its end."""
    async with client.stream("GET", url, headers={"Accept": "text/event-stream", **headers}) as answer:
        return [line.removeprefix("event: ") async for line in answer.aiter_lines() if line.startswith("event: ")]
