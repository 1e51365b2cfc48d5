"""From a wish to a queued operation, in one commit. A kind that reserves or claims more does it itself."""

from shared.doors import Doors, wake
from shared.errors import NotFound
from shared.models.base import moment
from shared.models.ids import ulid
from shared.models.operation import Input, Operation, OperationKind
from shared.operations.transition import Change
from shared.preferences import Preferences, preferences
from shared.store import answers
from shared.store.documents import Expect
from shared.store.operations import Operations
from shared.store.records import until_settled


async def start(
    doors: Doors,
    tenant: str,
    kind: OperationKind,
    input: Input,
    *,
    source_note_id: str | None = None,
    key: answers.Key | None = None,
    operation_id: str | None = None,
) -> Operation:
    """Submit work; it is queued when this returns, and runs when a slot is free.

    The same `key`, or the same `operation_id` (a derived one), gives the operation that is there already. Conflict
    `idempotency_mismatch` where the key was used for something else.
    """

    async def attempt() -> Operation:
        operations, now = Operations(doors.documents, tenant), doors.now()
        if known := await _known(doors, tenant, key, operation_id):
            return known
        mine = await preferences(doors.documents, doors.settings, tenant)
        made = queued(operation_id or ulid(now), kind, input, mine, now, source_note_id=source_note_id)
        writes = operations.put(made.operation, made.events, Expect.ABSENT)
        if key:
            writes.append(answers.write(key, made.operation.id, now))
        await doors.documents.commit(writes)
        return made.operation

    operation = await until_settled(attempt)
    await wake(doors, tenant)
    return operation


def queued(
    operation_id: str,
    kind: OperationKind,
    input: Input,
    mine: Preferences,
    now: float,
    *,
    source_note_id: str | None = None,
) -> Change:
    """A new operation that waits for a slot: its state and its first events, to be stored by whoever asks for it."""
    operation = Operation(
        id=operation_id,
        created_at=moment(now),
        updated_at=moment(now),
        kind=kind,
        status="created",
        input=input,
        source_note_id=source_note_id,
        budget_usd=mine.operation_budget_usd,
        budget_tokens=mine.operation_budget_tokens,
    )
    change = Change(operation, now)
    change.queue()
    return change


async def _known(doors: Doors, tenant: str, key: answers.Key | None, operation_id: str | None) -> Operation | None:
    """The operation that this very wish has made before."""
    known = await answers.known(doors.documents, key, doors.now()) if key else None
    if known is None and operation_id is None:
        return None
    try:
        return (await Operations(doors.documents, tenant).get(known or operation_id or "")).value
    except NotFound:
        return None
