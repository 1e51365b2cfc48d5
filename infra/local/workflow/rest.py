"""The REST front: Executions API v1, and the part of the Workflows API that `gcloud` reads. It deploys nothing.

The routes authorise nobody: the host wraps them.
"""

import json
import re
import uuid
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from infra.local.workflow import shapes
from infra.local.workflow.engine import Engine
from infra.local.workflow.errors import ApiError, InvalidArgument, NotFound, Unimplemented
from infra.local.workflow.timestamps import rfc3339

MAX_BODY = 1024 * 1024
_BASE = "/v1/projects/{project}/locations/{location}/workflows"
_EXECUTION_FIELDS = ("argument", "callLogLevel", "labels")
_IGNORED_FIELDS = ("disableConcurrencyQuotaOverflowBuffering", "executionHistoryLevel")
_STATE_FILTER = re.compile(r'\s*state\s*[=:]\s*"?([A-Z]+)"?\s*')
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_SHOWN = 200
"""Characters of an unknown path that its error repeats."""
_ORDERS = {"entryId": False, "entryId asc": False, "entryId desc": True, "createTime": False, "createTime desc": True}

Handler: TypeAlias = Callable[[Request], Awaitable[Response]]


def routes(engine: Engine) -> Sequence[Route]:
    """List the routes, to be served at the root of an origin."""
    front = _Front(engine)
    table: list[tuple[str, str, Callable[[Request], Awaitable[dict[str, Any]]]]] = [
        ("GET", _BASE, front.list_workflows),
        ("POST", _BASE, front.deploy),
        ("GET", f"{_BASE}/{{workflow}}", front.get_workflow),
        ("PATCH", f"{_BASE}/{{workflow}}", front.deploy),
        ("DELETE", f"{_BASE}/{{workflow}}", front.deploy),
        ("POST", f"{_BASE}/{{workflow}}:triggerPubsubExecution", front.trigger),
        ("POST", f"{_BASE}/{{workflow}}/executions", front.create),
        ("GET", f"{_BASE}/{{workflow}}/executions", front.list),
        ("POST", f"{_BASE}/{{workflow}}/executions/{{execution}}:cancel", front.cancel),
        ("GET", f"{_BASE}/{{workflow}}/executions/{{execution}}:exportData", front.export),
        ("GET", f"{_BASE}/{{workflow}}/executions/{{execution}}", front.get),
        ("GET", f"{_BASE}/{{workflow}}/executions/{{execution}}/callbacks", front.callbacks),
        ("GET", f"{_BASE}/{{workflow}}/executions/{{execution}}/stepEntries", front.step_entries),
        ("GET", f"{_BASE}/{{workflow}}/executions/{{execution}}/stepEntries/{{entry}}", front.step_entry),
    ]
    known = [Route(path, answer(handler), methods=[method]) for method, path, handler in table]
    return [*known, Route("/v1/{path:path}", answer(_unknown), methods=_METHODS)]


def answer(handler: Callable[[Request], Awaitable[dict[str, Any]]]) -> Handler:
    """Turn what a handler returns or raises into a response."""

    async def respond(request: Request) -> Response:
        try:
            return JSONResponse(await handler(request))
        except ApiError as problem:
            return JSONResponse(shapes.error(problem), status_code=problem.status)
        except UnicodeEncodeError:
            half = InvalidArgument("the request holds half a character (a lone surrogate)")
            return JSONResponse(shapes.error(half), status_code=half.status)

    return respond


async def read_json(request: Request) -> dict[str, Any]:
    """Read a JSON object; an empty body is an empty one."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY:
            raise InvalidArgument(f"the request is longer than {MAX_BODY // 1024} KB")
    try:
        data = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise InvalidArgument("the request is not valid JSON") from None
    if not isinstance(data, dict):
        raise InvalidArgument("the request must be a JSON object")
    return data


async def _unknown(request: Request) -> dict[str, Any]:
    raise NotFound(
        f"nothing is served at {request.method} {request.url.path[:_SHOWN]}: this is the Executions API v1, and of the"
        " Workflows API what gcloud reads"
    )


class _Front:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    # Workflows

    async def list_workflows(self, request: Request) -> dict[str, Any]:
        self._check_place(request, any_location=True)
        return {"workflows": [shapes.workflow(one, {}, full=False) for one in self._engine.workflows()]}

    async def get_workflow(self, request: Request) -> dict[str, Any]:
        name = self._workflow(request)
        return shapes.workflow(self._engine.workflow(name), self._engine.environment(name), full=True)

    async def deploy(self, request: Request) -> dict[str, Any]:
        self._check_place(request)
        raise Unimplemented("not supported locally: change the file in workflows/ and start again")

    # Executions

    async def create(self, request: Request) -> dict[str, Any]:
        workflow = self._workflow(request)
        body = await read_json(request)
        for field in body:
            if field not in (*_EXECUTION_FIELDS, *_IGNORED_FIELDS):
                raise InvalidArgument(f"unknown field: {field[:80]}")
        argument, level, labels = (
            body.get("argument", "null"),
            body.get("callLogLevel", "CALL_LOG_LEVEL_UNSPECIFIED"),
            body.get("labels", {}),
        )
        if not isinstance(argument, str):
            raise InvalidArgument("argument must be a string that holds JSON")
        if not isinstance(level, str):
            raise InvalidArgument("callLogLevel must be a string")
        if not isinstance(labels, dict) or not all(isinstance(value, str) for value in labels.values()):
            raise InvalidArgument("labels must be a map of strings")
        created = await self._engine.create(workflow, argument, call_log_level=level, labels=labels)
        return shapes.execution(created, full=True)

    async def trigger(self, request: Request) -> dict[str, Any]:
        workflow = self._workflow(request)
        body = await read_json(request)
        message, subscription = body.get("message"), body.get("subscription")
        if not isinstance(message, dict) or not isinstance(subscription, str):
            raise InvalidArgument("message and subscription are required")
        event = {
            "data": {"message": message, "subscription": subscription},
            "id": message.get("messageId", str(uuid.uuid4())),
            "source": f"//pubsub.googleapis.com/{subscription}",
            "specversion": "1.0",
            "time": rfc3339(self._engine.clock.now()),
            "type": "google.cloud.pubsub.topic.v1.messagePublished",
        }
        return shapes.execution(await self._engine.create(workflow, json.dumps(event)), full=True)

    async def list(self, request: Request) -> dict[str, Any]:
        workflow = self._workflow(request)
        query = request.query_params
        if query.get("orderBy", "") not in ("", "startTime desc", "createTime desc"):
            raise Unimplemented("not supported locally: orderBy other than startTime desc")
        page = self._engine.list(
            workflow,
            states=_states(query.get("filter", "")),
            page_size=_integer(query.get("pageSize"), "pageSize"),
            page_token=query.get("pageToken", ""),
        )
        full = _is_full(query.get("view", "BASIC"))
        body: dict[str, Any] = {"executions": [shapes.execution(one, full=full) for one in page.executions]}
        if page.next_token:
            body["nextPageToken"] = page.next_token
        return body

    async def get(self, request: Request) -> dict[str, Any]:
        execution, workflow = self._execution(request)
        full = _is_full(request.query_params.get("view", "FULL"))
        return shapes.execution(self._engine.get(execution, workflow=workflow), full=full)

    async def cancel(self, request: Request) -> dict[str, Any]:
        execution, workflow = self._execution(request)
        return shapes.execution(await self._engine.cancel(execution, workflow=workflow), full=True)

    async def export(self, request: Request) -> dict[str, Any]:
        execution, workflow = self._execution(request)
        record = self._engine.get(execution, workflow=workflow)
        entries, _ = self._engine.step_entries(execution, page_size=1_000)
        data = {
            "execution": shapes.execution(record, full=True),
            "stepEntries": [shapes.step_entry(one, record.name) for one in entries],
        }
        return {"data": json.dumps(data)}

    async def callbacks(self, request: Request) -> dict[str, Any]:
        execution, workflow = self._execution(request)
        self._engine.get(execution, workflow=workflow)
        return {"callbacks": []}

    # Step entries

    async def step_entries(self, request: Request) -> dict[str, Any]:
        execution, workflow = self._execution(request)
        query = request.query_params
        order = query.get("orderBy", "entryId")
        if query.get("filter") or order not in _ORDERS:
            raise Unimplemented("not supported locally: filter, and orderBy other than entryId")
        skip = _integer(query.get("pageToken") or query.get("skip"), "pageToken")
        record = self._engine.get(execution, workflow=workflow)
        entries, total = self._engine.step_entries(
            execution,
            skip=skip,
            page_size=_integer(query.get("pageSize"), "pageSize"),
            newest_first=_ORDERS[order],
        )
        body: dict[str, Any] = {
            "stepEntries": [shapes.step_entry(one, record.name) for one in entries],
            "totalSize": total,
        }
        if entries and skip + len(entries) < total:
            body["nextPageToken"] = str(skip + len(entries))
        return body

    async def step_entry(self, request: Request) -> dict[str, Any]:
        execution, workflow = self._execution(request)
        number = _integer(request.path_params["entry"], "the step entry")
        record = self._engine.get(execution, workflow=workflow)
        return shapes.step_entry(self._engine.step_entry(execution, number), record.name)

    # Names

    def _check_place(self, request: Request, *, any_location: bool = False) -> None:
        project, location = request.path_params["project"], request.path_params["location"]
        if project != self._engine.project:
            raise NotFound(f"this engine serves the project {self._engine.project}")
        if location != self._engine.location and not (any_location and location == "-"):
            raise NotFound(f"this engine serves the location {self._engine.location}")

    def _workflow(self, request: Request) -> str:
        self._check_place(request)
        return self._engine.workflow(request.path_params["workflow"]).workflow

    def _execution(self, request: Request) -> tuple[str, str]:
        return request.path_params["execution"], self._workflow(request)


def _states(text: str) -> Sequence[str]:
    if not text:
        return ()
    match = _STATE_FILTER.fullmatch(text)
    if match is None:
        raise Unimplemented('not supported locally: filters other than state="..."')
    return (match[1],)


def _is_full(view: str) -> bool:
    if view not in ("BASIC", "FULL"):
        raise InvalidArgument("view must be BASIC or FULL")
    return view == "FULL"


def _integer(text: str | None, name: str) -> int:
    if not text:
        return 0
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise InvalidArgument(f"{name} must be a number")
    return int(text)
