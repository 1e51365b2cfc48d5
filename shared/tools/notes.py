"""Tools over the person's notes: find, read, make, change, throw away. They never buy: a tag starts no research."""

import re
from typing import Any

from pydantic import Field

from shared import edit
from shared.capture import Capture, new_note
from shared.edit import not_in_the_bin, not_reserved
from shared.errors import Unprocessable
from shared.events.trace import NoteChanged, cut
from shared.find import find
from shared.gateway.tool import Errand, Outcome, Tool
from shared.models.arguments import CreateNote, DeleteNote, NoteChanges, UpdateNote
from shared.models.base import RESERVED_TAGS, Model
from shared.models.ids import Id
from shared.models.note import Enrichment, Note, ResearchState
from shared.store import effects
from shared.store.documents import Expect
from shared.store.notes import Notes
from shared.store.records import until_settled
from shared.tools.excerpt import excerpt
from shared.tools.shapes import (
    BODY,
    BODY_BYTES,
    ChangedNote,
    NoteDone,
    NoteRead,
    NotesFound,
    WholeNote,
    citations,
    link,
    note_line,
    plain,
)

FIRST_LINES = 300
"""Characters of a note in a list that answers no question."""
COUNTED = 300
"""Notes that are counted at most: each is read for it."""
_DAY = 86_400.0
_CUT = re.compile(r"\n\[cut: \d+ more characters\]")


class SearchNotes(Model):
    """What to look for."""

    query: str = Field(min_length=1, max_length=1000, pattern=r"\S", description="Words or a question.")
    limit: int = Field(default=8, ge=1, le=20)
    tag: str | None = Field(default=None, min_length=1, max_length=64, description="Only notes with this tag.")


class GetNote(Model):
    """A note to read."""

    note_id: Id


class ListRecentNotes(Model):
    """How many, and from when."""

    limit: int = Field(default=10, ge=1, le=50)
    days: int | None = Field(default=None, ge=1, le=3650, description="Only those of so many past days.")


async def alive(errand: Errand, note_id: str) -> Note:
    """A note of the tenant's that is not in the bin, with its whole body."""
    note = await Notes(errand.doors.documents, errand.tenant).whole(note_id)
    not_in_the_bin(note)
    return note


async def _search(errand: Errand, asked: SearchNotes) -> Outcome:
    found = await find(errand.doors.documents, errand.tenant, asked.query, tag=asked.tag, limit=asked.limit)
    lines = [note_line(note, excerpt(note.body or note.summary or "", asked.query)) for note in found]
    among = f" among those tagged #{asked.tag}" if asked.tag else ""
    message = None if found else f"No note{among} holds any of these words."
    return Outcome(plain(NotesFound(notes=lines, message=message)), sources=citations(found))


async def _get(errand: Errand, asked: GetNote) -> Outcome:
    note = await alive(errand, asked.note_id)
    whole = WholeNote(**note_line(note, "").model_dump(exclude={"excerpt"}), **_texts(note))
    return Outcome(plain(NoteRead(note=whole)), sources=citations([note]))


def _texts(note: Note) -> dict[str, str | None]:
    shown = cut(note.body[:BODY], BODY_BYTES).partition("\n[cut: ")[0] if _is_long(note.body) else note.body
    left = len(note.body) - len(shown)
    body = f"{shown}\n[cut: {left} more characters]" if left else shown
    return {"body": body, "summary": note.summary, "url": note.url}


def _is_long(body: str) -> bool:
    return len(body) > BODY or len(body.encode()) > BODY_BYTES


async def _recent(errand: Errand, asked: ListRecentNotes) -> Outcome:
    # One past the limit tells that there are more; only a question about a time is worth counting.
    most = asked.limit + 1 if asked.days is None else COUNTED
    read = await Notes(errand.doors.documents, errand.tenant).page(limit=most)
    oldest = errand.doors.now() - asked.days * _DAY if asked.days is not None else 0.0
    all_of_it = [note for note in read if note.created_at.timestamp() >= oldest]
    found = all_of_it[: asked.limit]
    # A full page whose last note is still of these days: what follows it was not looked at.
    unread = len(read) == most and bool(all_of_it) and all_of_it[-1] is read[-1]
    more = unread or len(all_of_it) > asked.limit
    total = len(all_of_it) if asked.days is not None or not more else None
    lines = [note_line(note, excerpt(note.body or note.summary or "", length=FIRST_LINES)) for note in found]
    message = None if found else "There are no notes yet." if asked.days is None else "There are none of these days."
    answer = NotesFound(notes=lines, message=message, total=total or None, more=more or None)
    return Outcome(plain(answer), sources=citations(found))


async def _create(errand: Errand, asked: CreateNote) -> Outcome:
    not_reserved(asked.tags or ())
    entry = Capture(text=asked.text, title=asked.title, tags=asked.tags or [], url=asked.url)
    documents, now = errand.doors.documents, errand.doors.now()
    notes = Notes(documents, errand.tenant)

    async def attempt() -> Note:
        if done := await effects.known(documents, errand.effect, now):
            return (await notes.get(done.target_id)).value
        note = _drafted(entry, asked, now)
        writes = notes.put(note, Expect.ABSENT, body=note.body)
        writes.append(effects.write(errand.effect, note.id, now, _made(note.id)))
        await documents.commit(writes)
        return note

    note = await until_settled(attempt)
    done = ChangedNote(note_id=note.id, link=link(note.id), kind=note.kind, tags=note.tags)
    message = None
    if new_note(entry, now).research.requested:
        message = "The hashtag #research in the text starts nothing here: call start_research where it is wanted."
    return Outcome(plain(NoteDone(note=done, message=message)), undo=_made(note.id))


def _made(note_id: str) -> NoteChanged:
    return NoteChanged(type="note_created", note_id=note_id)


def _drafted(entry: Capture, asked: CreateNote, now: float) -> Note:
    """The note as capturing would make it, but without a wish for research, whatever its text says."""
    note = new_note(entry, now)
    written = asked.kind != "capture"
    return note.model_copy(
        update={
            "kind": asked.kind if written else note.kind,
            "tags": [tag for tag in note.tags if tag not in RESERVED_TAGS],
            "research": ResearchState(),
            # What was put together from notes names tasks that are there already.
            "enrichment": Enrichment(status="none") if written else note.enrichment,
        }
    )


async def _update(errand: Errand, asked: UpdateNote) -> Outcome:
    changes = asked.changes
    not_a_part(changes)
    revised = await edit.revise(
        errand.doors.documents,
        errand.tenant,
        asked.note_id,
        _edit(changes),
        errand.doors.now(),
        key=errand.effect,
        add_tags=changes.add_tags or (),
        by="tool",
    )
    # Which fields, not what stands in them: that may be somebody else's text.
    fields = sorted({"tags" if name == "add_tags" else name for name in changes.model_dump(exclude_none=True)})
    changed = fields if revised.undo else []
    message = None if revised.undo else "It was so already; nothing was changed."
    done = ChangedNote(note_id=revised.note.id, link=link(revised.note.id), changed=changed)
    return Outcome(plain(NoteDone(note=done, message=message)), undo=revised.undo)


def _edit(changes: NoteChanges) -> edit.Edit:
    wanted: dict[str, Any] = changes.model_dump(exclude_none=True, exclude={"add_tags"})
    for field in ("title", "summary"):
        if field in wanted:
            wanted[field] = wanted[field].strip() or None
    return edit.Edit(**wanted)


def not_a_part(changes: NoteChanges) -> None:
    """Unprocessable where a new body holds the mark of a body that was shown in part: the rest would be lost."""
    if _CUT.search(changes.body or ""):
        raise Unprocessable(
            "changes.body: it holds the mark of a text that was cut, so it would replace the whole note by a part",
            code="partial_body",
            next="Leave body out and change title, summary or tags, or write a new note.",
        )


async def _delete(errand: Errand, asked: DeleteNote) -> Outcome:
    revised = await edit.throw_away(
        errand.doors.documents, errand.tenant, asked.note_id, errand.doors.now(), key=errand.effect
    )
    message = "It is in the bin, and can be restored for 30 days." if revised.undo else "It was in the bin already."
    done = ChangedNote(note_id=revised.note.id, link=link(revised.note.id))
    return Outcome(plain(NoteDone(note=done, message=message)), undo=revised.undo)


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "search_notes",
        "Find the person's notes that hold words of a query, best first, each with the part that fits.",
        SearchNotes,
        _search,
        outside=True,
        answer=NotesFound,
    ),
    Tool("get_note", "Read one note with its whole text.", GetNote, _get, outside=True, answer=NoteRead),
    Tool(
        "list_recent_notes",
        "List the newest notes, newest first.",
        ListRecentNotes,
        _recent,
        outside=True,
        answer=NotesFound,
    ),
    Tool(
        "create_note",
        "Write a new note. Research is started with start_research, never by a tag.",
        CreateNote,
        _create,
        answer=NoteDone,
    ),
    Tool(
        "update_note",
        "Change title, summary, body or tags of a note; what is left out stays.",
        UpdateNote,
        _update,
        answer=NoteDone,
    ),
    Tool("delete_note", "Move a note to the bin.", DeleteNote, _delete, answer=NoteDone),
)
