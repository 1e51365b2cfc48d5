"""The whole product in one process, on a virtual clock: every ending that a run can come to."""

import asyncio
import json
import logging
import os
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import httpx
import pytest

from infra.local.clock import VirtualClock
from infra.local.product import Pace, Product
from shared.models.base import JsonDict
from tests.conftest import require

Serve = Callable[..., AbstractAsyncContextManager[tuple[Product, httpx.AsyncClient]]]

FACTS = [
    "# Espalier\n\nPears grow flat against a sunny wall when they are tied to wires every spring.",
    "# Pruning pears\n\nPruning pears in August keeps the flat shape of an espalier and lets light in.",
    "# Walls\n\nA south wall stores warmth, and pears ripen two weeks earlier in front of it.",
    "# Bread\n\nFlour, water, salt and time.",
]
QUESTION = "How do I grow pears flat against a wall?"


@pytest.fixture
def serve(tmp_path: Path) -> Serve:
    @asynccontextmanager
    async def served(
        *, seconds: float = 600.0, poll: int = 30, environ: dict[str, str] | None = None
    ) -> AsyncIterator[tuple[Product, httpx.AsyncClient]]:
        pace = Pace(clock=VirtualClock(), research_seconds=seconds, poll_seconds=poll, failure_modes=True)
        async with (
            Product(tmp_path / "data", environ=environ or {}, pace=pace) as product,
            httpx.AsyncClient(
                base_url=product.origin, headers={"Authorization": f"Bearer {product.key}"}, timeout=30
            ) as client,
        ):
            yield product, client

    return served


async def seed(product: Product, client: httpx.AsyncClient) -> None:
    for text in FACTS:
        (await client.post("/api/v1/captures", json={"text": text})).raise_for_status()
    await product.settled()


async def research(client: httpx.AsyncClient, text: str = QUESTION) -> JsonDict:
    """Capture a wish for research and wait for its operation to end; the operation."""
    answer = await client.post("/api/v1/captures", json={"text": text, "tags": ["research"]})
    note_id = answer.raise_for_status().json()["note"]["id"]
    while True:
        note = (await client.get(f"/api/v1/notes/{note_id}")).json()["note"]
        if note["research"]["operation_id"]:
            operation = (await client.get(f"/api/v1/operations/{note['research']['operation_id']}")).json()["operation"]
            if operation["status"] in ("completed", "failed", "cancelled"):
                return dict(operation)
        await asyncio.sleep(0.01)


def code_of(operation: JsonDict) -> object:
    error = operation["error"]
    return error["code"] if isinstance(error, dict) else None


def creates(product: Product) -> int:
    return product.research.store.count("create")


async def test_a_note_tagged_research_comes_back_as_a_cited_report(serve: Serve) -> None:
    async with serve() as (product, client):
        await seed(product, client)
        operation = await research(client)
        assert operation["status"] == "completed"
        note = (await client.get(f"/api/v1/notes/{operation['result_note_id']}")).json()["note"]
        assert note["kind"] == "research"
        assert note["source_note_id"] == operation["source_note_id"]
        assert note["citations"]
        for citation in note["citations"]:
            source = (await client.get(f"/api/v1/notes/{citation['note_id']}")).json()["note"]
            assert citation["quote"] in source["body"]
        source = (await client.get(f"/api/v1/notes/{operation['source_note_id']}")).json()["note"]
        assert source["research"]["status"] == "completed"
        assert creates(product) == 1


@pytest.mark.survival(2)
async def test_a_question_that_nothing_answers_says_so_and_is_no_report(serve: Serve) -> None:
    async with serve() as (product, client):
        await seed(product, client)
        operation = await research(client, "Which submarine cable connects Lisbon with Fortaleza?")
        assert operation["status"] == "failed"
        assert code_of(operation) == "no_sources"
        reports = (await client.get("/api/v1/notes", params={"kind": "research"})).json()["notes"]
        assert reports == []
        assert product.research.store.count("create") == 1


ENDINGS = {
    "OK": ("completed", ""),
    "H0": ("completed", ""),
    "H1": ("failed", "start_unknown"),
    "H2": ("completed", ""),
    "B": ("failed", "start_unknown"),
    "D0": ("failed", "provider_failed"),
    "D1": ("failed", "provider_failed"),
    "Z": ("failed", "deadline_exceeded"),
    "Z2": ("failed", "empty_report"),
    "E": ("completed", ""),
    "F": ("completed", ""),
    "J": ("completed", ""),
    "K": ("completed", ""),
    "K2": ("completed", ""),
    "L": ("failed", "expired"),
    "M": ("completed", ""),
    "N": ("completed", ""),
    "P": ("completed", ""),
    "Q": ("completed", ""),
    "R": ("completed", ""),
    "T": ("completed", ""),
    "U": ("completed", ""),
    "W": ("completed", ""),
    # What else providers were seen to do (survival case 7).
    "E200": ("completed", ""),
    "QUEUED": ("completed", ""),
    "ACTION": ("failed", "needs_action"),
    "CONTINUE": ("failed", "needs_action"),
    "BUDGET": ("completed", ""),
    "STOPPED": ("failed", "provider_failed"),
    "NEWID": ("completed", ""),
    "CANCELLED": ("failed", "provider_cancelled"),
    "T2": ("failed", "provider_failed"),
}


@pytest.mark.survival(7)
@pytest.mark.parametrize("mode", ENDINGS)
async def test_every_failure_mode_ends_in_its_state_with_a_message_that_helps(serve: Serve, mode: str) -> None:
    # Only the mode without a first event waits this time out, and it is real time.
    environ = {"MEMEX_FIRST_EVENT_SECONDS": "0.5" if mode == "H1" else "20"}
    async with serve(environ=environ) as (product, client):
        await seed(product, client)
        operation = await research(client, f"{QUESTION} [mode:{mode}]")
        error = operation["error"] or {"code": "", "message": "", "next": ""}
        assert isinstance(error, dict)
        assert (operation["status"], error["code"]) == ENDINGS[mode], operation
        assert creates(product) <= 1
        if error["code"]:
            assert len(str(error["message"])) > 30
            assert error["next"]
        log = (await client.get(f"/api/v1/operations/{operation['id']}/events")).json()["events"]
        assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
        assert log[-1]["event"] == f"task.{operation['status']}"
        active = (await client.get("/api/v1/operations", params={"status": "active"})).json()["operations"]
        assert active == []
        assert (operation["partial"] is not None) == (mode in ("Q", "BUDGET"))


@pytest.mark.survival(7)
async def test_a_run_that_somebody_deletes_at_the_service_is_given_up(serve: Serve) -> None:
    async with serve() as (product, client):
        await seed(product, client)
        standin = product.services.standin
        assert standin
        with product.clock.busy():
            await client.post("/api/v1/captures", json={"text": QUESTION, "research": True})
            while not product.research.store.requests():
                await asyncio.sleep(0.01)
            run = product.research.store.requests()[0]["run"]
            headers = {"x-goog-api-key": standin.key}
            assert (await client.delete(f"{standin.url}/interactions/{run}", headers=headers)).status_code == 200
        while True:
            (operation,) = (await client.get("/api/v1/operations")).json()["operations"]
            if operation["status"] not in ("queued", "running"):
                break
            await asyncio.sleep(0.01)
        assert (operation["status"], operation["error"]["code"]) == ("failed", "expired")


async def test_two_virtual_hours_end_at_the_time_limit_after_one_last_look(serve: Serve) -> None:
    async with serve() as (product, client):
        await seed(product, client)
        began = product.clock.now()
        operation = await research(client, f"{QUESTION} [mode:Z]")
        assert code_of(operation) == "deadline_exceeded"
        assert 7200 <= product.clock.now() - began <= 7200 + 180
        execution = product.engine.list("research").executions[0]
        assert execution.billed_steps < 800
        # The run is told to stop after its operation has ended.
        while not product.research.store.count("cancel"):
            await asyncio.sleep(0.01)
        assert product.research.store.count("cancel") == 1


async def test_cancelling_stops_the_execution_and_the_outside_run(serve: Serve) -> None:
    async with serve(seconds=1e9) as (product, client):
        await seed(product, client)
        held = product.clock.busy()
        with held:
            answer = await client.post("/api/v1/captures", json={"text": QUESTION, "research": True})
            note_id = answer.json()["note"]["id"]
            while product.research.store.count("create") == 0:
                await asyncio.sleep(0.01)
            note = (await client.get(f"/api/v1/notes/{note_id}")).json()["note"]
            operation_id = note["research"]["operation_id"]
            await asyncio.sleep(0.05)
            operation = (await client.post(f"/api/v1/operations/{operation_id}/cancel")).json()["operation"]
        assert operation["status"] == "cancelled"
        assert product.engine.list("research").executions[0].state == "CANCELLED"
        assert product.research.store.count("cancel") == 1


async def test_the_folder_has_one_owner(serve: Serve, tmp_path: Path) -> None:
    async with serve() as (_product, _client):
        with pytest.raises(Exception, match="data"):
            async with Product(tmp_path / "data", environ={}):
                pass


@pytest.mark.parametrize(
    ("headers", "path"),
    [
        ({"Host": "evil.example"}, "/"),
        ({"Origin": "https://evil.example"}, "/api/v1/notes"),
        ({"Origin": "null"}, "/v1/projects/memex-local/locations/local/workflows/research/executions"),
        ({"Host": "evil.example"}, "/console"),
        ({"Origin": "http://127.0.0.1:1"}, "/local/clock/advance"),
    ],
)
async def test_foreign_pages_are_served_nothing(serve: Serve, headers: dict[str, str], path: str) -> None:
    async with serve() as (_product, client):
        answer = (
            await client.post(path, headers=headers) if "clock" in path else await client.get(path, headers=headers)
        )
        assert answer.status_code == 403
        assert answer.json()["error"]["code"] == "foreign_origin"


async def test_the_clock_and_the_stand_in_want_their_keys(serve: Serve) -> None:
    async with serve() as (product, client):
        async with httpx.AsyncClient(base_url=product.origin) as nobody:
            assert (await nobody.post("/local/clock/advance", json={"seconds": 5})).status_code == 401
            assert (
                await nobody.get("/standin/v1beta/interactions/x", headers={"x-goog-api-key": "k"})
            ).status_code == 401
        before = product.clock.now()
        assert (await client.post("/local/clock/advance", json={"seconds": 5})).status_code == 200
        assert product.clock.now() >= before + 5


@pytest.mark.survival(5)
async def test_a_hundred_deliveries_of_one_trigger_buy_one_run(serve: Serve) -> None:
    async with serve() as (product, client):
        await seed(product, client)
        with product.clock.busy():
            answer = await client.post("/api/v1/captures", json={"text": QUESTION, "research": True})
            note = answer.json()["note"]
            headers = {
                "ce-id": "same",
                "ce-type": "google.cloud.firestore.document.v1.written",
                "ce-document": f"tenants/default/notes/{note['id']}",
                "ce-time": note["updated_at"],
            }
            for _ in range(5):
                statuses = await asyncio.gather(*(product.post("fanout", headers, b"") for _ in range(20)))
                assert set(statuses) == {204}
        while (await client.get("/api/v1/operations", params={"status": "active"})).json()["operations"]:
            await asyncio.sleep(0.01)
        await product.settled()
        assert creates(product) == 1
        reports = (await client.get("/api/v1/notes", params={"kind": "research"})).json()["notes"]
        assert len(reports) == 1


@pytest.mark.slow
async def test_two_thousand_imported_notes_are_enriched_completely(serve: Serve) -> None:
    async with serve() as (product, client):
        for start in range(0, 2000, 20):
            batch = [
                {
                    "text": f"# Note {n}\n\nPear number {n} grows at the wall of garden {n % 17}. It needs wire.",
                    "source": "import",
                    "origin": {"path": f"vault/{n}.md", "front_matter": "", "content_sha256": f"{n:064x}"},
                }
                for n in range(start, start + 20)
            ]
            answer = await client.post("/api/v1/captures/batch", json={"captures": batch})
            assert {result["status"] for result in answer.json()["results"]} == {201}
        await product.settled()
        cursor, seen = None, 0
        while True:
            params = {"limit": 200, **({"cursor": cursor} if cursor else {})}
            page = (await client.get("/api/v1/notes", params=params)).json()
            seen += len(page["notes"])
            assert {note["enrichment"]["status"] for note in page["notes"]} <= {"enriched"}
            cursor = page["next_cursor"]
            if cursor is None:
                break
        assert seen == 2000
        assert product.services.bus.dead_letters() == []


@pytest.mark.gcloud
async def test_gcloud_lists_describes_and_cancels_the_products_runs(serve: Serve, tmp_path: Path) -> None:
    require("gcloud")
    async with serve(seconds=1e9) as (product, client):
        await seed(product, client)
        environ = {
            **os.environ,
            "CLOUDSDK_CONFIG": str(tmp_path / "gcloud"),
            "CLOUDSDK_CORE_PROJECT": "memex-local",
            "CLOUDSDK_CORE_DISABLE_PROMPTS": "1",
            "CLOUDSDK_AUTH_DISABLE_CREDENTIALS": "true",
            "CLOUDSDK_API_ENDPOINT_OVERRIDES_WORKFLOWEXECUTIONS": f"{product.origin}/",
        }

        async def gcloud(*arguments: str) -> object:
            process = await asyncio.create_subprocess_exec(
                "gcloud", "workflows", "executions", *arguments, "--format=json", env=environ, stdout=PIPE, stderr=PIPE
            )
            out, err = await process.communicate()
            assert process.returncode == 0, err.decode()
            return json.loads(out) if out.strip() else None

        with product.clock.busy():
            await client.post("/api/v1/captures", json={"text": QUESTION, "research": True})
            while product.research.store.count("create") == 0:
                await asyncio.sleep(0.01)
            listed = await gcloud("list", "research", "--location=local")
            assert isinstance(listed, list)
            assert [one["state"] for one in listed] == ["ACTIVE"]
            execution_id = listed[0]["name"].rpartition("/")[2]
            described = await gcloud("describe", execution_id, "--workflow=research", "--location=local")
            assert isinstance(described, dict)
            assert described["state"] == "ACTIVE"
            await gcloud("cancel", execution_id, "--workflow=research", "--location=local")
        assert product.engine.get(execution_id).state == "CANCELLED"


async def test_nothing_a_person_wrote_reaches_a_log(serve: Serve, caplog: pytest.LogCaptureFixture) -> None:
    marker = "MARKER-7f3a91"
    caplog.set_level(logging.DEBUG)
    async with serve() as (product, client):
        await seed(product, client)
        await research(client, f"{QUESTION} {marker}")
        for body in ({"text": {"x": marker}}, {"text": marker, "tags": [f"\x07{marker}"]}, {"text": f"{marker}\ud800"}):
            await client.post("/api/v1/captures", content=json.dumps(body).encode())
        for mode in ("D0", "H1"):
            await research(client, f"{marker} {QUESTION} [mode:{mode}]")
        await client.get("/api/v1/notes", params={"q": marker})
        await client.get(f"/api/v1/notes/{marker}")
        await product.settled()
    ours = [record for record in caplog.records if record.name.split(".")[0] not in ("httpx", "httpcore")]
    assert ours
    assert not [record.getMessage() for record in ours if marker in record.getMessage()]
