"""The stand-in over real loopback HTTP, played through the product's own client: every failure mode, and restarts."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.clock import VirtualClock
from infra.local.research.modes import MODES
from infra.local.research.researcher import Passage
from infra.local.research.service import RETENTION, ResearchService
from infra.local.research.store import ResearchStore
from shared.errors import MemexError
from shared.models.base import JsonDict
from shared.net.http import Http
from shared.research.client import InteractionsClient, prompt
from shared.research.outcome import Outcome, judge
from shared.research.report import assemble
from shared.research.service import Busy, Rejected, StartUnknown, Trouble
from tests.infra.local.research.standin import FIRST, NOTES, OWN, SECOND, Standin, nothing, retrieve, serving

LABELS = {"tenant": "default", "note": OWN}


async def watched(standin: Standin, run: str, looks: int = 12) -> tuple[Outcome, list[str]]:
    """Poll as the product does, ten seconds apart, until the run has ended; and what went wrong on the way."""
    troubles: list[str] = []
    outcome = Outcome("running")
    for _ in range(looks):
        try:
            outcome = judge(await standin.client.get(run))
        except MemexError as error:
            troubles.append(f"{type(error).__name__} {getattr(error, 'upstream_status', '')}")
        if outcome.kind != "running":
            break
        standin.clock.advance(10)
    return outcome, troubles


async def test_a_run_shows_its_progress_and_ends_in_a_cited_report(standin: Standin) -> None:
    run = await standin.client.create("How do bees make honey?", LABELS)
    await standin.until(lambda: (found := standin.store.run(run)) is not None and found.finding is not None)
    messages = []
    for _ in range(3):
        messages.append(judge(await standin.client.get(run)).message)
        standin.clock.advance(10)
    assert messages == ["Scoping the question", "Scoping the question", "Reading"]
    interaction = await standin.client.get(run)
    assert judge(interaction).kind == "completed"
    report = assemble(interaction)
    assert report.summary.startswith("Honey bees collect nectar from flowers. Bees turn nectar into honey in the hive.")
    assert {one.note_id for one in report.citations} == {FIRST, SECOND}
    assert report.flags == []
    assert all(any((one.quote or "?") in note.text for note in NOTES) for one in report.citations)
    assert [event["type"] for event in report.trace if event["type"] != "thinking"] == [
        "tool_call",
        "tool_result",
        "citations",
        "usage",
    ]
    assert standin.store.count("create", tenant="default", note=OWN) == 1


ENDINGS: dict[str, tuple[str, str, list[str]]] = {
    "OK": ("completed", "", []),
    "S": ("failed", "13", []),
    "H0": ("completed", "", []),
    "H2": ("completed", "", []),
    "D0": ("failed", "13", []),
    "D1": ("failed", "13", []),
    "Z": ("running", "", []),
    "Z2": ("completed_empty", "empty_report", []),
    "E": ("completed", "", []),
    "F": ("completed", "", ["Rejected 403"] * 3),
    "J": ("completed", "", ["Rejected 404"] * 2),
    "K": ("completed", "", []),
    "K2": ("completed", "", []),
    "N": ("completed", "", ["Trouble 500", "Trouble 502", "Trouble 503"]),
    "P": ("completed", "", ["Trouble 503"] * 2),
    "Q": ("incomplete", "incomplete", []),
    "R": ("completed", "", []),
    "T": ("completed", "", []),
    "T2": ("failed", "https://errors.example.test/internal", []),
    "U": ("completed", "", []),
    "W": ("completed", "", []),
    "X": ("completed", "", []),
    "E200": ("completed", "", ["Trouble 503"] * 2),
    "QUEUED": ("completed", "", []),
    "ACTION": ("needs_action", "requires_action", []),
    "CONTINUE": ("needs_action", "requires_continuation", []),
    "BUDGET": ("incomplete", "budget_exceeded", []),
    "STOPPED": ("failed", "incomplete", []),
    "NEWID": ("completed", "", []),
    "CANCELLED": ("cancelled", "cancelled", []),
}
PLAYED_BELOW = {"H1", "B", "M", "L"}


def test_every_mode_is_played() -> None:
    assert ENDINGS.keys() | PLAYED_BELOW == MODES.keys()


@pytest.mark.parametrize("mode", ENDINGS)
async def test_each_mode_ends_as_it_should_after_one_create(mode: str, standin: Standin) -> None:
    kind, code, expected = ENDINGS[mode]
    run = await standin.client.create(f"How do bees make honey? [mode:{mode}]", LABELS)
    outcome, troubles = await watched(standin, run)
    assert (outcome.kind, outcome.code, troubles) == (kind, code, expected)
    assert standin.store.count("create") == 1


@pytest.mark.parametrize("mode", ["H0", "H2", "OK", "Z"])
async def test_the_server_sees_the_create_stream_closed_after_its_first_event(mode: str, standin: Standin) -> None:
    run = await standin.client.create(f"How do bees make honey? [mode:{mode}]", LABELS)
    await standin.until(lambda: standin.store.count("left", run=run) == 1)


@pytest.mark.parametrize("mode", ["H1", "B"])
async def test_a_create_without_an_id_is_unknown_and_not_repeated(mode: str, standin: Standin) -> None:
    client = standin.reached_by(key="k3y", first_event_seconds=0.2)
    with pytest.raises(StartUnknown):
        await client.create(f"How do bees make honey? [mode:{mode}]", LABELS)
    assert standin.store.count("create") == 1


async def test_a_busy_service_says_when_and_takes_it_in_the_end(standin: Standin) -> None:
    question = "How do bees make honey? [mode:M]"
    for _ in range(2):
        with pytest.raises(Busy) as caught:
            await standin.client.create(question, LABELS)
        assert caught.value.retry_after == 1.0
    outcome, troubles = await watched(standin, await standin.client.create(question, LABELS))
    assert (outcome.kind, troubles) == ("completed", ["Busy 429"])
    assert standin.store.count("create") == 1


async def test_an_expired_run_is_not_found(standin: Standin) -> None:
    run = await standin.client.create("How do bees make honey? [mode:L]", LABELS)
    assert judge(await standin.client.get(run)).kind == "running"
    standin.clock.advance(30)
    with pytest.raises(Rejected) as caught:
        await standin.client.get(run)
    assert (caught.value.upstream_status, caught.value.service_code) == (404, "NOT_FOUND")


async def test_a_run_is_kept_for_seven_days(standin: Standin) -> None:
    run = await standin.client.create("How do bees make honey?", LABELS)
    standin.clock.advance(RETENTION - 1)
    assert judge(await standin.client.get(run)).kind == "completed"
    standin.clock.advance(2)
    with pytest.raises(Rejected):
        await standin.client.get(run)


@pytest.mark.parametrize("mode", ["OK", "K2", "K"])
async def test_a_cancelled_run_stays_cancelled(mode: str, standin: Standin) -> None:
    run = await standin.client.create(f"How do bees make honey? [mode:{mode}]", LABELS)
    if mode == "K":
        with pytest.raises(Trouble):
            await standin.client.cancel(run)
    else:
        await standin.client.cancel(run)
    standin.clock.advance(100)
    assert judge(await standin.client.get(run)).kind == "cancelled"
    if mode == "K":
        return
    await standin.client.cancel(run)


@pytest.mark.parametrize("mode", ["OK", "K2"])
async def test_cancelling_what_has_ended_changes_nothing(mode: str, standin: Standin) -> None:
    run = await standin.client.create(f"How do bees make honey? [mode:{mode}]", LABELS)
    standin.clock.advance(30)
    assert judge(await standin.client.get(run)).kind == "completed"
    await standin.client.cancel(run)
    assert judge(await standin.client.get(run)).kind == "completed"


async def test_usage_may_come_late(standin: Standin) -> None:
    run = await standin.client.create("How do bees make honey? [mode:E]", LABELS)
    standin.clock.advance(30)
    assert (await standin.client.get(run)).usage is None
    assert (await standin.client.get(run)).usage is not None


async def test_offsets_in_other_scripts_point_to_their_sentence(standin: Standin) -> None:
    run = await standin.client.create("How do bees make honey? [mode:W]", LABELS)
    standin.clock.advance(30)
    (claim,) = assemble(await standin.client.get(run)).claims
    assert claim.claim == "Zettelkästen wären älter – 知識 bleibt."


async def test_images_never_reach_the_report(standin: Standin) -> None:
    run = await standin.client.create("How do bees make honey? [mode:U]", LABELS)
    standin.clock.advance(30)
    report = assemble(await standin.client.get(run))
    assert "AAAA" not in report.markdown
    assert len(report.citations) == 2


async def test_a_run_may_end_under_another_id(standin: Standin) -> None:
    run = await standin.client.create("How do bees make honey? [mode:NEWID]", LABELS)
    standin.clock.advance(30)
    ended = await standin.client.get(run)
    assert ended.id != run
    assert judge(await standin.client.get(ended.id)).kind == "completed"


async def test_nothing_found_is_a_failure_with_its_own_code(tmp_path: Path) -> None:
    store, clock, http = ResearchStore(tmp_path / "r.db"), VirtualClock(), Http()
    async with serving(ResearchService(store, clock, nothing, duration=3)) as url:
        client = Standin(ResearchService(store, clock, nothing), clock, url, http).client
        run = await client.create("What is the meaning of life?", LABELS)
        clock.advance(3)
        interaction = await client.get(run)
        await http.aclose()
    assert judge(interaction) == Outcome(
        "failed",
        "The research run failed (code no_sources): Nothing found: no note and no page that was read answers this.",
        "no_sources",
    )
    assert assemble(interaction).citations == []
    assert assemble(interaction).markdown == ""
    store.close()


async def test_nothing_found_tells_of_the_pages_that_were_not_read_and_what_to_do(tmp_path: Path) -> None:
    store, clock, http = ResearchStore(tmp_path / "r.db"), VirtualClock(), Http()
    async with serving(ResearchService(store, clock, nothing, duration=3)) as url:
        client = Standin(ResearchService(store, clock, nothing), clock, url, http).client
        run = await client.create(f"What is the meaning of life? https://deep.test/{'x' * 300}", LABELS)
        clock.advance(3)
        outcome = judge(await client.get(run))
        await http.aclose()
    store.close()
    assert outcome == Outcome(
        "failed",
        "The research run failed (code no_sources): Nothing found. Not read: reading pages is switched off, so nothing"
        " here comes from there; set `MEMEX_EGRESS_ENABLED=true` and `MEMEX_ALLOWED_HOSTS=deep.test`, then start Memex"
        " again.",
        "no_sources",
    )


async def test_a_token_in_a_note_means_nothing_unless_modes_are_on(tmp_path: Path) -> None:
    store, clock, http = ResearchStore(tmp_path / "r.db"), VirtualClock(), Http()
    service = ResearchService(store, clock, retrieve, duration=3)
    async with serving(service) as url:
        standin = Standin(service, clock, url, http)
        run = await standin.client.create("How do bees make honey? [mode:D0]", LABELS)
        clock.advance(3)
        assert judge(await standin.client.get(run)).kind == "completed"
        assert (await http.request_json("GET", f"{url}/control", headers={"x-goog-api-key": "k"})).status == 404
        await http.aclose()
    store.close()


async def test_the_control_route_sets_the_mode_of_the_next_creates_and_lists_requests(standin: Standin) -> None:
    headers = {"x-goog-api-key": "k3y"}
    body: JsonDict = {"mode": "D0"}
    assert (await standin.http.request_json("POST", f"{standin.url}/control", headers=headers, json=body)).ok
    run = await standin.client.create("How do bees make honey?", LABELS)
    outcome, _ = await watched(standin, run)
    assert outcome.code == "13"
    reply = await standin.http.request_json("GET", f"{standin.url}/control", headers=headers)
    listed: Any = reply.body
    assert listed["mode"] == "D0"
    assert [entry["action"] for entry in listed["requests"] if entry["action"] != "left"][:2] == ["create", "get"]


async def test_deleting_a_run_makes_it_unknown(standin: Standin) -> None:
    run = await standin.client.create("How do bees make honey? [mode:X]", LABELS)
    path = f"{standin.url}/v1beta/interactions/{run.replace('/', '%2F').replace('+', '%2B')}"
    headers = {"x-goog-api-key": "k3y"}
    assert (await standin.http.request_json("DELETE", path, headers=headers)).body == {}
    assert (await standin.http.request_json("DELETE", path, headers=headers)).status == 404
    with pytest.raises(Rejected):
        await standin.client.get(run)


async def test_a_failing_search_is_tried_again_at_the_next_look(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    calls = 0

    async def flaky(labels: Mapping[str, str], question: str, limit: int) -> Sequence[Passage]:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise ConnectionError("secret text")
        return NOTES

    store, clock, http = ResearchStore(tmp_path / "r.db"), VirtualClock(), Http()
    service = ResearchService(store, clock, flaky, duration=3)
    async with serving(service) as url:
        standin = Standin(service, clock, url, http)
        run = await standin.client.create("How do bees make honey?", LABELS)
        await standin.until(lambda: calls == 1)
        clock.advance(3)
        assert (await watched(standin, run))[0].kind == "completed"
        await http.aclose()
    assert "secret" not in caplog.text
    store.close()


# -- durability ------------------------------------------------------------------------------------------------


async def test_a_service_that_dies_in_the_middle_goes_on_where_it_was(tmp_path: Path) -> None:
    async def stuck(labels: Mapping[str, str], question: str, limit: int) -> Sequence[Passage]:
        await asyncio.Event().wait()
        return []

    store, clock, http = ResearchStore(tmp_path / "r.db"), VirtualClock(), Http()
    async with serving(dying := ResearchService(store, clock, stuck, duration=3)) as url:
        run = await Standin(dying, clock, url, http).client.create("How do bees make honey?", LABELS)
    store.close()
    await http.aclose()
    clock.advance(3)
    store, http = ResearchStore(tmp_path / "r.db"), Http()
    async with serving(reborn := ResearchService(store, clock, retrieve, duration=3)) as url:
        assert judge(await Standin(reborn, clock, url, http).client.get(run)).kind == "completed"
        await http.aclose()
    assert store.count("create") == 1
    store.close()


PROCESS = """
import asyncio, sys, uvicorn
from pathlib import Path
from starlette.applications import Starlette
from infra.local.clock import RealClock
from infra.local.research.researcher import Passage
from infra.local.research.service import ResearchService
from infra.local.research.store import ResearchStore

async def retrieve(labels, question, limit):
    return [Passage("01arz3ndektsv4rrffq69g5fab", "Honey", "Bees turn nectar into honey in the hive.")]

service = ResearchService(ResearchStore(Path(sys.argv[1])), RealClock(), retrieve, duration=0.2)
config = uvicorn.Config(Starlette(routes=service.routes()), port=0, log_level="error", lifespan="off", ws="none")
listener = config.bind_socket()
listener.listen()
print(listener.getsockname()[1], flush=True)
asyncio.run(uvicorn.Server(config).serve(sockets=[listener]))
"""


async def test_a_run_survives_kill_9(tmp_path: Path) -> None:
    async def credentials() -> dict[str, str]:
        return {"Authorization": "Bearer t"}

    def start() -> tuple[subprocess.Popen[str], InteractionsClient]:
        process = subprocess.Popen(
            [sys.executable, "-c", PROCESS, str(tmp_path / "r.db")], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        port = process.stdout.readline().strip()
        base = f"http://127.0.0.1:{port}/v1beta1/projects/p/locations/global"
        return process, InteractionsClient(http, base, credentials)

    http = Http()
    process, client = start()
    run = await client.create("How do bees make honey?")
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    process, client = start()
    interaction = await client.get(run)
    while judge(interaction).kind == "running":
        interaction = await client.get(run)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    await http.aclose()
    assert "Bees turn nectar into honey in the hive. [cite: 1]" in interaction.text


# -- wire ------------------------------------------------------------------------------------------------------

GOOD: dict[str, object] = {
    "agent": "deep-research-preview-04-2026",
    "input": prompt("How do bees make honey?"),
    "background": True,
    "stream": True,
}
REFUSED: list[tuple[dict[str, object], str]] = [
    ({"background": False}, "background"),
    ({"background": None}, "background"),
    ({"store": False}, "store"),
    ({"system_instruction": "x"}, "system_instruction"),
    ({"previous_interaction_id": "v1_x"}, "previous_interaction_id"),
    ({"response_format": {}}, "response_format"),
    ({"agent": None}, "agent"),
    ({"agent": None, "model": "deep-research-preview-04-2026"}, "'deep-research-preview-04-2026' is an agent"),
    ({"agent": None, "model": "gemini-3-pro"}, "agent"),
    ({"agent": "antigravity-preview-05-2026"}, "background"),
    ({"input": None}, "input"),
    ({"input": "  "}, "input"),
    ({"input": [{"role": "user", "content": "x"}]}, "step_list"),
    ({"agent_config": {"visualization": "off"}}, "type"),
    ({"agent_config": {"type": "deep-research", "visualization": "maybe"}}, "visualization"),
    ({"agent_config": {"type": "deep-research", "speed": 9}}, "agent_config.speed"),
    ({"tools": [{"type": "function", "name": "f"}]}, "function"),
    ({"tools": ["google_search"]}, "tool"),
    ({"labels": {"a": 1}}, "labels"),
    ({"contents": "x"}, "contents"),
]


@pytest.fixture
async def wire(standin: Standin) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=f"{standin.url}/v1beta", headers={"x-goog-api-key": "k3y"}, trust_env=False)


@pytest.mark.parametrize(("change", "word"), REFUSED)
async def test_a_faithful_server_refuses(change: dict[str, object], word: str, wire: httpx.AsyncClient) -> None:
    async with wire:
        body = {key: value for key, value in (GOOD | change).items() if value is not None}
        reply = await wire.post("/interactions", json=body)
        assert reply.status_code == 400
        error = reply.json()["error"]
        assert error["code"] == "invalid_request"
        assert word in error["message"]
        assert (await wire.post("/interactions", content=b"{no json")).status_code == 400
        assert (await wire.post("/interactions", json=GOOD | {"agent": "deep-thought"})).json()["error"]["code"] == 404


@pytest.mark.parametrize(
    "text",
    [
        "x",
        {"type": "text", "text": "x"},
        [{"type": "text", "text": "x"}],
        [{"type": "user_input", "content": [{"type": "text", "text": "x"}]}],
    ],
)
async def test_the_input_may_have_any_of_its_forms(text: object, wire: httpx.AsyncClient, standin: Standin) -> None:
    async with wire, wire.stream("POST", "/interactions", json=GOOD | {"input": text}) as reply:
        assert reply.status_code == 200
        assert reply.headers["content-type"] == "text/event-stream"


async def test_without_credentials_nothing_is_answered(wire: httpx.AsyncClient) -> None:
    async with wire:
        for request in (
            ("POST", "/interactions"),
            ("GET", "/interactions/v1_x"),
            ("POST", "/interactions/v1_x/cancel"),
        ):
            reply = await wire.request(*request, headers={"x-goog-api-key": ""})
            assert reply.status_code == 401
            assert reply.json()["error"]["status"] == "UNAUTHENTICATED"


async def test_a_create_without_stream_answers_json_and_then_fails(wire: httpx.AsyncClient) -> None:
    async with wire:
        body = (await wire.post("/interactions", json=GOOD | {"stream": False})).json()
        assert (body["status"], body["steps"]) == ("in_progress", [])
        shown = (await wire.get(f"/interactions/{body['id']}?stream=false")).json()
        assert (shown["status"], shown["errors"][0]["code"], len(shown["steps"])) == ("failed", 13, 1)


def events(text: str) -> list[tuple[str, Any]]:
    found = []
    for block in text.strip().split("\n\n"):
        name, data = (line.partition(": ")[2] for line in block.split("\n"))
        found.append((name, json.loads(data) if data != "[DONE]" else {}))
    return found


async def test_a_whole_stream_tells_the_run_and_can_be_taken_up_again(
    wire: httpx.AsyncClient, standin: Standin
) -> None:
    async with wire:
        run = await standin.client.create("How do bees make honey?", LABELS)
        standin.clock.advance(30)
        path = f"/interactions/{run.replace('/', '%2F').replace('+', '%2B')}"
        told = events((await wire.get(f"{path}?stream=true")).text)
        assert [name for name, _ in told[:3]] == ["interaction.created", "interaction.status_update", "step.start"]
        assert [name for name, _ in told[-2:]] == ["interaction.completed", "done"]
        assert all(data["event_type"] == name for name, data in told[:-1])
        texts = [data["delta"]["text"] for _, data in told if data.get("delta", {}).get("type") == "text"]
        assert "".join(texts) == (await standin.client.get(run)).text
        marks = [data["event_id"] for name, data in told if name == "step.delta"]
        again = events((await wire.get(f"{path}?stream=true&last_event_id={marks[0]}")).text)
        assert next(data.get("event_id") for name, data in again if name == "step.delta") != marks[0]
        assert again[-1][0] == "done"
