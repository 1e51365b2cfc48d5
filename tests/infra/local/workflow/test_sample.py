"""A whole research loop: create, sleep, poll, write the notes, on the virtual clock."""

import json
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.workflow.values import Value
from tests.infra.local.workflow.conftest import Bench

SAMPLE = Path(__file__).with_name("sample-research.yaml").read_text("utf-8")


class Service:
    """The functions that the sample calls, and the connectors."""

    def __init__(self, *, ready_after: int | None, trouble: dict[int, int] | None = None) -> None:
        self.polls = 0
        self.created: list[Any] = []
        self.written: dict[int, str] = {}
        self.published: list[Any] = []
        self.statuses: list[str] = []
        self._ready_after = ready_after
        self._trouble = trouble or {}

    def __call__(self, request: httpx.Request) -> httpx.Response:
        assert request.headers["authorization"].startswith("Bearer token for http://functions/")
        if request.url.path == "/create":
            self.created.append(json.loads(request.content))
            return httpx.Response(200, json={"remote_id": "r1"})
        if request.url.path == "/write-note":
            body = json.loads(request.content)
            self.written[body["number"]] = body["note"]
            return httpx.Response(200, json={"path": f"notes/{body['number']}"})
        self.polls += 1
        if self.polls in self._trouble:
            return httpx.Response(self._trouble[self.polls], text="trouble")
        done = self._ready_after is not None and self.polls >= self._ready_after
        return httpx.Response(
            200, json={"state": "completed", "notes": ["a", "b", "c"]} if done else {"state": "running"}
        )

    async def patch(self, arguments: Any) -> Value:
        self.statuses.append(arguments["body"]["fields"]["status"]["stringValue"])
        return {}

    async def publish(self, arguments: Any) -> Value:
        self.published.append(arguments["body"]["messages"][0]["attributes"])
        return {}


def prepare(bench: Bench, service: Service) -> None:
    bench.handler = service
    bench.env = {"flow": {"FUNCTIONS_URL": "http://functions"}}
    bench.connectors = {
        "googleapis.firestore.v1.projects.databases.documents.patch": service.patch,
        "googleapis.pubsub.v1.projects.topics.publish": service.publish,
    }


async def test_a_run_that_completes_writes_its_notes_and_says_so(bench: Bench) -> None:
    service = Service(ready_after=4, trouble={2: 500, 3: 503})
    prepare(bench, service)
    start = bench.clock.now()
    answer = json.loads(await bench.result(SAMPLE, '{"job_id": "j1", "question": "why?"}') or "")
    assert answer["outcome"] == "completed"
    assert answer["notes"] == {"0": "notes/0", "1": "notes/1", "2": "notes/2"}
    assert service.written == {0: "a", 1: "b", 2: "c"}
    assert service.statuses == ["running", "completed"]
    assert service.published == [{"job_id": "j1", "outcome": "completed"}]
    assert len(service.created) == 1
    # Two polls, thirty seconds each, and two retries after two and four seconds.
    assert bench.clock.now() - start == pytest.approx(2 * 30 + 2 + 4)


async def test_the_two_hour_cap_passes_in_about_a_second(bench: Bench) -> None:
    service = Service(ready_after=None)
    prepare(bench, service)
    start, begun = bench.clock.now(), time.perf_counter()
    finished = await bench.run(SAMPLE, '{"job_id": "j1", "question": "why?"}')
    assert time.perf_counter() - begun < 5  # half a second, unless the machine is busy with other tests
    assert finished.error is not None
    error = json.loads(finished.error.payload)
    assert error["tags"] == ["ResearchFailed"]
    assert "no result after 240 polls" in error["detail"]
    assert service.polls == 240
    assert bench.clock.now() - start == 7200
    assert service.statuses == ["running", "timed_out"]
    # Each poll: sleep, call, two assignments, one more, three conditions.
    assert 240 * 8 <= finished.billed_steps < 240 * 8 + 40


async def test_five_failing_polls_in_a_row_end_the_run(bench: Bench) -> None:
    service = Service(ready_after=None, trouble=dict.fromkeys(range(1, 99), 404))
    prepare(bench, service)
    finished = await bench.run(SAMPLE, '{"job_id": "j1", "question": "why?"}')
    assert finished.error is not None
    assert service.polls == 5
    assert service.statuses == ["running", "failed"]
