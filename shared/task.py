"""Adding and changing tasks by a person's word."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from shared.changes import pieces, told
from shared.errors import Conflict
from shared.events.trace import TaskChanged, TasksCreated, Undo, User
from shared.models.base import JsonDict, Model, Tags, moment
from shared.models.ids import Id, ulid
from shared.models.note import Task
from shared.store import answers, effects
from shared.store.documents import Documents, Expect, Write
from shared.store.notes import Notes
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


@dataclass(frozen=True, slots=True)
class Altered:
    """Tasks after a change, and how that is taken back; `undo` is None where nothing changed."""

    tasks: list[Task]
    undo: Undo | None


async def add(documents: Documents, tenant: str, wanted: NewTask, now: float, *, key: answers.Key | None) -> Task:
    """Store a task; a repeat of the same request answers the task that is there."""
    (task,) = (await add_all(documents, tenant, [wanted], now, key=key)).tasks
    return task


async def add_all(
    documents: Documents, tenant: str, wanted: Sequence[NewTask], now: float, *, key: answers.Key | None
) -> Altered:
    """Store tasks in one commit; a repeat of the same request answers the tasks that are there."""
    tasks = Tasks(documents, tenant)

    async def attempt() -> Altered:
        if key and (done := await effects.known(documents, key, now)):
            ids = done.undo.task_ids if isinstance(done.undo, TasksCreated) else [done.target_id]
            return Altered([(await tasks.get(task_id)).value for task_id in ids], done.undo)
        # A millisecond apart, so that they keep their order.
        ids = [ulid(now + n / 1000) for n in range(len(wanted))]
        made = [
            Task(id=task_id, created_at=moment(now), updated_at=moment(now), **one.model_dump())
            for task_id, one in zip(ids, wanted, strict=True)
        ]
        undo = TasksCreated(task_ids=ids)
        writes = [tasks.put(task, Expect.ABSENT) for task in made]
        if key:
            writes.append(effects.write(key, ids[0], now, undo))
        await documents.commit(writes)
        return Altered(made, undo)

    return await until_settled(attempt)


async def change(
    documents: Documents,
    tenant: str,
    task_id: str,
    wanted: TaskChange,
    now: float,
    *,
    expected: int | None,
    key: answers.Key | None = None,
) -> Task:
    """Change a task; Conflict `revision_conflict` where it is no longer the one that the person saw.

    A repeat under the same key changes nothing and answers the task as it is now.
    """
    (task,) = (await alter(documents, tenant, task_id, wanted, now, expected=expected, key=key)).tasks
    return task


async def alter(
    documents: Documents,
    tenant: str,
    task_id: str,
    wanted: TaskChange,
    now: float,
    *,
    expected: int | None = None,
    key: answers.Key | None = None,
    as_left: JsonDict | None = None,
) -> Altered:
    """As `change`, and says how the change is taken back.

    Where a box in a note is the task, it is turned with it: both change in one commit, or neither.

    `as_left` are values that the task must still have: Conflict `changed_since` where one of them is another by now.
    """
    tasks = Tasks(documents, tenant)
    update = {field: value for field, value in wanted.model_dump(exclude_unset=True).items() if value is not None}

    async def attempt() -> Altered:
        stored = await tasks.get(task_id)
        if key and (done := await effects.known(documents, key, now)):
            return Altered([(await tasks.get(task_id)).value], done.undo)
        if expected is not None and stored.value.revision != expected:
            raise Conflict("The task was changed meanwhile.", code="revision_conflict", next="Read it again.")
        _as_left(stored.value, as_left or {})
        old: JsonDict = stored.value.model_dump(mode="json", include=set(update))
        before = {field: value for field, value in old.items() if value != update[field]}
        after: JsonDict = {field: update[field] for field in before}
        undo = TaskChanged(task_id=task_id, before=before, after=after) if before else None
        task = stored.value.changed(now, **update)
        writes = [tasks.put(task, stored.version), *await _boxed(documents, tenant, stored.value, task, now)]
        if key:
            writes.append(effects.write(key, task_id, now, undo))
        await documents.commit(writes)
        return Altered([task], undo)

    return await until_settled(attempt)


async def _boxed(documents: Documents, tenant: str, before: Task, after: Task, now: float) -> list[Write]:
    """The writes that turn the task's box in the note that it was found in; none where that has no such box.

    The note may be no other by then than the one that was read: an edit that comes between is read again, never lost.
    """
    if after.status in (before.status, "dropped") or before.source_note_id is None:
        return []
    notes = Notes(documents, tenant)
    found = await notes.find(before.source_note_id)
    if found is None or found.value.deleted_at or before.id not in found.value.task_ids:
        return []
    from shared.enrichment.boxes import turned  # Reads a whole text; most requests for a task turn no box.

    body, done = await notes.body(found.value), after.status == "done"
    text = turned(body, before.title, done=done)
    if text == body:
        return []
    said = "Ticked off" if done else "Opened again"
    first = await notes.next_seq(found.value.id)
    events = [
        User(seq=seq, at=moment(now), text=said, changes=changes)
        for seq, changes in enumerate(pieces({"body": [told(body), told(text)]}), first)
    ]
    return [
        *notes.put(found.value.changed(now), found.version, body=text, previous=found.value),
        *(notes.trace_write(found.value.id, event) for event in events),
    ]


def _as_left(task: Task, values: JsonDict) -> None:
    found: JsonDict = task.model_dump(mode="json", include=set(values))
    if others := sorted(field for field, value in values.items() if found[field] != value):
        raise Conflict(
            f"The task's {others[0]} was changed again since; taking back the earlier change would undo that, too.",
            code="changed_since",
            next="Change the task by hand.",
        )


async def drop_all(
    documents: Documents, tenant: str, task_ids: Sequence[str], now: float, *, key: answers.Key | None = None
) -> list[Task]:
    """Drop tasks in one commit; those that are dropped stay as they are, and so do all under a key used before."""
    tasks = Tasks(documents, tenant)

    async def attempt() -> list[Task]:
        found = [await tasks.get(task_id) for task_id in task_ids]
        if key and await effects.known(documents, key, now):
            return [one.value for one in found]
        dropped = [one.value.changed(now, status="dropped") for one in found]
        writes = [
            tasks.put(after, one.version)
            for one, after in zip(found, dropped, strict=True)
            if one.value.status != "dropped"
        ]
        if key:
            writes.append(effects.write(key, task_ids[0], now, None))
        await documents.commit(writes)
        return [
            one.value if one.value.status == "dropped" else after for one, after in zip(found, dropped, strict=True)
        ]

    return await until_settled(attempt)
