"""The real gcloud command against a local server."""

import asyncio
import json
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette

from infra.local.workflow import rest
from infra.local.workflow.engine import Engine
from tests.infra.local.workflow.conftest import Bench, until

pytestmark = [
    pytest.mark.gcloud,
    pytest.mark.skipif(
        shutil.which("gcloud") is None and not os.environ.get("MEMEX_TEST_ALL"), reason="gcloud is not installed"
    ),
]

FLOW = """
main:
  params: [input]
  steps:
    - check: {switch: [{condition: "${input.quick}", next: done}]}
    - wait: {call: sys.sleep, args: {seconds: 600}}
    - done: {return: "${input}"}
"""

Gcloud = Callable[..., Awaitable[Any]]


@pytest.fixture
async def engine(bench: Bench) -> AsyncIterator[Engine]:
    with bench.clock.busy():
        yield await bench.engine(flow=FLOW)


@pytest.fixture
async def gcloud(engine: Engine, tmp_path: Path) -> AsyncIterator[Gcloud]:
    app = Starlette(routes=[*rest.routes(engine)])
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", lifespan="off"))
    serving = asyncio.create_task(server.serve())
    await until(lambda: server.started)
    origin = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/"
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "CLOUDSDK_CONFIG": str(tmp_path / "gcloud"),
        "CLOUDSDK_AUTH_DISABLE_CREDENTIALS": "true",
        "CLOUDSDK_CORE_PROJECT": "memex-local",
        "CLOUDSDK_CORE_DISABLE_PROMPTS": "1",
        "CLOUDSDK_CORE_DISABLE_USAGE_REPORTING": "true",
        "CLOUDSDK_WORKFLOWS_LOCATION": "europe-west1",
        "CLOUDSDK_API_ENDPOINT_OVERRIDES_WORKFLOWEXECUTIONS": origin,
        "CLOUDSDK_API_ENDPOINT_OVERRIDES_WORKFLOWS": origin,
    }

    async def run(*arguments: str) -> Any:
        process = await asyncio.create_subprocess_exec(
            "gcloud",
            "workflows",
            *arguments,
            "--format=json",
            env=environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        output, errors = await process.communicate()
        assert process.returncode == 0, errors.decode()
        return json.loads(output)

    yield run
    server.should_exit = True
    await serving


async def test_gcloud_lists_and_describes_workflows(gcloud: Gcloud) -> None:
    [listed] = await gcloud("list")
    assert listed["name"].endswith("/workflows/flow")
    described = await gcloud("describe", "flow")
    assert described["sourceContents"] == FLOW


async def test_gcloud_executes_lists_describes_and_cancels(gcloud: Gcloud, engine: Engine) -> None:
    created = await gcloud("execute", "flow", '--data={"quick": false}')
    execution = created["name"].rpartition("/")[2]
    listed = await gcloud("executions", "list", "flow")
    assert [(one["name"], one["state"]) for one in listed] == [(created["name"], "ACTIVE")]
    described = await gcloud("executions", "describe", execution, "--workflow=flow")
    assert described["argument"] == '{"quick": false}'
    assert described["status"]["currentSteps"] == [{"routine": "main", "step": "wait"}]
    await gcloud("executions", "cancel", execution, "--workflow=flow")
    assert engine.get(execution).state == "CANCELLED"


async def test_gcloud_runs_a_workflow_and_waits_for_its_end(gcloud: Gcloud) -> None:
    ended = await gcloud("run", "flow", '--data={"quick": true}')
    assert (ended["state"], ended["result"]) == ("SUCCEEDED", '{"quick":true}')
    execution = ended["name"].rpartition("/")[2]
    waited = await gcloud("executions", "wait", execution, "--workflow=flow")
    assert waited["state"] == "SUCCEEDED"
    last = await gcloud("executions", "describe-last")
    assert last["name"] == ended["name"]
