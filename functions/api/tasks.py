"""Tasks: listed, added and changed by hand."""

from typing import Literal

from fastapi import APIRouter, Request, Response

from shared import services, task
from shared.http import Person
from shared.models.base import Model
from shared.models.ids import Id
from shared.models.note import Task
from shared.paging import Cursor, IfMatch, Key, Limit, answer, before, cursor_after, revision
from shared.store import answers
from shared.store.tasks import Tasks

router = APIRouter(prefix="/api/v1/tasks")


class TaskAnswer(Model):
    """A task."""

    task: Task


class TasksAnswer(Model):
    """A page of tasks."""

    tasks: list[Task]
    next_cursor: str | None


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
    following = cursor_after([one.id for one in found], limit)
    return answer(request, TasksAnswer(tasks=found, next_cursor=following))


@router.post("", status_code=201)
async def add(wanted: task.NewTask, person: Person, request: Request, key: Key = None) -> TaskAnswer:
    """Add a task."""
    current = services.current()
    kept = answers.key(person.tenant, "tasks", key, await request.body())
    return TaskAnswer(task=await task.add(current.documents, person.tenant, wanted, current.now(), key=kept))


@router.patch("/{task_id}")
async def change(task_id: str, wanted: task.TaskChange, person: Person, if_match: IfMatch = None) -> TaskAnswer:
    """Change a task."""
    current = services.current()
    changed = await task.change(
        current.documents, person.tenant, task_id, wanted, current.now(), expected=revision(if_match)
    )
    return TaskAnswer(task=changed)
