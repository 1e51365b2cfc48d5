"""Operations in the store: the operation with its numbered events, and the slots that let it run."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from pydantic import TypeAdapter

from shared.errors import NotFound
from shared.events.operation import OperationEvent
from shared.models.base import LATER
from shared.models.ids import is_id, numbered
from shared.models.operation import ACTIVE, UPKEEP, Operation, OperationKind, Status
from shared.store.documents import Document, Documents, Expect, Query, Where, Write
from shared.store.records import Stored, parse

_EVENT: TypeAdapter[OperationEvent] = TypeAdapter(OperationEvent, config=LATER)


@dataclass(frozen=True, slots=True)
class Slots:
    """Who runs: `holders` maps an operation to the time (unix seconds) until which its lease counts."""

    holders: dict[str, float]
    version: str | None

    def renewed(self, operation_id: str, until: float) -> dict[str, float]:
        """The holders with this one's lease."""
        return {**self.holders, operation_id: until}

    def without(self, operation_id: str) -> dict[str, float]:
        """The holders without this one."""
        return {holder: until for holder, until in self.holders.items() if holder != operation_id}


class Operations:
    """The operations of one tenant."""

    def __init__(self, documents: Documents, tenant: str) -> None:
        self._documents = documents
        self._parent = f"tenants/{tenant}"

    def path(self, operation_id: str) -> str:
        """Where an operation lives."""
        if not is_id(operation_id):
            raise NotFound("There is no such operation.", code="operation_not_found")
        return f"{self._parent}/operations/{operation_id}"

    async def get(self, operation_id: str) -> Stored[Operation]:
        """One operation."""
        document = await self._documents.get(self.path(operation_id))
        if document is None:
            raise NotFound("There is no such operation.", code="operation_not_found")
        return parse(Operation, document)

    async def page(
        self,
        *,
        statuses: Sequence[Status] = (),
        kind: str | None = None,
        upkeep: bool = True,
        before: str | None = None,
        limit: int = 50,
    ) -> list[Operation]:
        """Operations, newest first; without `upkeep` those that were asked for, unless a kind is named."""
        where = _status(statuses)
        if kind:
            where += (Where("kind", "==", kind),)
        elif not upkeep:
            where += (_ASKED_FOR,)
        query = Query("operations", self._parent, where, descending=True, before=before, limit=limit)
        return [parse(Operation, document).value for document in await self._documents.query(query)]

    async def oldest(self, status: Status, limit: int) -> list[Operation]:
        """The first of those in a status, oldest first."""
        query = Query("operations", self._parent, _status((status,)), limit=limit)
        return [parse(Operation, document).value for document in await self._documents.query(query)]

    async def ready(self, limit: int) -> list[Operation]:
        """The first of those that need nothing but a slot, oldest first: queued, or waiting with an answer."""
        answered = Query("operations", self._parent, (Where("answered", "==", True),), limit=limit)
        found = [parse(Operation, document).value for document in await self._documents.query(answered)]
        found += await self.oldest("queued", limit)
        return sorted(found, key=lambda operation: operation.id)[:limit]

    async def of_note(self, note_id: str, limit: int = 5) -> list[Operation]:
        """The newest runs on a note."""
        where = (Where("source_note_id", "==", note_id),)
        query = Query("operations", self._parent, where, descending=True, limit=limit)
        return [parse(Operation, document).value for document in await self._documents.query(query)]

    async def log(self, operation_id: str, after: int = 0, limit: int = 500) -> list[OperationEvent]:
        """The events after a number, in order."""
        query = Query("events", self.path(operation_id), after=numbered(after), limit=limit)
        return [_EVENT.validate_python(document.data) for document in await self._documents.query(query)]

    def put(self, operation: Operation, events: Sequence[OperationEvent], expect: str | Expect) -> list[Write]:
        """The operation and the events that its change made."""
        return [
            Write(self.path(operation.id), operation.document(), expect),
            *(
                Write(
                    f"{self.path(operation.id)}/events/{numbered(event.seq)}",
                    event.model_dump(mode="json"),
                    Expect.ABSENT,
                )
                for event in events
            ),
        ]

    async def slots(self) -> Slots:
        """Who runs now."""
        document = await self._documents.get(f"{self._parent}/slots/operations")
        if document is None:
            return Slots({}, None)
        holders = document.data["holders"]
        assert isinstance(holders, dict)
        return Slots({key: float(str(value)) for key, value in holders.items()}, document.version)

    def put_slots(self, slots: Slots, holders: dict[str, float]) -> Write:
        """The slots with new holders, expecting them as they were read."""
        return Write(f"{self._parent}/slots/operations", {"holders": dict(holders)}, slots.version or Expect.ABSENT)


def _status(statuses: Sequence[Status]) -> tuple[Where, ...]:
    if not statuses:
        return ()
    return (Where("status", "in", list(statuses)) if len(statuses) > 1 else Where("status", "==", statuses[0]),)


_ASKED_FOR = Where("kind", "in", [kind for kind in get_args(OperationKind) if kind not in UPKEEP])
IS_ACTIVE = Where("status", "in", list(ACTIVE))


def tenant_of(document: Document) -> str:
    """The tenant whose document this is."""
    return document.path.split("/")[1]
