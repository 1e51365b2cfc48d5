"""Tasks in the store."""

from shared.errors import NotFound
from shared.models.ids import is_id
from shared.models.note import Task
from shared.store.documents import Documents, Expect, Query, Where, Write
from shared.store.records import Stored, parse, write


class Tasks:
    """The tasks of one tenant."""

    def __init__(self, documents: Documents, tenant: str) -> None:
        self._documents = documents
        self._parent = f"tenants/{tenant}"

    def path(self, task_id: str) -> str:
        """Where a task lives."""
        if not is_id(task_id):
            raise NotFound("There is no such task.", code="task_not_found")
        return f"{self._parent}/tasks/{task_id}"

    async def get(self, task_id: str) -> Stored[Task]:
        """One task."""
        document = await self._documents.get(self.path(task_id))
        if document is None:
            raise NotFound("There is no such task.", code="task_not_found")
        return parse(Task, document)

    async def existing(self, task_ids: list[str]) -> set[str]:
        """Those of the ids that are taken."""
        found = await self._documents.get_many([self.path(task_id) for task_id in task_ids])
        return {document.id for document in found if document}

    async def page(
        self,
        *,
        status: str | None = None,
        source_note_id: str | None = None,
        before: str | None = None,
        limit: int = 50,
    ) -> list[Task]:
        """Tasks, newest first."""
        wanted = (("status", status), ("source_note_id", source_note_id))
        where = tuple(Where(field, "==", value) for field, value in wanted if value)
        query = Query("tasks", self._parent, where, descending=True, before=before, limit=limit)
        return [parse(Task, document).value for document in await self._documents.query(query)]

    def put(self, task: Task, expect: str | Expect) -> Write:
        """One task as a write."""
        return write(self.path(task.id), task, expect)
