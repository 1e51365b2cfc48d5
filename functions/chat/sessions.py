"""Sessions: list, make, read, rename, delete, and the events of one as JSON or as a stream."""

from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response
from pydantic import Field

from functions.chat import stream
from shared import services
from shared.chat import sessions, turns
from shared.chat.turns import shown
from shared.events.trace import TraceEvent
from shared.http import Person
from shared.models.base import JsonDict, Model
from shared.models.chat import ChatSession
from shared.paging import Cursor, IfMatch, Key, Limit, answer, before, cursor_after, last_seen, revision
from shared.store import answers
from shared.store.chats import Chats

router = APIRouter(prefix="/api/v1/chat/sessions")


class SessionAnswer(Model):
    """A conversation, with its trace where one was asked for; `next_cursor` leads to earlier events."""

    session: ChatSession
    trace: list[TraceEvent] = []
    next_cursor: str | None = None


class SessionsAnswer(Model):
    """A page of conversations, without their traces."""

    sessions: list[ChatSession]
    next_cursor: str | None


class TraceAnswer(Model):
    """A piece of a conversation's trace."""

    events: list[TraceEvent]
    next_cursor: str | None


class NewSession(Model):
    """A conversation to begin."""

    title: str | None = Field(default=None, max_length=200)
    incognito: bool = False


class Renamed(Model):
    """A conversation's new title."""

    title: str = Field(min_length=1, max_length=200, pattern=r"\S")


class Undone(Model):
    """Which change to take back: the number of the tool's result in the trace."""

    seq: int = Field(ge=1)


class UndoneAnswer(Model):
    """What became of it."""

    undone: JsonDict


@router.post("", status_code=201)
async def begin(person: Person, request: Request, wanted: NewSession | None = None, key: Key = None) -> SessionAnswer:
    """Begin a conversation."""
    current = services.current()
    # Two people may happen upon the same key.
    kept = answers.key(person.tenant, f"chat/sessions/{person.subject}", key, await request.body())
    wanted = wanted or NewSession()
    session = await sessions.begin(
        current.documents,
        person.tenant,
        current.now(),
        subject=person.subject,
        title=wanted.title,
        incognito=wanted.incognito,
        key=kept,
    )
    return SessionAnswer(session=session)


@router.get("", response_model=SessionsAnswer)
async def page(request: Request, person: Person, limit: Limit = 20, cursor: Cursor = None) -> Response:
    """My conversations, newest first."""
    current = services.current()
    found = await Chats(current.documents, person.tenant, person.subject).page(before=before(cursor), limit=limit)
    seen = [shown(session, current.now()) for session in found]
    return answer(
        request, SessionsAnswer(sessions=seen, next_cursor=cursor_after([session.id for session in found], limit))
    )


@router.get("/{session_id}", response_model=SessionAnswer)
async def one(
    session_id: str,
    request: Request,
    person: Person,
    limit: Limit = 200,
    earlier: Annotated[int | None, Query(ge=1, le=10**9)] = None,
) -> Response:
    """A conversation with the last of its trace, or with what came before event `earlier`."""
    current = services.current()
    session = await turns.settle(current.documents, person.tenant, session_id, current.now(), subject=person.subject)
    trace = await Chats(current.documents, person.tenant, person.subject).newest(
        session_id, before=earlier, limit=limit
    )
    following = str(trace[0].seq) if len(trace) == limit and trace[0].seq > 1 else None
    return answer(request, SessionAnswer(session=session, trace=trace, next_cursor=following))


@router.patch("/{session_id}")
async def rename(session_id: str, wanted: Renamed, person: Person, if_match: IfMatch = None) -> SessionAnswer:
    """Give a conversation another title."""
    current = services.current()
    session = await sessions.rename(
        current.documents,
        person.tenant,
        session_id,
        wanted.title,
        current.now(),
        subject=person.subject,
        expected=revision(if_match),
    )
    return SessionAnswer(session=session)


@router.delete("/{session_id}", status_code=204)
async def delete(session_id: str, person: Person) -> None:
    """Delete a conversation for good; the notes and tasks that it made stay."""
    current = services.current()
    await sessions.delete(current.documents, person.tenant, session_id, current.now(), subject=person.subject)


@router.get("/{session_id}/events", response_model=TraceAnswer)
async def events(
    session_id: str,
    request: Request,
    person: Person,
    after: Annotated[int, Query(ge=0, le=10**9)] = 0,
    limit: Limit = 200,
    accept: Annotated[str, Header()] = "",
    last_event_id: Annotated[str | None, Header(alias="Last-Event-ID")] = None,
) -> Response:
    """The trace after a number: a page of JSON, or what is stored as it comes where a stream is asked for."""
    current = services.current()
    speaker = turns.Speaker(current.documents, person.tenant, person.subject)
    chats = speaker.chats
    await chats.get(session_id)
    if stream.TYPE in accept:
        return stream.stored(current, speaker, session_id, last_seen(last_event_id, after))
    found = await chats.events(session_id, after, limit)
    following = str(found[-1].seq) if len(found) == limit else None
    return answer(request, TraceAnswer(events=found, next_cursor=following))


@router.post("/{session_id}/undo")
async def undo(session_id: str, wanted: Undone, person: Person) -> UndoneAnswer:
    """Take back a change that a tool made."""
    from shared.undo import button  # It knows all that can be changed.
    from shared.undo import undo as take_back

    current = services.current()
    change = await sessions.change(current.documents, person.tenant, session_id, wanted.seq, subject=person.subject)
    kept = button(person.tenant, session_id, wanted.seq)
    return UndoneAnswer(undone=await take_back(current, person.tenant, change, current.now(), kept))
