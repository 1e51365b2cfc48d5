"""The activity record in the store. Entries are added and read; nothing here changes or removes one."""

from shared.models.activity import ENTRY, Activity, DeadLetter
from shared.models.ids import is_id
from shared.store.documents import Documents, Expect, Query, Where, Write


class Activities:
    """The activity of one tenant."""

    def __init__(self, documents: Documents, tenant: str) -> None:
        self._documents = documents
        self._parent = f"tenants/{tenant}"

    def put(self, entry: Activity | DeadLetter) -> Write:
        """One entry as a write; it belongs into the commit of what it tells of. Conflict where it is there."""
        assert is_id(entry.id)
        data = entry.model_dump(mode="json", exclude={"id"})
        return Write(f"{self._parent}/activity/{entry.id}", data, Expect.ABSENT)

    async def page(
        self, *, session_id: str | None = None, before: str | None = None, limit: int = 50
    ) -> list[Activity | DeadLetter]:
        """Entries, newest first; with `session_id` those of one conversation, which dead letters never are."""
        where = (Where("session_id", "==", session_id),) if session_id else ()
        query = Query("activity", self._parent, where, descending=True, before=before, limit=limit)
        found = await self._documents.query(query)
        return [ENTRY.validate_python({**document.data, "id": document.id}) for document in found]
