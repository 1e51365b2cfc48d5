"""Waiting for a person: the slot is free meanwhile, the answer is kept, and a wait has an end."""

from collections.abc import Sequence

from shared.doors import Doors, wake
from shared.errors import Conflict, Gone
from shared.models.operation import Failure, Operation
from shared.operations.amend import amend
from shared.operations.ending import end
from shared.operations.kinds import kind_of
from shared.operations.transition import Change
from shared.preferences import preferences
from shared.store.documents import Write
from shared.store.operations import Operations
from shared.store.records import until_settled

EXPIRED = Failure(
    code="input_expired",
    message="It waited for an answer of yours longer than such a question stays open, and was cancelled.",
    next="Start it anew, and answer while it waits. How long that may take is a setting (gate_hours).",
)


async def wait(doors: Doors, tenant: str, operation_id: str, text: str, options: Sequence[str] = ()) -> Operation:
    """Ask a person, and leave the slot to others. An operation that does not run (any more) is answered as it is.

    The execution that asked has to end by itself; once there are an answer and a slot, a new one goes on.
    """
    hours = (await preferences(doors.documents, doors.settings, tenant)).gate_hours

    async def attempt() -> tuple[Operation, bool]:
        operations = Operations(doors.documents, tenant)
        stored = await operations.get(operation_id)
        if stored.value.status != "running":
            return stored.value, False
        change = Change(stored.value, doors.now())
        change.wait(text, doors.now() + hours * 3600, options)
        writes = operations.put(change.operation, change.events, stored.version)
        slots = await operations.slots()
        if operation_id in slots.holders:
            writes.append(operations.put_slots(slots, slots.without(operation_id)))
        await doors.documents.commit(writes)
        return change.operation, True

    operation, waits = await until_settled(attempt)
    if waits:
        await wake(doors, tenant)
    return operation


async def give(doors: Doors, tenant: str, operation_id: str, text: str) -> Operation:
    """A person answers; the operation goes on once it gets a slot.

    The same answer a second time is answered as the first was. Conflict `not_waiting` where nothing is asked, Gone
    `input_expired` where the question is too old.
    """
    late = False

    def decide(change: Change) -> bool:
        nonlocal late
        operation = change.operation
        if late := unanswered(operation, change.now):
            return False
        if operation.status == "waiting_for_input" and operation.answered and operation.answer == text:
            return False
        if operation.status != "waiting_for_input" or operation.answered:
            raise Conflict(
                "It waits for no answer; what it asked was answered already, or its wait is over.",
                code="not_waiting",
                next="Reload it and see how it goes on.",
            )
        change.answer(text)
        return True

    operation, _ = await amend(doors, tenant, operation_id, decide)
    if late:
        await expire(doors, tenant, operation_id)
        raise Gone(EXPIRED.message, code=EXPIRED.code, next=EXPIRED.next)
    await wake(doors, tenant)
    return operation


async def expire(doors: Doors, tenant: str, operation_id: str) -> bool:
    """Cancel an operation whose question stayed open for too long; whether it was one."""

    def decide(change: Change) -> list[Write] | None:
        if not unanswered(change.operation, change.now):
            return None
        change.cancel(EXPIRED)
        return []

    ended = await end(doors, tenant, operation_id, decide)
    if ended.here:
        await kind_of(ended.operation.kind).close(doors, tenant, ended.operation)
    return ended.here


def unanswered(operation: Operation, now: float) -> bool:
    """Whether nobody answered in time."""
    asked = operation.asked
    waits = operation.status == "waiting_for_input" and not operation.answered
    return waits and asked is not None and now >= asked.expires_at.timestamp()
