"""What a task reads before a model is asked: the notes that the person picked, else found ones, and the portfolio."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from shared.doors import Doors
from shared.enrichment.proposal import cut as shortened
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
from shared.witness import may_be_a_source, reports

FOUND = 10
"""Notes that retrieval gives, reports among them."""
_LOOKED = 4 * FOUND
"""Hits among which these are chosen: after research on a subject, questions and reports hold its words best."""
REPORTS = 3
"""Research reports that are read beside the person's own notes, which come first."""
PORTFOLIO = "portfolio"
"""The tag of notes that say what the person holds."""
HOLDINGS = 5
"""Notes with that tag that are read, the newest."""
EXCERPT = 1_500
"""Characters of a note that was found."""
BYTES = 40_000
"""Of all that is read here, as stored; sources come on top."""
_CITES = 20
"""Sources of a report that are told with it; its title names fewer."""
_NAMED = 3
_TITLE = 80
_NAME = 40
"""Characters of a source's title, and of one that a report's title names."""
_ASKED = 1_000
"""Characters of a question that are looked for."""


@dataclass(frozen=True, slots=True)
class Material:
    """What was read: as a model is given it, and as sources."""

    data: JsonDict
    sources: tuple[Citation, ...]


async def gather(doors: Doors, tenant: str, asked: AgentInput) -> Material:
    """Read it. Picked notes come whole as far as there is room, found ones with the part that fits.

    What is found is what the person kept, then research reports, as such; a picked note is what it was picked for.
    """
    notes = Notes(doors.documents, tenant)
    picked = [note for note in await notes.get_many(asked.note_ids) if not note.deleted_at]
    hits = [] if picked else await find(doors.documents, tenant, asked.question[:_ASKED], limit=_LOOKED)
    written = [note for note in hits if reports(note)][:REPORTS]
    found = [note for note in hits if may_be_a_source(note)][: FOUND - len(written)]
    known = {note.id for note in (*picked, *found)}
    holdings = [note for note in await notes.page(tag=PORTFOLIO, limit=HOLDINGS) if note.id not in known]
    written = [note for note in written if note not in holdings]
    room = BYTES // 2 // max(1, len(picked))
    data: JsonDict = {}
    if picked:
        data["picked"] = [_whole(note.model_copy(update={"body": await notes.body(note)}), room) for note in picked]
    if found:
        data["found"] = [_part(note, asked.question) for note in found]
    if holdings:
        data[PORTFOLIO] = [_part(note, asked.question) for note in holdings]
    if written:
        data["reports"] = [{**_part(note, asked.question), "cites": _cites(note)} for note in written]
    return Material(marked(fitted(data, BYTES)), _sources([*picked, *found, *holdings, *written]))


def _whole(note: Note, room: int) -> JsonDict:
    line = plain(note_line(note, cut(note.body, room)))
    return {**line, "url": note.url} if note.url else line


def _part(note: Note, question: str) -> JsonDict:
    return plain(note_line(note, excerpt(note.body or note.summary or "", question[:_ASKED], EXCERPT)))


def _cites(note: Note) -> list[JsonValue]:
    return [{"title": one.title[:_TITLE], "address": one.url} for one in note.citations[:_CITES]]


def _sources(notes: Sequence[Note]) -> tuple[Citation, ...]:
    return tuple(
        one.model_copy(update={"title": _called(note, one.title[:_TITLE])})
        for note, one in zip(notes, citations(notes), strict=True)
    )


def _called(note: Note, title: str) -> str:
    """What a source is called: of a report, that it is one, and what it rests on."""
    if not reports(note):
        return title
    names = list(dict.fromkeys(shortened(one.title, _NAME) for one in note.citations if one.title.strip()))
    more = [f"{len(names) - _NAMED} more"] if len(names) > _NAMED else []
    rests = f" (cites {', '.join([*names[:_NAMED], *more])})" if names else ""
    return f"Research report: {title}{rests}"
