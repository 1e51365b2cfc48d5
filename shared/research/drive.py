"""Giving a running operation an execution, keeping its slot, and going on after an execution died."""

import logging

from shared.errors import Upstream
from shared.models.operation import TERMINAL, Operation
from shared.research.amend import amend
from shared.research.doors import Doors
from shared.research.ending import cancel, close_outside, fail
from shared.research.execution import ALIVE
from shared.research.failure import failure
from shared.research.outcome import READY, judge
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

    def named(change: Change) -> bool:
        if change.operation.execution is not None or change.operation.status != "running":
            return False
        change.set(execution=name)
        return True

    await amend(doors, tenant, operation.id, named)


async def keep_slot(doors: Doors, tenant: str, operation_id: str) -> None:
    """Renew the lease once half of it is used; most steps find it fresh and write nothing."""

    async def attempt() -> None:
        operations = Operations(doors.documents, tenant)
        slots = await operations.slots()
        lease = slots.holders.get(operation_id)
        # One that holds no slot has ended meanwhile, and must not get it back.
        if lease is not None and lease < doors.now() + LEASE_SECONDS / 2:
            until = doors.now() + LEASE_SECONDS
            await doors.documents.commit([operations.put_slots(slots, slots.renewed(operation_id, until))])

    await until_settled(attempt)


async def last_look(doors: Doors, tenant: str, operation: Operation) -> bool:
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


def overdue(doors: Doors, operation: Operation, grace: float = 0.0) -> bool:
    """Whether its time limit is over, since `grace` seconds."""
    return operation.deadline_at is not None and doors.now() >= operation.deadline_at.timestamp() + grace


async def give_up(doors: Doors, tenant: str, operation: Operation) -> None:
    """Its execution can't go on. Finished runs are published, overdue ones failed, the rest gets a new execution."""
    if operation.status in TERMINAL or await last_look(doors, tenant, operation):
        return
    if overdue(doors, operation):
        await fail(doors, tenant, operation.id, failure("deadline_exceeded"))
        return

    def handed_over(change: Change) -> bool:
        if change.operation.status != "running" or change.operation.execution != operation.execution:
            return False
        change.set(execution=None)
        change.progress(change.operation.progress.percent, "Going on after an interruption")
        return True

    idle, done = await amend(doors, tenant, operation.id, handed_over)
    if done:
        await keep_slot(doors, tenant, operation.id)
        await execute(doors, tenant, idle)


async def recover(doors: Doors, tenant: str, operation: Operation) -> None:
    """Look at the execution behind a lease that ran out: alive means a new lease, dead means going on without it."""
    assert operation.execution is not None
    try:
        state = await doors.executions.state(operation.execution)
    except Upstream:
        return
    if state in ALIVE and not overdue(doors, operation, LEASE_SECONDS):
        await keep_slot(doors, tenant, operation.id)
    elif state in ALIVE:
        # It should have ended itself long ago: something keeps it from working, so it is not waited for.
        await doors.executions.cancel(operation.execution)
        await give_up(doors, tenant, operation)
    elif state == "CANCELLED":
        # We cancel executions only of operations that ended, so a person did this, on the console or with gcloud.
        await cancel(doors, tenant, operation.id)
    else:
        await give_up(doors, tenant, operation)


async def close(doors: Doors, tenant: str, operation_id: str) -> bool:
    """Stop the outside run of an operation that ended while nobody could reach the service."""
    operation = (await Operations(doors.documents, tenant).get(operation_id)).value
    if operation.status not in TERMINAL:
        return False
    await close_outside(doors, tenant, operation)
    return True
