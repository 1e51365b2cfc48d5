"""Turns: a message and its answer, the person's word at a gate, the stop button."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, Header, Response
from pydantic import Field

from functions.chat import stream
from shared import services
from shared.agent.cast import Cast, cast
from shared.agent.warm import player
from shared.chat import turns
from shared.chat.live import LIVE, Live
from shared.chat.turns import Begun, Speaker
from shared.events.trace import TraceEvent
from shared.http import Person
from shared.models.base import Model
from shared.models.chat import ChatSession
from shared.services import Services
from shared.store.chats import Chats

if TYPE_CHECKING:
    from shared.agent.play import Play

router = APIRouter(prefix="/api/v1/chat")
Accept = Annotated[str, Header()]
_working: set[asyncio.Task[None]] = set()
"""Turns at work: the event loop itself holds tasks only weakly."""


class Message(Model):
    """What a person says."""

    text: str = Field(min_length=1, max_length=20_000, pattern=r"\S")


class Word(Model):
    """What a person decides about the call that waits."""

    decision: Literal["approve", "reject"]


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
    # Before the conversation is touched: whoever can't answer says so at once.
    taking_part = await cast(current, person.tenant)
    begun = await turns.begin(speaker, session_id, said.text, current.now())
    return await _played(current, speaker, begun, taking_part, accept, lambda play: play.begin(said.text))


@router.post("/{run_id}/resume", response_model=TurnAnswer)
async def resume(run_id: str, word: Word, person: Person, accept: Accept = "") -> Response:
    """Decide about the call that waits; the turn goes on as a stream, or whole where JSON is asked for."""
    current = services.current()
    speaker = Speaker(current.documents, person.tenant, person.subject)
    taking_part = await cast(current, person.tenant)
    begun, gate = await turns.claim(speaker, run_id, current.now())
    return await _played(current, speaker, begun, taking_part, accept, lambda play: play.go_on(gate, word.decision))


async def _played(
    current: Services,
    speaker: Speaker,
    begun: Begun,
    taking_part: Cast,
    accept: str,
    act: "Callable[[Play], Awaitable[None]]",
) -> Response:
    """Play the turn in a task of its own: it ends and is stored, whoever goes away."""
    live, run_id = Live(), begun.run.id
    heard = live.listen()
    LIVE[run_id] = live

    async def play() -> None:
        await act((await player())(current, speaker, begun, taking_part, live))

    task = asyncio.ensure_future(play())
    _working.add(task)
    task.add_done_callback(lambda done: _over(run_id, done))
    if stream.TYPE in accept or "application/json" not in accept:
        return stream.running(current, speaker.tenant, begun.session.id, heard)
    events = stream.events_only([one async for one in heard])
    session = (await Chats(current.documents, speaker.tenant).get(begun.session.id)).value
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
