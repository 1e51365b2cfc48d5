"""What an approval would change, as things are now: each field before and after, and what stands in the way.

It only looks; a difference that is shown is none that was checked, and applying checks again.
"""

import difflib
from dataclasses import dataclass
from typing import assert_never

from pydantic import JsonValue

from shared.approvals.revise import arguments_of
from shared.edit import not_in_the_bin
from shared.errors import MemexError
from shared.events.trace import User, cut
from shared.models.approval import (
    AddEvidenceAction,
    Approval,
    CreateNoteAction,
    CreateTasksAction,
    CreateThesisAction,
    DeleteNoteAction,
    StartResearchAction,
    UpdateNoteAction,
    UpdateTaskAction,
)
from shared.models.arguments import NoteChanges
from shared.models.base import JsonDict, Model
from shared.models.note import Note
from shared.store.documents import Documents
from shared.store.notes import Notes
from shared.store.tasks import Tasks

SHOWN = 20_000
"""Bytes of a value that is shown whole; longer ones are cut with a mark."""
LINES = 4_000
"""Lines of a text that are compared; a longer one is only shown."""
TOLD = 1_000
"""Lines of a comparison."""
WIDTH = 2_000
"""Characters of such a line."""
_TRACE = 50


class FieldDiff(Model):
    """A field before and after; null where it has no value."""

    field: str
    before: JsonValue
    after: JsonValue
    lines: list[str] | None = None
    """A text's comparison as unified lines (`@@`, ` `, `+`, `-`); null for what is no text, or too long for it."""


class Target(Model):
    """What the action is about."""

    id: str
    title: str
    link: str | None = None
    """Where a note opens."""


class Trouble(Model):
    """Why it can't be done as things are."""

    code: str
    message: str
    next: str = ""


class Diff(Model):
    """What would change now."""

    target: Target | None = None
    """Null where something is made, or where it has gone."""
    fields: list[FieldDiff] = []
    trouble: Trouble | None = None


@dataclass(frozen=True, slots=True)
class Compared:
    """The difference, and whether its target was changed by somebody since it was proposed."""

    diff: Diff
    stale: bool = False


async def compare(documents: Documents, tenant: str, approval: Approval) -> Compared:
    """The approval's action beside what is there now."""
    try:
        return await _compare(documents, tenant, approval)
    except MemexError as gone:
        return Compared(Diff(trouble=_trouble(gone)), stale=True)


async def _compare(documents: Documents, tenant: str, approval: Approval) -> Compared:
    match approval.action:
        case CreateNoteAction() | CreateTasksAction() | CreateThesisAction():
            made = arguments_of(approval.action)
            return Compared(Diff(fields=[_field(name, None, value) for name, value in made.items()]))
        case UpdateNoteAction(arguments=wanted):
            note = await Notes(documents, tenant).whole(wanted.note_id)
            return await _about(documents, tenant, approval, note, _edited(note, wanted.changes))
        case DeleteNoteAction(arguments=wanted):
            note = await Notes(documents, tenant).whole(wanted.note_id)
            return await _about(documents, tenant, approval, note, [_field("deleted", False, True)])
        case StartResearchAction(arguments=wanted):
            note = await Notes(documents, tenant).whole(wanted.note_id)
            asked = [_field("research", note.research.status, "queued")]
            return await _about(documents, tenant, approval, note, asked)
        case AddEvidenceAction(arguments=wanted):
            note = await Notes(documents, tenant).whole(wanted.note_id)
            added: JsonValue = [wanted.finding.model_dump(mode="json")]
            side = "supporting" if wanted.stance == "for" else "opposing"
            return await _about(documents, tenant, approval, note, [_field(side, [], added)])
        case UpdateTaskAction(arguments=wanted):
            task = (await Tasks(documents, tenant).get(wanted.task_id)).value
            old = task.model_dump(mode="json")
            new = wanted.changes.model_dump(mode="json", exclude_none=True)
            fields = [_field(name, old[name], value) for name, value in new.items() if value != old[name]]
            target = Target(id=task.id, title=task.title)
            return Compared(Diff(target=target, fields=fields), stale=task.updated_at > approval.created_at)
    assert_never(approval.action)


async def _about(
    documents: Documents, tenant: str, approval: Approval, note: Note, fields: list[FieldDiff]
) -> Compared:
    """A difference in a note: stale only by a person's or a tool's edit, which enrichment is not."""
    trouble = None
    try:
        not_in_the_bin(note)
    except MemexError as binned:
        trouble = _trouble(binned)
    trace = await Notes(documents, tenant).trace(note.id, _TRACE)
    stale = any(isinstance(event, User) and event.at > approval.created_at for event in trace)
    first = next((line.strip() for line in note.body.splitlines() if line.strip()), "")
    title = (note.title or first or note.url or "Untitled")[:200]
    target = Target(id=note.id, title=title, link=f"#/notes/{note.id}")
    return Compared(Diff(target=target, fields=fields, trouble=trouble), stale=stale)


def _edited(note: Note, changes: NoteChanges) -> list[FieldDiff]:
    wanted: JsonDict = changes.model_dump(mode="json", exclude_none=True, exclude={"add_tags"})
    old: JsonDict = note.model_dump(mode="json", include={"title", "summary", "body", "tags"})
    for name in ("title", "summary"):
        if name in wanted:
            wanted[name] = str(wanted[name]).strip() or None
    if changes.add_tags:
        tags = changes.tags if changes.tags is not None else note.tags
        wanted["tags"] = list(dict.fromkeys([*tags, *changes.add_tags]))
    return [_field(name, old[name], value) for name, value in wanted.items() if value != old[name]]


def _field(name: str, before: JsonValue, after: JsonValue) -> FieldDiff:
    text = isinstance(before, str) or isinstance(after, str)
    lines = _lines(before, after) if text and name in ("body", "text", "summary") else None
    return FieldDiff(field=name, before=_bounded(before), after=_bounded(after), lines=lines)


def _bounded(value: JsonValue) -> JsonValue:
    return cut(value, SHOWN) if isinstance(value, str) else value


def _lines(before: JsonValue, after: JsonValue) -> list[str] | None:
    """A text's comparison, without the two lines that name files."""
    old = before.splitlines() if isinstance(before, str) else []
    new = after.splitlines() if isinstance(after, str) else []
    if len(old) + len(new) > LINES:
        return None
    found = [line[:WIDTH] for line in difflib.unified_diff(old, new, n=3, lineterm="")][2:]
    if len(found) <= TOLD:
        return found
    return [*found[:TOLD], f"@@ cut: {len(found) - TOLD} more lines @@"]


def _trouble(error: MemexError) -> Trouble:
    return Trouble(code=error.code, message=error.message, next=error.next)
