"""Notes: the feed, one note with its trace, edits, the bin, and the wish for research."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from functions.api.answers import OperationAnswer
from shared import edit, services
from shared.errors import Unprocessable
from shared.events.trace import TraceEvent
from shared.find import find
from shared.http import Person
from shared.models.answer import NoteAnswer
from shared.models.base import Model
from shared.models.note import Kind, Note
from shared.paging import Cursor, IfMatch, Key, Limit, answer, before, cursor_after, revision
from shared.passage import Piece, heading, marked, passage
from shared.research import claim
from shared.store import answers
from shared.store.notes import Notes

router = APIRouter(prefix="/api/v1/notes")
FIRST_LINES = 600
"""Characters of a body that a list carries."""


class NoteWithTrace(Model):
    """A note, whole, with what happened to it."""

    note: Note
    trace: list[TraceEvent]


class Hit(Model):
    """Where a note says what was searched for; inflections and accents count as the same word."""

    note_id: str
    title: list[Piece]
    """Its title, else its first line, whole."""
    passage: list[Piece]
    """The part of its text, still Markdown, that holds most of the words; empty where only title or tags do."""


class NotesAnswer(Model):
    """A page of notes; each body is cut to its first lines."""

    notes: list[Note]
    next_cursor: str | None
    hits: list[Hit] = []
    """Of a search, one for each note."""


@router.get("", response_model=NotesAnswer)
async def page(
    request: Request,
    person: Person,
    limit: Limit = 50,
    cursor: Cursor = None,
    kind: Kind | None = None,
    tag: Annotated[str | None, Query(max_length=64)] = None,
    q: Annotated[str | None, Query(max_length=1000)] = None,
    deleted: bool = False,
) -> Response:
    """The feed, newest first; with `q`, the notes that hold any of the words, best first and in one page."""
    documents = services.current().documents
    if q is not None:
        if cursor is not None or deleted:
            raise Unprocessable(
                "q: a search has one page and leaves the bin out", next="Leave cursor and deleted away."
            )
        found = await find(documents, person.tenant, q, kind=kind, tag=tag, limit=limit, typing=True)
        hits = [_hit(note, q) for note in found]
        return answer(request, NotesAnswer(notes=[_short(note) for note in found], next_cursor=None, hits=hits))
    notes = Notes(documents, person.tenant)
    found = await notes.page(kind=kind, tag=tag, deleted=deleted, before=before(cursor), limit=limit)
    following = cursor_after([note.id for note in found], limit)
    return answer(request, NotesAnswer(notes=[_short(note) for note in found], next_cursor=following))


@router.get("/{note_id}", response_model=NoteWithTrace)
async def one(note_id: str, request: Request, person: Person) -> Response:
    """One note, in the bin or not."""
    notes = Notes(services.current().documents, person.tenant)
    return answer(request, NoteWithTrace(note=await notes.whole(note_id), trace=await notes.trace(note_id)))


@router.patch("/{note_id}")
async def change(note_id: str, wanted: edit.Edit, person: Person, if_match: IfMatch = None) -> NoteAnswer:
    """Edit a note; what is left out stays."""
    current = services.current()
    note = await edit.edit(
        current.documents, person.tenant, note_id, wanted, current.now(), expected=revision(if_match)
    )
    return await _whole(note, person.tenant)


@router.delete("/{note_id}")
async def discard(note_id: str, person: Person, if_match: IfMatch = None) -> NoteAnswer:
    """Move a note to the bin."""
    current = services.current()
    return NoteAnswer(
        note=await edit.discard(current.documents, person.tenant, note_id, current.now(), expected=revision(if_match))
    )


@router.post("/{note_id}/restore")
async def restore(note_id: str, person: Person) -> NoteAnswer:
    """Bring a note back from the bin."""
    current = services.current()
    return await _whole(await edit.restore(current.documents, person.tenant, note_id, current.now()), person.tenant)


@router.post("/{note_id}/enrich", status_code=202)
async def enrich(note_id: str, person: Person) -> NoteAnswer:
    """Ask for enrichment once more."""
    current = services.current()
    return NoteAnswer(note=await edit.enrich_again(current.documents, person.tenant, note_id, current.now()))


@router.post("/{note_id}/research", status_code=202)
async def research(
    note_id: str,
    person: Person,
    request: Request,
    key: Key = None,
) -> OperationAnswer:
    """Ask for a researched report now."""
    current = services.current()
    kept = answers.key(person.tenant, f"research/{note_id}", key, await request.body())
    return OperationAnswer(operation=await claim.request(current, person.tenant, note_id, key=kept))


async def _whole(note: Note, tenant: str) -> NoteAnswer:
    return NoteAnswer(note=await Notes(services.current().documents, tenant).whole(note.id))


def _hit(note: Note, question: str) -> Hit:
    name = heading(note.title, note.body)
    return Hit(note_id=note.id, title=marked(name, question), passage=passage(note.body, question, name=name))


def _short(note: Note) -> Note:
    body = note.body if len(note.body) <= FIRST_LINES else note.body[:FIRST_LINES] + "…"
    return note.model_copy(update={"body": body, "origin": None})
