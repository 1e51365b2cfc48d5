"""Taking one change back in one step. What it does is a change like any other: on record, and never for good."""

from typing import assert_never

from shared import edit, task
from shared.doors import Doors
from shared.errors import NotFound
from shared.events.trace import NoteChanged, TaskChanged, TasksCreated, Undo
from shared.models.base import JsonDict
from shared.store import answers


async def undo(doors: Doors, tenant: str, undo: Undo, now: float, key: answers.Key | None) -> JsonDict:
    """Take a change back; answers what it was and the ids it concerned. A repeat under the same key does nothing.

    NotFound where the thing has gone for good, Conflict `changed_since` where one of its fields was changed again.
    """
    match undo:
        case NoteChanged():
            await _note(doors, tenant, undo, now, key)
            return {"undone": undo.type, "note_id": undo.note_id}
        case TasksCreated():
            if not undo.task_ids:
                raise NotFound("There is no task to take back.", code="undo_unknown")
            await task.drop_all(doors.documents, tenant, undo.task_ids, now, key=key)
            return {"undone": undo.type, "task_ids": [*undo.task_ids]}
        case TaskChanged():
            before = task.TaskChange.model_validate(undo.before)
            await task.alter(doors.documents, tenant, undo.task_id, before, now, key=key, as_left=undo.after)
            return {"undone": undo.type, "task_ids": [undo.task_id]}
    assert_never(undo)


def button(tenant: str, session_id: str, seq: int) -> answers.Key:
    """The key of taking back the change at this point of a conversation, by whatever way: it happens once."""
    kept = answers.key(tenant, f"undo/{session_id}", str(seq), b"")
    assert kept
    return kept


def target(undo: Undo) -> str:
    """The id under which the effect of taking a change back is kept."""
    match undo:
        case NoteChanged():
            return undo.note_id
        case TasksCreated():
            return undo.task_ids[0] if undo.task_ids else ""
        case TaskChanged():
            return undo.task_id
    assert_never(undo)


async def _note(doors: Doors, tenant: str, undo: NoteChanged, now: float, key: answers.Key | None) -> None:
    match undo.type:
        case "note_created":
            await edit.discard(doors.documents, tenant, undo.note_id, now, key=key)
        case "note_deleted":
            await edit.restore(doors.documents, tenant, undo.note_id, now, key=key)
        case "note_changed":
            await edit.take_back(doors.documents, tenant, undo.note_id, undo.seq, now, key=key)
