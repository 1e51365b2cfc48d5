"""The graph of agents: which nodes there are and what follows what, and how ADK's workflow runs it.

ADK orchestrates and nothing else: nodes are plain functions over a board, models and tools are reached through the
stage. The workflow is built once for each shape, without ADK's own resumability, which would store everything twice.
"""

import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from functools import cache
from importlib.util import find_spec
from typing import Any, Literal

from google.adk.agents.context import Context
from google.adk.agents.run_config import RunConfig
from google.adk.events.event import Event
from google.adk.events.request_input import RequestInput
from google.adk.runners import Runner
from google.adk.sessions.session import Session
from google.adk.workflow import START, BaseNode, Workflow
from google.genai.types import Content, FunctionResponse, Part

from shared.agent.board import Board, changes
from shared.agent.checkpoint import APP, PERSON, Checkpoint
from shared.agent.engine import QUIET  # which silences ADK's log, too: it would hold arguments
from shared.agent.nodes.critic import criticise
from shared.agent.nodes.egress_gate import egress_gate
from shared.agent.nodes.finalize import finalize, rejected
from shared.agent.nodes.gather import gather
from shared.agent.nodes.human_gate import human_gate
from shared.agent.nodes.merge import merge
from shared.agent.nodes.planner import plan
from shared.agent.nodes.researcher import ANSWERED, BLOCKED, research
from shared.agent.nodes.verifier import verify
from shared.agent.stage import STAGE, Stage
from shared.models.graph import Shape, Waiting

Name = Literal[
    "START",
    "planner",
    "gather",
    "merge",
    "researcher",
    "egress_gate",
    "critic",
    "verifier",
    "human_gate",
    "finalize",
    "rejected",
]
Edge = tuple[Name, Name, str | None]
"""From, to, and the route on which; None for always."""
Act = Callable[[Stage, Board], Awaitable[str | None]]
GateAct = Callable[[Stage, Board, str | None], Awaitable[Waiting | None]]

ACTS: Mapping[str, Act] = {
    "planner": plan,
    "gather": gather,
    "merge": merge,
    "researcher": research,
    "critic": criticise,
    "verifier": verify,
    "finalize": finalize,
    "rejected": rejected,
}
GATES: Mapping[str, GateAct] = {"egress_gate": egress_gate, "human_gate": human_gate}
CHECKPOINTS = frozenset({"planner", "merge", "researcher", "critic", "verifier"})
"""Nodes whose end is worth a commit. What the others do costs nothing to do again, or is stored with the turn's end."""


# ADK looks for this optional part anew at every node of every run, which takes longer than the node does; without the
# package it can't be there, and an entry of None says so at once.
if find_spec("a2a") is None:
    sys.modules.setdefault("google.adk.agents.remote_a2a_agent", None)  # type: ignore[arg-type]  # None is allowed


class Halted(Exception):
    """A node failed; the stage holds why. It says nothing itself, because ADK keeps what errors say."""


def edges(shape: Shape) -> tuple[Edge, ...]:
    """The topology: a node that a setting does not need is not there."""
    gated = shape.human_gate and shape.durable
    last: Name = "human_gate" if gated else "finalize"
    found: list[Edge] = [("START", "planner", None)]
    if shape.sources:
        found += [("planner", "gather", None), ("gather", "merge", None), ("merge", "researcher", None)]
    else:
        found.append(("planner", "researcher", None))
    if shape.durable:
        found += [("researcher", "critic", ANSWERED), ("researcher", "egress_gate", BLOCKED)]
        found.append(("egress_gate", "researcher", None))
    else:
        found.append(("researcher", "critic", None))
    found += [("critic", "researcher", "revise"), ("critic", "planner", "replan")]
    if shape.accurate:
        found += [("critic", "verifier", "ok"), ("verifier", "researcher", "again"), ("verifier", last, "pass")]
    else:
        found.append(("critic", last, "ok"))
    if gated:
        found += [("human_gate", "finalize", "approve"), ("human_gate", "rejected", "reject")]
    return tuple(found)


async def perform(stage: Stage, checkpoint: Checkpoint, shape: Shape, answered: Mapping[str, str]) -> None:
    """Run the graph from where the checkpoint stands to its end or its next gate; both show in the stage.

    `answered` maps the interrupt at which the run waited to the person's word. Raises what a node raised.
    """
    token = STAGE.set(stage)
    session = checkpoint.session
    runner = Runner(app_name=APP, node=_workflow(shape), session_service=checkpoint)
    message, begun = _message(checkpoint, answered), session.events
    try:
        running = runner.run_async(
            user_id=PERSON,
            session_id=session.id,
            invocation_id=begun[0].invocation_id if begun else None,
            new_message=message,
            state_delta=None if begun else {"shape": shape.model_dump()},
            run_config=RunConfig(telemetry=QUIET),
        )
        async with aclosing(running):
            async for _ in running:
                pass
    except Halted:
        pass
    finally:
        STAGE.reset(token)
    if stage.failure:
        raise stage.failure


def shape_of(checkpoint: Checkpoint) -> Shape | None:
    """The shape that the run began with; None where nothing of it is stored."""
    found = checkpoint.session.state.get("shape")
    return Shape.model_validate(found) if found else None


def board_of(checkpoint: Checkpoint) -> Board | None:
    """Where the run stands; None where nothing of it is stored."""
    return Board.model_validate(checkpoint.session.state) if checkpoint.session.state.get("shape") else None


def is_boundary(session: Session, event: Event) -> bool:
    """Whether the event ends a node whose end is stored at once.

    Not where the run ends or waits without any work in between: that is one commit more for nothing.
    """
    name = event.node_info.path.rpartition("/")[2].partition("@")[0] if event.node_info.path else ""
    if event.output is None or name not in CHECKPOINTS:
        return False
    last = "verifier" if session.state["shape"]["accurate"] else "critic"
    return event.actions.route != BLOCKED and not (name == last and event.actions.route in ("ok", "pass"))


def _message(checkpoint: Checkpoint, answered: Mapping[str, str]) -> Content | None:
    events = checkpoint.session.events
    if not events:
        return Content(role="user", parts=[Part(text="go")])
    known = {
        part.function_response.id
        for event in events
        for part in (event.content.parts if event.content else None) or ()
        if part.function_response
    }
    parts = [
        Part(function_response=FunctionResponse(id=id, name="adk_request_input", response={"decision": word}))
        for id, word in answered.items()
        if id not in known
    ]
    return Content(role="user", parts=parts) if parts else None


@cache
def _workflow(shape: Shape) -> Workflow:
    table = edges(shape)
    made: dict[str, Any] = {"START": START}
    for name in dict.fromkeys(name for edge in table for name in edge[:2]):
        if name in GATES:
            made[name] = _Gate(name=name, act=GATES[name], rerun_on_resume=True)
        elif name != "START":
            made[name] = _Work(name=name, act=ACTS[name], rerun_on_resume=True)
    items: list[Any] = [(made[before], made[after]) for before, after, route in table if route is None]
    routed: dict[str, dict[str, Any]] = {}
    for before, after, route in table:
        if route is not None:
            routed.setdefault(before, {})[route] = made[after]
    items += [(made[before], routes) for before, routes in routed.items()]
    return Workflow(name="graph", edges=items)


class _Node(BaseNode):
    """What every node of ours does around its act. ADK binds nothing to parameters: all that a node needs is here."""

    @contextmanager
    def _board(self, ctx: Context) -> Iterator[tuple[Stage, Board]]:
        """The stage, and the board to write on; what was changed is the session's state afterwards."""
        stage = STAGE.get()
        try:
            before = Board.model_validate(ctx.state.to_dict())
            board = before.model_copy()
            yield stage, board
            ctx.state.update(changes(self.name, before, board))
        except Exception as error:
            stage.failure = error
            raise Halted from None


class _Work(_Node):
    """A node that does its work, and says which way it goes on."""

    act: Act

    async def _run_impl(self, *, ctx: Context, node_input: object) -> AsyncGenerator[Event, None]:
        with self._board(ctx) as (stage, board):
            route = await self.act(stage, board)
        yield Event(output=self.name, route=route)


class _Gate(_Node):
    """A node that may have the run wait for a person's word."""

    act: GateAct

    async def _run_impl(self, *, ctx: Context, node_input: object) -> AsyncGenerator[Event | RequestInput, None]:
        with self._board(ctx) as (stage, board):
            waiting = await self.act(stage, board, _word(ctx, board))
        if waiting:
            stage.suspended = waiting
            yield RequestInput(interrupt_id=waiting.id, message=waiting.reason)
            return
        accepted = "reject" if board.accepted is False else "approve"
        yield Event(output=self.name, route=accepted if self.name == "human_gate" else None)


def _word(ctx: Context, board: Board) -> str | None:
    """The person's word at the gate that this node is, where they gave it."""
    given = dict(ctx.resume_inputs or {})
    wanted = board.waiting.id if board.waiting else "answer"
    said = given.get(wanted)
    return str(said.get("decision")) if isinstance(said, dict) else None
