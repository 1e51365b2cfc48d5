"""Research as a kind of operation: its note, its reservation, and the run outside that may cost money unseen."""

from shared.doors import Doors
from shared.errors import NotFound, Upstream
from shared.models.note import Note
from shared.models.operation import Operation, ResearchInput
from shared.operations.amend import amend
from shared.operations.kinds import Kind
from shared.operations.transition import Change
from shared.research.failure import failure
from shared.research.outcome import READY, judge
from shared.research.publish import publish
from shared.store.days import Days
from shared.store.documents import Write
from shared.store.notes import Notes
from shared.store.operations import Operations
from shared.store.records import Stored, until_settled


async def began(doors: Doors, tenant: str, operation: Operation) -> list[Write]:
    """The note shows that its research runs."""
    notes = Notes(doors.documents, tenant)
    found = await notes.find(operation.source_note_id) if operation.source_note_id else None
    if found is None or found.value.research.operation_id != operation.id:
        return []
    state = found.value.research.model_copy(update={"status": "running"})
    return notes.put(found.value.changed(doors.now(), research=state), found.version, previous=found.value)


async def ended(doors: Doors, tenant: str, operation: Operation) -> list[Write]:
    """The note says how its run ended, and what was never bought is given back."""
    return [*await _release_note(doors, tenant, operation), *await _refund(doors, tenant, operation)]


async def _release_note(doors: Doors, tenant: str, operation: Operation) -> list[Write]:
    """The source note says how its run ended, if it still waits for this one."""
    if operation.source_note_id is None:
        return []
    notes = Notes(doors.documents, tenant)
    found = await notes.find(operation.source_note_id)
    if found is None or found.value.research.operation_id != operation.id:
        return []
    return notes.put(_released(found, operation), found.version, previous=found.value)


def _released(found: Stored[Note], operation: Operation) -> Note:
    error = f"{operation.error.message} {operation.error.next}" if operation.error else None
    state = found.value.research.model_copy(update={"status": operation.status, "error": error})
    return found.value.changed(operation.updated_at.timestamp(), research=state)


async def give_back(doors: Doors, tenant: str, operation_id: str) -> None:
    """Return the reservation of a run that needs no purchase; the operation costs nothing from then on."""

    async def attempt() -> None:
        operations = Operations(doors.documents, tenant)
        stored = await operations.get(operation_id)
        refund = await _refund(doors, tenant, stored.value)
        if refund:
            change = Change(stored.value, doors.now())
            change.set(budget_day=None, estimated_usd=0.0)
            await doors.documents.commit([*operations.put(change.operation, [], stored.version), *refund])

    await until_settled(attempt)


async def _refund(doors: Doors, tenant: str, operation: Operation) -> list[Write]:
    """A run that was never asked of the service gives its reservation back."""
    if operation.budget_day is None or operation.intent_at is not None or operation.interaction_id is not None:
        return []
    days = Days(doors.documents, tenant)
    day = await days.get(operation.budget_day)
    return [days.put(day, runs=-1, cost_usd=-operation.estimated_usd)]


async def close(doors: Doors, tenant: str, operation: Operation) -> None:
    """Stop the outside run of an ended operation; what fails here is tried again by the sweep."""
    if not operation.remote_open or operation.interaction_id is None:
        return
    try:
        await doors.research.cancel(operation.interaction_id)
    except Upstream as error:
        if error.upstream_status != NotFound.status:
            return

    def closed(change: Change) -> bool:
        change.set(remote_open=False)
        return True

    await amend(doors, tenant, operation.id, closed)


async def rescue(doors: Doors, tenant: str, operation: Operation) -> bool:
    """One more GET before a run is given up: whether it had finished; its report is written then."""
    if operation.interaction_id is None:
        return False
    try:
        interaction = await doors.research.get(operation.interaction_id)
    except Upstream:
        return False
    outcome = judge(interaction)
    if outcome.kind not in READY:
        return False
    await publish(doors, tenant, operation.id, interaction, outcome)
    return True


async def seconds(doors: Doors, _tenant: str) -> float:
    """The time limit of a run; the deployment's, since a run that is stopped is paid for all the same."""
    return doors.settings.research_minutes * 60


def question(operation: Operation) -> ResearchInput:
    """What a run was asked."""
    assert isinstance(operation.input, ResearchInput)
    return operation.input


RESEARCH = Kind(
    workflow="research",
    seconds=seconds,
    late=failure("deadline_exceeded"),
    began=began,
    ended=ended,
    rescue=rescue,
    close=close,
)
