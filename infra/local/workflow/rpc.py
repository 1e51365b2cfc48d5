"""The gRPC front: the four calls of the Executions API for the unmodified client. It listens on loopback only."""

import re
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import grpc

from infra.local.workflow.engine import Engine
from infra.local.workflow.errors import ApiError, InvalidArgument, NotFound
from infra.local.workflow.records import Execution

SERVICE = "google.cloud.workflows.executions.v1.Executions"
_LOOPBACK = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\]):\d+")
_WORKFLOW = re.compile(r"projects/([^/]+)/locations/([^/]+)/workflows/([^/]+)")
_EXECUTION = re.compile(r"projects/([^/]+)/locations/([^/]+)/workflows/([^/]+)/executions/([^/]+)")


class RpcServer:
    """A gRPC server that is running."""

    def __init__(self, server: Any, port: int) -> None:
        self._server = server
        self.port = port

    async def stop(self, grace: float = 0.0) -> None:
        """Stop listening; calls under way get `grace` seconds."""
        await self._server.stop(grace)


async def serve(engine: Engine, address: str = "127.0.0.1:0", *, interceptors: Sequence[Any] = ()) -> RpcServer:
    """Listen on a loopback address; `interceptors` (of grpc.aio) authorise."""
    if not _LOOPBACK.fullmatch(address):
        raise ValueError(f"not a loopback address: {address}")
    server = grpc.aio.server(interceptors=list(interceptors))
    server.add_generic_rpc_handlers((_handlers(engine),))
    port = server.add_insecure_port(address)
    await server.start()
    return RpcServer(server, port)


def _handlers(engine: Engine) -> Any:
    # Loading the client library takes most of a second: whoever never serves gRPC doesn't pay for it.
    from google.cloud.workflows import executions_v1 as types

    front = _Front(engine, types)

    def unary(call: Callable[[Any], Awaitable[Any]], request: Any, response: Any) -> Any:
        async def respond(message: Any, context: Any) -> Any:
            try:
                return await call(message)
            except ApiError as problem:
                await context.abort(grpc.StatusCode[problem.code], str(problem))

        return grpc.unary_unary_rpc_method_handler(
            respond, request_deserializer=request.deserialize, response_serializer=response.serialize
        )

    return grpc.method_handlers_generic_handler(
        SERVICE,
        {
            "CreateExecution": unary(front.create, types.CreateExecutionRequest, types.Execution),
            "GetExecution": unary(front.get, types.GetExecutionRequest, types.Execution),
            "ListExecutions": unary(front.list, types.ListExecutionsRequest, types.ListExecutionsResponse),
            "CancelExecution": unary(front.cancel, types.CancelExecutionRequest, types.Execution),
        },
    )


class _Front:
    def __init__(self, engine: Engine, types: Any) -> None:
        self._engine = engine
        self._types = types

    async def create(self, request: Any) -> Any:
        workflow = self._workflow(request.parent)
        created = await self._engine.create(
            workflow,
            request.execution.argument or "null",
            call_log_level=request.execution.call_log_level.name,
            labels=dict(request.execution.labels),
        )
        return self._message(created, full=True)

    async def get(self, request: Any) -> Any:
        workflow, execution = self._execution(request.name)
        full = request.view != self._types.ExecutionView.BASIC
        return self._message(self._engine.get(execution, workflow=workflow), full=full)

    async def list(self, request: Any) -> Any:
        page = self._engine.list(
            self._workflow(request.parent),
            page_size=request.page_size,
            page_token=request.page_token,
        )
        full = request.view == self._types.ExecutionView.FULL
        return self._types.ListExecutionsResponse(
            executions=[self._message(one, full=full) for one in page.executions],
            next_page_token=page.next_token,
        )

    async def cancel(self, request: Any) -> Any:
        workflow, execution = self._execution(request.name)
        return self._message(await self._engine.cancel(execution, workflow=workflow), full=True)

    def _workflow(self, name: str) -> str:
        return self._named(_WORKFLOW, name)[0]

    def _execution(self, name: str) -> tuple[str, str]:
        workflow, execution = self._named(_EXECUTION, name)
        return workflow, execution

    def _named(self, pattern: re.Pattern[str], name: str) -> Sequence[str]:
        match = pattern.fullmatch(name)
        if match is None:
            raise InvalidArgument("not a resource name")
        project, location, workflow, *rest = match.groups()
        if (project, location) != (self._engine.project, self._engine.location):
            raise NotFound(f"this engine serves projects/{self._engine.project}/locations/{self._engine.location}")
        return [self._engine.workflow(workflow).workflow, *rest]

    def _message(self, record: Execution, *, full: bool) -> Any:
        kind = self._types.Execution
        message = kind(
            name=record.name,
            start_time=_moment(record.created),
            state=kind.State[record.state],
            workflow_revision_id=record.revision,
        )
        if record.ended is not None:
            message.end_time = _moment(record.ended)
            message.duration = _moment(record.ended) - _moment(record.created)
        if not full:
            return message
        message.argument = record.argument
        message.call_log_level = kind.CallLogLevel[record.call_log_level]
        message.labels = record.labels
        message.status = kind.Status(
            current_steps=[kind.Status.Step(routine=one.routine, step=one.step) for one in record.positions]
        )
        if record.result is not None:
            message.result = record.result
        if record.error is not None:
            elements = [
                kind.StackTraceElement(
                    routine=one.routine, step=one.step, position=kind.StackTraceElement.Position(line=one.line)
                )
                for one in record.error.trace
            ]
            message.error = kind.Error(
                payload=record.error.payload,
                context=record.error.context,
                stack_trace=kind.StackTrace(elements=elements),
            )
        return message


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
