"""Operations: what runs, what ran, its log as JSON or as a stream, and the way to stop it."""

from collections.abc import AsyncIterator
from typing import Annotated, Literal

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import Field, StringConstraints

from functions.api.answers import OperationAnswer
from shared import services
from shared.edit import not_in_the_bin
from shared.errors import Conflict, MemexError
from shared.events.operation import OperationEvent
from shared.events.sse import PING, frame
from shared.http import ErrorBody, Person
from shared.models.base import Model
from shared.models.ids import Id
from shared.models.operation import (
    ACTIVE,
    TERMINAL,
    AgentInput,
    Operation,
    OperationKind,
    ResearchInput,
    RoutineInput,
    Status,
)
from shared.operations import ending, waiting
from shared.operations.sight import Sight
from shared.operations.start import start as submit
from shared.paging import Cursor, Key, Limit, answer, before, cursor_after, last_seen
from shared.research import claim
from shared.store import answers
from shared.store.notes import Notes
from shared.store.operations import Operations

router = APIRouter(prefix="/api/v1/operations")
_sight = Sight()
STREAM_SECONDS = 300
"""How long a stream is held; the client comes back with Last-Event-ID."""
PING_SECONDS = 15
QUESTION = 30_000
"""Characters of a question."""
ANSWER = 10_000
"""Characters of an answer to an operation's question."""
PICKED = 20
"""Notes that a person may pick for one task."""


class OperationsAnswer(Model):
    """A page of operations."""

    operations: list[Operation]
    next_cursor: str | None


class EventsAnswer(Model):
    """A piece of an operation's log."""

    events: list[OperationEvent]
    next_cursor: str | None


class NoteChoice(Model):
    """Which note to research."""

    note_id: Id


class Question(Model):
    """What an agent task shall answer."""

    question: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=QUESTION)]
    note_ids: Annotated[list[Id], Field(max_length=PICKED)] = []
    """Notes that it shall read; without any, it looks for some itself."""


class NewResearch(Model):
    """Research on a note."""

    kind: Literal["deep_research"]
    input: NoteChoice


class NewTask(Model):
    """A question to the agent."""

    kind: Literal["agent_task"]
    input: Question


NewOperation = Annotated[NewResearch | NewTask, Field(discriminator="kind")]


class Answered(Model):
    """What a person says to an operation that waits for it."""

    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=ANSWER)]


@router.get("", response_model=OperationsAnswer)
async def page(
    request: Request,
    person: Person,
    limit: Limit = 50,
    cursor: Cursor = None,
    status: Annotated[list[Status | Literal["active"]] | None, Query()] = None,
    kind: OperationKind | None = None,
    upkeep: bool = False,
) -> Response:
    """Operations, newest first; `status=active` means all that have not ended.

    What goes on by itself beside every turn of chat (`memory_generation`) is left out, unless `upkeep` or its kind asks
    for it.
    """
    wanted: dict[Status, None] = {}
    for asked in status or []:
        wanted.update(dict.fromkeys(ACTIVE if asked == "active" else (asked,)))
    found = await Operations(services.current().documents, person.tenant).page(
        statuses=tuple(wanted), kind=kind, upkeep=upkeep, before=before(cursor), limit=limit
    )
    following = cursor_after([operation.id for operation in found], limit)
    return answer(request, OperationsAnswer(operations=found, next_cursor=following))


@router.post("", status_code=202)
async def start(wanted: NewOperation, person: Person, request: Request, key: Key = None) -> OperationAnswer:
    """Start long work."""
    kept = answers.key(person.tenant, "operations", key, await request.body())
    match wanted:
        case NewResearch():
            made = await claim.request(services.current(), person.tenant, wanted.input.note_id, key=kept)
        case NewTask():
            made = await _task(person.tenant, wanted.input, kept)
    return OperationAnswer(operation=made)


async def _task(tenant: str, asked: Question, kept: answers.Key | None) -> Operation:
    """An agent task; the notes that a person picked have to be there, and not in the bin."""
    current = services.current()
    picked = list(dict.fromkeys(asked.note_ids))
    # A repeat gets the task that is there, whatever has become of its notes.
    if kept is None or await answers.known(current.documents, kept, current.now()) is None:
        for note_id in picked:
            not_in_the_bin((await Notes(current.documents, tenant).get(note_id)).value)
    return await submit(current, tenant, "agent_task", AgentInput(question=asked.question, note_ids=picked), key=kept)


@router.get("/{operation_id}")
async def one(operation_id: str, person: Person) -> OperationAnswer:
    """One operation."""
    current = services.current()
    stored = await Operations(current.documents, person.tenant).get(operation_id)
    return OperationAnswer(operation=await _sight.seen(current, person.tenant, stored.value))


@router.post("/{operation_id}/cancel")
async def cancel(operation_id: str, person: Person) -> OperationAnswer:
    """Stop it; one that has ended is answered as it is."""
    return OperationAnswer(operation=await ending.cancel(services.current(), person.tenant, operation_id))


@router.post("/{operation_id}/input", status_code=202)
async def give(operation_id: str, said: Answered, person: Person) -> OperationAnswer:
    """Answer what it asked; it goes on once a slot is free. The same answer twice is one answer."""
    return OperationAnswer(operation=await waiting.give(services.current(), person.tenant, operation_id, said.text))


@router.post("/{operation_id}/retry", status_code=202)
async def retry(operation_id: str, person: Person, request: Request, key: Key = None) -> OperationAnswer:
    """Start the same work anew, as a new operation: research on the note as it is now, a task with its question."""
    current = services.current()
    former = (await Operations(current.documents, person.tenant).get(operation_id)).value
    if former.status in ACTIVE:
        raise Conflict(
            f"Only what has ended can be started anew; this is {former.status}.",
            code="not_retryable",
            next="Wait until it has ended, or cancel it first.",
        )
    kept = answers.key(person.tenant, f"retry/{operation_id}", key, await request.body())
    match former.input:
        case ResearchInput(note_id=note_id) if former.status != "completed":
            again = await claim.request(current, person.tenant, note_id, key=kept)
        # One that ended early goes on from what it had found.
        case AgentInput() if former.status != "completed" or former.partial is not None:
            again = await submit(current, person.tenant, former.kind, former.input, key=kept)
        case RoutineInput():
            raise Conflict(
                "A routine's run belongs to its moment, and can't be repeated.",
                code="not_retryable",
                next="Run the routine now, from Routines.",
            )
        case _:
            raise Conflict(
                f"Work of this kind ({former.kind}) that is {former.status} can't be started anew.",
                code="not_retryable",
                next="Start new work instead: from the note, or with another question.",
            )
    return OperationAnswer(operation=again)


@router.get("/{operation_id}/events", response_model=EventsAnswer)
async def events(
    operation_id: str,
    request: Request,
    person: Person,
    after: Annotated[int, Query(ge=0, le=10**9)] = 0,
    limit: Limit = 200,
    accept: Annotated[str, Header()] = "",
    last_event_id: Annotated[str | None, Header(alias="Last-Event-ID")] = None,
) -> Response:
    """The log after a number: a page of JSON, or a live stream where `text/event-stream` is asked for."""
    operations = Operations(services.current().documents, person.tenant)
    await operations.get(operation_id)
    if "text/event-stream" not in accept:
        found = await operations.log(operation_id, after, limit)
        following = str(found[-1].seq) if len(found) == limit else None
        return answer(request, EventsAnswer(events=found, next_cursor=following))
    return StreamingResponse(
        _stream(operations, operation_id, last_seen(last_event_id, after)),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _stream(operations: Operations, operation_id: str, after: int) -> AsyncIterator[bytes]:
    """The live log; what goes wrong on the way is told in it, since the status has gone out."""
    try:
        async for piece in _live(operations, operation_id, after):
            yield piece
    except MemexError as error:
        yield frame("error", ErrorBody(code=error.code, message=error.message, next=error.next).model_dump_json())


async def _live(operations: Operations, operation_id: str, after: int) -> AsyncIterator[bytes]:
    current = services.current()
    began = spoke = current.now()
    yield PING
    while current.now() - began < STREAM_SECONDS:
        # Read before the log: when it says "ended", every event is already there.
        operation = (await operations.get(operation_id)).value
        if operation.events > after:
            for event in await operations.log(operation_id, after):
                yield frame(event.event, event.model_dump_json(), event.seq)
                after = event.seq
            spoke = current.now()
        if operation.status in TERMINAL and after >= operation.events:
            yield frame("done", f'{{"status":"{operation.status}"}}')
            return
        if current.now() - spoke >= PING_SECONDS:
            yield PING
            spoke = current.now()
        await current.sleep(1.0)
