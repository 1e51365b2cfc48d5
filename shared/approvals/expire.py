"""What the sweep does about a pending approval: finish what was approved and is not done, end what nobody answered."""

from shared.approvals.apply import close_expired
from shared.approvals.doing import finish
from shared.doors import Doors
from shared.models.approval import Approval
from shared.store.approvals import tenant_of
from shared.store.documents import Document
from shared.store.records import parse


async def expire(doors: Doors, document: Document) -> bool:
    """Look at one document of `approvals` that was pending when it was read; whether there was something to do."""
    tenant = tenant_of(document)
    approval = parse(Approval, document).value
    if approval.status == "pending" and approval.claim:
        await finish(doors, tenant, approval)
        return True
    return await close_expired(doors, tenant, approval.id)
