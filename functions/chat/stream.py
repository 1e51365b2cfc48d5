"""A turn as server-sent events: as it runs in this process, or as another process stores it."""

from collections.abc import AsyncIterator, Sequence

from fastapi.responses import StreamingResponse

from shared.chat.live import Heard, Piece
from shared.chat.turns import Speaker, settle
from shared.errors import MemexError
from shared.events.sse import PING, frame, kept_alive
from shared.events.trace import ApprovalRequest, TraceEvent
from shared.events.trace import Error as ErrorEvent
from shared.http import ErrorBody
from shared.models.base import Model
from shared.models.chat import ChatSession
from shared.services import Services

TYPE = "text/event-stream"
STREAM_SECONDS = 300
"""How long a stream is held; the client comes back with Last-Event-ID."""
PING_SECONDS = 15.0


class _Delta(Model):
    kind: str
    text: str


class _Done(Model):
    session: ChatSession


def response(frames: AsyncIterator[bytes]) -> StreamingResponse:
    """Frames as an answer that no proxy holds back."""
    return StreamingResponse(frames, media_type=TYPE, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


def frames_of(heard: Heard) -> list[bytes]:
    """What was heard, as frames: every stored event is a `trace`, and what a client must act on comes by name, too."""
    if isinstance(heard, Piece):
        return [frame("delta", _Delta(kind=heard.kind, text=heard.text).model_dump_json())]
    if isinstance(heard, MemexError):
        return [_failure(heard)]
    told = [frame("trace", heard.model_dump_json(), heard.seq)]
    if isinstance(heard, ApprovalRequest):
        told.append(frame("approval_request", heard.model_dump_json()))
    if isinstance(heard, ErrorEvent):
        told.append(frame("error", ErrorBody(code=heard.code, message=heard.message).model_dump_json()))
    return told


def running(speaker: Speaker, session_id: str, heard: AsyncIterator[Heard]) -> StreamingResponse:
    """A turn of this process, from its first event on."""

    async def frames() -> AsyncIterator[bytes]:
        yield PING
        async for one in kept_alive(heard, PING_SECONDS):
            if one is None:
                yield PING
                continue
            for piece in frames_of(one):
                yield piece
            if isinstance(one, MemexError):
                return  # nothing has ended that anybody could read
        session = (await speaker.chats.get(session_id)).value
        async for piece in _end(session):
            yield piece

    return response(_told(frames()))


def stored(services: Services, speaker: Speaker, session_id: str, after: int) -> StreamingResponse:
    """What is stored after a number, as it comes, for as long as a turn runs."""

    async def frames() -> AsyncIterator[bytes]:
        nonlocal after
        began = spoke = services.now()
        yield PING
        while services.now() - began < STREAM_SECONDS:
            # Read before the events: when it says that the turn is over, every event is already there.
            session = await settle(
                speaker.documents, speaker.tenant, session_id, services.now(), subject=speaker.subject
            )
            while events := await speaker.chats.events(session_id, after):
                for event in events:
                    for piece in frames_of(event):
                        yield piece
                    after = event.seq
                spoke = services.now()
            if session.turn is None or session.turn.status != "running":
                async for piece in _end(session):
                    yield piece
                return
            if services.now() - spoke >= PING_SECONDS:
                yield PING
                spoke = services.now()
            await services.sleep(1.0)

    return response(_told(frames()))


def told(events: Sequence[TraceEvent]) -> StreamingResponse:
    """Some stored events, and no `done`: nothing has ended."""

    async def frames() -> AsyncIterator[bytes]:
        for event in events:
            for piece in frames_of(event):
                yield piece

    return response(frames())


async def _end(session: ChatSession) -> AsyncIterator[bytes]:
    """`done` last; absent while a gate holds the turn."""
    if session.turn is None or session.turn.status != "waiting":
        yield frame("done", _Done(session=session).model_dump_json())


async def _told(frames: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """What goes wrong on the way is told in the stream, since the status has gone out."""
    try:
        async for piece in frames:
            yield piece
    except MemexError as error:
        yield _failure(error)


def _failure(error: MemexError) -> bytes:
    return frame("error", ErrorBody(code=error.code, message=error.message, next=error.next).model_dump_json())


def events_only(heard: list[Heard]) -> list[TraceEvent]:
    """The stored events among what was heard. Raises why the turn's end could not be stored."""
    for one in heard:
        if isinstance(one, MemexError):
            raise one
    return [one for one in heard if not isinstance(one, Piece | MemexError)]
