"""Approvals in the store. It keeps them; applying one is somebody else's act."""

from shared.errors import NotFound
from shared.models.approval import Approval, ApprovalStatus
from shared.models.ids import is_id
from shared.store.documents import Document, Documents, Expect, Query, Where, Write
from shared.store.records import Stored, parse, write

IS_PENDING = Where("status", "==", "pending")
"""Those that wait for a person, and those that were approved and are not done yet."""


def tenant_of(document: Document) -> str:
    """Whose approval this is."""
    return document.path.split("/")[1]


class Approvals:
    """The approvals of one tenant."""

    def __init__(self, documents: Documents, tenant: str) -> None:
        self._documents = documents
        self._parent = f"tenants/{tenant}"

    def path(self, approval_id: str) -> str:
        """Where an approval lives."""
        if not is_id(approval_id):
            raise NotFound("There is no such approval.", code="approval_not_found")
        return f"{self._parent}/approvals/{approval_id}"

    async def get(self, approval_id: str) -> Stored[Approval]:
        """One approval."""
        document = await self._documents.get(self.path(approval_id))
        if document is None:
            raise NotFound("There is no such approval.", code="approval_not_found")
        return parse(Approval, document)

    async def page(
        self, *, status: ApprovalStatus | None = None, before: str | None = None, limit: int = 50
    ) -> list[Approval]:
        """Approvals, newest first."""
        where = (Where("status", "==", status),) if status else ()
        query = Query("approvals", self._parent, where, descending=True, before=before, limit=limit)
        return [parse(Approval, document).value for document in await self._documents.query(query)]

    def put(self, approval: Approval, expect: str | Expect) -> Write:
        """One approval as a write."""
        return write(self.path(approval.id), approval, expect)
