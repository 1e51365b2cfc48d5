"""A stand-in for the product's HTTP API, data in memory, until the local product serves the web client's tests.

It refuses to be clever: documents are the real models, and time moves them on when somebody asks.
"""

import asyncio
import base64
import hashlib
import json
import re
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import uvicorn
from pydantic import JsonValue
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from shared.models.base import JsonDict, moment, rfc3339
from shared.models.ids import ulid
from tests.web.fake_chat import FakeChat

DIST = Path(__file__).resolve().parents[2] / "web" / "dist"
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
ENRICHED_AFTER = 0.8
ACTIVE = ("created", "queued", "running", "waiting_for_input")


def failed(status: int, code: str, message: str, next: str = "") -> JSONResponse:
    """The one shape of an error."""
    return JSONResponse({"error": {"code": code, "message": message, "next": next}}, status)


class Memory:
    """Everything the fake knows."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.lock = threading.RLock()
        self.notes: dict[str, JsonDict] = {}
        self.traces: dict[str, list[JsonValue]] = {}
        self.tasks: dict[str, JsonDict] = {}
        self.operations: dict[str, JsonDict] = {}
        self.events: dict[str, list[JsonDict]] = {}
        self.answers: dict[str, tuple[str, JsonDict]] = {}
        self.due: list[tuple[float, Callable[[], None]]] = []
        self.research_seconds = 3.0
        self.daily_runs = 10
        self.chat = FakeChat(self)
        self.config: JsonDict = {
            "api": "",
            "capture": "",
            "chat": "",
            "research": {"paid": False, "cost_usd": 0, "engine": "your notes"},
            "engines": {
                "deep": {"paid": False, "cost_usd": 0, "engine": "your notes"},
                "local": {"paid": False, "cost_usd": 0, "engine": "Memex itself", "model": True},
            },
        }

    def later(self, seconds: float, act: Callable[[], None]) -> None:
        """Do it once that much time has passed and somebody asks."""
        self.due.append((time.time() + seconds, act))
        self.due.sort(key=lambda entry: entry[0])

    def tick(self) -> None:
        """Catch up with the clock."""
        with self.lock:
            while self.due and self.due[0][0] <= time.time():
                self.due.pop(0)[1]()

    def note(self, **fields: JsonValue) -> JsonDict:
        """A new note as the product would store it."""
        at = float(str(fields.pop("at", time.time())))
        now = rfc3339(moment(at))
        note: JsonDict = {
            "id": ulid(at), "created_at": now, "updated_at": now, "revision": 1, "kind": "capture", "body": "",
            "title": None, "summary": None, "url": None, "tags": [], "source": "web", "source_note_id": None,
            "task_ids": [], "enrichment": {"status": "none", "error": None, "attempts": 0, "tags": []},
            "research": {"requested": False, "status": None, "operation_id": None, "error": None},
            "citations": [], "deleted_at": None, "body_parts": 0, "origin": None,
        }  # fmt: skip
        note.update(fields)
        self.notes[str(note["id"])] = note
        self.traces.setdefault(str(note["id"]), [])
        return note

    def change(self, note: JsonDict, **fields: JsonValue) -> None:
        """Another revision."""
        note.update(fields)
        note["revision"] = int(str(note["revision"])) + 1
        note["updated_at"] = rfc3339(moment(time.time()))

    def enrich(self, note_id: str) -> None:
        """Title, summary, a tag and a task, as if somebody had read it."""
        note = self.notes[note_id]
        body = str(note["body"]) or str(note["url"])
        first = re.sub(r"[#*_`<>\[\]]", "", body.strip().split("\n")[0])[:60]
        task_ids: list[JsonValue] = []
        if body.lower().startswith(("ask ", "buy ", "call ")):
            task = self.task(title=first, source_note_id=note_id)
            task_ids = [task["id"]]
        tags = note["tags"]
        assert isinstance(tags, list)
        self.change(
            note,
            title=note["title"] or first,
            summary=note["summary"] or f"About: {first}",
            tags=[*tags, "idea"] if "idea" not in tags else tags,
            task_ids=task_ids,
            enrichment={"status": "enriched", "error": None, "attempts": 1, "tags": ["idea"]},
        )
        self.trace(note_id, {"type": "tool_call", "tool": "enrich", "arguments": {"note_id": note_id}, "call_id": "1"})
        self.trace(note_id, {"type": "usage", "tokens": 812, "cost_usd": 0.0})

    def task(self, **fields: JsonValue) -> JsonDict:
        """A new task."""
        now = rfc3339(moment(time.time()))
        task: JsonDict = {
            "id": ulid(time.time()), "created_at": now, "updated_at": now, "revision": 1, "title": "",
            "status": "open", "tags": [], "source_note_id": None,
        }  # fmt: skip
        task.update(fields)
        self.tasks[str(task["id"])] = task
        return task

    def trace(self, note_id: str, event: JsonDict) -> None:
        """One more trace event."""
        trace = self.traces[note_id]
        trace.append({"seq": len(trace) + 1, "at": rfc3339(moment(time.time())), **event})

    def operation(self, note: JsonDict, **fields: JsonValue) -> JsonDict:
        """A new research run."""
        now = rfc3339(moment(time.time()))
        operation: JsonDict = {
            "id": ulid(time.time()), "created_at": now, "updated_at": now, "revision": 1, "kind": "deep_research",
            "status": "queued", "input": {"note_id": note["id"], "question": note["body"], "urls": []},
            "source_note_id": note["id"], "result_note_id": None, "events": 0, "execution": None, "intent_at": None,
            "interaction_id": None, "remote_open": False, "attempts": 0, "troubles": 0,
            "progress": {"percent": 0, "message": "Waiting for a free slot", "next_look_at": None},
            "usage": {"tokens": 0, "cost_usd": 0.0}, "estimated_usd": 0.0, "budget_day": None, "started_at": None,
            "deadline_at": None, "output": None, "partial": None, "error": None,
        }  # fmt: skip
        operation.update(fields)
        self.operations[str(operation["id"])] = operation
        self.events.setdefault(str(operation["id"]), [])
        return operation

    def happen(self, operation: JsonDict, event: str, **fields: JsonValue) -> None:
        """One more event of an operation."""
        log = self.events[str(operation["id"])]
        log.append(
            {
                "seq": len(log) + 1,
                "at": rfc3339(moment(time.time())),
                "task_id": operation["id"],
                "event": event,
                **fields,
            }
        )
        operation["events"] = len(log)
        operation["revision"] = int(str(operation["revision"])) + 1
        operation["updated_at"] = rfc3339(moment(time.time()))

    def start_research(self, note: JsonDict) -> JsonDict:
        """Queue a run, and plan what becomes of it."""
        operation = self.operation(note)
        self.change(
            note,
            research={"requested": False, "status": "queued", "operation_id": operation["id"], "error": None},
        )
        self.happen(operation, "task.progress", percent=0, message="Waiting for a free slot")
        span = self.research_seconds
        if "fail" in str(note["body"]):
            self.later(0.1 * span, lambda: self._begin(operation, note))
            self.later(0.4 * span, lambda: self._fail(operation, note))
            return operation
        self.later(0.1 * span, lambda: self._begin(operation, note))
        self.later(0.4 * span, lambda: self._further(operation, 40, "Reading 3 notes"))
        self.later(0.7 * span, lambda: self._further(operation, 80, "Writing the report"))
        self.later(span, lambda: self._complete(operation, note))
        return operation

    def _alive(self, operation: JsonDict) -> bool:
        return operation["status"] in ACTIVE

    def _begin(self, operation: JsonDict, note: JsonDict) -> None:
        if not self._alive(operation):
            return
        operation["status"] = "running"
        operation["started_at"] = rfc3339(moment(time.time()))
        self._progress(operation, 5, "Planning the search")
        self.change(
            note,
            research={"requested": False, "status": "running", "operation_id": operation["id"], "error": None},
        )
        self.happen(operation, "task.started")
        self.happen(
            operation, "task.thinking", message="Three angles: what the notes say, what they miss, who differs."
        )

    def _progress(self, operation: JsonDict, percent: int, message: str) -> None:
        look = rfc3339(moment(time.time() + 8))
        operation["progress"] = {"percent": percent, "message": message, "next_look_at": look}

    def _further(self, operation: JsonDict, percent: int, message: str) -> None:
        if not self._alive(operation):
            return
        self._progress(operation, percent, message)
        operation["usage"] = {"tokens": percent * 90, "cost_usd": 0.0}
        self.happen(operation, "task.tool_call", tool_name="search_notes", input={"query": message, "limit": 5})
        self.happen(operation, "task.tool_result", tool_name="search_notes", output={"found": 3})
        self.happen(operation, "task.progress", percent=percent, message=message)

    def _fail(self, operation: JsonDict, note: JsonDict) -> None:
        if not self._alive(operation):
            return
        operation["status"] = "failed"
        operation["error"] = {
            "code": "no_sources" if "nowhere" in str(note["body"]) else "upstream",
            "message": "The research service answered with an error.",
            "next": "Nothing was charged. Start it anew in a few minutes.",
        }
        self.happen(operation, "task.failed", error_code="upstream", error_message="The service answered 500.")
        self.change(
            note,
            research={
                "requested": False,
                "status": "failed",
                "operation_id": operation["id"],
                "error": "the service answered with an error",
            },
        )

    def _complete(self, operation: JsonDict, note: JsonDict) -> None:
        if not self._alive(operation):
            return
        sources = [
            one
            for one in sorted(self.notes.values(), key=lambda one: str(one["id"]))
            if one["kind"] == "capture" and one["deleted_at"] is None
        ][:2]
        citations: list[JsonValue] = [
            {
                "number": number,
                "title": source["title"] or str(source["body"])[:40],
                "url": f"#/notes/{source['id']}",
                "source_kind": "note",
                "note_id": source["id"],
                "quote": str(source["body"]).strip().split("\n")[-1],
            }
            for number, source in enumerate(sources, 1)
        ]
        citations.append(
            {
                "number": len(citations) + 1,
                "title": "RFC 9562: Universally Unique IDentifiers",
                "url": "https://www.rfc-editor.org/rfc/rfc9562",
                "source_kind": "web",
                "note_id": None,
                "quote": "UUIDv7 features a time-ordered value field.",
            }
        )
        marks = "".join(f" [cite: {number}]" for number in range(1, len(citations) + 1))
        body = f"# What the notes say\n\nThey agree on the main point.{marks}\n\n## What is open\n\nMuch. [cite: 1]\n"
        report = self.note(
            kind="research",
            title=f"Report: {str(note['body'])[:50]}",
            body=body,
            tags=["research-report"],
            source_note_id=note["id"],
            citations=citations,
        )
        # The research note has the operation's id.
        self.notes.pop(str(report["id"]))
        self.traces.pop(str(report["id"]))
        report["id"] = operation["id"]
        self.notes[str(report["id"])] = report
        self.traces[str(report["id"])] = []
        self.trace(str(report["id"]), {"type": "thinking", "text": "Three angles."})
        self.trace(str(report["id"]), {"type": "usage", "tokens": 7200, "cost_usd": 0.0})
        operation["status"] = "completed"
        operation["result_note_id"] = report["id"]
        operation["progress"] = {"percent": 100, "message": "Done", "next_look_at": None}
        self.happen(operation, "task.completed", output={"summary": "They agree on the main point."})
        self.change(
            note,
            research={"requested": False, "status": "completed", "operation_id": operation["id"], "error": None},
        )


Handler = Callable[[Request], Awaitable[Response]]


def create_app(memory: Memory) -> Starlette:
    """The whole fake as one ASGI app."""

    def guarded(handler: Handler) -> Handler:
        async def checked(request: Request) -> Response:
            if request.headers.get("authorization") != f"Bearer {memory.key}":
                return failed(401, "unauthorized", "This key is not known.", "Sign in again.")
            memory.tick()
            return await handler(request)

        return checked

    def missing(what: str) -> JSONResponse:
        return failed(404, "not_found", f"There is no such {what}.", "Go back to the notes.")

    async def captures(request: Request) -> Response:
        body = await request.json()
        key = request.headers.get("idempotency-key", "")
        digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        if key in memory.answers:
            known, answer = memory.answers[key]
            if known != digest:
                return failed(409, "idempotency_conflict", "This key was used for another text.")
            return JSONResponse(answer, 201)
        unknown = set(body) - {"text", "url", "title", "tags", "research", "source"}
        if unknown:
            return failed(422, "invalid_field", f"Unknown field {sorted(unknown)[0]}.")
        url = body.get("url")
        note = memory.note(
            kind="link" if url else "capture",
            body=body.get("text") or "",
            url=url,
            tags=body.get("tags") or [],
            enrichment={"status": "pending", "error": None, "attempts": 0, "tags": []},
        )
        note_id = str(note["id"])
        memory.later(ENRICHED_AFTER, lambda: memory.enrich(note_id))
        if body.get("research"):
            memory.start_research(note)
        answer = {"note": dict(note)}
        memory.answers[key] = (digest, answer)
        return JSONResponse(answer, 201)

    async def notes(request: Request) -> Response:
        query = request.query_params
        rows = sorted(memory.notes.values(), key=lambda note: str(note["created_at"]), reverse=True)
        binned = query.get("deleted") == "true"
        if "q" in query and binned:
            return failed(422, "invalid_field", "q: a search leaves the bin out", "Leave deleted away.")
        rows = [note for note in rows if (note["deleted_at"] is not None) == binned]
        if kind := query.get("kind"):
            rows = [note for note in rows if note["kind"] == kind]
        for tag in query.getlist("tag"):
            rows = [note for note in rows if tag in str(note["tags"])]
        for word in query.get("q", "").lower().split():
            rows = [note for note in rows if word in f"{note['title']} {note['body']}".lower()]
        start = int(base64.b64decode(query["cursor"])) if "cursor" in query else 0
        limit = int(query.get("limit", "20"))
        page = rows[start : start + limit]
        more = start + limit < len(rows)
        answer: JsonDict = {
            "notes": list(page),
            "next_cursor": base64.b64encode(str(start + limit).encode()).decode() if more else None,
        }
        etag = f'"{hashlib.sha256(json.dumps(answer).encode()).hexdigest()[:16]}"'
        if request.headers.get("if-none-match") == etag:
            return Response(status_code=304, headers={"ETag": etag})
        return JSONResponse(answer, headers={"ETag": etag})

    async def note(request: Request) -> Response:
        found = memory.notes.get(request.path_params["id"])
        if found is None:
            return missing("note")
        if request.method == "GET":
            return JSONResponse({"note": found, "trace": memory.traces[str(found["id"])]})
        if request.method == "DELETE":
            memory.change(found, deleted_at=rfc3339(moment(time.time())))
            return JSONResponse({"note": found})
        revision = request.headers.get("if-match")
        if revision is not None and revision.strip('"') != str(found["revision"]):
            return failed(409, "conflict", "The note was changed meanwhile.", "Read it again.")
        memory.change(found, **await request.json())
        memory.trace(str(found["id"]), {"type": "user", "text": "", "changes": {"body": ["before", "after"]}})
        return JSONResponse({"note": found})

    async def restore(request: Request) -> Response:
        found = memory.notes.get(request.path_params["id"])
        if found is None:
            return missing("note")
        memory.change(found, deleted_at=None)
        return JSONResponse({"note": found})

    async def enrich(request: Request) -> Response:
        found = memory.notes.get(request.path_params["id"])
        if found is None:
            return missing("note")
        note_id = str(found["id"])
        memory.change(found, enrichment={"status": "pending", "error": None, "attempts": 0, "tags": []})
        memory.later(ENRICHED_AFTER, lambda: memory.enrich(note_id))
        return JSONResponse({"note": found}, 202)

    async def research(request: Request) -> Response:
        found = memory.notes.get(request.path_params["id"])
        if found is None:
            return missing("note")
        state = found["research"]
        assert isinstance(state, dict)
        if state["status"] in ("queued", "running"):
            return failed(409, "already_running", "Research on this note is already running.", "Wait for its report.")
        if len(memory.operations) >= memory.daily_runs:
            return failed(429, "daily_limit", "Today’s 10 research runs are used up.", "Try again tomorrow.")
        return JSONResponse({"operation": memory.start_research(found)}, 202)

    async def tasks(request: Request) -> Response:
        if request.method == "POST":
            key = request.headers.get("idempotency-key", "")
            if key not in memory.answers:
                memory.answers[key] = ("", {"task": memory.task(**await request.json())})
            return JSONResponse(memory.answers[key][1], 201)
        asked = {name: request.query_params.get(name) for name in ("source_note_id", "status")}
        rows: list[JsonValue] = [
            task
            for task in sorted(memory.tasks.values(), key=lambda one: str(one["id"]), reverse=True)
            if all(value is None or task[name] == value for name, value in asked.items())
        ]
        return JSONResponse({"tasks": rows, "next_cursor": None})

    async def task(request: Request) -> Response:
        found = memory.tasks.get(request.path_params["id"])
        if found is None:
            return missing("task")
        found.update(await request.json())
        return JSONResponse({"task": found})

    async def operations(request: Request) -> Response:
        rows = sorted(memory.operations.values(), key=lambda one: str(one["id"]), reverse=True)
        if request.query_params.get("status") == "active":
            rows = [one for one in rows if one["status"] in ACTIVE]
        kind, upkeep = request.query_params.get("kind"), request.query_params.get("upkeep") == "true"
        rows = [one for one in rows if (one["kind"] == kind if kind else upkeep or one["kind"] != "memory_generation")]
        return JSONResponse({"operations": list(rows), "next_cursor": None})

    async def operation(request: Request) -> Response:
        found = memory.operations.get(request.path_params["id"])
        return JSONResponse({"operation": found}) if found else missing("operation")

    async def cancel(request: Request) -> Response:
        found = memory.operations.get(request.path_params["id"])
        if found is None:
            return missing("operation")
        if found["status"] in ACTIVE:
            found["status"] = "cancelled"
            memory.happen(found, "task.cancelled")
            source = memory.notes[str(found["source_note_id"])]
            memory.change(
                source,
                research={"requested": False, "status": "cancelled", "operation_id": found["id"], "error": None},
            )
        return JSONResponse({"operation": found})

    async def retry(request: Request) -> Response:
        found = memory.operations.get(request.path_params["id"])
        if found is None:
            return missing("operation")
        source = memory.notes[str(found["source_note_id"])]
        memory.change(source, body=str(source["body"]).replace("fail", "work"))
        return JSONResponse({"operation": memory.start_research(source)}, 202)

    async def events(request: Request) -> Response:
        operation_id = request.path_params["id"]
        found = memory.operations.get(operation_id)
        if found is None:
            return missing("operation")
        after = int(request.headers.get("last-event-id") or request.query_params.get("after", "0"))
        log = memory.events[operation_id]
        if "text/event-stream" not in request.headers.get("accept", ""):
            return JSONResponse({"events": list(log[after:]), "next_cursor": None})

        async def stream() -> AsyncIterator[str]:
            sent = after
            yield ": hello\n\n"
            while True:
                memory.tick()
                for event in log[sent:]:
                    sent += 1
                    yield f"id: {event['seq']}\nevent: {event['event']}\ndata: {json.dumps(event)}\n\n"
                if found["status"] not in ACTIVE:
                    yield "event: done\ndata: {}\n\n"
                    return
                await asyncio.sleep(0.1)

        return StreamingResponse(stream(), media_type="text/event-stream")

    async def approvals(request: Request) -> Response:
        # Agents are none in here: their rooms are tested on the real product.
        return JSONResponse({"approvals": [], "next_cursor": None})

    async def config(request: Request) -> Response:
        return JSONResponse(memory.config)

    async def files(request: Request) -> Response:
        path = (DIST / (request.path_params["path"] or "index.html")).resolve()
        if not path.is_relative_to(DIST) or not path.is_file():
            return missing("file")
        return FileResponse(path, headers={"Content-Security-Policy": CSP, "X-Content-Type-Options": "nosniff"})

    one = "/api/v1/{kind}/{{id}}"
    note_path, task_path, operation_path = (one.format(kind=kind) for kind in ("notes", "tasks", "operations"))
    return Starlette(
        routes=[
            Route("/config.json", config),
            Route("/api/v1/captures", guarded(captures), methods=["POST"]),
            Route("/api/v1/notes", guarded(notes)),
            Route(note_path, guarded(note), methods=["GET", "PATCH", "DELETE"]),
            Route(f"{note_path}/restore", guarded(restore), methods=["POST"]),
            Route(f"{note_path}/enrich", guarded(enrich), methods=["POST"]),
            Route(f"{note_path}/research", guarded(research), methods=["POST"]),
            Route("/api/v1/tasks", guarded(tasks), methods=["GET", "POST"]),
            Route(task_path, guarded(task), methods=["PATCH"]),
            Route("/api/v1/operations", guarded(operations)),
            Route(operation_path, guarded(operation)),
            Route(f"{operation_path}/cancel", guarded(cancel), methods=["POST"]),
            Route(f"{operation_path}/retry", guarded(retry), methods=["POST"]),
            Route(f"{operation_path}/events", guarded(events)),
            Route("/api/v1/approvals", guarded(approvals)),
            *memory.chat.routes(guarded),
            Route("/{path:path}", files),
        ]
    )


class Server:
    """The fake on a port of its own, in a thread; use it as a context manager."""

    def __init__(self, key: str = "test-key", port: int = 0) -> None:
        self.key = key
        self.memory = Memory(key)
        config = uvicorn.Config(
            create_app(self.memory), host="127.0.0.1", port=port, log_level="warning", ws="none", lifespan="off",
            timeout_graceful_shutdown=1,
        )  # fmt: skip
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    @property
    def base_url(self) -> str:
        """Where it listens."""
        port = self._server.servers[0].sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}"

    def __enter__(self) -> "Server":
        self._thread.start()
        deadline = time.monotonic() + 10
        while not self._server.started:
            if time.monotonic() > deadline:
                raise RuntimeError("the fake API did not start")
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=5)
