"""Who runs next: reads the slots, the queue and the executions, and acts. Level-triggered: calling it twice is free."""

from shared.doors import Doors
from shared.errors import NotFound
from shared.models.operation import TERMINAL, Operation
from shared.operations.drive import LEASE_SECONDS, execute, recover
from shared.operations.kinds import kind_of
from shared.operations.transition import Change
from shared.operations.waiting import expire, unanswered
from shared.preferences import preferences
from shared.store.operations import Operations
from shared.store.records import until_settled

UNANSWERED = 10
"""Waiting operations that one look goes through."""


async def dispatch(doors: Doors, tenant: str, *, patience: float = 30.0) -> None:
    """Free what died, end what nobody answered, start what is ready.

    `patience` is for how many seconds a running operation may be without an execution before it gets one:
    another dispatch may be about to give it one. Zero is right only where nobody else can be at work.
    """
    await _free_the_dead(doors, tenant, patience)
    await _drive_the_idle(doors, tenant, patience)
    await _end_the_unanswered(doors, tenant)
    await _start_the_ready(doors, tenant)


async def _free_the_dead(doors: Doors, tenant: str, patience: float) -> None:
    operations = Operations(doors.documents, tenant)
    now = doors.now()
    for operation_id, until in (await operations.slots()).holders.items():
        # Without patience nobody else is at work, so even a fresh lease may be that of a dead process.
        if until >= now and patience > 0:
            continue
        try:
            operation = (await operations.get(operation_id)).value
        except NotFound:
            operation = None
        if operation is None or operation.status in TERMINAL:
            await _leave(doors, tenant, operation_id)
        elif operation.execution is not None:
            await recover(doors, tenant, operation)


async def _leave(doors: Doors, tenant: str, operation_id: str) -> None:
    operations = Operations(doors.documents, tenant)

    async def attempt() -> None:
        slots = await operations.slots()
        if operation_id in slots.holders:
            await doors.documents.commit([operations.put_slots(slots, slots.without(operation_id))])

    await until_settled(attempt)


async def _drive_the_idle(doors: Doors, tenant: str, patience: float) -> None:
    """Running operations without an execution get one."""
    for operation in await Operations(doors.documents, tenant).oldest("running", doors.settings.max_running + 10):
        idle_since = max(operation.updated_at, operation.started_at or operation.updated_at).timestamp()
        if operation.execution is None and idle_since <= doors.now() - patience:
            await execute(doors, tenant, operation)


async def _end_the_unanswered(doors: Doors, tenant: str) -> None:
    """Questions that nobody answered in time. A few at once: the sweep finds those that are hidden behind others."""
    for waiting in await Operations(doors.documents, tenant).oldest("waiting_for_input", UNANSWERED):
        if unanswered(waiting, doors.now()):
            await expire(doors, tenant, waiting.id)


async def _start_the_ready(doors: Doors, tenant: str) -> None:
    """As many as there are free slots, oldest first. What is read grows with the slots, never with the queue."""
    operations = Operations(doors.documents, tenant)
    most = (await preferences(doors.documents, doors.settings, tenant)).max_running
    free = most - len((await operations.slots()).holders)
    if free <= 0:
        return
    for ready in await operations.ready(free):
        if started := await _start(doors, tenant, ready.id, most):
            await execute(doors, tenant, started)


async def _start(doors: Doors, tenant: str, operation_id: str, most: int) -> Operation | None:
    """Give it one of so many slots, in one commit; None where there is none left or somebody else was faster."""
    operations = Operations(doors.documents, tenant)

    async def attempt() -> Operation | None:
        stored, slots, now = await operations.get(operation_id), await operations.slots(), doors.now()
        if not stored.value.ready or len(slots.holders) >= most:
            return None
        kind, change = kind_of(stored.value.kind), Change(stored.value, now)
        left = stored.value.left_seconds
        deadline = now + (left if left is not None else await kind.seconds(doors, tenant))
        if stored.value.status == "queued":
            change.start(deadline)
            change.progress(1, "Starting")
        else:
            change.go_on(deadline)
        writes = operations.put(change.operation, change.events, stored.version)
        writes.append(operations.put_slots(slots, slots.renewed(operation_id, now + LEASE_SECONDS)))
        writes += await kind.began(doors, tenant, change.operation)
        await doors.documents.commit(writes)
        return change.operation

    return await until_settled(attempt)
