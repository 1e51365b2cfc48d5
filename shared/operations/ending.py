"""How an operation ends: one commit for the operation, its last event, its slot, and what its kind adds."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from shared.doors import Doors, wake
from shared.errors import MemexError
from shared.models.operation import TERMINAL, Failure, Operation
from shared.operations.kinds import kind_of
from shared.operations.transition import Change
from shared.store.documents import Write
from shared.store.operations import Operations
from shared.store.records import until_settled

log = logging.getLogger("memex.operations")


@dataclass(frozen=True, slots=True)
class Ended:
    """The operation as it ended, and whether this call ended it."""

    operation: Operation
    here: bool


async def end(
    doors: Doors,
    tenant: str,
    operation_id: str,
    decide: Callable[[Change], list[Write] | None],
) -> Ended:
    """End an operation unless it has ended; `decide` makes the change and names what else belongs to the commit.

    None from `decide` leaves the operation as it is.
    """

    async def attempt() -> Ended:
        operations = Operations(doors.documents, tenant)
        stored = await operations.get(operation_id)
        if stored.value.status in TERMINAL:
            return Ended(stored.value, here=False)
        change = Change(stored.value, doors.now())
        also = decide(change)
        if also is None:
            return Ended(stored.value, here=False)
        writes = also + operations.put(change.operation, change.events, stored.version)
        slots = await operations.slots()
        if operation_id in slots.holders:
            writes.append(operations.put_slots(slots, slots.without(operation_id)))
        writes += await kind_of(change.operation.kind).ended(doors, tenant, change.operation)
        await doors.documents.commit(writes)
        return Ended(change.operation, here=True)

    ended = await until_settled(attempt)
    if ended.here:
        await wake(doors, tenant)
    return ended


async def fail(doors: Doors, tenant: str, operation_id: str, failure: Failure) -> Ended:
    """End it as failed, then close the outside run as far as possible. Only what runs can fail."""

    def decide(change: Change) -> list[Write] | None:
        if change.operation.status != "running":
            return None
        change.fail(failure)
        return []

    ended = await end(doors, tenant, operation_id, decide)
    if ended.operation.status in TERMINAL:
        await kind_of(ended.operation.kind).close(doors, tenant, ended.operation)
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
            await stop(doors, operation.execution)
        await kind_of(operation.kind).close(doors, tenant, operation)
    return operation


async def stop(doors: Doors, execution: str) -> None:
    """Cancel an execution as far as possible: where that fails, its next step is told `deduped` and ends it."""
    try:
        await doors.executions.cancel(execution)
    except MemexError as error:
        log.warning("an execution could not be cancelled: %s", error.code)
