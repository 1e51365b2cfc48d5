"""Who runs next: reads the slots, the queue and the executions, and acts. Level-triggered: calling it twice is free."""

from shared.doors import Doors
from shared.errors import NotFound
from shared.models.operation import TERMINAL, Operation
from shared.operations.drive import LEASE_SECONDS, execute, recover
from shared.operations.kinds import kind_of
from shared.operations.transition import Change
from shared.preferences import preferences
from shared.store.operations import Operations
from shared.store.records import until_settled


async def dispatch(doors: Doors, tenant: str, *, patience: float = 30.0) -> None:
    """Free what died, start what waits.

    `patience` is for how many seconds a running operation may be without an execution before it gets one:
    another dispatch may be about to give it one. Zero is right only where nobody else can be at work.
    """
    await _free_the_dead(doors, tenant, patience)
    await _drive_the_idle(doors, tenant, patience)
    await _start_the_waiting(doors, tenant)


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


async def _start_the_waiting(doors: Doors, tenant: str) -> None:
    operations = Operations(doors.documents, tenant)
    most = (await preferences(doors.documents, doors.settings, tenant)).max_running
    free = most - len((await operations.slots()).holders)
    if free <= 0:
        return
    for waiting in await operations.oldest("queued", free):
        if started := await _start(doors, tenant, waiting.id, most):
            await execute(doors, tenant, started)


async def _start(doors: Doors, tenant: str, operation_id: str, most: int) -> Operation | None:
    """Give it one of so many slots, in one commit; None where there is none left or somebody else was faster."""
    operations = Operations(doors.documents, tenant)

    async def attempt() -> Operation | None:
        stored, slots, now = await operations.get(operation_id), await operations.slots(), doors.now()
        if stored.value.status != "queued" or len(slots.holders) >= most:
            return None
        kind, change = kind_of(stored.value.kind), Change(stored.value, now)
        change.start(deadline=now + kind.minutes(doors) * 60)
        change.progress(1, "Starting")
        writes = operations.put(change.operation, change.events, stored.version)
        writes.append(operations.put_slots(slots, slots.renewed(operation_id, now + LEASE_SECONDS)))
        writes += await kind.began(doors, tenant, change.operation)
        await doors.documents.commit(writes)
        return change.operation

    return await until_settled(attempt)
