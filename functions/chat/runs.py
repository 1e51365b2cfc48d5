"""Turns: a message and its answer, the person's word at a gate, the stop button."""

import asyncio
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, Header, Response
from pydantic import Field

from functions.chat import stream
from shared import services
from shared.agent.warm import player
from shared.chat import turns
from shared.chat.live import LIVE, Live
from shared.chat.turns import Begun, Speaker
from shared.events.trace import ApprovalRequest, TraceEvent
from shared.http import Person
from shared.models.base import Model
from shared.models.chat import ChatSession, Decision, GraphRun
from shared.models.graph import VERSION as GRAPH_VERSION
from shared.preferences import preferences
from shared.services import Services

if TYPE_CHECKING:
    from shared.agent.cast import Cast
    from shared.agent.ensemble import Ensemble
    from shared.agent.graph_play import GraphPlay
    from shared.agent.play import Play

router = APIRouter(prefix="/api/v1/chat")
Accept = Annotated[str, Header()]
_working: set[asyncio.Task[None]] = set()
"""Turns at work: the event loop itself holds tasks only weakly."""


class Message(Model):
    """What a person says."""

    text: str = Field(min_length=1, max_length=20_000, pattern=r"\S")


class Word(Model):
    """What a person decides about what waits; `continue` is for a run that was interrupted."""

    decision: Literal[Decision, "continue", "more_info"]


class TurnAnswer(Model):
    """A whole turn: the session as it is after it, and the turn's events."""

    session: ChatSession
    events: list[TraceEvent]


class StoppedAnswer(Model):
    """The session as it is now."""

    session: ChatSession


@router.post("/sessions/{session_id}/messages", response_model=TurnAnswer)
async def say(session_id: str, said: Message, person: Person, accept: Accept = "") -> Response:
    """Say something; the answer comes as server-sent events, or whole where JSON is asked for."""
    current = services.current()
    speaker = Speaker(current.documents, person.tenant, person.subject)
    settings = await preferences(current.documents, current.settings, person.tenant)
    if settings.agent_mode != "single":
        graph = GraphRun(version=GRAPH_VERSION, model=settings.model)
        several = await _ensemble(current, person.tenant)
        begun = await turns.begin(speaker, session_id, said.text, current.now(), graph=graph)
        return await _played(current, speaker, begun, accept, _several(several, lambda play: play.begin(said.text)))
    # Before the conversation is touched: whoever can't answer says so at once.
    taking_part = await _cast(current, person.tenant)
    begun = await turns.begin(speaker, session_id, said.text, current.now())
    return await _played(current, speaker, begun, accept, _single(taking_part, lambda play: play.begin(said.text)))


@router.post("/{run_id}/resume", response_model=TurnAnswer)
async def resume(run_id: str, word: Word, person: Person, accept: Accept = "") -> Response:
    """Decide about what waits, or have an interrupted run of several agents go on; a stream, or whole as JSON.

    What can be decided is what the run waits for, and not what the request says: a tool call or an answer is approved
    or rejected, a host is allowed once, always, or not. `more_info` decides nothing, and tells the arguments again.
    """
    current = services.current()
    speaker = Speaker(current.documents, person.tenant, person.subject)
    run = await turns.run_of(speaker, run_id)
    if word.decision == "more_info":
        return await _asked_again(current, speaker, run_id, accept)
    if run.graph is None:
        taking_part = await _cast(current, person.tenant)
        if word.decision == "continue":
            await turns.go_on(speaker, run_id, current.now(), version=GRAPH_VERSION)
        decision: Decision = word.decision  # type: ignore[assignment]  # go_on has refused
        begun, gate = await turns.claim(speaker, run_id, current.now(), decision)
        return await _played(current, speaker, begun, accept, _single(taking_part, lambda p: p.go_on(gate, decision)))
    current.model(run.graph.model)  # NotConfigured, before the run is touched
    if word.decision == "continue":
        begun = await turns.go_on(speaker, run_id, current.now(), version=GRAPH_VERSION)
    else:
        begun, _ = await turns.claim(speaker, run_id, current.now(), word.decision, version=GRAPH_VERSION)
    several = await _ensemble(current, person.tenant, begun.run.graph)
    return await _played(current, speaker, begun, accept, _several(several, lambda play: play.carry_on()))


async def _cast(current: Services, tenant: str) -> "Cast":
    from shared.agent.cast import cast  # Tools and gateway are loaded with a turn; to read a conversation needs none.

    return await cast(current, tenant)


async def _ensemble(current: Services, tenant: str, run: GraphRun | None = None) -> "Ensemble":
    from shared.agent.ensemble import ensemble

    return await ensemble(current, tenant, run)


async def _asked_again(current: Services, speaker: Speaker, run_id: str, accept: str) -> Response:
    """The question that the run waits with, as it was asked: secrets in its arguments stay masked."""
    await turns.waiting(speaker, run_id, current.now())
    session_id = (await turns.run_of(speaker, run_id)).session_id
    newest = await speaker.chats.newest(session_id, limit=20)
    asked = [event for event in newest if isinstance(event, ApprovalRequest) and event.turn == run_id][-1:]
    if stream.TYPE in accept or "application/json" not in accept:
        return stream.told(asked)
    session = (await speaker.chats.get(session_id)).value
    answer = TurnAnswer(session=session, events=list(asked))
    return Response(answer.model_dump_json(), media_type="application/json")


Playing = Callable[[Services, Speaker, Begun, Live], Awaitable[None]]


def _single(taking_part: "Cast", act: "Callable[[Play], Awaitable[None]]") -> Playing:
    async def play(current: Services, speaker: Speaker, begun: Begun, live: Live) -> None:
        await act((await player())(current, speaker, begun, taking_part, live))

    return play


def _several(taking_part: "Ensemble", act: "Callable[[GraphPlay], Awaitable[None]]") -> Playing:
    async def play(current: Services, speaker: Speaker, begun: Begun, live: Live) -> None:
        # As with a turn of one agent: ADK is loaded beside the event loop, once.
        module = await asyncio.to_thread(import_module, "shared.agent.graph_play")
        made: type[GraphPlay] = module.GraphPlay
        await act(made(current, speaker, begun, taking_part, live))

    return play


async def _played(
    current: Services,
    speaker: Speaker,
    begun: Begun,
    accept: str,
    playing: Playing,
) -> Response:
    """Play the turn in a task of its own: it ends and is stored, whoever goes away."""
    live, run_id = Live(), begun.run.id
    heard = live.listen()
    LIVE[run_id] = live

    task = asyncio.ensure_future(playing(current, speaker, begun, live))
    _working.add(task)
    task.add_done_callback(lambda done: _over(run_id, done))
    if stream.TYPE in accept or "application/json" not in accept:
        return stream.running(speaker, begun.session.id, heard)
    events = stream.events_only([one async for one in heard])
    session = (await speaker.chats.get(begun.session.id)).value
    return Response(TurnAnswer(session=session, events=events).model_dump_json(), media_type="application/json")


def _over(run_id: str, task: asyncio.Task[None]) -> None:
    _working.discard(task)
    LIVE.pop(run_id, None)


@router.post("/{run_id}/cancel")
async def cancel(run_id: str, person: Person) -> StoppedAnswer:
    """Stop a turn; one that has ended is answered as it is."""
    current = services.current()
    speaker = Speaker(current.documents, person.tenant, person.subject)
    session = await turns.stop(speaker, run_id, current.now())
    if live := LIVE.get(run_id):
        live.stop.set()
    return StoppedAnswer(session=session)
