"""Tools over the person's tasks: list, add, change."""

from typing import Any, Literal

from pydantic import Field

from shared import task
from shared.edit import not_reserved
from shared.events.trace import TaskChanged
from shared.gateway.tool import Errand, Outcome, Tool
from shared.models.arguments import CreateTasks, UpdateTask
from shared.models.base import Model
from shared.store import effects
from shared.store.tasks import Tasks
from shared.tools.notes import alive
from shared.tools.shapes import ChangedTask, TaskDone, TasksFound, plain, task_line


class ListTasks(Model):
    """Which tasks."""

    status: Literal["open", "done", "dropped"] = "open"
    limit: int = Field(default=20, ge=1, le=100)


async def _list(errand: Errand, asked: ListTasks) -> Outcome:
    found = await Tasks(errand.doors.documents, errand.tenant).page(status=asked.status, limit=asked.limit)
    message = None if found else f"No task is {asked.status}."
    return Outcome(plain(TasksFound(tasks=[task_line(one) for one in found], message=message)))


async def _create(errand: Errand, asked: CreateTasks) -> Outcome:
    for one in asked.tasks:
        not_reserved(one.tags or ())
    documents, now = errand.doors.documents, errand.doors.now()
    # A repeat answers what is there, even where the note has gone since.
    if asked.source_note_id and not await effects.known(documents, errand.effect, now):
        await alive(errand, asked.source_note_id)
    wanted = [
        task.NewTask(title=one.title, tags=one.tags or [], source_note_id=asked.source_note_id) for one in asked.tasks
    ]
    made = await task.add_all(documents, errand.tenant, wanted, now, key=errand.effect)
    return Outcome(plain(TasksFound(tasks=[task_line(one) for one in made.tasks])), undo=made.undo)


async def _update(errand: Errand, asked: UpdateTask) -> Outcome:
    wanted = task.TaskChange(**asked.changes.model_dump(exclude_none=True))
    not_reserved(wanted.tags or ())
    altered = await task.alter(
        errand.doors.documents, errand.tenant, asked.task_id, wanted, errand.doors.now(), key=errand.effect
    )
    (found,) = altered.tasks
    changed = sorted(altered.undo.before) if isinstance(altered.undo, TaskChanged) else []
    message = None if changed else "It was so already; nothing was changed."
    done = ChangedTask(task_id=found.id, status=found.status, changed=changed)
    return Outcome(plain(TaskDone(task=done, message=message)), undo=altered.undo)


TOOLS: tuple[Tool[Any], ...] = (
    Tool("list_tasks", "List tasks, newest first.", ListTasks, _list, outside=True, answer=TasksFound),
    Tool("create_tasks", "Add one or more tasks.", CreateTasks, _create, answer=TasksFound),
    Tool("update_task", "Change a task: its title, status or tags.", UpdateTask, _update, answer=TaskDone),
)
