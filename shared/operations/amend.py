"""One change of one operation, read, decided and committed with its events; again where somebody was faster."""

from collections.abc import Callable

from shared.doors import Doors
from shared.models.operation import Operation
from shared.operations.transition import Change
from shared.store.operations import Operations
from shared.store.records import until_settled


async def amend(
    doors: Doors, tenant: str, operation_id: str, decide: Callable[[Change], bool]
) -> tuple[Operation, bool]:
    """The operation afterwards, and whether `decide` changed it; a `decide` that says False leaves it as it is."""

    async def attempt() -> tuple[Operation, bool]:
        operations = Operations(doors.documents, tenant)
        stored = await operations.get(operation_id)
        change = Change(stored.value, doors.now())
        if not decide(change):
            return stored.value, False
        await doors.documents.commit(operations.put(change.operation, change.events, stored.version))
        return change.operation, True

    return await until_settled(attempt)
