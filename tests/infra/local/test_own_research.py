"""Research by our own agents in the whole product: chosen by a person, without a key, on a virtual clock."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Literal

import httpx
import pytest

from infra.local.clock import VirtualClock
from infra.local.command.demo import ENOUGH_SOURCES, NOTES
from infra.local.command.demo import QUESTION as DEMO
from infra.local.product import Pace, Product
from shared.models.base import JsonDict
from shared.preferences import Choices, choose
from tests.infra.local.test_product import QUESTION, creates, research, seed

ENGINES: tuple[Literal["local"] | None, ...] = (None, "local")


async def choosing(product: Product, engine: Literal["local"] | None) -> None:
    current = product.services
    wanted = Choices(research_engine=engine)
    await choose(current.documents, current.settings, "default", wanted, current.now())


@pytest.fixture
async def chosen(tmp_path: Path) -> AsyncIterator[tuple[Product, httpx.AsyncClient]]:
    pace = Pace(clock=VirtualClock(), research_seconds=600, poll_seconds=30)
    async with (
        Product(tmp_path / "data", environ={}, pace=pace) as product,
        httpx.AsyncClient(
            base_url=product.origin, headers={"Authorization": f"Bearer {product.key}"}, timeout=30
        ) as client,
    ):
        await choosing(product, "local")
        await seed(product, client)
        yield product, client


async def test_a_note_tagged_research_comes_back_as_a_cited_report(chosen: tuple[Product, httpx.AsyncClient]) -> None:
    product, client = chosen
    operation = await research(client)
    assert operation["status"] == "completed"
    note = (await client.get(f"/api/v1/notes/{operation['result_note_id']}")).json()["note"]
    assert (note["kind"], note["source_note_id"]) == ("research", operation["source_note_id"])
    assert note["citations"] and "[cite: 1]" in note["body"]
    for citation in note["citations"]:
        source = (await client.get(f"/api/v1/notes/{citation['note_id']}")).json()["note"]
        assert citation["quote"] in source["body"]
    assert creates(product) == 0
    trace: list[JsonDict] = (await client.get(f"/api/v1/notes/{note['id']}")).json()["trace"]
    assert {"thinking", "tool_call", "tool_result", "citations"} <= {str(event["type"]) for event in trace}


async def test_going_back_to_the_service_asks_it_again(chosen: tuple[Product, httpx.AsyncClient]) -> None:
    product, client = chosen
    await choosing(product, None)
    assert (await research(client))["status"] == "completed"
    assert creates(product) == 1


async def test_two_at_once_end_each_with_its_own_report(chosen: tuple[Product, httpx.AsyncClient]) -> None:
    _, client = chosen
    ended = await asyncio.gather(research(client), research(client, f"{QUESTION} And why against a wall?"))
    assert [one["status"] for one in ended] == ["completed", "completed"]
    assert len({str(one["result_note_id"]) for one in ended}) == 2


async def test_without_a_language_model_both_engines_write_the_same_report(tmp_path: Path) -> None:
    pace = Pace(clock=VirtualClock(), research_seconds=600, poll_seconds=30)
    async with (
        Product(tmp_path / "data", environ={}, pace=pace) as product,
        httpx.AsyncClient(
            base_url=product.origin, headers={"Authorization": f"Bearer {product.key}"}, timeout=30
        ) as client,
    ):
        for text in re.split(r"^---$", NOTES.read_text(), flags=re.MULTILINE):
            (await client.post("/api/v1/captures", json={"text": text.strip()})).raise_for_status()
        await product.settled()
        for question in (DEMO, "What do my notes say about linked notes? And about the Xylophon?"):
            reports = []
            for engine in ENGINES:
                await choosing(product, engine)
                operation = await research(client, question)
                found = await client.get(f"/api/v1/notes/{operation['result_note_id']}")
                note = found.raise_for_status().json()["note"]
                reports.append((note["citations"], note["summary"], note["body"], operation["output"]))
            assert reports[0] == reports[1]
            assert len(reports[0][0]) >= (ENOUGH_SOURCES if question == DEMO else 1)
        assert creates(product) == 2  # the service was asked by one engine alone
