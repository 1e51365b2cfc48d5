"""Giving a running operation an execution, keeping its slot, and going on after an execution died."""

import logging
from typing import Literal

from shared.doors import Doors
from shared.errors import Upstream
from shared.models.operation import TERMINAL, Operation
from shared.operations.amend import amend
from shared.operations.ending import cancel, fail, stop
from shared.operations.execution import ALIVE
from shared.operations.kinds import kind_of
from shared.operations.transition import Change
from shared.store.operations import Operations
from shared.store.records import until_settled

LEASE_SECONDS = 600.0
"""How long a slot counts without a step."""

log = logging.getLogger("memex.operations")


async def execute(doors: Doors, tenant: str, operation: Operation) -> None:
    """Start an execution for a running operation that has none.

    Nothing stops a second one from being created; the first whose step arrives drives, the other is told so.
    """
    try:
        name = await doors.executions.create(
            kind_of(operation.kind).workflow, {"tenant": tenant, "operation_id": operation.id}
        )
    except Upstream as error:
        log.warning("no execution for operation %s yet: %s", operation.id, error.code)
        return

    def named(change: Change) -> bool:
        if change.operation.execution is not None or change.operation.status != "running":
            return False
        change.set(execution=name)
        return True

    after, _ = await amend(doors, tenant, operation.id, named)
    if after.status in TERMINAL:
        # Ended while this was on its way: whoever ended it could not know of it.
        await stop(doors, name)


async def enter(
    doors: Doors, tenant: str, operation_id: str, execution: str
) -> Operation | Literal["deduped", "superseded"]:
    """A step begins: the operation that this execution (full name) drives, its slot kept; or why it drives none.

    `deduped`: the operation has ended. `superseded`: it waits for a person, or another execution drives it. Either
    way the execution has nothing left to do.
    """

    def take(change: Change) -> bool:
        now = change.operation
        if now.status != "running" or now.execution is not None or now.former_execution == execution:
            return False
        change.set(execution=execution)
        return True

    operation, _ = await amend(doors, tenant, operation_id, take)
    if operation.status in TERMINAL:
        return "deduped"
    if operation.status != "running" or operation.execution != execution:
        return "superseded"
    await keep_slot(doors, tenant, operation.id)
    return operation


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


def overdue(doors: Doors, operation: Operation, grace: float = 0.0) -> bool:
    """Whether its time limit is over, since `grace` seconds."""
    return operation.deadline_at is not None and doors.now() >= operation.deadline_at.timestamp() + grace


async def give_up(doors: Doors, tenant: str, operation: Operation) -> None:
    """Its execution can't go on. A finished one is completed, an overdue one failed, the rest gets a new execution."""
    if operation.status != "running" or await kind_of(operation.kind).rescue(doors, tenant, operation):
        return
    if overdue(doors, operation):
        await fail(doors, tenant, operation.id, kind_of(operation.kind).late)
        return

    def handed_over(change: Change) -> bool:
        if change.operation.status != "running" or change.operation.execution != operation.execution:
            return False
        change.set(execution=None, former_execution=operation.execution)
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
    """Stop what goes on outside for an operation that ended while nobody could reach the service."""
    operation = (await Operations(doors.documents, tenant).get(operation_id)).value
    if operation.status not in TERMINAL:
        return False
    await kind_of(operation.kind).close(doors, tenant, operation)
    return True
