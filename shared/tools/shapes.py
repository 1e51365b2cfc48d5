"""The shapes in which tools answer about notes, tasks, runs and approvals; the model and the web client read them.

What a change answers holds no text that was there before: only ids, and what the caller gave itself.
"""

from collections.abc import Sequence
from typing import Literal

from shared.models.base import JsonDict, Model, rfc3339
from shared.models.note import Citation, Kind, Note, Task

BODY = 20_000
"""Characters of a body that a tool shows."""
BODY_BYTES = 45_000
"""And bytes of it (UTF-8): a whole result has room for 60,000."""
TITLE = 200


class NoteLine(Model):
    """A note in a list."""

    note_id: str
    title: str
    excerpt: str
    tags: list[str]
    created_at: str
    kind: Kind
    link: str


class NotesFound(Model):
    """Notes; `message` says so where there are none."""

    notes: list[NoteLine]
    message: str | None = None
    total: int | None = None
    """How many there are with those that are not listed, where that was counted; a bounded count."""
    more: bool | None = None
    """Whether some are not listed."""


class WholeNote(Model):
    """A note with its text; a long one is cut with a mark."""

    note_id: str
    title: str
    body: str
    summary: str | None = None
    url: str | None = None
    tags: list[str]
    created_at: str
    kind: Kind
    link: str


class NoteRead(Model):
    """One note."""

    note: WholeNote


class ChangedNote(Model):
    """A note that was made or changed."""

    note_id: str
    link: str
    kind: Kind | None = None
    tags: list[str] | None = None
    changed: list[str] | None = None
    """The fields that are different now."""


class NoteDone(Model):
    """What became of a note."""

    note: ChangedNote
    message: str | None = None


class TaskLine(Model):
    """A task."""

    task_id: str
    title: str
    status: Literal["open", "done", "dropped"]
    tags: list[str]


class TasksFound(Model):
    """Tasks; `message` says so where there are none."""

    tasks: list[TaskLine]
    message: str | None = None


class ChangedTask(Model):
    """A task that was changed."""

    task_id: str
    status: Literal["open", "done", "dropped"]
    changed: list[str]


class TaskDone(Model):
    """What became of a task."""

    task: ChangedTask
    message: str | None = None


def link(note_id: str) -> str:
    """Where a note opens."""
    return f"#/notes/{note_id}"


def title(note: Note) -> str:
    """What a note is called: its title, else its first line, else its address."""
    first = next((line.strip() for line in note.body.splitlines() if line.strip()), "")
    return ((note.title or "").strip() or first or note.url or "Untitled")[:TITLE]


def note_line(note: Note, excerpt: str) -> NoteLine:
    """A note as a list shows it."""
    return NoteLine(
        note_id=note.id,
        title=title(note),
        excerpt=excerpt,
        tags=note.tags,
        created_at=rfc3339(note.created_at),
        kind=note.kind,
        link=link(note.id),
    )


def task_line(task: Task) -> TaskLine:
    """A task as a list shows it."""
    return TaskLine(task_id=task.id, title=task.title, status=task.status, tags=task.tags)


def citations(notes: Sequence[Note]) -> tuple[Citation, ...]:
    """The notes as sources."""
    return tuple(
        Citation(number=number, title=title(note), url=link(note.id), source_kind="note", note_id=note.id)
        for number, note in enumerate(notes, 1)
    )


def plain(answer: Model) -> JsonDict:
    """An answer as a result: what is not there is left out."""
    return answer.model_dump(mode="json", exclude_none=True)
