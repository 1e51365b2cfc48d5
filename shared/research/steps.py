"""The steps of a research run as the workflow calls them: create, poll, finish, fail. Each may be called twice.

An answer says what comes next: `running` (sleep, then poll), `ready` (finish), anything else (it is over).
"""

from shared.doors import Doors
from shared.errors import Invalid, NotConfigured, NotFound, Unreachable, Upstream
from shared.models.base import moment
from shared.models.operation import TERMINAL, Failure, Operation, ResearchInput
from shared.operations.amend import amend
from shared.operations.drive import give_up, overdue
from shared.operations.ending import fail
from shared.operations.retries import used_up
from shared.operations.step import Answer, Polling, enter
from shared.operations.transition import Change
from shared.preferences import preferences
from shared.research.engine import is_own_run
from shared.research.failure import failure, nothing_found, own_failure
from shared.research.interaction import Interaction
from shared.research.kind import RESEARCH, close, give_back, question, rescue
from shared.research.outcome import READY, Outcome, OutcomeKind, judge
from shared.research.publish import publish
from shared.research.service import Busy, Rejected, StartUnknown
from shared.store.operations import Operations

RETENTION_SECONDS = 7 * 24 * 3600
"""How long the service keeps a run."""
ANSWER_SECONDS = 5
"""What storing a start's answer may take after the answer came."""
LONGEST_WAIT = 60
"""Seconds; the workflow never sleeps longer, so its time limit holds to the minute."""


def wait_seconds(elapsed: float, base: int) -> int:
    """The pause before the next look: the base interval ten times over, then twice as long.

    With 30 s that is 35 looks in half an hour and 125 in two hours.
    """
    return base if elapsed < 10 * base else 2 * base


async def create(doors: Doors, request: Polling) -> Answer:
    """Start the outside run unless it was started; nothing is ever posted twice."""
    entered = await enter(doors, request, RESEARCH.workflow)
    if isinstance(entered, Answer):
        return entered
    if entered.interaction_id is not None:
        return _running(doors, request, entered)
    if entered.intent_at is not None:
        return await _posted(doors, request, entered)
    if (
        entered.estimated_usd
        > (await preferences(doors.documents, doors.settings, request.tenant)).operation_budget_usd
    ):
        return await _failed(doors, request, "budget_exceeded")
    try:
        if earlier := await _bought_before(doors, request, entered):
            await give_back(doors, request.tenant, entered.id)
            return await _started(doors, request, earlier)
    except Upstream as error:
        # It can't be seen whether a run is there that was paid for: buying another one has to wait.
        return await _later(doors, request, error)
    operation, intended = await amend(doors, request.tenant, entered.id, _intend)
    if not intended:
        return Answer(status="deduped") if operation.status in TERMINAL else _running(doors, request, operation)
    return await _post(doors, request, operation)


def _intend(change: Change) -> bool:
    """Store that the start is about to be posted; False where somebody else has, or the run is over."""
    if change.operation.status in TERMINAL or change.operation.intent_at is not None:
        return False
    change.set(intent_at=moment(change.now))
    return True


async def _post(doors: Doors, request: Polling, operation: Operation) -> Answer:
    asked = question(operation)
    labels = {"tenant": request.tenant, "note": asked.note_id, "operation": operation.id}
    try:
        interaction_id = await doors.research.create(asked.question, labels)
    except StartUnknown:
        return await _failed(doors, request, "start_unknown")
    except (Unreachable, Busy) as error:
        return await _later(doors, request, error, intent_at=None)
    except (Rejected, NotConfigured) as error:
        # Nothing was bought: without the intent the reservation is given back.
        await amend(doors, request.tenant, operation.id, _take_back)
        return await _failed(doors, request, error.code, error.message)
    return await _started(doors, request, interaction_id)


def _take_back(change: Change) -> bool:
    if change.operation.status in TERMINAL:
        return False
    change.set(intent_at=None)
    return True


async def _posted(doors: Doors, request: Polling, operation: Operation) -> Answer:
    """A start was posted and its answer is not here: it may still come, and after a while it can't any more."""
    assert operation.intent_at is not None
    if doors.now() - operation.intent_at.timestamp() < doors.settings.first_event_seconds + ANSWER_SECONDS:
        return _running(doors, request, operation)
    # A process died between the intent and the stored id: what the service did, nobody can find out.
    return await _failed(doors, request, "start_unknown")


async def poll(doors: Doors, request: Polling) -> Answer:
    """Look at the outside run once."""
    entered = await enter(doors, request, RESEARCH.workflow)
    if isinstance(entered, Answer):
        return entered
    if entered.interaction_id is None:
        return await create(doors, request)
    seen = await _look(doors, request, entered)
    if isinstance(seen, Answer):
        return seen
    _, outcome = seen
    return Answer(status="ready") if outcome.kind in READY else await _go_on(doors, request, entered, outcome)


async def finish(doors: Doors, request: Polling) -> Answer:
    """Fetch the report and write it down."""
    entered = await enter(doors, request, RESEARCH.workflow)
    if isinstance(entered, Answer):
        return entered
    if entered.interaction_id is None:
        return await create(doors, request)
    seen = await _look(doors, request, entered)
    if isinstance(seen, Answer):
        return seen
    interaction, outcome = seen
    if outcome.kind not in READY:
        return await _go_on(doors, request, entered, outcome)
    try:
        ended = await publish(doors, request.tenant, entered.id, interaction, outcome)
    except Invalid as error:
        return await _failed(doors, request, "too_large", error.message)
    return Answer(status="completed" if ended.here else "deduped")


async def abandon(doors: Doors, request: Polling) -> Answer:
    """The workflow failed, or its time is over: end the operation, or hand it to a new execution."""
    entered = await enter(doors, request, RESEARCH.workflow)
    if isinstance(entered, Answer):
        return entered
    if entered.interaction_id is None and entered.intent_at is None:
        return await _failed(doors, request, "deadline_exceeded" if overdue(doors, entered) else "steps_failed")
    await give_up(doors, request.tenant, entered)
    status = (await Operations(doors.documents, request.tenant).get(entered.id)).value.status
    return Answer(status=status if status in ("completed", "failed") else "superseded")


# -- what the steps share --------------------------------------------------------------------------------------


def _running(doors: Doors, request: Polling, operation: Operation) -> Answer:
    return Answer(status="running", wait_seconds=_pause(doors, request, operation))


def _pause(doors: Doors, request: Polling, operation: Operation) -> int:
    started = operation.started_at.timestamp() if operation.started_at else doors.now()
    return min(LONGEST_WAIT, wait_seconds(doors.now() - started, request.poll_seconds))


async def _failed(doors: Doors, request: Polling, code: str, detail: str = "") -> Answer:
    return await _failed_by(doors, request, failure(code, detail))


async def _failed_by(doors: Doors, request: Polling, why: Failure) -> Answer:
    ended = await fail(doors, request.tenant, request.operation_id, why)
    return Answer(status="failed" if ended.here else "deduped")


async def _late(doors: Doors, request: Polling, operation: Operation) -> Answer:
    """Its time is over: what one last look finds is kept. Our own agents write down then what they have."""
    try:
        if await rescue(doors, request.tenant, operation):
            return Answer(status="completed")
    except Invalid as error:
        return await _failed(doors, request, "too_large", error.message)
    return await _failed(doors, request, "deadline_exceeded")


async def _started(doors: Doors, request: Polling, interaction_id: str) -> Answer:
    """Store the id of the run before anything else; a run that nobody wants any more is stopped."""

    def store(change: Change) -> bool:
        change.set(interaction_id=interaction_id, remote_open=True, troubles=0)
        if change.operation.status not in TERMINAL:
            change.progress(5, "Research is under way", doors.now() + _pause(doors, request, change.operation))
        return True

    operation, _ = await amend(doors, request.tenant, request.operation_id, store)
    if operation.status in TERMINAL:
        await close(doors, request.tenant, operation)
        return Answer(status="deduped")
    return _running(doors, request, operation)


async def _later(doors: Doors, request: Polling, error: Upstream, **fields: object) -> Answer:
    """Trouble that may pass: wait longer each time. Before the run is there, only a few times in a row."""
    pause = 0

    def note_it(change: Change) -> bool:
        nonlocal pause
        if change.operation.status in TERMINAL:
            return False
        refused = isinstance(error, Rejected)
        troubles, refusals = change.operation.troubles + (not refused), change.operation.refusals + refused
        pause = min(LONGEST_WAIT, request.poll_seconds * 2 ** min(troubles + refusals, 6))
        if isinstance(error, Busy) and error.retry_after is not None:
            pause = min(LONGEST_WAIT, max(pause, int(error.retry_after) + 1))
        change.set(troubles=troubles, refusals=refusals, **fields)
        told = f"{error.message}; next try in {pause} s ({troubles + refusals} so far)"
        change.progress(change.operation.progress.percent, told, doors.now() + pause)
        return True

    operation, noted = await amend(doors, request.tenant, request.operation_id, note_it)
    if not noted:
        return Answer(status="deduped")
    if overdue(doors, operation):
        return await _late(doors, request, operation)
    if operation.interaction_id is None and await used_up(doors, request.tenant, operation.troubles):
        return await _failed(doors, request, "unavailable", error.message)
    return Answer(status="running", wait_seconds=pause)


async def _look(doors: Doors, request: Polling, operation: Operation) -> tuple[Interaction, Outcome] | Answer:
    """GET the run; what trouble and bad endings mean is decided here for every step."""
    assert operation.interaction_id is not None
    try:
        interaction = await doors.research.get(operation.interaction_id)
    except Rejected as error:
        # A fresh run may be invisible for a while (403, 404), so these are believed only after several in a row.
        if not await used_up(doors, request.tenant, operation.refusals + 1):
            return await _later(doors, request, error)
        code = "expired" if error.upstream_status == NotFound.status else "lost"
        return await _failed(doors, request, code, error.message)
    except Upstream as error:
        # Trouble at looking says nothing about the run: only the time limit ends it.
        return await _later(doors, request, error)
    outcome = judge(interaction)
    if outcome.kind in (*READY, "running"):
        return interaction, outcome
    if outcome.kind == "failed":
        return await _failed_by(doors, request, _why(operation, interaction, outcome))
    return await _failed(doors, request, _ENDINGS[outcome.kind])


_ENDINGS: dict[OutcomeKind, str] = {
    "completed_empty": "empty_report",
    "cancelled": "provider_cancelled",
    "needs_action": "needs_action",
}


def _why(operation: Operation, interaction: Interaction, outcome: Outcome) -> Failure:
    """Why a run failed: nothing answers, our own agents could not go on, or the service failed."""
    said = interaction.problem.message if interaction.problem else ""
    if outcome.code == "no_sources":
        return nothing_found(said)
    if operation.interaction_id and is_own_run(operation.interaction_id):
        return own_failure(outcome.code, said)
    return failure("provider_failed", outcome.message)


async def _go_on(doors: Doors, request: Polling, operation: Operation, outcome: Outcome) -> Answer:
    """It runs: say what it is doing and when the next look is; where its time is over, the next is the last."""
    if overdue(doors, operation):
        return await _late(doors, request, operation)
    pause = _pause(doors, request, operation)

    def note_it(change: Change) -> bool:
        if change.operation.status in TERMINAL:
            return False
        change.set(attempts=change.operation.attempts + 1, troubles=0, refusals=0)
        change.progress(_percent(doors, operation), outcome.message, doors.now() + pause)
        return True

    _, noted = await amend(doors, request.tenant, operation.id, note_it)
    return Answer(status="running", wait_seconds=pause) if noted else Answer(status="deduped")


def _percent(doors: Doors, operation: Operation) -> int:
    """The service gives no measure: the way up to 90 is told by time, the rest by the result."""
    if operation.started_at is None or operation.deadline_at is None:
        return 5
    whole = (operation.deadline_at - operation.started_at).total_seconds()
    share = (doors.now() - operation.started_at.timestamp()) / whole if whole > 0 else 0.0
    return min(90, 5 + int(85 * min(1.0, share)))


async def _bought_before(doors: Doors, request: Polling, operation: Operation) -> str | None:
    """The run of an earlier operation on the same question that was paid for and whose report was never fetched.

    Raises what kept it from being seen; a run that the service refuses to show is no reason to wait.
    """
    asked = question(operation)
    for earlier in await Operations(doors.documents, request.tenant).of_note(asked.note_id):
        if not isinstance(earlier.input, ResearchInput):
            continue  # other work on the same note
        young = doors.now() - earlier.created_at.timestamp() < RETENTION_SECONDS
        unfetched = earlier.status == "failed" and earlier.interaction_id is not None and earlier.id != operation.id
        if not (young and unfetched and earlier.input.question == asked.question):
            continue
        assert earlier.interaction_id is not None
        try:
            outcome = judge(await doors.research.get(earlier.interaction_id))
        except Rejected:
            continue
        if outcome.kind in ("completed", "running"):
            return earlier.interaction_id
    return None
