"""Adding and changing tasks by a person's word."""

from typing import Literal

from pydantic import Field

from shared.errors import Conflict
from shared.models.base import Model, Tags, moment
from shared.models.ids import Id, ulid
from shared.models.note import Task
from shared.store import answers
from shared.store.documents import Documents, Expect
from shared.store.records import until_settled
from shared.store.tasks import Tasks


class NewTask(Model):
    """A task to add."""

    title: str = Field(min_length=1, max_length=500, pattern=r"\S")
    tags: Tags = Field(default=[], max_length=50)
    source_note_id: Id | None = None


class TaskChange(Model):
    """What changes of a task; what is left out, or null, stays."""

    title: str | None = Field(default=None, min_length=1, max_length=500, pattern=r"\S")
    status: Literal["open", "done", "dropped"] | None = None
    tags: Tags | None = Field(default=None, max_length=50)


async def add(documents: Documents, tenant: str, wanted: NewTask, now: float, *, key: answers.Key | None) -> Task:
    """Store a task; a repeat of the same request answers the task that is there."""
    tasks = Tasks(documents, tenant)

    async def attempt() -> Task:
        if key and (known := await answers.known(documents, key, now)):
            return (await tasks.get(known)).value
        task = Task(id=ulid(now), created_at=moment(now), updated_at=moment(now), **wanted.model_dump())
        writes = [tasks.put(task, Expect.ABSENT)]
        if key:
            writes.append(answers.write(key, task.id, now))
        await documents.commit(writes)
        return task

    return await until_settled(attempt)


async def change(
    documents: Documents, tenant: str, task_id: str, wanted: TaskChange, now: float, *, expected: int | None
) -> Task:
    """Change a task; Conflict `revision_conflict` where it is no longer the one that the person saw."""
    tasks = Tasks(documents, tenant)
    update = {field: value for field, value in wanted.model_dump(exclude_unset=True).items() if value is not None}

    async def attempt() -> Task:
        stored = await tasks.get(task_id)
        if expected is not None and stored.value.revision != expected:
            raise Conflict("The task was changed meanwhile.", code="revision_conflict", next="Read it again.")
        task = stored.value.changed(now, **update)
        await documents.commit([tasks.put(task, stored.version)])
        return task

    return await until_settled(attempt)
