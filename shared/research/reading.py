"""What our own agents read for a report: the person's notes, the pages that the note names, and what a search finds.

All of it is read by rule, before a model says anything that could send them elsewhere.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.doors import Doors
from shared.errors import MemexError
from shared.find import find
from shared.gateway.gateway import Done
from shared.models.base import JsonDict
from shared.models.evidence import Passage, SourceKind
from shared.models.note import Note
from shared.research.pages import READS, Page
from shared.store.notes import Notes
from shared.tools.excerpt import excerpt
from shared.tools.shapes import link, title
from shared.witness import may_be_a_source

if TYPE_CHECKING:
    from shared.research.extract.source import Source

PASSAGE = 1_500
"""Characters of one passage."""
PAGES = 3
"""Pages that are read for one question, of those that the note names and of those that a search finds."""

Ask = Callable[[str, JsonDict, frozenset[str]], Awaitable[Done | None]]
"""A tool's answer by its name, arguments and the addresses that may be read; None where a person would be asked."""


@dataclass(frozen=True, slots=True)
class OwnNotes:
    """Notes that may be a source (`shared.witness`), without the one that asks."""

    doors: Doors
    tenant: str
    asking: str
    kind: SourceKind = "note"

    async def find(self, query: str, limit: int) -> Sequence[Passage]:
        """The best of them, each with the part that fits."""
        hits = await find(self.doors.documents, self.tenant, query, limit=5 * limit)
        kept = [note for note in hits if note.id != self.asking and may_be_a_source(note)][:limit]
        notes = Notes(self.doors.documents, self.tenant)
        return [
            Passage(
                title=title(note),
                url=link(note.id),
                text=excerpt(await notes.body(note), query, length=PASSAGE),
                source_kind="note",
                note_id=note.id,
            )
            for note in kept
        ]


@dataclass(frozen=True, slots=True)
class Web:
    """Pages: those that the note names, then the first that a search finds where searching is allowed."""

    named: tuple[str, ...]
    ask: Ask
    searches: bool
    kind: SourceKind = "web"

    async def find(self, query: str, limit: int) -> Sequence[Passage]:
        """Each page with the part that fits; MemexError where nothing of it could be asked."""
        found = await self._read(self.named[:PAGES], query, frozenset(self.named))
        asked = bool(found)
        if self.searches:
            done = await self.ask("web_search", {"query": query[:400], "limit": PAGES + 2}, frozenset())
            results = done.outcome.sources if done and done.ok and done.outcome else ()
            asked |= bool(done and done.ok)
            addresses = tuple(one.url for one in results)
            read = await self._read(addresses[:PAGES], query, frozenset(addresses))
            seen = {one.url for one in (*found, *read)}
            # Of a page that can't be read, what the search says of it is left.
            told = [
                Passage(title=one.title, url=one.url, text=one.quote, source_kind="web")
                for one in results
                if one.quote and one.url not in seen
            ]
            found = [*found, *read, *told]
        if not asked:
            raise MemexError("No page could be read.", next="Allow their hosts in Settings, Network.")
        return found[:limit]

    async def _read(self, urls: Sequence[str], query: str, known: frozenset[str]) -> list[Passage]:
        found: list[Passage] = []
        for url in urls:
            done = await self.ask(READS, {"url": url}, known)
            page = done.outcome.result if done and done.ok and done.outcome else {}
            if text := str(page.get("text") or ""):
                passage = Passage(
                    title=str(page.get("title") or url),
                    url=str(page.get("url") or url),
                    text=excerpt(text, query, length=PASSAGE),
                    source_kind="web",
                )
                found.append(passage)
        return found


# -- for a report by rule


def sought(question: str) -> str:
    """What to look for without a model that says it: the note's questions, without the words that only ask."""
    from shared.research.extract.asked import focus, subject

    return subject(focus(question).words)


async def whole(doors: Doors, tenant: str, passages: Sequence[Passage], pages: Sequence[Page]) -> "list[Source]":
    """What the passages are from: the notes as they stand now, the pages as they were read; else the passages."""
    from shared.research.extract.inert import address
    from shared.research.extract.source import source

    notes = Notes(doors.documents, tenant)
    ids = [one.note_id for one in passages if one.note_id]
    bodies = {note.id: await _body(notes, note) for note in await notes.get_many(ids) if not note.deleted_at}
    read = [source(one.title, one.url, bodies[one.note_id]) for one in passages if one.note_id in bodies]
    read += [source(one.title, address(one.address), one.text) for one in pages if one.text]
    # Pages that a search told of and that could not be read, and what connected servers said.
    told = [one for one in passages if not one.note_id]
    read += [source(one.title, address(one.url), _uncut(one.text)) for one in told]
    found: dict[str, Source] = {}
    for one in read:
        found.setdefault(one.url, one)
    return list(found.values())


async def _body(notes: Notes, note: Note) -> str:
    return (await notes.whole(note.id)).body if note.body_parts else note.body


def _uncut(passage: str) -> str:
    """Without the sentences that a passage cuts through."""
    begun = passage.partition(". ")[2] if passage.startswith("…") else passage
    return begun[: begun.rfind(". ") + 1] if begun.endswith(("…", "...")) else begun
