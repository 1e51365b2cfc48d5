"""How an operation ends: one commit for the operation, its last event, its slot, its note and its reservation."""

from collections.abc import Callable
from dataclasses import dataclass

from shared.errors import MemexError, NotFound, Upstream
from shared.models.note import Note
from shared.models.operation import TERMINAL, Failure, Operation
from shared.research.amend import amend
from shared.research.doors import Doors, wake
from shared.research.transition import Change
from shared.store.days import Days
from shared.store.documents import Write
from shared.store.notes import Notes
from shared.store.operations import Operations
from shared.store.records import Stored, until_settled


@dataclass(frozen=True, slots=True)
class Ended:
    """The operation as it ended, and whether this call ended it."""

    operation: Operation
    here: bool


async def end(
    doors: Doors,
    tenant: str,
    operation_id: str,
    decide: Callable[[Change], list[Write]],
) -> Ended:
    """End an operation unless it has ended; `decide` makes the change and names what else belongs to the commit."""

    async def attempt() -> Ended:
        operations = Operations(doors.documents, tenant)
        stored = await operations.get(operation_id)
        if stored.value.status in TERMINAL:
            return Ended(stored.value, here=False)
        change = Change(stored.value, doors.now())
        writes = decide(change)
        writes += operations.put(change.operation, change.events, stored.version)
        slots = await operations.slots()
        if operation_id in slots.holders:
            writes.append(operations.put_slots(slots, slots.without(operation_id)))
        writes += await _release_note(doors, tenant, change.operation)
        writes += await _refund(doors, tenant, change.operation)
        await doors.documents.commit(writes)
        return Ended(change.operation, here=True)

    ended = await until_settled(attempt)
    if ended.here:
        await wake(doors, tenant)
    return ended


async def fail(doors: Doors, tenant: str, operation_id: str, failure: Failure) -> Ended:
    """End it as failed, then close the outside run as far as possible."""

    def decide(change: Change) -> list[Write]:
        change.fail(failure)
        return []

    ended = await end(doors, tenant, operation_id, decide)
    await close_outside(doors, tenant, ended.operation)
    return ended


async def cancel(doors: Doors, tenant: str, operation_id: str) -> Operation:
    """End it because a person said so; the execution and the outside run are stopped as far as possible.

    An operation that has ended already is answered as it is.
    """

    def decide(change: Change) -> list[Write]:
        change.cancel()
        return []

    operation = (await end(doors, tenant, operation_id, decide)).operation
    if operation.status == "cancelled":
        if operation.execution:
            try:
                await doors.executions.cancel(operation.execution)
            except MemexError:
                pass  # Its next step answers "deduped" and ends it.
        await close_outside(doors, tenant, operation)
    return operation


async def close_outside(doors: Doors, tenant: str, operation: Operation) -> None:
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
