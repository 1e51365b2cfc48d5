"""Giving a running operation an execution, keeping its slot, and going on after an execution died."""

import logging

from shared.errors import Upstream
from shared.models.operation import TERMINAL, Operation
from shared.research.doors import Doors
from shared.research.ending import cancel, close_outside, fail
from shared.research.execution import ALIVE
from shared.research.failure import failure
from shared.research.outcome import judge
from shared.research.publish import publish
from shared.research.transition import Change
from shared.store.operations import Operations
from shared.store.records import until_settled

LEASE_SECONDS = 600.0
"""How long a slot counts without a step."""
WORKFLOW = "research"

log = logging.getLogger("memex.research")


async def execute(doors: Doors, tenant: str, operation: Operation) -> None:
    """Start an execution for a running operation that has none.

    Nothing stops a second one from being created; the first whose step arrives drives, the other is told so.
    """
    try:
        name = await doors.executions.create(WORKFLOW, {"tenant": tenant, "operation_id": operation.id})
    except Upstream as error:
        log.warning("no execution for operation %s yet: %s", operation.id, error.code)
        return

    async def attempt() -> None:
        operations = Operations(doors.documents, tenant)
        stored = await operations.get(operation.id)
        if stored.value.execution is None and stored.value.status == "running":
            change = Change(stored.value, doors.now())
            change.set(execution=name)
            await doors.documents.commit(operations.put(change.operation, [], stored.version))

    await until_settled(attempt)


async def keep_slot(doors: Doors, tenant: str, operation_id: str) -> None:
    """Renew the lease once half of it is used; most steps find it fresh and write nothing."""

    async def attempt() -> None:
        operations = Operations(doors.documents, tenant)
        slots = await operations.slots()
        if slots.holders.get(operation_id, 0.0) < doors.now() + LEASE_SECONDS / 2:
            until = doors.now() + LEASE_SECONDS
            await doors.documents.commit([operations.put_slots(slots, slots.renewed(operation_id, until))])

    await until_settled(attempt)


async def last_look(doors: Doors, tenant: str, operation: Operation) -> bool | None:
    """One more GET before a run is given up.

    True where it had finished and its report is written now, False where it is over or unknown, None where it is
    still alive (or could not be asked).
    """
    if operation.interaction_id is None:
        return False
    try:
        interaction = await doors.research.get(operation.interaction_id)
    except Upstream as error:
        return False if error.upstream_status in (401, 403, 404) else None
    outcome = judge(interaction)
    if outcome.kind in ("completed", "incomplete"):
        await publish(doors, tenant, operation.id, interaction)
        return True
    return None if outcome.kind == "running" else False


async def give_up(doors: Doors, tenant: str, operation: Operation) -> None:
    """Its execution can't go on. Finished runs are published, overdue ones failed, living ones get a new execution."""
    if operation.status in TERMINAL:
        return
    look = await last_look(doors, tenant, operation)
    if look:
        return
    overdue = operation.deadline_at is not None and doors.now() >= operation.deadline_at.timestamp()
    if overdue:
        await fail(doors, tenant, operation.id, failure("deadline_exceeded"))
    else:
        await _hand_over(doors, tenant, operation)


async def _hand_over(doors: Doors, tenant: str, operation: Operation) -> None:
    async def attempt() -> Operation | None:
        operations = Operations(doors.documents, tenant)
        stored = await operations.get(operation.id)
        if stored.value.status != "running" or stored.value.execution != operation.execution:
            return None
        change = Change(stored.value, doors.now())
        change.set(execution=None)
        change.progress(change.operation.progress.percent, "Going on after an interruption")
        await doors.documents.commit(operations.put(change.operation, change.events, stored.version))
        return change.operation

    if idle := await until_settled(attempt):
        await keep_slot(doors, tenant, operation.id)
        await execute(doors, tenant, idle)


async def recover(doors: Doors, tenant: str, operation: Operation) -> None:
    """Look at the execution behind a lease that ran out: alive means a new lease, dead means going on without it."""
    assert operation.execution is not None
    try:
        state = await doors.executions.state(operation.execution)
    except Upstream:
        return
    if state in ALIVE:
        await keep_slot(doors, tenant, operation.id)
    elif state == "CANCELLED":
        # We cancel executions only of operations that ended, so a person did this, on the console or with gcloud.
        await cancel(doors, tenant, operation.id)
    else:
        await give_up(doors, tenant, operation)


async def close(doors: Doors, tenant: str, operation_id: str) -> None:
    """Stop the outside run of an operation that ended while nobody could reach the service."""
    operation = (await Operations(doors.documents, tenant).get(operation_id)).value
    if operation.status in TERMINAL:
        await close_outside(doors, tenant, operation)
