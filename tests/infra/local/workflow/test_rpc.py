"""The gRPC front, through the unmodified client library."""

import json
from collections.abc import AsyncIterator

import grpc
import pytest
from google.api_core import exceptions
from google.cloud.workflows import executions_v1
from google.cloud.workflows.executions_v1.services.executions.transports import ExecutionsGrpcAsyncIOTransport

from infra.local.workflow import rpc
from infra.local.workflow.engine import Engine
from tests.infra.local.workflow.conftest import Bench, asleep

PARENT = "projects/memex-local/locations/europe-west1/workflows/flow"
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
    with bench.clock.busy():
        yield await bench.engine(flow=FLOW)


@pytest.fixture
async def client(engine: Engine) -> AsyncIterator[executions_v1.ExecutionsAsyncClient]:
    server = await rpc.serve(engine)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        yield executions_v1.ExecutionsAsyncClient(transport=ExecutionsGrpcAsyncIOTransport(channel=channel))
    await server.stop()


async def test_create_get_and_the_end(client: executions_v1.ExecutionsAsyncClient, engine: Engine) -> None:
    execution = executions_v1.Execution(argument=json.dumps({"fail": False}), labels={"a": "b"})
    created = await client.create_execution(parent=PARENT, execution=execution)
    assert created.name.startswith(f"{PARENT}/executions/")
    assert created.state == executions_v1.Execution.State.ACTIVE
    running = await client.get_execution(name=created.name)
    assert [(one.routine, one.step) for one in running.status.current_steps] == [("main", "wait")]
    assert running.labels == {"a": "b"}
    engine.clock.advance(600)
    await engine.wait(created.name.rpartition("/")[2])
    ended = await client.get_execution(name=created.name)
    assert (ended.state, ended.result) == (executions_v1.Execution.State.SUCCEEDED, '{"fail":false}')
    assert ended.duration.total_seconds() == 600
    assert ended.end_time.timestamp() == engine.clock.now()
    basic = await client.get_execution({"name": created.name, "view": executions_v1.ExecutionView.BASIC})
    assert basic.result == ""


async def test_a_failure_has_payload_context_and_stack(
    client: executions_v1.ExecutionsAsyncClient, engine: Engine
) -> None:
    execution = executions_v1.Execution(argument=json.dumps({"fail": True}))
    created = await client.create_execution(parent=PARENT, execution=execution)
    await asleep(engine, created.name.rpartition("/")[2])
    engine.clock.advance(600)
    await engine.wait(created.name.rpartition("/")[2])
    failed = await client.get_execution(name=created.name)
    assert failed.state == executions_v1.Execution.State.FAILED
    assert json.loads(failed.error.payload) == {"code": 5, "message": "asked for"}
    [element] = failed.error.stack_trace.elements
    assert (element.routine, element.step, element.position.line) == ("main", "check", 6)


async def test_cancel_in_the_middle_of_a_sleep(client: executions_v1.ExecutionsAsyncClient) -> None:
    created = await client.create_execution(parent=PARENT, execution=executions_v1.Execution())
    assert created.argument == "null"
    cancelled = await client.cancel_execution(name=created.name)
    assert cancelled.state == executions_v1.Execution.State.CANCELLED
    with pytest.raises(exceptions.FailedPrecondition):
        await client.cancel_execution(name=created.name)


async def test_a_list_goes_through_all_pages(client: executions_v1.ExecutionsAsyncClient) -> None:
    made = [
        (await client.create_execution(parent=PARENT, execution=executions_v1.Execution(argument=str(n)))).name
        for n in range(3)
    ]
    pager = await client.list_executions({"parent": PARENT, "page_size": 2})
    assert [one.name async for one in pager] == made[::-1]


async def test_errors_have_googles_codes(client: executions_v1.ExecutionsAsyncClient) -> None:
    with pytest.raises(exceptions.NotFound):
        await client.get_execution(name=f"{PARENT}/executions/nope")
    with pytest.raises(exceptions.NotFound):
        await client.get_execution(name=f"{PARENT.replace('memex-local', 'other')}/executions/nope")
    with pytest.raises(exceptions.NotFound):
        await client.create_execution(parent=PARENT.removesuffix("flow") + "nope", execution=executions_v1.Execution())
    with pytest.raises(exceptions.InvalidArgument):
        await client.create_execution(parent=PARENT, execution=executions_v1.Execution(argument="{"))
    with pytest.raises(exceptions.InvalidArgument):
        await client.get_execution(name="nonsense")


async def test_only_loopback_addresses_are_served(engine: Engine) -> None:
    for address in ("0.0.0.0:0", "[::]:0", "example.com:80"):
        with pytest.raises(ValueError, match="loopback"):
            await rpc.serve(engine, address)


async def test_an_interceptor_of_the_host_can_refuse(engine: Engine) -> None:
    class Refuse(grpc.aio.ServerInterceptor):  # type: ignore[misc]  # grpc has no types
        async def intercept_service(self, continuation: object, details: object) -> object:
            async def refuse(request: object, context: grpc.aio.ServicerContext) -> None:
                await context.abort(grpc.StatusCode.UNAUTHENTICATED, "no key")

            return grpc.unary_unary_rpc_method_handler(refuse)

    server = await rpc.serve(engine, interceptors=[Refuse()])
    async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        client = executions_v1.ExecutionsAsyncClient(transport=ExecutionsGrpcAsyncIOTransport(channel=channel))
        with pytest.raises(exceptions.Unauthenticated):
            await client.get_execution(name=f"{PARENT}/executions/x")
    await server.stop()
