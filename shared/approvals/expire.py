"""What the sweep does about a pending approval: finish what was approved and is not done, end what nobody answered.

And what a routine proposed that failed or was cancelled: whoever ended it may have died before they declined that.
"""

from shared.approvals.apply import close_expired
from shared.approvals.doing import finish
from shared.doors import Doors
from shared.errors import NotFound
from shared.models.approval import Approval
from shared.store.approvals import tenant_of
from shared.store.documents import Document
from shared.store.operations import Operations
from shared.store.records import parse


async def expire(doors: Doors, document: Document) -> bool:
    """Look at one document of `approvals` that was pending when it was read; whether there was something to do."""
    tenant = tenant_of(document)
    approval = parse(Approval, document).value
    if approval.status == "pending" and approval.claim:
        await finish(doors, tenant, approval)
        return True
    return await _withdrawn(doors, tenant, approval) or await close_expired(doors, tenant, approval.id)


async def _withdrawn(doors: Doors, tenant: str, approval: Approval) -> bool:
    """Decline it where its run did not come to its end; whether that was so."""
    from shared.routines.withdraw import withdraw

    try:
        operation = (await Operations(doors.documents, tenant).get(approval.run_id or "")).value
    except NotFound:
        return False  # proposed in a conversation
    if operation.kind != "routine" or operation.status not in ("failed", "cancelled"):
        return False
    await withdraw(doors, tenant, operation)
    return True
