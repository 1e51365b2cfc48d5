"""Memory in the whole product: a turn becomes a memory by the real workflow, and the next conversation may use it."""

from pathlib import Path

import httpx

from infra.local.clock import VirtualClock
from infra.local.product import MEMORY_STANDIN, Pace, Product
from shared.memory.recall import recall
from shared.models.ids import ulid
from shared.store.operations import Operations


async def test_a_turn_becomes_a_memory_and_survives_a_restart(tmp_path: Path) -> None:
    clock = VirtualClock()
    async with (
        Product(tmp_path / "data", environ={}, pace=Pace(clock=clock, failure_modes=True)) as product,
        client_of(product) as client,
    ):
        (await client.put("/api/v1/settings", json={"memory_enabled": True})).raise_for_status()
        session = (await client.post("/api/v1/chat/sessions", json={})).json()["session"]["id"]
        await said(client, session, "I live in Leiden.")
        (operation,) = await Operations(product.services.documents, "default").page(kind="memory_generation")
        for _ in range(200):
            await product.settled()
            ended = (await Operations(product.services.documents, "default").get(operation.id)).value
            if ended.status in ("completed", "failed"):
                break
            await clock.sleep(1)
        assert (ended.status, ended.output and ended.output["verdict"]) == ("completed", "healthy")
        executions = await client.get("/v1/projects/memex-local/locations/local/workflows/memory/executions")
        assert [one["state"] for one in executions.json()["executions"]] == ["SUCCEEDED"]
        (memory,) = (await client.get("/api/v1/memories")).json()["memories"]
        assert memory["fact"] == "I live in Leiden."
        session = (await client.post("/api/v1/chat/sessions", json={})).json()["session"]["id"]
        answer = await said(client, session, "What do you know about me?")
        assert "“I live in Leiden.” — you said so on " in answer, "the agent's real path, without a model"
        assert (await client.get(f"{MEMORY_STANDIN}/v1beta1/projects/x")).status_code == 401, "this process alone"
    async with Product(tmp_path / "data", environ={}, pace=Pace(clock=clock)) as product:
        recalled = await recall(product.services, "default", "me", "Where do I live?", ulid(clock.now()))
        assert [one.fact for one in recalled.allowed] == ["I live in Leiden."]


async def said(client: httpx.AsyncClient, session: str, text: str) -> str:
    """A whole turn; its answer."""
    url, whole = f"/api/v1/chat/sessions/{session}/messages", {"Accept": "application/json"}
    answer = (await client.post(url, json={"text": text}, headers=whole)).raise_for_status().json()
    return "\n".join(event["text"] for event in answer["events"] if event["type"] == "text")


def client_of(product: Product) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        base_url=product.origin, headers={"Authorization": f"Bearer {product.key}"}, timeout=30, trust_env=False
    )
