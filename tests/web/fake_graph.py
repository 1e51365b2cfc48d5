"""A turn of several agents for the fake chat: plan, evidence, a host that is not allowed, critic, verifier, a gate.

A message with "several" in it plays it; with "gate" in it the answer waits for a person, too.
"""

import time
from datetime import timedelta
from typing import Protocol

from pydantic import JsonValue
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from shared.agents import AGENTS, WITH_TOOLS, default_prompt
from shared.models.base import JsonDict, moment, rfc3339
from shared.models.chat import TurnStatus

HOST = "example.org"


class Chat(Protocol):
    """What this needs of the fake chat."""

    events: dict[str, list[JsonDict]]

    def tell(self, session_id: str, run_id: str, /, **draft: JsonValue) -> JsonDict:
        """Store an event of a turn."""
        ...

    async def step(self, session_id: str) -> None:
        """Between two steps of a turn."""
        ...


async def several(chat: Chat, session_id: str, run_id: str) -> TurnStatus:
    """Up to the host that is not allowed."""
    chat.tell(session_id, run_id, type="plan", steps=["Look into the notes", "Read the page"], sources=["note"])
    await chat.step(session_id)
    chat.tell(
        session_id,
        run_id,
        type="evidence",
        text="1 passage found.",
        passages=[{"number": 1, "title": "Sleep", "url": "#/notes/1", "text": "small", "source_kind": "note"}],
    )
    await chat.step(session_id)
    shown: JsonDict = {"url": f"https://{HOST}/page", "token": "[masked]"}
    chat.tell(session_id, run_id, type="tool_call", tool="http_fetch", arguments=shown, call_id="e1")
    return _waits(
        chat, session_id, run_id, reason="egress_approval", tool="http_fetch", call_id="e1", arguments=shown,
        blocked_host=HOST, why=f"{HOST} is not among the allowed hosts.",
    )  # fmt: skip


async def carried_on(chat: Chat, session_id: str, run_id: str, decision: str, asked: JsonDict) -> TurnStatus:
    """What follows from a person's word on the host, or on the answer."""
    if asked["reason"] == "approve_answer":
        if decision == "reject":
            message = "You rejected the answer. There is none."
            chat.tell(session_id, run_id, type="error", code="declined", message=message)
            return "cancelled"
        chat.tell(session_id, run_id, type="text", text=str(asked["answer"]))
        return "done"
    allowed = decision.startswith("egress_allow")
    result: JsonDict = {"text": "It helps."} if allowed else {"error": "egress_blocked", "message": "Not allowed."}
    chat.tell(session_id, run_id, type="tool_result", tool="http_fetch", call_id="e1", ok=allowed, result=result)
    await chat.step(session_id)
    chat.tell(session_id, run_id, type="critique", verdict="revise", text="Say how many people.", checked=True)
    await chat.step(session_id)
    chat.tell(session_id, run_id, type="critique", verdict="ok", text="", attempt=2)
    chat.tell(session_id, run_id, type="verification", verdict="pass", reasons=[], attempt=2)
    said = next(event for event in reversed(chat.events[session_id]) if event["type"] == "user")
    answer = "Sleep helps a little."
    if "gate" in str(said["text"]):
        why = "You wanted to see each answer."
        return _waits(chat, session_id, run_id, reason="approve_answer", answer=answer, critique="Fine now.", why=why)
    chat.tell(session_id, run_id, type="text", text=answer)
    return "done"


def _waits(chat: Chat, session_id: str, run_id: str, **asked: JsonValue) -> TurnStatus:
    until = rfc3339(moment(time.time()) + timedelta(hours=24))
    chat.tell(session_id, run_id, type="approval_request", run_id=run_id, expires_at=until, **asked)
    return "waiting"


async def roster(_request: Request) -> Response:
    """The agents as they are by default."""
    agents: list[JsonValue] = [
        {
            "name": name,
            "does": does,
            "default_prompt": default_prompt(name),
            "prompt": None,
            "has_tools": name == WITH_TOOLS,
            "disabled_tools": [],
        }
        for name, does in AGENTS.items()
    ]
    return JSONResponse({"agents": agents})
