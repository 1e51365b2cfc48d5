"""The REST front, with the paths, names and errors of Google's API."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from infra.local.workflow import clock_routes, rest
from infra.local.workflow.engine import Engine
from tests.infra.local.workflow.conftest import Bench, asleep

BASE = "/v1/projects/memex-local/locations/europe-west1/workflows"
FLOW = """
main:
  params: [input]
  steps:
    - wait: {call: sys.sleep, args: {seconds: 600}}
    - check: {switch: [{condition: "${input.fail}", raise: {code: 5, message: asked for}}]}
    - done: {return: "${input}"}
"""


@pytest.fixture
async def engine(bench: Bench) -> AsyncIterator[Engine]:
    bench.env = {"flow": {"API_URL": "http://here"}}
    with bench.clock.busy():
        yield await bench.engine(flow=FLOW, other="main: {steps: [{a: {return: 1}}]}")


@pytest.fixture
async def client(engine: Engine) -> AsyncIterator[httpx.AsyncClient]:
    app = Starlette(routes=[*rest.routes(engine), *clock_routes.routes(engine)])
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://local") as one:
        yield one


async def create(client: httpx.AsyncClient, engine: Engine, argument: Any) -> dict[str, Any]:
    response = await client.post(f"{BASE}/flow/executions", json={"argument": json.dumps(argument)})
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    await asleep(engine, body["name"].rpartition("/")[2])
    return body


async def test_an_execution_is_created_described_and_ends(client: httpx.AsyncClient, engine: Engine) -> None:
    created = await create(client, engine, {"fail": False})
    assert created["name"].startswith(f"{BASE[4:]}/flow/executions/")
    path = f"/v1/{created['name']}"
    running = (await client.get(path)).json()
    assert running["state"] == "ACTIVE"
    assert running["status"] == {"currentSteps": [{"routine": "main", "step": "wait"}]}
    assert "endTime" not in running
    engine.clock.advance(600)
    await engine.wait(created["name"].rpartition("/")[2])
    ended = (await client.get(path)).json()
    assert (ended["state"], ended["result"], ended["argument"]) == ("SUCCEEDED", '{"fail":false}', '{"fail": false}')
    assert ended["duration"] == "600.000000s"
    basic = (await client.get(path, params={"view": "BASIC"})).json()
    assert "result" not in basic and "argument" not in basic


async def test_a_failure_has_payload_context_and_stack(client: httpx.AsyncClient, engine: Engine) -> None:
    created = await create(client, engine, {"fail": True})
    engine.clock.advance(600)
    await engine.wait(created["name"].rpartition("/")[2])
    error = (await client.get(f"/v1/{created['name']}")).json()["error"]
    assert json.loads(error["payload"]) == {"code": 5, "message": "asked for"}
    assert error["context"] == 'asked for\nin step "check", routine "main", line: 6'
    assert error["stackTrace"]["elements"] == [{"routine": "main", "step": "check", "position": {"line": "6"}}]


async def test_executions_are_listed_in_pages_and_by_state(client: httpx.AsyncClient, engine: Engine) -> None:
    made = [(await create(client, engine, n))["name"] for n in range(3)]
    await client.post(f"/v1/{made[0]}:cancel")
    first = (await client.get(f"{BASE}/flow/executions", params={"pageSize": 2})).json()
    second = (await client.get(f"{BASE}/flow/executions", params={"pageToken": first["nextPageToken"]})).json()
    assert [one["name"] for one in first["executions"] + second["executions"]] == made[::-1]
    assert "nextPageToken" not in second
    cancelled = (await client.get(f"{BASE}/flow/executions", params={"filter": 'state="CANCELLED"'})).json()
    assert [one["name"] for one in cancelled["executions"]] == made[:1]
    assert (await client.get(f"{BASE}/other/executions")).json() == {"executions": []}


async def test_a_cancel_answers_with_the_execution_and_a_second_one_is_refused(
    client: httpx.AsyncClient, engine: Engine
) -> None:
    created = await create(client, engine, 1)
    assert (await client.post(f"/v1/{created['name']}:cancel")).json()["state"] == "CANCELLED"
    again = await client.post(f"/v1/{created['name']}:cancel")
    assert again.status_code == 400
    assert again.json()["error"]["status"] == "FAILED_PRECONDITION"


async def test_step_entries_are_listed_paged_and_got(client: httpx.AsyncClient, engine: Engine) -> None:
    created = await create(client, engine, {"fail": True})
    engine.clock.advance(600)
    await engine.wait(created["name"].rpartition("/")[2])
    path = f"/v1/{created['name']}/stepEntries"
    body = (await client.get(path, params={"pageSize": 2})).json()
    assert (body["totalSize"], body["nextPageToken"]) == (3, "2")
    assert [(one["entryId"], one["step"], one["stepType"], one["state"]) for one in body["stepEntries"]] == [
        ("1", "wait", "STEP_STD_LIB_CALL", "STATE_SUCCEEDED"),
        ("2", "check", "STEP_SWITCH", "STATE_SUCCEEDED"),
    ]
    rest_of_it = (await client.get(path, params={"pageToken": "2"})).json()
    assert rest_of_it["stepEntries"][0]["exception"] == {"payload": '{"code":5,"message":"asked for"}'}
    assert "nextPageToken" not in rest_of_it
    newest = (await client.get(path, params={"orderBy": "entryId desc", "skip": 1})).json()
    assert [one["entryId"] for one in newest["stepEntries"]] == ["2", "1"]
    assert (await client.get(f"{path}/2")).json()["step"] == "check"
    assert (await client.get(f"{path}/9")).status_code == 404


async def test_an_execution_is_exported_with_its_steps_and_has_no_callbacks(
    client: httpx.AsyncClient, engine: Engine
) -> None:
    created = await create(client, engine, 1)
    data = json.loads((await client.get(f"/v1/{created['name']}:exportData")).json()["data"])
    assert data["execution"]["argument"] == "1"
    assert [one["step"] for one in data["stepEntries"]] == ["wait"]
    assert (await client.get(f"/v1/{created['name']}/callbacks")).json() == {"callbacks": []}


async def test_a_pubsub_push_begins_an_execution_with_the_event(client: httpx.AsyncClient) -> None:
    message = {"data": "aGk=", "messageId": "m1", "attributes": {"a": "b"}}
    response = await client.post(
        f"{BASE}/flow:triggerPubsubExecution",
        json={
            "GCPCloudEventsMode": "CE_PUBSUB_BINDING",
            "message": message,
            "subscription": "projects/p/subscriptions/s",
        },
    )
    event = json.loads(response.json()["argument"])
    assert event["data"] == {"message": message, "subscription": "projects/p/subscriptions/s"}
    assert event["id"] == "m1"


async def test_workflows_are_listed_and_described_with_their_source(client: httpx.AsyncClient) -> None:
    listed = (await client.get(BASE)).json()["workflows"]
    assert [one["name"].rpartition("/")[2] for one in listed] == ["flow", "other"]
    assert (await client.get(BASE.replace("europe-west1", "-"))).json()["workflows"] == listed
    flow = (await client.get(f"{BASE}/flow")).json()
    assert flow["sourceContents"] == FLOW
    assert flow["userEnvVars"] == {"API_URL": "http://here"}
    assert flow["revisionId"] == listed[0]["revisionId"]


@pytest.mark.parametrize(
    ("method", "path", "content", "status", "code"),
    [
        ("GET", f"{BASE}/nope", None, 404, "NOT_FOUND"),
        ("GET", "/v1/nope", None, 404, "NOT_FOUND"),
        ("GET", f"{BASE}/flow/executions/nope/more", None, 404, "NOT_FOUND"),
        ("PUT", BASE, None, 404, "NOT_FOUND"),
        ("GET", f"{BASE}/nope/executions", None, 404, "NOT_FOUND"),
        ("GET", f"{BASE}/flow/executions/nope", None, 404, "NOT_FOUND"),
        ("POST", f"{BASE}/flow/executions/nope:cancel", None, 404, "NOT_FOUND"),
        ("GET", f"{BASE}/flow/executions/nope/stepEntries", None, 404, "NOT_FOUND"),
        ("GET", BASE.replace("memex-local", "other"), None, 404, "NOT_FOUND"),
        ("GET", f"{BASE.replace('europe-west1', 'us-east1')}/flow", None, 404, "NOT_FOUND"),
        ("POST", f"{BASE}/flow/executions", b"{", 400, "INVALID_ARGUMENT"),
        ("POST", f"{BASE}/flow/executions", b"[]", 400, "INVALID_ARGUMENT"),
        ("POST", f"{BASE}/flow/executions", b'{"argument": {}}', 400, "INVALID_ARGUMENT"),
        ("POST", f"{BASE}/flow/executions", b'{"argument": "{"}', 400, "INVALID_ARGUMENT"),
        ("POST", f"{BASE}/flow/executions", b'{"arguments": "1"}', 400, "INVALID_ARGUMENT"),
        ("POST", f"{BASE}/flow/executions", b'{"callLogLevel": "LOUD"}', 400, "INVALID_ARGUMENT"),
        ("POST", f"{BASE}/flow/executions", b'{"labels": {"a": 1}}', 400, "INVALID_ARGUMENT"),
        ("POST", f"{BASE}/flow/executions", b" " * 1_048_577, 400, "INVALID_ARGUMENT"),
        ("GET", f"{BASE}/flow/executions?pageSize=x", None, 400, "INVALID_ARGUMENT"),
        ("GET", f"{BASE}/flow/executions?pageToken=x", None, 400, "INVALID_ARGUMENT"),
        ("GET", f"{BASE}/flow/executions?view=NICE", None, 400, "INVALID_ARGUMENT"),
        ("GET", f"{BASE}/flow/executions?filter=duration>1", None, 501, "UNIMPLEMENTED"),
        ("GET", f"{BASE}/flow/executions?orderBy=duration", None, 501, "UNIMPLEMENTED"),
        ("POST", f"{BASE}?workflowId=new", b"{}", 501, "UNIMPLEMENTED"),
        ("PATCH", f"{BASE}/flow", b"{}", 501, "UNIMPLEMENTED"),
        ("POST", "/local/clock/advance", b'{"seconds": -1}', 400, "INVALID_ARGUMENT"),
        ("POST", "/local/clock/advance", b'{"seconds": true}', 400, "INVALID_ARGUMENT"),
        ("POST", "/local/clock/advance", b'{"seconds": NaN}', 400, "INVALID_ARGUMENT"),
        ("POST", "/local/clock/skip", b"{}", 400, "INVALID_ARGUMENT"),
        ("POST", "/local/clock/skip", b'{"execution": "nope"}', 404, "NOT_FOUND"),
    ],
)
async def test_errors_come_in_googles_envelope(
    method: str, path: str, content: bytes | None, status: int, code: str, client: httpx.AsyncClient
) -> None:
    response = await client.request(method, path, content=content)
    assert response.status_code == status
    error = response.json()["error"]
    assert error["code"] == status
    assert error["status"] == code
    assert error["message"]


async def test_the_clock_is_advanced_and_a_sleep_skipped_by_post_only(
    client: httpx.AsyncClient, engine: Engine
) -> None:
    start = engine.clock.now()
    created = await create(client, engine, {"fail": False})
    advanced = await client.post("/local/clock/advance", json={"seconds": 100})
    assert advanced.json()["advancedSeconds"] == 100
    skipped = await client.post("/local/clock/skip", json={"execution": created["name"]})
    assert skipped.json()["advancedSeconds"] == 500
    finished = await engine.wait(created["name"].rpartition("/")[2])
    assert finished.state == "SUCCEEDED"
    assert engine.clock.now() == start + 600
    awake = await client.post("/local/clock/skip", json={"execution": created["name"]})
    assert awake.json()["error"]["message"] == "the execution is not asleep"
    assert (await client.get("/local/clock/advance")).status_code == 405
