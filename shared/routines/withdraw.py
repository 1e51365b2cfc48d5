"""Taking back what a run has proposed, where the run did not come to its end. A person who was faster has decided."""

from shared.approvals.apply import reject
from shared.doors import Doors
from shared.errors import Conflict, Gone
from shared.models.operation import Operation
from shared.store import ledger

CALL = "propose"
"""Name of the proposal in the ledger of its run."""


async def withdraw(doors: Doors, tenant: str, operation: Operation) -> None:
    """Decline the proposal of an operation that failed or was cancelled; without one, nothing."""
    if operation.status not in ("failed", "cancelled"):
        return
    if approval_id := await ledger.target(doors.documents, tenant, operation.id, CALL):
        try:
            await reject(doors, tenant, "routine", approval_id, f"The run that proposed it {_ENDED[operation.status]}.")
        except (Conflict, Gone):
            pass


_ENDED = {"failed": "failed", "cancelled": "was cancelled"}
