"""The floor: the same nodes as a bare ADK workflow, its sessions in memory, a resume from its events as JSON.

It runs in a process of its own, so that nothing that we do to ADK changes it.
"""

import asyncio
import json
import sys
import time
from collections.abc import AsyncGenerator
from typing import Any

from google.adk.agents.llm_agent import LlmAgent
from google.adk.events.event import Event
from google.adk.events.request_input import RequestInput
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.adk.workflow import START, Workflow, node
from google.genai.types import Content, FunctionCall, FunctionResponse, Part

APP, PERSON = "bare", "me"


class Scripted(BaseLlm):
    """One call of the tool, then words."""

    model: str = "scripted"

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        answered = any(part.function_response for one in llm_request.contents for part in one.parts or ())
        part = Part(text="It is late.") if answered else Part(function_call=FunctionCall(name="current_time", args={}))
        yield LlmResponse(content=Content(role="model", parts=[part]), turn_complete=True)


def current_time() -> dict[str, str]:
    """The time of day."""
    return {"time": "10:00"}


async def planner(ctx: Any, node_input: Any) -> Event:
    ctx.state["plan"] = "- Look at the clock."
    return Event(output="What time is it?")


async def critic(ctx: Any, node_input: Any) -> Event:
    ctx.state["draft"] = str(node_input)
    return Event(output=node_input, route="ok")


async def human_gate(ctx: Any, node_input: Any) -> AsyncGenerator[Any, None]:
    if not ctx.resume_inputs.get("answer"):
        yield RequestInput(interrupt_id="answer", message="approve?")
        return
    yield Event(output=node_input)


async def finalize(ctx: Any, node_input: Any) -> Event:
    return Event(output=node_input)


class Bare:
    """The workflow, with and without its gate."""

    def __init__(self) -> None:
        self._graphs = {gated: _graph(gated) for gated in (False, True)}

    async def run(self, *, gated: bool) -> list[str]:
        """A run to its end or its gate; its events as they would be stored."""
        sessions = InMemorySessionService()
        await sessions.create_session(app_name=APP, user_id=PERSON, session_id="s")
        message = Content(role="user", parts=[Part(text="What time is it?")])
        runner = Runner(app_name=APP, node=self._graphs[gated], session_service=sessions)
        async for _ in runner.run_async(user_id=PERSON, session_id="s", new_message=message):
            pass
        session = await sessions.get_session(app_name=APP, user_id=PERSON, session_id="s")
        assert session and session.state["draft"] == "It is late."
        return [event.model_dump_json(exclude_none=True) for event in session.events] if gated else []

    async def resume(self, stored: list[str]) -> None:
        """Go on in what could be another process."""
        sessions = InMemorySessionService()
        session = await sessions.create_session(app_name=APP, user_id=PERSON, session_id="s")
        for text in stored:
            await sessions.append_event(session, Event.model_validate_json(text))
        answer = FunctionResponse(id="answer", name="adk_request_input", response={"decision": "approve"})
        runner = Runner(app_name=APP, node=self._graphs[True], session_service=sessions)
        message = Content(role="user", parts=[Part(function_response=answer)])
        async for _ in runner.run_async(user_id=PERSON, session_id="s", new_message=message):
            pass


def _graph(gated: bool) -> Workflow:
    researcher = LlmAgent(name="researcher", model=Scripted(), tools=[current_time])
    plan, judge, end = (node(one, name=one.__name__) for one in (planner, critic, finalize))
    gate = node(human_gate, name="human_gate", rerun_on_resume=True)
    last = (gate, end) if gated else (end,)
    edges: list[Any] = [(START, plan, researcher, judge), (judge, {"ok": last[0]})]
    if gated:
        edges.append((gate, end))
    return Workflow(name="graph", edges=edges)


async def measured(runs: int) -> dict[str, list[float]]:
    """Seconds of each whole run, and of each resume."""
    bare = Bare()
    found: dict[str, list[float]] = {"run": [], "resume": []}
    for _ in range(runs):
        began = time.perf_counter()
        await bare.run(gated=False)
        found["run"].append(time.perf_counter() - began)
        stored = await bare.run(gated=True)
        began = time.perf_counter()
        await bare.resume(stored)
        found["resume"].append(time.perf_counter() - began)
    return found


if __name__ == "__main__":
    print(json.dumps(asyncio.run(measured(int(sys.argv[1])))))
