"""What of a proposal a note takes: only what the user left empty. The note's text is never touched."""

from collections.abc import Iterable

from shared.enrichment.actions import normalised
from shared.enrichment.proposal import SUMMARY, TASK, TASKS, TITLE, Proposal, one_line, usable_tags
from shared.models.base import moment
from shared.models.ids import derived
from shared.models.note import Note, Task

REASON = 300
"""Characters of a reason that a note keeps."""


def apply(note: Note, proposal: Proposal, now: float) -> tuple[Note, list[Task]]:
    """The note with its empty fields filled, and the tasks that are new; a second time changes nothing."""
    if note.deleted_at is not None:
        return note, []
    before = note.enrichment
    # A tag that enrichment added once and that is gone was taken off by the user.
    tags = [tag for tag in usable_tags(proposal.tags, note.tags) if tag not in before.tags]
    tasks = [task for task in made(note, proposal.tasks[:TASKS], now) if task.id not in note.task_ids]
    changed = note.model_copy(
        update={
            "title": note.title if _filled(note.title) else one_line(proposal.title or "", TITLE) or note.title,
            "summary": note.summary
            if _filled(note.summary)
            else one_line(proposal.summary or "", SUMMARY) or note.summary,
            "tags": [*note.tags, *tags],
            "task_ids": [*note.task_ids, *(task.id for task in tasks)],
            "enrichment": before.model_copy(
                update={"status": "enriched", "error": None, "tags": [*before.tags, *tags]}
            ),
        }
    )
    return _stamped(note, changed, now), tasks


def fail(note: Note, reason: str, now: float) -> Note:
    """The note with its enrichment given up; one that is enriched already stays so."""
    before = note.enrichment
    error = one_line(reason, REASON) or "It could not be enriched."
    if before.status == "enriched" or (before.status == "failed" and before.error == error):
        return note
    failed = before.model_copy(update={"status": "failed", "error": error, "attempts": before.attempts + 1})
    return _stamped(note, note.model_copy(update={"enrichment": failed}), now)


def made(note: Note, titles: Iterable[str], now: float) -> list[Task]:
    """A note's tasks of these titles. The same title always is the same task, whoever finds it in the note."""
    found: dict[str, Task] = {}
    for text in titles:
        title = one_line(text, TASK)
        if name := normalised(title):
            id = derived(note.id, "task", name)
            found.setdefault(
                id, Task(id=id, created_at=moment(now), updated_at=moment(now), title=title, source_note_id=note.id)
            )
    return list(found.values())


def _filled(text: str | None) -> bool:
    return bool(text and text.strip())


def _stamped(before: Note, after: Note, now: float) -> Note:
    if after == before:
        return before
    return after.model_copy(update={"revision": before.revision + 1, "updated_at": moment(now)})
