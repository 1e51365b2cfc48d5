"""Agent tasks in the whole product, on the virtual clock: through dispatch, the workflow and functions/agent."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.clock import VirtualClock
from infra.local.product import Pace, Product
from infra.local.workflow.loader import load
from shared.agent.model import Answer, Model, Question
from tests.fakes.scripted import ScriptedModel, calls, says
from tests.infra.local.test_product import FACTS, QUESTION
from tests.shared.agent_task.working import claim, form

Serve = Callable[..., AbstractAsyncContextManager[tuple[Product, httpx.AsyncClient]]]
ROOT = Path(__file__).parents[3]


@pytest.fixture
def serve(tmp_path: Path) -> Serve:
    @asynccontextmanager
    async def served(
        model: Model | None = None, *, environ: dict[str, str] | None = None
    ) -> AsyncIterator[tuple[Product, httpx.AsyncClient]]:
        pace = Pace(clock=VirtualClock())
        async with Product(tmp_path / "data", environ=environ or {}, pace=pace) as product:
            if model:
                product.services._models[""] = model
            headers = {"Authorization": f"Bearer {product.key}"}
            async with httpx.AsyncClient(base_url=product.origin, headers=headers, timeout=30) as client:
                yield product, client

    return served


async def seed(product: Product, client: httpx.AsyncClient) -> None:
    for text in FACTS:
        (await client.post("/api/v1/captures", json={"text": text})).raise_for_status()
    await product.settled()


async def submit(client: httpx.AsyncClient, question: str = QUESTION) -> str:
    body = {"kind": "agent_task", "input": {"question": question}}
    answer = await client.post("/api/v1/operations", json=body)
    return str(answer.raise_for_status().json()["operation"]["id"])


async def until(client: httpx.AsyncClient, operation_id: str, *statuses: str) -> dict[str, Any]:
    while True:
        answer = await client.get(f"/api/v1/operations/{operation_id}")
        operation: dict[str, Any] = answer.raise_for_status().json()["operation"]
        if operation["status"] in statuses:
            return operation
        assert operation["status"] not in ("completed", "failed", "cancelled"), operation
        await asyncio.sleep(0.01)


async def ended(product: Product) -> list[str]:
    """How the executions ended: that comes a moment after the operation's own end."""
    while any(one.state == "ACTIVE" for one in product.engine.list("agent_task").executions):
        await asyncio.sleep(0.01)
    return [one.state for one in product.engine.list("agent_task").executions]


async def log(client: httpx.AsyncClient, operation_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await client.get(f"/api/v1/operations/{operation_id}/events")).json()["events"]
    assert [event["seq"] for event in found] == list(range(1, len(found) + 1))
    return found


async def test_offline_a_question_comes_back_as_quotes_with_their_sources(serve: Serve) -> None:
    async with serve() as (product, client):
        await seed(product, client)
        operation = await until(client, await submit(client), "completed")
        output = operation["output"]
        assert output["schema"] == "memex.agent_task/1"
        assert output["claims"]
        for one in output["claims"]:
            (named,) = one["sources"]
            (source,) = [source for source in output["sources"] if source["id"] == named]
            note = (await client.get(f"/api/v1/notes/{source['note_id']}")).json()["note"]
            # What the claim itself says is not said again as its evidence.
            assert (one["evidence"] or [one["claim"]])[0] in note["body"]
        assert (await log(client, operation["id"]))[-1]["event"] == "task.completed"
        assert await ended(product) == ["SUCCEEDED"]
        assert (await client.get("/api/v1/approvals")).json()["approvals"] == []


@pytest.mark.survival(2)
async def test_a_question_that_nothing_answers_says_so(serve: Serve) -> None:
    async with serve() as (product, client):
        await seed(product, client)
        question = "Which submarine cable connects Lisbon with Fortaleza?"
        operation = await until(client, await submit(client, question), "failed")
        assert operation["error"]["code"] == "no_sources"
        assert operation["error"]["next"]
        assert await ended(product) == ["SUCCEEDED"]


async def test_with_a_model_it_looks_asks_proposes_and_answers(serve: Serve) -> None:
    model = ScriptedModel(
        [
            calls(("search_notes", {"query": "pears"}), ("create_note", {"text": "Wires matter."})),
            calls(("ask_user", {"question": "Which wall?"})),
            says("Tied to wires."),
            form(claim("Pears are tied to wires.", "S1")),
        ]
    )
    async with serve(model) as (product, client):
        await seed(product, client)
        operation = await until(client, await submit(client), "waiting_for_input")
        assert operation["asked"]["text"] == "Which wall?"
        answer = await client.post(f"/api/v1/operations/{operation['id']}/input", json={"text": "the south one"})
        assert answer.status_code == 202
        operation = await until(client, operation["id"], "completed")
        assert operation["output"]["claims"][0]["sources"] == ["S1"]
        (proposal,) = (await client.get("/api/v1/approvals")).json()["approvals"]
        assert (proposal["status"], proposal["action"]["tool"]) == ("pending", "create_note")
        # Two executions: one until the question, one from the answer on.
        assert await ended(product) == ["SUCCEEDED", "SUCCEEDED"]
        kinds = [event["event"] for event in await log(client, operation["id"])]
        assert kinds.count("task.tool_call") == kinds.count("task.tool_result") == 4


async def test_cancelling_a_task_at_work_stops_its_execution(serve: Serve) -> None:
    asked = asyncio.Event()

    async def hangs(_question: Question) -> Answer:
        asked.set()
        await asyncio.Event().wait()
        raise AssertionError

    async with serve(ScriptedModel([hangs])) as (product, client):
        await seed(product, client)
        operation_id = await submit(client)
        await asked.wait()
        answer = await client.post(f"/api/v1/operations/{operation_id}/cancel")
        assert answer.json()["operation"]["status"] == "cancelled"
        assert await ended(product) == ["CANCELLED"]
        assert (await log(client, operation_id))[-1]["event"] == "task.cancelled"


async def test_steps_that_always_fail_end_it_within_a_bound(serve: Serve) -> None:
    async def broken(_question: Question) -> Answer:
        raise RuntimeError("a fault of ours")

    async with serve(ScriptedModel([broken] * 500)) as (product, client):
        await seed(product, client)
        operation = await until(client, await submit(client), "failed")
        assert operation["error"]["code"] == "steps_failed"
        assert len(product.engine.list("agent_task").executions) <= 7


async def test_a_new_process_goes_on_where_the_last_one_stopped(serve: Serve) -> None:
    asked = asyncio.Event()

    async def hangs(_question: Question) -> Answer:
        asked.set()
        await asyncio.Event().wait()
        raise AssertionError

    look = calls(("search_notes", {"query": "pears"}))
    async with serve(ScriptedModel([look, hangs])) as (product, client):
        await seed(product, client)
        operation_id = await submit(client)
        await asked.wait()
    second = ScriptedModel([says("Tied."), form(claim("Tied.", "S1"))])
    async with serve(second) as (_product, client):
        operation = await until(client, operation_id, "completed")
        assert operation["partial"] is None
        # The first answer was on record; only the one that was lost is asked for again.
        assert len(second.questions) == 2
        assert any(message.answers for message in second.questions[0].messages)


def test_the_workflow_is_one_that_the_real_service_takes() -> None:
    source = (ROOT / "workflows" / "agent_task.yaml").read_text()
    load(source, "agent_task")
    lines = source.splitlines()
    # https://cloud.google.com/workflows/quotas: 128 kB of source, 400 characters an expression, 1800 s a call.
    assert len(source.encode()) < 128_000
    assert len(lines) < 120
    assert max(len(line) for line in lines) <= 120
    assert all(int(line.split(":")[1]) <= 300 for line in lines if line.strip().startswith("timeout:"))


async def test_a_long_task_stays_far_below_the_services_limit_of_steps(serve: Serve) -> None:
    look = calls(("search_notes", {"query": "pears"}))
    model = ScriptedModel([*[look] * 50, form(claim("Tied.", "S1"))])
    async with serve(model, environ={"MEMEX_MAX_ITERATIONS": "50"}) as (product, client):
        await seed(product, client)
        operation = await until(client, await submit(client), "completed")
        assert "max_iterations" in operation["partial"]
        await ended(product)
        assert product.engine.list("agent_task").executions[0].billed_steps < 300


@pytest.mark.survival(4)
async def test_a_partial_result_is_gone_on_from_without_paying_twice(serve: Serve) -> None:
    look = calls(("search_notes", {"query": "pears"}))
    model = ScriptedModel([look, form(claim("Half.", "S1")), says("Tied."), form(claim("Whole.", "S1"))])
    async with serve(model, environ={"MEMEX_MAX_ITERATIONS": "1"}) as (product, client):
        await seed(product, client)
        first = await until(client, await submit(client), "completed")
        assert "max_iterations" in first["partial"]
        answer = await client.post(f"/api/v1/operations/{first['id']}/retry")
        second = await until(client, answer.raise_for_status().json()["operation"]["id"], "completed")
        assert second["id"] != first["id"]
        assert second["partial"] is None
        assert second["output"]["claims"][0]["claim"] == "Whole."
        # What the first run had looked up was shown to the model again, and not looked up again.
        assert [one.tool for message in model.questions[2].messages for one in message.calls] == ["search_notes"]
        assert second["usage"]["tokens"] == 30
