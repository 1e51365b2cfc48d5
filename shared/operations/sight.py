"""An operation that a person looks at while its execution is silent: one that they cancelled elsewhere ends now.

Dispatch finds it too, once the lease is over. Here only a cancelled execution is acted on, and no document is read.
"""

import asyncio

from shared.doors import Doors
from shared.errors import Upstream
from shared.models.operation import Operation
from shared.operations.drive import overdue
from shared.operations.ending import cancel

SILENT_SECONDS = 60.0
"""How late a sign of life may be before the execution is looked at."""
PAUSE_SECONDS = 60.0
"""Between two looks at one operation's execution."""
PATIENCE_SECONDS = 3.0
"""How long a person waits for such a look."""


def silent(operation: Operation, now: float) -> bool:
    """Whether what drives it should have been heard of by now."""
    if operation.status != "running" or operation.execution is None:
        return False
    look, heard = operation.progress.next_look_at, operation.updated_at
    return now > max(heard, look or heard).timestamp() + SILENT_SECONDS


class Sight:
    """What one process has looked at lately."""

    def __init__(self) -> None:
        self._looked: dict[tuple[str, str], float] = {}

    async def seen(self, doors: Doors, tenant: str, operation: Operation) -> Operation:
        """The operation; cancelled, where somebody cancelled its execution. A look that fails changes nothing."""
        now = doors.now()
        # Past its time limit, dispatch itself cancels the execution, and decides what becomes of the operation.
        if not silent(operation, now) or overdue(doors, operation) or not self._due((tenant, operation.id), now):
            return operation
        assert operation.execution is not None
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                state = await doors.executions.state(operation.execution)
        except (Upstream, TimeoutError):
            return operation
        return await cancel(doors, tenant, operation.id) if state == "CANCELLED" else operation

    def _due(self, key: tuple[str, str], now: float) -> bool:
        """Whether it may be looked at again; noted, if so."""
        self._looked = {known: at for known, at in self._looked.items() if now < at + PAUSE_SECONDS}
        if key in self._looked:
            return False
        self._looked[key] = now
        return True
