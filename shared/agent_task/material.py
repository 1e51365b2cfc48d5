"""What a task reads before a model is asked: the notes that the person picked, else found ones, and the portfolio."""

from collections.abc import Sequence
from dataclasses import dataclass

from shared.doors import Doors
from shared.events.trace import cut
from shared.find import find
from shared.gateway.marks import marked
from shared.gateway.size import fitted
from shared.models.base import JsonDict
from shared.models.note import Citation, Note
from shared.models.operation import AgentInput
from shared.store.notes import Notes
from shared.tools.excerpt import excerpt
from shared.tools.shapes import citations, note_line, plain

FOUND = 10
"""Notes that retrieval gives."""
PORTFOLIO = "portfolio"
"""The tag of notes that say what the person holds."""
HOLDINGS = 5
"""Notes with that tag that are read, the newest."""
EXCERPT = 1_500
"""Characters of a note that was found."""
BYTES = 40_000
"""Of all that is read here, as stored; sources come on top."""
_TITLE = 80
_ASKED = 1_000
"""Characters of a question that are looked for."""


@dataclass(frozen=True, slots=True)
class Material:
    """What was read: as a model is given it, and as sources."""

    data: JsonDict
    sources: tuple[Citation, ...]


async def gather(doors: Doors, tenant: str, asked: AgentInput) -> Material:
    """Read it. Picked notes come whole as far as there is room, found ones with the part that fits."""
    notes = Notes(doors.documents, tenant)
    picked = [note for note in await notes.get_many(asked.note_ids) if not note.deleted_at]
    found = [] if picked else await find(doors.documents, tenant, asked.question[:_ASKED], limit=FOUND)
    known = {note.id for note in (*picked, *found)}
    holdings = [note for note in await notes.page(tag=PORTFOLIO, limit=HOLDINGS) if note.id not in known]
    room = BYTES // 2 // max(1, len(picked))
    data: JsonDict = {}
    if picked:
        data["picked"] = [_whole(note.model_copy(update={"body": await notes.body(note)}), room) for note in picked]
    if found:
        data["found"] = [_part(note, asked.question) for note in found]
    if holdings:
        data[PORTFOLIO] = [_part(note, asked.question) for note in holdings]
    return Material(marked(fitted(data, BYTES)), _sources([*picked, *found, *holdings]))


def _whole(note: Note, room: int) -> JsonDict:
    line = plain(note_line(note, cut(note.body, room)))
    return {**line, "url": note.url} if note.url else line


def _part(note: Note, question: str) -> JsonDict:
    return plain(note_line(note, excerpt(note.body or note.summary or "", question[:_ASKED], EXCERPT)))


def _sources(notes: Sequence[Note]) -> tuple[Citation, ...]:
    return tuple(one.model_copy(update={"title": one.title[:_TITLE]}) for one in citations(notes))
