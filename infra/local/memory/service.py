"""The bank as routes. Work goes on by what is stored and when it is looked at; nothing of it lives in this process."""

import json
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

from pydantic import JsonValue
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from infra.local.clock import Clock
from infra.local.memory import faults, wire
from infra.local.memory.consolidate import distance
from infra.local.memory.faults import Faults
from infra.local.memory.store import Kept, MemoryStore, Past, Task
from infra.local.memory.wire import Refusal
from infra.local.memory.work import Worked, perform
from shared.models.base import JsonDict

BASE = "/v1beta1/projects/{project}/locations/{location}/reasoningEngines/{engine}"
UNWATCHED_SECONDS = 5.0
"""After so long an operation ends even though nobody looks at it."""
MOST = 100
FEW = 3
"""Rows that a read gives where no number was asked for."""
Answer = Callable[[Request], Awaitable[Response]]
_TYPE = "type.googleapis.com/google.cloud.aiplatform.v1beta1."


class MemoryService:
    """The service. With `control`, a request may set its faults."""

    def __init__(self, store: MemoryStore, clock: Clock, *, control: bool = False) -> None:
        self.store = store
        self.faults = Faults()
        self._clock = clock
        self._control = control
        self._turned_away = 0

    def routes(self, prefix: str = "") -> list[BaseRoute]:
        """The paths of the API, under a prefix."""
        base = f"{prefix}{BASE}"
        memories, one = f"{base}/memories", f"{base}/memories/{{memory}}"
        found: list[BaseRoute] = [
            Route(f"{memories}:generate", self._served(self._generate), methods=["POST"]),
            Route(f"{memories}:retrieve", self._served(self._retrieve), methods=["POST"]),
            Route(f"{memories}:purge", self._served(self._purge), methods=["POST"]),
            Route(memories, self._served(self._create), methods=["POST"]),
            Route(memories, self._served(self._list), methods=["GET"]),
            Route(f"{one}:rollback", self._served(self._rollback), methods=["POST"]),
            Route(f"{one}/revisions", self._served(self._revisions), methods=["GET"]),
            Route(f"{one}/revisions/{{revision}}", self._served(self._revision), methods=["GET"]),
            Route(f"{one}/operations/{{operation}}", self._served(self._operation), methods=["GET"]),
            Route(f"{base}/operations/{{operation}}", self._served(self._operation), methods=["GET"]),
            Route(one, self._served(self._get), methods=["GET"]),
            Route(one, self._served(self._update), methods=["PATCH"]),
            Route(one, self._served(self._delete), methods=["DELETE"]),
        ]
        if self._control:
            found.append(Route(f"{prefix}/control", self._controlled, methods=["POST"]))
        return found

    # -- the door

    def _served(self, answer: Answer) -> Answer:
        async def serve(request: Request) -> Response:
            if not (request.headers.get("authorization") or request.headers.get("x-goog-api-key")):
                return wire.error(401, "Request is missing required authentication credential.")
            if self.faults.down:
                return wire.error(503, "The service is currently unavailable.")
            if self._turned_away < self.faults.busy:
                self._turned_away += 1
                return wire.error(429, "Quota exceeded.")
            try:
                self._let_time_pass()
                return await answer(request)
            except Refusal as refusal:
                return wire.error(refusal.status, refusal.message)

        return serve

    async def _controlled(self, request: Request) -> Response:
        try:
            self.faults, self._turned_away = faults.parse(json.loads(await request.body())), 0
        except (ValueError, AttributeError):
            return wire.error(400, "The body is an object of faults that there are")
        return JSONResponse({})

    def _let_time_pass(self) -> None:
        now = self._clock.now()
        for task in [] if self.faults.never_done else self.store.open_since(now - UNWATCHED_SECONDS):
            self._finish(task)
        self.store.expire(now)

    # -- operations

    def _begin(self, verb: str, engine: str, request: JsonDict, *, below: str = "") -> Response:
        parent = f"{engine}/memories/{below}" if below else engine
        name = f"{parent}/operations/{secrets.randbelow(10**18)}"
        task = Task(name, verb, request, self._clock.now(), 0, None)
        self.store.add(task)
        if self.faults.no_answer and verb == "generate":
            return wire.error(500, "Internal error encountered.")
        return JSONResponse(self._seen(task))

    async def _operation(self, request: Request) -> Response:
        name = request.url.path.partition("/v1beta1/")[2]
        task = self.store.task(name)
        if task is None:
            raise Refusal(404, "Operation not found")
        self.store.look(name)
        return JSONResponse(self._seen(replace(task, looks=task.looks + 1)))

    def _seen(self, task: Task) -> JsonDict:
        """The operation as this look shows it; the look at which it is due does the work."""
        answer = task.answer
        if answer is None and not self.faults.never_done and task.looks >= self.faults.looks:
            answer = self._finish(task)
        word = {"generate": "GenerateMemories", "purge": "PurgeMemories"}.get(task.verb, f"{task.verb.title()}Memory")
        stamp: JsonDict = {"createTime": wire.time(task.created), "updateTime": wire.time(task.created)}
        seen: JsonDict = {
            "name": task.name,
            "metadata": {"@type": f"{_TYPE}{word}OperationMetadata", "genericMetadata": stamp},
        }
        if answer is not None:
            return {**seen, "done": True, **answer}
        return {**seen, "done": False} if self.faults.says_done_false else seen

    def _finish(self, task: Task) -> JsonDict:
        """Do the work, and keep how it ended, in one step: done twice it would consolidate its own result."""
        engine = task.name.partition("/memories/")[0].partition("/operations/")[0]
        with self.store.atomic():
            worked = perform(self.store, task, self._clock.now(), self.faults)
            for effect in worked.effects:
                reads = self.faults.lag
                never = {"CREATED": "never_shown", "UPDATED": "keep_old", "DELETED": "keep_deleted"}[effect.action]
                if getattr(self.faults, never):
                    self.store.defer(effect, None)
                elif reads:
                    self.store.defer(effect, reads)
                else:
                    self.store.apply(effect)
            answer = _ended(engine, task, worked)
            self.store.finish(task.name, answer)
        return answer

    # -- writes

    async def _generate(self, request: Request) -> Response:
        body = wire.body_of(await request.body())
        sources = [name for name in ("directContentsSource", "directMemoriesSource") if name in body]
        if len(sources) != 1:
            raise Refusal(400, "Exactly one of directContentsSource and directMemoriesSource is required")
        asked: JsonDict = {
            "scope": wire.scope_in(body),
            "labels": wire.labels_in(body),
            "metadata": wire.metadata_in(body),
            **_texts(body[sources[0]], sources[0]),
        }
        return self._begin("generate", _engine(request), asked)

    async def _create(self, request: Request) -> Response:
        body = wire.body_of(await request.body())
        id = request.query_params.get("memoryId") or f"m{secrets.token_hex(8)}"
        if self.store.memory(id):
            raise Refusal(409, "The memory already exists")
        now, ttl = self._clock.now(), wire.seconds(body.get("ttl"))
        asked: JsonDict = {
            "id": id,
            "scope": wire.scope_in(body),
            "fact": _fact(body),
            "labels": wire.labels_in(body),
            "metadata": wire.metadata_in(body),
            "expires": now + ttl if ttl is not None else wire.at(body.get("expireTime")),
        }
        return self._begin("create", _engine(request), asked, below=id)

    async def _update(self, request: Request) -> Response:
        memory, body = self._known(request), wire.body_of(await request.body())
        mask = {part for part in request.query_params.get("updateMask", "fact").split(",") if part}
        if mask - {"fact", "metadata"}:
            raise Refusal(400, "Only fact and metadata can be updated here")
        asked: JsonDict = {
            "id": memory.id,
            "fact": _fact(body) if "fact" in mask else memory.fact,
            "labels": wire.labels_in(body),
            "metadata": wire.metadata_in(body) if "metadata" in mask else memory.metadata,
        }
        return self._begin("update", _engine(request), asked, below=memory.id)

    async def _delete(self, request: Request) -> Response:
        memory = self._known(request)
        return self._begin("delete", _engine(request), {"id": memory.id}, below=memory.id)

    async def _rollback(self, request: Request) -> Response:
        id, body = request.path_params["memory"], wire.body_of(await request.body())
        target = next((past for past in self.store.revisions(id) if str(past.id) == body.get("targetRevisionId")), None)
        if target is None:
            raise Refusal(404, "Revision not found")
        return self._begin("rollback", _engine(request), {"id": id, "revision": target.id}, below=id)

    async def _purge(self, request: Request) -> Response:
        body = wire.body_of(await request.body())
        scope = wire.scope_filter(str(body.get("filter", "")))
        if scope is None:
            raise Refusal(400, "filter is required")
        return self._begin("purge", _engine(request), {"scope": scope, "force": body.get("force") is True})

    # -- reads

    async def _get(self, request: Request) -> Response:
        self.store.saw()
        return JSONResponse(_resource(_engine(request), self._known(request)))

    async def _list(self, request: Request) -> Response:
        self.store.saw()
        scope = None if self.faults.foreign_rows else wire.scope_filter(request.query_params.get("filter", ""))
        size, start = _page(request.query_params.get("pageSize", 50), request.query_params.get("pageToken", ""))
        rows, token = self._paged(self.store.memories(scope), size, start)
        return JSONResponse({"memories": [_resource(_engine(request), row) for row in rows], **token})

    async def _retrieve(self, request: Request) -> Response:
        self.store.saw()
        body = wire.body_of(await request.body())
        scope = wire.scope_in(body)
        rows = self.store.memories(None if self.faults.foreign_rows else scope)
        if "similaritySearchParams" in body:
            return JSONResponse(self._nearest(_engine(request), rows, body["similaritySearchParams"]))
        how = body.get("simpleRetrievalParams", {})
        how = how if isinstance(how, dict) else {}
        size, start = _page(how.get("pageSize", FEW), how.get("pageToken", ""))
        rows, token = self._paged(rows, size, start)
        found: JsonDict = {"retrievedMemories": [{"memory": _resource(_engine(request), row)} for row in rows], **token}
        return JSONResponse(found if rows else {})

    def _nearest(self, engine: str, rows: list[Kept], how: JsonValue) -> JsonDict:
        if not isinstance(how, dict) or not isinstance(query := how.get("searchQuery"), str) or not query:
            raise Refusal(400, "searchQuery is required")
        most, _ = _page(how.get("topK", FEW), "")
        if self.faults.no_similarity:
            return {}
        ranked = sorted(((distance(query, row.fact), -row.updated, row) for row in rows), key=lambda one: one[:2])
        near = ranked[: FEW if self.faults.cut else most]
        return {"retrievedMemories": [{"memory": _resource(engine, row), "distance": far} for far, _, row in near]}

    def _paged(self, rows: list[Kept], size: int, start: int) -> tuple[list[Kept], JsonDict]:
        size = FEW if self.faults.cut else size
        left = rows[start + size :]
        return rows[start : start + size], {"nextPageToken": str(start + size)} if left else {}

    async def _revisions(self, request: Request) -> Response:
        memory = request.path_params["memory"]
        if self.store.memory(memory) is None:
            raise Refusal(404, "Memory not found")
        name = f"{_engine(request)}/memories/{memory}"
        return JSONResponse({"memoryRevisions": [_past(name, one) for one in self.store.revisions(memory)]})

    async def _revision(self, request: Request) -> Response:
        memory, wanted = request.path_params["memory"], request.path_params["revision"]
        found = next((one for one in self.store.revisions(memory) if str(one.id) == wanted), None)
        if found is None:
            raise Refusal(404, "Revision not found")
        return JSONResponse(_past(f"{_engine(request)}/memories/{memory}", found))

    def _known(self, request: Request) -> Kept:
        memory = self.store.memory(request.path_params["memory"])
        if memory is None or memory.deleted is not None:
            raise Refusal(404, "Memory not found")
        return memory


def serve(file: Path, clock: Clock, prefix: str, *, control: bool = False) -> tuple[Starlette, MemoryStore]:
    """The service over a file, and that file's store, which is the caller's to close."""
    store = MemoryStore(file)
    return Starlette(routes=MemoryService(store, clock, control=control).routes(prefix)), store


def _engine(request: Request) -> str:
    parts = request.path_params
    return f"projects/{parts['project']}/locations/{parts['location']}/reasoningEngines/{parts['engine']}"


def _texts(source: JsonValue, name: str) -> JsonDict:
    """What a generation works on: what a person said, or facts as they are."""
    if not isinstance(source, dict):
        raise Refusal(400, f"{name} is not an object")
    if name == "directContentsSource":
        events = source.get("events")
        if not isinstance(events, list) or not events:
            raise Refusal(400, "events are required")
        return {"said": [wire.text_of(one.get("content")) for one in events if isinstance(one, dict)]}
    facts = source.get("directMemories")
    if not isinstance(facts, list) or not 1 <= len(facts) <= 5:
        raise Refusal(400, "1 to 5 directMemories are required")
    return {"facts": [_fact(one) for one in facts if isinstance(one, dict)]}


def _fact(body: JsonDict) -> str:
    fact = body.get("fact")
    if not isinstance(fact, str) or not fact.strip():
        raise Refusal(400, "fact is required")
    return fact


def _page(size: JsonValue, token: JsonValue) -> tuple[int, int]:
    wanted, start = str(size), str(token or 0)
    if not (wanted.isascii() and wanted.isdigit() and start.isascii() and start.isdigit()):
        raise Refusal(400, "Invalid page")
    return min(int(wanted) or FEW, MOST), int(start)


def _ended(engine: str, task: Task, worked: Worked) -> JsonDict:
    if worked.error:
        return {"error": {"code": worked.error, "message": "The operation failed.", "details": []}}
    if task.verb == "generate":
        made: list[JsonValue] = [_generated(engine, one.action, one.id, one.previous) for one in worked.generated]
        listed: JsonDict = {"generatedMemories": made} if made else {}
        return {"response": {"@type": f"{_TYPE}GenerateMemoriesResponse", **listed}}
    if task.verb == "purge":
        return {"response": {"@type": f"{_TYPE}PurgeMemoriesResponse", "purgeCount": worked.purged}}
    if task.verb == "delete":
        return {"response": {"@type": "type.googleapis.com/google.protobuf.Empty"}}
    name = task.name.partition("/operations/")[0]
    return {"response": {"@type": f"{_TYPE}Memory", "name": name}}


def _generated(engine: str, action: str, id: str, previous: int | None) -> JsonDict:
    name = f"{engine}/memories/{id}"
    found: JsonDict = {"memory": {"name": name}, "action": action}
    return found if previous is None else {**found, "previousRevision": f"{name}/revisions/{previous}"}


def _resource(engine: str, memory: Kept) -> JsonDict:
    found: JsonDict = {
        "name": f"{engine}/memories/{memory.id}",
        "fact": memory.fact,
        "scope": json.loads(memory.scope),
        "createTime": wire.time(memory.created),
        "updateTime": wire.time(memory.updated),
        "memoryType": "NATURAL_LANGUAGE_COLLECTION",
    }
    if memory.metadata:
        found["metadata"] = memory.metadata
    if memory.expires is not None:
        found["expireTime"] = wire.time(memory.expires)
    return found


def _past(name: str, one: Past) -> JsonDict:
    return {
        "name": f"{name}/revisions/{one.id}",
        "fact": one.fact,
        "createTime": wire.time(one.created),
        "expireTime": wire.time(one.expires),
        "labels": one.labels,
        "extractedMemories": [{"fact": fact} for fact in one.extracted],
    }
