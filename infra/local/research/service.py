"""The stand-in Interactions service as routes. Runs go on by the clock and what is stored; memory holds none of it."""

import asyncio
import hashlib
import json
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial

from pydantic import JsonValue
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from infra.local.clock import Clock
from infra.local.research.modes import MODES, Mode, mode_in, without_mode
from infra.local.research.researcher import ReadPage, Retrieve, research
from infra.local.research.store import ResearchStore, Run
from infra.local.research.stream import DONE, EventStream, event_id, frame
from infra.local.research.timeline import kept, resource, status, terminal, visible_steps
from infra.local.research.wire import (
    Refusal,
    check_create,
    faulty,
    input_text,
    new_id,
    standard_error,
    word_error,
)
from shared.models.base import JsonDict
from shared.research.client import question_of

RETENTION = 7 * 86_400.0
BUSY_TIMES = 2
"""How often mode M turns a create away before it takes it."""
WAIT_SECONDS = 10.0
"""How long a GET waits for research whose time is up; after that it shows the run as still going on."""
WATCH_SECONDS = 0.2
"""How often a stream looks for news."""

_log = logging.getLogger(__name__)


class ResearchService:
    """The service. `modes=True` lets a request ask for a failure, by a token in its input or by the control route."""

    def __init__(
        self,
        store: ResearchStore,
        clock: Clock,
        retrieve: Retrieve,
        read_page: ReadPage | None = None,
        *,
        duration: float = 3.0,
        modes: bool = False,
    ) -> None:
        self.store = store
        self._clock = clock
        self._retrieve = retrieve
        self._read_page = read_page
        self._duration = duration
        self._modes = modes
        self._next_mode = "OK"
        self._at_work: dict[str, asyncio.Task[None]] = {}

    def routes(self, prefix: str = "") -> list[BaseRoute]:
        """The paths of the Gemini API and of Vertex, under a prefix."""
        found: list[BaseRoute] = []
        for base in ("/v1beta", "/v1beta1/projects/{project}/locations/{location}"):
            path = f"{prefix}{base}/interactions"
            found += [
                Route(path, self._create, methods=["POST"]),
                Route(f"{path}/{{id:path}}/cancel", self._cancel, methods=["POST"]),
                Route(f"{path}/{{id:path}}", self._get, methods=["GET"]),
                Route(f"{path}/{{id:path}}", self._delete, methods=["DELETE"]),
            ]
        if self._modes:
            found.append(Route(f"{prefix}/control", self._control, methods=["GET", "POST"]))
        return found

    async def aclose(self) -> None:
        """Stop research in hand; the next GET of such a run takes it up again."""
        tasks = list(self._at_work.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # -- create ------------------------------------------------------------------------------------------------

    async def _create(self, request: Request) -> Response | EventStream:
        if refused := _unauthorized(request):
            return refused
        try:
            body = check_create(_json(await request.body()))
            text = input_text(body["input"])
        except Refusal as refusal:
            self.store.log("refused", self._clock.now(), status=refusal.status)
            if refusal.status == 404:
                return standard_error(404, refusal.message)
            return word_error(refusal.status, "invalid_request", refusal.message)
        name = (mode_in(text) or self._next_mode) if self._modes else "OK"
        mark = hashlib.sha256(text.encode()).hexdigest()
        now = self._clock.now()
        if MODES[name].create == "busy" and self.store.count("busy", fingerprint=mark) < BUSY_TIMES:
            self.store.log("busy", now, status=429, fingerprint=mark)
            return standard_error(429, "Quota exceeded.", word="RESOURCE_EXHAUSTED", headers={"Retry-After": "1"})
        streams = body.get("stream") is True
        run = Run(new_id(), now, self._duration, name if streams else "S", body)
        self.store.forget(now - RETENTION)
        self.store.add(run)
        self.store.log("create", now, run=run.id, labels=run.labels, fingerprint=mark)
        self._start(run)
        if not streams:
            return JSONResponse(_created(run) | {"steps": []})
        return EventStream(self._creation(run, MODES[name]), partial(self._left, run))

    async def _creation(self, run: Run, mode: Mode) -> AsyncIterator[bytes]:
        if mode.create == "silent":
            await asyncio.Event().wait()
        created = frame("interaction.created", {"interaction": _created(run)})
        if mode.create == "cut":
            yield created[: len(created) // 2]
            return
        if mode.create == "noise":
            yield b": ping\n\n: ping\n\n"
            yield b'event: interaction.status_update\ndata: {"event_type":"interaction.status_update",'
            yield b'"status":"in_progress"}\n\n'
        yield created
        if mode.create == "hold":
            await asyncio.Event().wait()
        async for piece in self._told(run, skip=""):
            yield piece

    def _left(self, run: Run) -> None:
        self.store.log("left", self._clock.now(), run=run.id)

    # -- look --------------------------------------------------------------------------------------------------

    async def _get(self, request: Request) -> Response | EventStream:
        run_id = request.path_params["id"]
        if refused := _unauthorized(request):
            return refused
        run = self._known(run_id)
        self.store.log("get", self._clock.now(), run=run_id, status=200 if run else 404)
        if run is None:
            return standard_error(404, "Interaction not found")
        run = self.store.look(run)
        mode = MODES[run.mode]
        if run.looks <= len(mode.looks):
            return faulty(mode.looks[run.looks - 1])
        if request.query_params.get("stream") == "true":
            skip = request.query_params.get("last_event_id", "")
            return EventStream(self._replay(run, skip), partial(self._left, run))
        run = await self._settled(run)
        now = self._clock.now()
        if mode.expires and terminal(status(run, now)):
            return standard_error(404, "Interaction not found")
        return JSONResponse(resource(run, now))

    def _known(self, run_id: str) -> Run | None:
        run = self.store.run(run_id)
        if run is None and run_id.endswith("x"):
            renamed = self.store.run(run_id[:-1])
            run = renamed if renamed and MODES[renamed.mode].renamed else None
        if run is None or run.deleted is not None or self._clock.now() - run.created > RETENTION:
            return None
        return run

    async def _settled(self, run: Run) -> Run:
        """The run with what research found, waiting for it only where the run's time is up."""
        task = self._start(run)
        if task is not None and self._clock.now() - run.created >= run.duration:
            await asyncio.wait({task}, timeout=WAIT_SECONDS)
        fresh = self.store.run(run.id)
        return replace(fresh, looks=run.looks) if fresh else run

    def _start(self, run: Run) -> "asyncio.Task[None] | None":
        """Research for this run, unless it is done; a process that died in the middle is taken over like this."""
        if run.finding is not None or run.cancelled is not None:
            return None
        if run.id not in self._at_work:
            task = asyncio.create_task(self._research(run))
            task.add_done_callback(partial(self._done, run.id))
            self._at_work[run.id] = task
        return self._at_work[run.id]

    def _done(self, run_id: str, task: "asyncio.Task[None]") -> None:
        self._at_work.pop(run_id, None)
        if not task.cancelled() and (error := task.exception()):
            # The run goes on, and the next GET tries again: what failed may have been a passing thing.
            _log.warning("research of run %s failed: %s", run_id[:16], type(error).__name__)

    async def _research(self, run: Run) -> None:
        text = question_of(input_text(run.request["input"]))
        text = without_mode(text) if self._modes else text
        with self._clock.busy():
            finding = await research(text, run.labels, self._retrieve, self._read_page)
            self.store.found(run.id, kept(finding))

    # -- streams -----------------------------------------------------------------------------------------------

    async def _replay(self, run: Run, skip: str) -> AsyncIterator[bytes]:
        if not skip:
            yield frame("interaction.created", {"interaction": _created(run)})
        async for piece in self._told(run, skip):
            yield piece

    async def _told(self, run: Run, skip: str) -> AsyncIterator[bytes]:
        """The run's events as they happen; after the one named by `skip`, if any."""
        if not skip:
            yield frame("interaction.status_update", {"interaction_id": run.id, "status": "in_progress"})
        told = 0
        while True:
            run = await self._settled(run)
            now = self._clock.now()
            for index, step in list(enumerate(visible_steps(run, now)))[told:]:
                told = index + 1
                mark = event_id(index, str(step["type"]))
                if skip:
                    skip = "" if skip == mark else skip
                    continue
                yield _step_frames(index, step, mark)
            if terminal(status(run, now)):
                ended = _created(run) | {"status": status(run, now)}
                yield frame("interaction.completed", {"interaction": ended})
                yield DONE
                return
            # Real time: a stream only watches, and must not push a virtual clock on.
            await asyncio.sleep(WATCH_SECONDS)

    # -- the end -----------------------------------------------------------------------------------------------

    async def _cancel(self, request: Request) -> Response:
        if refused := _unauthorized(request):
            return refused
        run_id = request.path_params["id"]
        run = self._known(run_id)
        self.store.log("cancel", self._clock.now(), run=run_id, status=200 if run else 404)
        if run is None:
            return standard_error(404, "Interaction not found")
        mode = MODES[run.mode]
        now = self._clock.now()
        if terminal(status(run, now)):
            if mode.cancel == "precondition":
                return standard_error(400, "The interaction has ended.", word="FAILED_PRECONDITION")
            return JSONResponse(resource(run, now))
        self.store.cancel(run.id, now)
        if mode.cancel == "error":
            return standard_error(500, "Internal error encountered.", word="INTERNAL")
        return JSONResponse(resource(replace(run, cancelled=now), now))

    async def _delete(self, request: Request) -> Response:
        if refused := _unauthorized(request):
            return refused
        run = self._known(request.path_params["id"])
        self.store.log("delete", self._clock.now(), run=request.path_params["id"], status=200 if run else 404)
        if run is None:
            return standard_error(404, "Interaction not found")
        self.store.delete(run.id, self._clock.now())
        return JSONResponse({})

    async def _control(self, request: Request) -> Response:
        """GET lists the requests so far; POST `{"mode": "D1"}` sets what the next creates do without a token."""
        if refused := _unauthorized(request):
            return refused
        if request.method == "POST":
            body = _json(await request.body())
            mode = body.get("mode") if isinstance(body, dict) else None
            if not isinstance(mode, str) or mode not in MODES:
                return word_error(400, "invalid_request", f"mode is one of {', '.join(MODES)}")
            self._next_mode = mode
        return JSONResponse({"mode": self._next_mode, "requests": self.store.requests()})


def _step_frames(index: int, step: JsonDict, mark: str) -> bytes:
    kind = str(step["type"])
    pieces = [frame("step.start", {"index": index, "step": {"type": kind}})]
    for delta in _deltas(step, kind):
        pieces.append(frame("step.delta", {"index": index, "delta": delta, "event_id": mark}))
    pieces.append(frame("step.stop", {"index": index}))
    return b"".join(pieces)


def _deltas(step: JsonDict, kind: str) -> list[JsonDict]:
    summary, content = step.get("summary"), step.get("content")
    if kind == "thought":
        thoughts = summary if isinstance(summary, list) else []
        return [{"type": "thought_summary", "content": item} for item in thoughts]
    if kind != "model_output":
        return [step]
    found: list[JsonDict] = []
    for item in content if isinstance(content, list) else []:
        if isinstance(item, dict) and item.get("type") == "text":
            found.append({"type": "text", "text": item["text"]})
            if item.get("annotations"):
                found.append({"type": "text_annotation_delta", "annotations": item["annotations"]})
        elif isinstance(item, dict):
            found.append(item)
    return found


def _created(run: Run) -> JsonDict:
    return {"id": run.id, "status": "in_progress", "object": "interaction", "agent": run.request.get("agent")}


def _unauthorized(request: Request) -> Response | None:
    bearer = request.headers.get("authorization", "")
    if (bearer.startswith("Bearer ") and len(bearer) > 7) or request.headers.get("x-goog-api-key"):
        return None
    return standard_error(401, "Request is missing required authentication credential.")


def _json(body: bytes) -> JsonValue:
    try:
        parsed: JsonValue = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return parsed
