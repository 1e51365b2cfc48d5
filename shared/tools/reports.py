"""The tool that finds earlier research: the same search as over all notes, among the reports alone."""

from typing import Any

from shared.find import find
from shared.gateway.tool import Errand, Outcome, Tool
from shared.tools.excerpt import excerpt
from shared.tools.notes import SearchNotes
from shared.tools.shapes import NotesFound, citations, note_line, plain


async def _search(errand: Errand, asked: SearchNotes) -> Outcome:
    found = await find(errand.doors.documents, errand.tenant, asked.query, kind="research", limit=asked.limit)
    lines = [note_line(note, excerpt(note.body or note.summary or "", asked.query)) for note in found]
    message = None if found else "No research report holds any of these words."
    return Outcome(plain(NotesFound(notes=lines, message=message)), sources=citations(found))


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "search_research",
        "Find the person's research reports that hold words of a query, best first.",
        SearchNotes,
        _search,
        outside=True,
        answer=NotesFound,
    ),
)
