"""What we keep about memories: receipts, what each memory should show, and apart from both what the hashes stand for.

The memories themselves are kept by the service, and by nobody else.
"""

import secrets
from collections.abc import Iterable, Mapping

from shared.errors import Conflict
from shared.memory.scope import References
from shared.models.base import moment, rfc3339
from shared.models.memory import Expectation, Receipt
from shared.store.documents import Document, Documents, Expect, Query, Write


class Memories:
    """The receipts and expectations of one tenant."""

    def __init__(self, documents: Documents, tenant: str) -> None:
        self._documents = documents
        self._parent = f"tenants/{tenant}"

    async def references(self) -> References:
        """The tenant's references; the salt is made on first use, once."""
        path = f"{self._parent}/memory_salts/salt"
        for _ in range(2):
            found = await self._documents.get(path)
            if found is not None:
                return References(str(found.data["salt"]))
            try:
                await self._documents.commit([Write(path, {"salt": secrets.token_hex(32)}, Expect.ABSENT)])
            except Conflict:
                continue  # somebody else has just made it
        found = await self._documents.get(path)
        assert found is not None
        return References(str(found.data["salt"]))

    # -- what the hashes stand for

    def protect(self, names: Mapping[str, str], now: float) -> list[Write]:
        """What references stand for, as writes: for an operator with the store in hand, and for no route."""
        at = rfc3339(moment(now))
        return [
            Write(f"{self._parent}/memory_names/{reference}", {"name": name, "seen_at": at})
            for reference, name in names.items()
        ]

    async def named(self, reference: str) -> str | None:
        """What a reference stands for."""
        found = await self._documents.get(f"{self._parent}/memory_names/{reference}")
        return str(found.data["name"]) if found else None

    # -- what each memory should show

    def _expectation(self, reference: str) -> str:
        return f"{self._parent}/memories/{reference}"

    async def expectations(self, references: Iterable[str]) -> dict[str, Expectation]:
        """What is expected of these memories, by reference; those nobody wrote anything of are missing."""
        paths = [self._expectation(reference) for reference in references]
        found = await self._documents.get_many(paths) if paths else []
        kept = [Expectation.model_validate(document.data) for document in found if document]
        return {one.memory_ref: one for one in kept}

    def expect(self, expectation: Expectation) -> Write:
        """What is expected of a memory from now on, as a write."""
        return Write(self._expectation(expectation.memory_ref), expectation.model_dump(mode="json"))

    def expect_nothing(self, reference: str) -> Write:
        """Take back what was expected of a memory."""
        return Write(self._expectation(reference), None)

    # -- a person who wants everything forgotten

    def forget(self, scope: str, before: str) -> Write:
        """From now on nothing that was said before this id (of time) may become a memory of the scope."""
        return Write(self._scope(scope), {"forgotten": before})

    async def forgotten(self, scope: str) -> str:
        """The id up to which everything is forgotten; "" where nothing was."""
        found = await self._documents.get(self._scope(scope))
        return str(found.data["forgotten"]) if found else ""

    # -- receipts

    def _scope(self, scope: str) -> str:
        return f"{self._parent}/memory_scopes/{scope}"

    def put(self, receipt: Receipt) -> Write:
        """A receipt as a write; one that is there is the same work, proved again."""
        data = receipt.model_dump(mode="json", exclude={"id"})
        return Write(f"{self._scope(receipt.scope)}/receipts/{receipt.id}", data)

    async def receipts(self, scope: str, *, before: str | None = None, limit: int = 50) -> list[Receipt]:
        """The receipts of a scope, newest first."""
        query = Query("receipts", self._scope(scope), descending=True, before=before, limit=limit)
        return [_receipt(document) for document in await self._documents.query(query)]


def _receipt(document: Document) -> Receipt:
    return Receipt.model_validate({**document.data, "id": document.id})
