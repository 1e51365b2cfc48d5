"""The steps of a research run as the workflow calls them: create, poll, finish, fail. Each may be called twice.

An answer says what comes next: `running` (sleep, then poll), `ready` (finish), anything else (it is over).
"""

from collections.abc import Awaitable, Callable
from typing import Literal

from shared.errors import MemexError, NotFound, Unreachable, Upstream
from shared.models.base import Model, moment
from shared.models.operation import TERMINAL, Operation
from shared.research.client import Busy, Rejected, StartUnknown
from shared.research.doors import Doors
from shared.research.drive import WORKFLOW, give_up, keep_slot
from shared.research.ending import close_outside, fail
from shared.research.failure import failure
from shared.research.interaction import Interaction
from shared.research.outcome import judge
from shared.research.publish import publish
from shared.research.transition import Change
from shared.store.operations import Operations
from shared.store.records import until_settled

RETENTION_SECONDS = 7 * 24 * 3600
"""How long the service keeps a run."""
ANSWER_SECONDS = 5
"""What storing a start's answer may take after the answer came."""
LONGEST_WAIT = 60
"""Seconds; the workflow never sleeps longer, so its time limit holds to the minute."""


class Request(Model):
    """What the workflow sends: ids, and the base interval of its polls in seconds."""

    tenant: str
    operation_id: str
    execution_id: str
    poll_seconds: int = 30


class Answer(Model):
    """What comes next."""

    status: Literal["running", "ready", "completed", "failed", "superseded", "deduped"]
    wait_seconds: int = 0


def wait_seconds(elapsed: float, base: int) -> int:
    """The pause before the next look: the base interval ten times over, then twice as long.

    With 30 s that is 35 looks in half an hour and 125 in two hours.
    """
    return base if elapsed < 10 * base else 2 * base


async def create(doors: Doors, request: Request) -> Answer:
    """Start the outside run unless it was started; nothing is ever posted twice."""
    entered = await _enter(doors, request)
    if isinstance(entered, Answer):
        return entered
    if entered.interaction_id is not None:
        return _running(doors, request, entered)
    if entered.intent_at is not None:
        return await _posted(doors, request, entered)
    if earlier := await _bought_before(doors, request, entered):
        return await _started(doors, request, earlier)
    if entered.estimated_usd > doors.settings.operation_budget_usd:
        return await _failed(doors, request, "budget_exceeded")
    if (refusal := await _intend(doors, request)) is not None:
        return refusal
    labels = {"tenant": request.tenant, "note": entered.input.note_id, "operation": entered.id}
    try:
        interaction_id = await doors.research.create(entered.input.question, labels)
    except StartUnknown:
        return await _failed(doors, request, "start_unknown")
    except Rejected as error:
        return await _failed(doors, request, "rejected", error.message)
    except (Unreachable, Busy) as error:
        return await _later(doors, request, error, intent_at=None)
    return await _started(doors, request, interaction_id)


async def _intend(doors: Doors, request: Request) -> Answer | None:
    """Store that the start is about to be posted; an answer where somebody else has stored it or the run is over."""

    async def attempt() -> Answer | None:
        operations = Operations(doors.documents, request.tenant)
        stored = await operations.get(request.operation_id)
        if stored.value.status in TERMINAL:
            return Answer(status="deduped")
        if stored.value.intent_at is not None:
            return _running(doors, request, stored.value)
        change = Change(stored.value, doors.now())
        change.set(intent_at=moment(doors.now()))
        await doors.documents.commit(operations.put(change.operation, [], stored.version))
        return None

    return await until_settled(attempt)


async def _posted(doors: Doors, request: Request, operation: Operation) -> Answer:
    """A start was posted and its answer is not here: it may still come, and after a while it can't any more."""
    assert operation.intent_at is not None
    if doors.now() - operation.intent_at.timestamp() < doors.settings.first_event_seconds + ANSWER_SECONDS:
        return _running(doors, request, operation)
    # A process died between the intent and the stored id: what the service did, nobody can find out.
    return await _failed(doors, request, "start_unknown")


async def poll(doors: Doors, request: Request) -> Answer:
    """Look at the outside run once."""
    entered = await _enter(doors, request)
    if isinstance(entered, Answer):
        return entered
    if entered.interaction_id is None:
        return await create(doors, request)
    return await _looked(doors, request, entered, _progress)


async def finish(doors: Doors, request: Request) -> Answer:
    """Fetch the report and write it down."""
    entered = await _enter(doors, request)
    if isinstance(entered, Answer):
        return entered
    return await _looked(doors, request, entered, _publish)


async def give_in(doors: Doors, request: Request) -> Answer:
    """The workflow failed, or its time is over: end the operation, or hand it to a new execution."""
    entered = await _enter(doors, request)
    if isinstance(entered, Answer):
        return entered
    if entered.interaction_id is None and entered.intent_at is None:
        late = entered.deadline_at is not None and doors.now() >= entered.deadline_at.timestamp()
        return await _failed(doors, request, "deadline_exceeded" if late else "steps_failed")
    await give_up(doors, request.tenant, entered)
    status = (await Operations(doors.documents, request.tenant).get(entered.id)).value.status
    return Answer(status=status if status in ("completed", "failed") else "superseded")


# -- what the steps share --------------------------------------------------------------------------------------


async def _enter(doors: Doors, request: Request) -> Operation | Answer:
    """The operation that this execution drives; an answer where it drives none."""
    name = doors.executions.name(WORKFLOW, request.execution_id)

    async def attempt() -> Operation | Answer:
        operations = Operations(doors.documents, request.tenant)
        stored = await operations.get(request.operation_id)
        operation = stored.value
        if operation.status in TERMINAL:
            return Answer(status="deduped")
        if operation.status != "running" or operation.execution not in (None, name):
            return Answer(status="superseded")
        if operation.execution is None:
            change = Change(operation, doors.now())
            change.set(execution=name)
            await doors.documents.commit(operations.put(change.operation, [], stored.version))
            return change.operation
        return operation

    entered = await until_settled(attempt)
    if isinstance(entered, Operation):
        await keep_slot(doors, request.tenant, entered.id)
    return entered


async def _changed(doors: Doors, request: Request, make: Callable[[Change], None]) -> Operation | None:
    """Commit a change of the running operation; None where it has ended meanwhile."""

    async def attempt() -> Operation | None:
        operations = Operations(doors.documents, request.tenant)
        stored = await operations.get(request.operation_id)
        if stored.value.status in TERMINAL:
            return None
        change = Change(stored.value, doors.now())
        make(change)
        await doors.documents.commit(operations.put(change.operation, change.events, stored.version))
        return change.operation

    return await until_settled(attempt)


def _running(doors: Doors, request: Request, operation: Operation) -> Answer:
    return Answer(status="running", wait_seconds=_pause(doors, request, operation))


def _pause(doors: Doors, request: Request, operation: Operation) -> int:
    started = operation.started_at.timestamp() if operation.started_at else doors.now()
    return min(LONGEST_WAIT, wait_seconds(doors.now() - started, request.poll_seconds))


async def _failed(doors: Doors, request: Request, code: str, detail: str = "") -> Answer:
    ended = await fail(doors, request.tenant, request.operation_id, failure(code, detail))
    return Answer(status="failed" if ended.here else "deduped")


async def _started(doors: Doors, request: Request, interaction_id: str) -> Answer:
    """Store the id of the run before anything else; a run that nobody wants any more is stopped."""

    async def attempt() -> Operation:
        operations = Operations(doors.documents, request.tenant)
        stored = await operations.get(request.operation_id)
        change = Change(stored.value, doors.now())
        change.set(interaction_id=interaction_id, remote_open=True, troubles=0)
        if stored.value.status not in TERMINAL:
            pause = _pause(doors, request, stored.value)
            change.progress(5, "Research is under way", doors.now() + pause)
        await doors.documents.commit(operations.put(change.operation, change.events, stored.version))
        return change.operation

    operation = await until_settled(attempt)
    if operation.status in TERMINAL:
        await close_outside(doors, request.tenant, operation)
        return Answer(status="deduped")
    return _running(doors, request, operation)


async def _later(doors: Doors, request: Request, error: Upstream, **fields: object) -> Answer:
    """Trouble that may pass: wait longer each time, up to the configured number of times in a row."""
    pause = 0

    def note_it(change: Change) -> None:
        nonlocal pause
        troubles = change.operation.troubles + 1
        pause = min(LONGEST_WAIT, request.poll_seconds * 2 ** min(troubles, 6))
        if isinstance(error, Busy) and error.retry_after is not None:
            pause = min(LONGEST_WAIT, max(pause, int(error.retry_after) + 1))
        change.set(troubles=troubles, **fields)
        told = f"{error.message}; next try in {pause} s ({troubles} so far)"
        change.progress(change.operation.progress.percent, told, doors.now() + pause)

    operation = await _changed(doors, request, note_it)
    if operation is None:
        return Answer(status="deduped")
    if operation.interaction_id is None and operation.troubles > doors.settings.max_retries:
        return await _failed(doors, request, "unavailable", error.message)
    return Answer(status="running", wait_seconds=pause)


async def _looked(
    doors: Doors,
    request: Request,
    operation: Operation,
    then: Callable[[Doors, Request, Operation, Interaction], Awaitable[Answer]],
) -> Answer:
    """GET the run and go on with it; what the service's trouble means is decided here for every step."""
    assert operation.interaction_id is not None
    try:
        interaction = await doors.research.get(operation.interaction_id)
    except Rejected as error:
        # A fresh run may be invisible for a while (403, 404), so these are believed only after several in a row.
        if operation.troubles < doors.settings.max_retries:
            return await _later(doors, request, error)
        return await _failed(doors, request, _lost(doors, operation, error), error.message)
    except Upstream as error:
        # Trouble at looking says nothing about the run: only the time limit ends it.
        return await _later(doors, request, error)
    outcome = judge(interaction)
    if outcome.kind in ("completed", "incomplete", "running"):
        return await then(doors, request, operation, interaction)
    codes = {
        "completed_empty": "empty_report",
        "cancelled": "provider_cancelled",
        "needs_action": "needs_action",
        "failed": "no_sources" if outcome.code == "no_sources" else "provider_failed",
    }
    detail = outcome.message if outcome.kind == "failed" and outcome.code != "no_sources" else ""
    return await _failed(doors, request, codes[outcome.kind], detail)


def _lost(doors: Doors, operation: Operation, error: Rejected) -> str:
    age = doors.now() - operation.created_at.timestamp()
    return "expired" if error.upstream_status == NotFound.status and age > RETENTION_SECONDS else "lost"


async def _progress(doors: Doors, request: Request, operation: Operation, interaction: Interaction) -> Answer:
    outcome = judge(interaction)
    if outcome.kind != "running":
        return Answer(status="ready")
    pause = _pause(doors, request, operation)

    def note_it(change: Change) -> None:
        change.set(attempts=change.operation.attempts + 1, troubles=0)
        change.progress(_percent(doors, operation), outcome.message, doors.now() + pause)

    if await _changed(doors, request, note_it) is None:
        return Answer(status="deduped")
    return Answer(status="running", wait_seconds=pause)


def _percent(doors: Doors, operation: Operation) -> int:
    """The service gives no measure: half of the way is told by time, in steps, and the rest by the result."""
    if operation.started_at is None or operation.deadline_at is None:
        return 5
    whole = (operation.deadline_at - operation.started_at).total_seconds()
    share = (doors.now() - operation.started_at.timestamp()) / whole if whole > 0 else 0.0
    return min(90, 5 + int(85 * min(1.0, share)))


async def _publish(doors: Doors, request: Request, _operation: Operation, interaction: Interaction) -> Answer:
    if judge(interaction).kind == "running":
        return Answer(status="running", wait_seconds=request.poll_seconds)
    ended = await publish(doors, request.tenant, request.operation_id, interaction)
    return Answer(status="completed" if ended.here else "deduped")


async def _bought_before(doors: Doors, request: Request, operation: Operation) -> str | None:
    """The run of an earlier operation on the same question that was paid for and whose report was never fetched."""
    for earlier in await Operations(doors.documents, request.tenant).of_note(operation.input.note_id):
        young = doors.now() - earlier.created_at.timestamp() < RETENTION_SECONDS
        unfetched = earlier.status == "failed" and earlier.interaction_id is not None and earlier.id != operation.id
        if not (young and unfetched and earlier.input.question == operation.input.question):
            continue
        assert earlier.interaction_id is not None
        try:
            outcome = judge(await doors.research.get(earlier.interaction_id))
        except MemexError:
            continue
        if outcome.kind in ("completed", "running"):
            return earlier.interaction_id
    return None
