"""A stand-in for the chat function and the settings, in the real models' shapes. What a turn does, its message names.

A message with "delete", "look into", "fetch", "task", "several" or "fail" in it does that; any other searches the notes
and answers. While `held` is set, turns stop at their next step, so that a test can look at what is under way.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol

from pydantic import JsonValue
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from shared.events.trace import TRACE_EVENT
from shared.models.base import JsonDict, moment, rfc3339
from shared.models.chat import ChatSession, Turn, TurnStatus
from shared.models.ids import ulid
from tests.web.fake_graph import carried_on, roster, several

Handler = Callable[[Request], Awaitable[Response]]
STREAM = "text/event-stream"
DEFAULTS: JsonDict = {
    "model": "", "use_tools": True, "approve_tools": True, "think": False, "egress_enabled": False,
    "allowed_hosts": [], "max_iterations": 8, "turn_timeout_seconds": 300, "time_zone": "UTC",
    "agent_mode": "single", "accuracy_mode": "standard", "human_gate": False, "verifier_check": True,
    "gate_hours": 24, "memory_enabled": False, "max_running": 2, "task_timeout_seconds": 300,
    "operation_budget_usd": 5.0, "operation_budget_tokens": 200_000, "daily_budget_usd": 10.0, "daily_paid_runs": 10,
    "research_engine": "deep",
}  # fmt: skip
TOOLS: list[JsonValue] = [
    {"name": "search_notes", "class": "read", "description": "Find notes.", "asks": False},
    {"name": "create_tasks", "class": "write", "description": "Add tasks.", "asks": False},
    {"name": "delete_note", "class": "destructive", "description": "Move a note to the bin.", "asks": True},
]


class House(Protocol):
    """What the fake chat needs of the rest of the fake."""

    notes: dict[str, JsonDict]
    tasks: dict[str, JsonDict]

    def task(self, **fields: JsonValue) -> JsonDict:
        """A new task."""
        ...

    def change(self, note: JsonDict, **fields: JsonValue) -> None:
        """Another revision."""
        ...


def error(status: int, code: str, message: str, next: str = "") -> JSONResponse:
    """The one shape of an error."""
    return JSONResponse({"error": {"code": code, "message": message, "next": next}}, status)


class Over(Exception):
    """The turn ends here."""

    def __init__(self, status: TurnStatus, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


@dataclass
class FakeChat:
    """Everything the fake chat knows."""

    house: House
    sessions: dict[str, ChatSession] = field(default_factory=dict)
    events: dict[str, list[JsonDict]] = field(default_factory=dict)
    queues: dict[str, "asyncio.Queue[str | None]"] = field(default_factory=dict)
    working: set["asyncio.Task[None]"] = field(default_factory=set)
    settings: JsonDict = field(default_factory=dict)
    held: bool = False
    killed: bool = False
    """The process dies at the next step of a turn."""
    cut: bool = False
    """Streams of a turn end after the first event, as when the connection breaks."""
    pace: list[str] = field(default_factory=list)
    """The pieces of the next answer; after the first one the turn is held."""
    links: list[str] = field(default_factory=list)
    """What the next answer in pieces may link to."""
    refusal: tuple[int, str, str, str] | None = None
    """What every message, or every decision, is answered with."""

    def session(self, title: str | None = None, *, incognito: bool = False) -> ChatSession:
        """A new conversation."""
        # One a millisecond, so that ids sort as they were made.
        now = time.time() + len(self.sessions) / 1000
        made = ChatSession(
            id=ulid(now), created_at=moment(now), updated_at=moment(now), title=title, incognito=incognito
        )
        self.sessions[made.id] = made
        self.events[made.id] = []
        return made

    def tell(self, session_id: str, run_id: str, /, **draft: JsonValue) -> JsonDict:
        """Store an event of a turn."""
        log = self.events[session_id]
        stamp = {"seq": len(log) + 1, "at": rfc3339(moment(time.time())), "turn": run_id}
        event: JsonDict = TRACE_EVENT.validate_python({**stamp, **draft}).model_dump(mode="json")
        log.append(event)
        self._say(run_id, f"id: {event['seq']}\nevent: trace\ndata: {json.dumps(event)}\n\n")
        return event

    def stand(self, session_id: str, status: TurnStatus, *, turn: Turn | None = None) -> None:
        """How the last turn stands."""
        session = self.sessions[session_id]
        found = turn or session.turn
        assert found
        changed = found.model_copy(update={"status": status})
        self.sessions[session_id] = session.changed(time.time(), turn=changed)

    def said(self, session_id: str, text: str) -> str:
        """A message, and the turn that begins with it."""
        session, run_id = self.sessions[session_id], ulid(time.time())
        first = len(self.events[session_id]) + 1
        turn = Turn(id=run_id, status="running", lease_until=moment(time.time() + 30), first_seq=first)
        self.sessions[session_id] = session.changed(time.time(), title=session.title or text[:80], turn=turn)
        self.queues[run_id] = asyncio.Queue()
        self.tell(session_id, run_id, type="user", text=text)
        return run_id

    def _say(self, run_id: str, frame: str | None) -> None:
        if queue := self.queues.get(run_id):
            queue.put_nowait(frame)

    async def step(self, session_id: str) -> None:
        """Between two steps of a turn: here it waits, is stopped, or dies."""
        await asyncio.sleep(0)
        while True:
            turn = self.sessions[session_id].turn
            if self.killed:
                self.killed = False
                raise Over(
                    "interrupted",
                    "interrupted",
                    "The answer was interrupted. What it had done by then stands above.",
                )
            if turn and turn.stopping:
                raise Over("cancelled", "stopped", "Stopped. What was done by then stands above.")
            if not self.held:
                return
            await asyncio.sleep(0.01)

    def start(self, session_id: str, run_id: str, work: "Awaitable[TurnStatus]") -> None:
        """Play a turn in a task of its own."""

        async def play() -> None:
            try:
                status = await work
            except Over as over:
                self.tell(session_id, run_id, type="error", code=over.code, message=over.message)
                status = over.status
            self.stand(session_id, status)
            if status != "waiting":
                done = json.dumps({"session": self.sessions[session_id].model_dump(mode="json")})
                self._say(run_id, f"event: done\ndata: {done}\n\n")
            self._say(run_id, None)

        task = asyncio.ensure_future(play())
        self.working.add(task)
        task.add_done_callback(self.working.discard)

    async def answer(self, session_id: str, run_id: str, text: str) -> TurnStatus:
        """The turn that a message names."""
        await self.step(session_id)
        if self.pace:
            return await self._slowly(session_id, run_id)
        if "several" in text:
            return await several(self, session_id, run_id)
        if "delete" in text:
            return self._ask(session_id, run_id, "delete_note", {"note_id": self._newest()})
        if "look into" in text:
            return self._ask(session_id, run_id, "start_research", {"note_id": self._newest()})
        if "fetch" in text:
            shown: JsonDict = {"url": "https://example.org/page", "headers": {"authorization": "(hidden)"}}
            return self._ask(session_id, run_id, "http_fetch", shown)
        if "task" in text:
            return await self._task(session_id, run_id, text)
        return await self._search(session_id, run_id, text)

    async def _slowly(self, session_id: str, run_id: str) -> TurnStatus:
        first, *rest = self.pace
        self._delta(run_id, "text", first)
        self.held = True
        await self.step(session_id)
        self.tell(session_id, run_id, type="text", text="".join([first, *rest]), links=[*self.links])
        self.pace = []
        return "done"

    def _newest(self) -> str:
        return str(max((note for note in self.house.notes.values()), key=lambda note: str(note["id"]))["id"])

    def _ask(self, session_id: str, run_id: str, tool: str, shown: JsonDict) -> TurnStatus:
        self.tell(session_id, run_id, type="tool_call", tool=tool, arguments=shown, call_id="c1")
        self.tell(
            session_id,
            run_id,
            type="approval_request",
            run_id=run_id,
            reason="approve_tool",
            tool=tool,
            call_id="c1",
            arguments=shown,
            why="It takes something away, which always wants your word.",
            expires_at=rfc3339(moment(time.time()) + timedelta(hours=24)),
        )
        return "waiting"

    async def decided(self, session_id: str, run_id: str, decision: str) -> TurnStatus:
        """What follows from a person's word."""
        await self.step(session_id)
        asked = next(event for event in reversed(self.events[session_id]) if event["type"] == "approval_request")
        if asked["reason"] != "approve_tool":
            return await carried_on(self, session_id, run_id, decision, asked)
        arguments = asked["arguments"]
        assert isinstance(arguments, dict)
        result: JsonDict = {"error": "denied", "message": "The person said no."}
        undo: JsonValue = None
        if decision == "approve":
            result = {"done": True}
            if note := self.house.notes.get(str(arguments.get("note_id"))):
                self.house.change(note, deleted_at=rfc3339(moment(time.time())))
                undo = {"type": "note_deleted", "note_id": note["id"]}
        self.tell(
            session_id,
            run_id,
            type="tool_result",
            tool=asked["tool"],
            call_id="c1",
            ok=decision == "approve",
            result=result,
            undo=undo,
        )
        self.tell(session_id, run_id, type="text", text="It is done." if decision == "approve" else "Then it stays.")
        return "done"

    async def _task(self, session_id: str, run_id: str, text: str) -> TurnStatus:
        arguments: JsonDict = {"titles": [text]}
        self.tell(session_id, run_id, type="tool_call", tool="create_tasks", arguments=arguments, call_id="c1")
        await self.step(session_id)
        made = self.house.task(title=text)
        self.tell(
            session_id,
            run_id,
            type="tool_result",
            tool="create_tasks",
            call_id="c1",
            ok=True,
            result={"task_ids": [made["id"]]},
            undo={"type": "tasks_created", "task_ids": [made["id"]]},
        )
        await self.step(session_id)
        if "fail" in text:
            raise Over("failed", "upstream", "The model answered with an error. Ask again.")
        self.tell(session_id, run_id, type="text", text="The task is on your list.")
        return "done"

    async def _search(self, session_id: str, run_id: str, text: str) -> TurnStatus:
        if len([event for event in self.events[session_id] if event["type"] == "user"]) > 1:
            self.tell(session_id, run_id, type="context", text=f"On its own: {text}")
        self._delta(run_id, "thinking", "Which notes ")
        self._delta(run_id, "thinking", "speak of it?")
        self.tell(session_id, run_id, type="thinking", text="Which notes speak of it?")
        self.tell(session_id, run_id, type="tool_call", tool="search_notes", arguments={"query": text}, call_id="c1")
        await self.step(session_id)
        found = [note for note in self.house.notes.values() if note["deleted_at"] is None][:2]
        result: JsonDict = {"notes": [{"id": note["id"]} for note in found]}
        self.tell(session_id, run_id, type="tool_result", tool="search_notes", call_id="c1", ok=True, result=result)
        if "fail" in text:
            raise Over("failed", "upstream", "The model answered with an error. Ask again.")
        lines = [f"“{str(note['body'])[:60]}” ([{note['title']}](#/notes/{note['id']}))" for note in found]
        whole = "You noted this:\n\n" + "\n\n".join(lines) if found else "No note speaks of it."
        whole += "\n\n![remote](https://example.org/a.png) [evil](javascript:alert(1))"
        self._delta(run_id, "text", whole[:9])
        await self.step(session_id)
        self._delta(run_id, "text", whole[9:])
        self.tell(session_id, run_id, type="text", text=whole, links=[f"#/notes/{note['id']}" for note in found])
        if found:
            citations: list[JsonValue] = [
                {
                    "number": number,
                    "title": note["title"] or str(note["body"])[:60],
                    "url": f"#/notes/{note['id']}",
                    "source_kind": "note",
                    "note_id": note["id"],
                    "quote": str(note["body"])[:60],
                }
                for number, note in enumerate(found, 1)
            ]
            self.tell(session_id, run_id, type="citations", citations=citations)
        self.tell(session_id, run_id, type="usage", tokens=321)
        return "done"

    def _delta(self, run_id: str, kind: str, text: str) -> None:
        self._say(run_id, f"event: delta\ndata: {json.dumps({'kind': kind, 'text': text})}\n\n")

    def stream(self, run_id: str) -> StreamingResponse:
        """A turn as it goes on, for as long as the connection holds."""
        queue = self.queues[run_id]

        async def frames() -> AsyncIterator[str]:
            yield ": hello\n\n"
            while (said := await queue.get()) is not None:
                yield said
                if self.cut:
                    return

        return StreamingResponse(frames(), media_type=STREAM)

    def stored(self, session_id: str, after: int) -> StreamingResponse:
        """What is stored after a number, as it comes, while the turn runs."""

        async def frames() -> AsyncIterator[str]:
            sent = after
            yield ": hello\n\n"
            while True:
                session = self.sessions[session_id]
                for event in self.events[session_id][sent:]:
                    sent += 1
                    yield f"id: {event['seq']}\nevent: trace\ndata: {json.dumps(event)}\n\n"
                if session.turn is None or session.turn.status not in ("running", "waiting"):
                    done = json.dumps({"session": session.model_dump(mode="json")})
                    yield f"event: done\ndata: {done}\n\n"
                if session.turn is None or session.turn.status != "running":
                    return
                await asyncio.sleep(0.01)

        return StreamingResponse(frames(), media_type=STREAM)

    def undo(self, session_id: str, seq: int) -> Response:
        """Take a change back."""
        found = next((event["undo"] for event in self.events[session_id] if event["seq"] == seq), None)
        if not isinstance(found, dict):
            return error(404, "nothing_to_undo", "Nothing was changed at this point of the conversation.")
        if found["type"] == "tasks_created":
            ids = found["task_ids"]
            assert isinstance(ids, list)
            for task_id in ids:
                if self.house.tasks[str(task_id)]["status"] == "done":
                    return error(409, "changed_since", "The task was changed since.", "Open it and change it by hand.")
                self.house.tasks[str(task_id)]["status"] = "dropped"
        else:
            self.house.change(self.house.notes[str(found["note_id"])], deleted_at=None)
        return JSONResponse({"undone": {"undone": found["type"]}})

    def routes(self, guarded: Callable[[Handler], Handler]) -> list[Route]:
        """The chat's and the settings' addresses."""
        sessions = "/api/v1/chat/sessions"
        return [
            Route(sessions, guarded(self._all), methods=["GET", "POST"]),
            Route(f"{sessions}/{{id}}", guarded(self._one), methods=["GET", "PATCH", "DELETE"]),
            Route(f"{sessions}/{{id}}/messages", guarded(self._message), methods=["POST"]),
            Route(f"{sessions}/{{id}}/events", guarded(self._events)),
            Route(f"{sessions}/{{id}}/undo", guarded(self._undo), methods=["POST"]),
            Route("/api/v1/chat/{run}/cancel", guarded(self._cancel), methods=["POST"]),
            Route("/api/v1/chat/{run}/resume", guarded(self._resume), methods=["POST"]),
            Route("/api/v1/settings", guarded(self._settings), methods=["GET", "PUT"]),
            Route("/api/v1/tools", guarded(self._tools)),
            Route("/api/v1/agents/config", guarded(roster)),
            Route("/api/v1/mcp/servers", guarded(self._servers)),
        ]

    async def _all(self, request: Request) -> Response:
        if request.method == "POST":
            made = self.session(incognito=bool((await request.json()).get("incognito")))
            return JSONResponse({"session": made.model_dump(mode="json"), "trace": []}, 201)
        newest = sorted(self.sessions.values(), key=lambda one: one.id, reverse=True)
        rows = [one for one in newest if one.id < request.query_params.get("cursor", "~")][:30]
        following = rows[-1].id if len(rows) == 30 else None
        return JSONResponse({"sessions": [one.model_dump(mode="json") for one in rows], "next_cursor": following})

    async def _one(self, request: Request) -> Response:
        session = self.sessions.get(request.path_params["id"])
        if session is None:
            return error(404, "not_found", "There is no such conversation.", "Choose another one.")
        if request.method == "DELETE":
            del self.sessions[session.id]
            return Response(status_code=204)
        if request.method == "PATCH":
            session = session.changed(time.time(), title=(await request.json())["title"])
            self.sessions[session.id] = session
        before = int(request.query_params.get("earlier", str(10**9)))
        trace = [event for event in self.events[session.id] if int(str(event["seq"])) < before][-200:]
        following = str(trace[0]["seq"]) if len(trace) == 200 and trace[0]["seq"] != 1 else None
        answer = {"session": session.model_dump(mode="json"), "trace": trace, "next_cursor": following}
        return JSONResponse(answer)

    async def _message(self, request: Request) -> Response:
        session_id, said = request.path_params["id"], await request.json()
        if self.refusal:
            return error(*self.refusal)
        turn = self.sessions[session_id].turn
        if turn and turn.status == "running":
            message = "An answer is still being written in this conversation."
            return error(409, "turn_running", message, "Wait for it, or stop it.")
        if turn and turn.status == "waiting":
            message = "The question was left unanswered, so the call was declined. Nothing of it was done."
            self.tell(session_id, turn.id, type="error", code="declined", message=message)
        run_id = self.said(session_id, said["text"])
        self.start(session_id, run_id, self.answer(session_id, run_id, said["text"]))
        return self.stream(run_id)

    async def _events(self, request: Request) -> Response:
        after = request.headers.get("last-event-id") or request.query_params.get("after", "0")
        return self.stored(request.path_params["id"], int(after))

    async def _undo(self, request: Request) -> Response:
        return self.undo(request.path_params["id"], (await request.json())["seq"])

    def _of(self, run_id: str) -> ChatSession:
        return next(one for one in self.sessions.values() if one.turn and one.turn.id == run_id)

    async def _cancel(self, request: Request) -> Response:
        session = self._of(request.path_params["run"])
        assert session.turn
        self.sessions[session.id] = session.changed(
            time.time(), turn=session.turn.model_copy(update={"stopping": True})
        )
        return JSONResponse({"session": self.sessions[session.id].model_dump(mode="json")})

    async def _resume(self, request: Request) -> Response:
        session, run_id = self._of(request.path_params["run"]), request.path_params["run"]
        if self.refusal:
            return error(*self.refusal)
        assert session.turn
        if session.turn.status != "waiting":
            return error(409, "already_resumed", "This question was answered already.", "See what became of it.")
        self.stand(session.id, "running")
        self.queues[run_id] = asyncio.Queue()
        decision = (await request.json())["decision"]
        self.start(session.id, run_id, self.decided(session.id, run_id, decision))
        return self.stream(run_id)

    async def _settings(self, request: Request) -> Response:
        if request.method == "PUT":
            for name, value in (await request.json()).items():
                if name == "max_iterations" and value is not None and not 1 <= value <= 50:
                    return error(422, "invalid_field", f"{name}: may be 1 to 50", "Correct it and send again.")
                if name == "allowed_hosts":
                    value = [host.lower() for host in value or []]
                    if any("/" in host for host in value):
                        return error(422, "invalid_field", f"{name}: write a host such as example.org", "Correct it.")
                self.settings[name] = value
        chosen = {name: value for name, value in self.settings.items() if value is not None}
        answer = {"settings": DEFAULTS | chosen, "overrides": list(chosen), "defaults": DEFAULTS}
        return JSONResponse(answer)

    async def _servers(self, request: Request) -> Response:
        return JSONResponse({"servers": [], "next_cursor": None})

    async def _tools(self, request: Request) -> Response:
        return JSONResponse({"tools": TOOLS})
