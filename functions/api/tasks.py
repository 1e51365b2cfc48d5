"""Tasks: listed, added and changed by hand."""

from typing import Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field

from functions.api.paging import Cursor, IfMatch, Limit, answer, before, cursor_after, revision
from shared import services
from shared.errors import Conflict
from shared.http import Person
from shared.models.base import Model, Tags, moment
from shared.models.ids import Id
from shared.models.note import Task
from shared.store.documents import Expect
from shared.store.records import until_settled
from shared.store.tasks import Tasks

router = APIRouter(prefix="/api/v1/tasks")


class TaskAnswer(Model):
    """A task."""

    task: Task


class TasksAnswer(Model):
    """A page of tasks."""

    tasks: list[Task]
    next_cursor: str | None


class NewTask(Model):
    """A task to add."""

    title: str = Field(min_length=1, max_length=500, pattern=r"\S")
    tags: Tags = Field(default=[], max_length=50)
    source_note_id: Id | None = None


class TaskChange(Model):
    """What changes of a task; what is left out stays."""

    title: str | None = Field(default=None, min_length=1, max_length=500, pattern=r"\S")
    status: Literal["open", "done", "dropped"] | None = None
    tags: Tags | None = Field(default=None, max_length=50)


@router.get("", response_model=TasksAnswer)
async def page(
    request: Request,
    person: Person,
    limit: Limit = 50,
    cursor: Cursor = None,
    status: Literal["open", "done", "dropped"] | None = None,
    source_note_id: Id | None = None,
) -> Response:
    """Tasks, newest first."""
    found = await Tasks(services.current().documents, person.tenant).page(
        status=status, source_note_id=source_note_id, before=before(cursor), limit=limit
    )
    following = cursor_after([task.id for task in found], limit)
    return answer(request, TasksAnswer(tasks=found, next_cursor=following))


@router.post("", status_code=201)
async def add(wanted: NewTask, person: Person) -> TaskAnswer:
    """Add a task."""
    now = services.current()
    at = moment(now.now())
    task = Task(id=now.new_id(), created_at=at, updated_at=at, **wanted.model_dump())
    await now.documents.commit([Tasks(now.documents, person.tenant).put(task, Expect.ABSENT)])
    return TaskAnswer(task=task)


@router.patch("/{task_id}")
async def change(task_id: str, wanted: TaskChange, person: Person, if_match: IfMatch = None) -> TaskAnswer:
    """Change a task."""
    now = services.current()
    tasks = Tasks(now.documents, person.tenant)
    update = {field: value for field, value in wanted.model_dump(exclude_unset=True).items() if value is not None}
    expected = revision(if_match)

    async def attempt() -> Task:
        stored = await tasks.get(task_id)
        if expected is not None and stored.value.revision != expected:
            raise Conflict("The task was changed meanwhile.", code="revision_conflict", next="Read it again.")
        bookkeeping = {"revision": stored.value.revision + 1, "updated_at": moment(now.now())}
        task = stored.value.model_copy(update={**update, **bookkeeping})
        await now.documents.commit([tasks.put(task, stored.version)])
        return task

    return TaskAnswer(task=await until_settled(attempt))
