"""Looking in all sources before an answer is written: which there are, and asking them side by side. It ranks nothing.

A source that fails or is slow is named as such and keeps nobody waiting. Each kind of source is one entry in `WIRES`.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from shared.agent.model import ToolSpec
from shared.doors import Doors
from shared.errors import MemexError
from shared.find import find
from shared.gateway.gateway import Done
from shared.gateway.policy import MCP_PREFIX
from shared.log import described
from shared.models.base import JsonDict
from shared.models.evidence import TOOL, Gathered, Passage, SourceKind
from shared.models.note import Kind, Note
from shared.net.guard import host_allowed
from shared.preferences import Preferences
from shared.store.documents import Query, Where
from shared.tools.excerpt import excerpt
from shared.tools.shapes import link, title

if TYPE_CHECKING:
    from shared.memory.recall import Remembered

AT_ONCE = 3
"""Sources that are asked side by side."""
SECONDS = 20.0
"""How long one source may take."""
SERVER_SECONDS = 15.0
"""How long one of several servers may take."""
HITS = 8
"""Passages that one source gives."""
MEMORIES = 10
"""Of memories, which are short: all that one recall can allow."""
SERVERS = 3
"""Searches of MCP servers that are asked."""
PASSAGE = 1_200
"""Characters of one passage."""

log = logging.getLogger("memex.agent")


class Source(Protocol):
    """Something that can be asked for passages."""

    @property
    def kind(self) -> SourceKind:
        """What it is."""
        ...

    async def find(self, query: str, limit: int) -> Sequence[Passage]:
        """At most `limit` passages, best first. Raises MemexError where it can't be asked."""
        ...


@dataclass(frozen=True, slots=True)
class Reach:
    """What sources are made from. `ask` is the gateway: None where the tool may not be used without a person.

    `remembered` is what the turn's one recall allows, by address; it is filled once that has ended. None where memory
    is off.
    """

    doors: Doors
    tenant: str
    settings: Preferences
    tools: tuple[ToolSpec, ...]
    ask: "Ask"
    remembered: "Mapping[str, Remembered] | None" = None


Ask = Callable[[str, JsonDict], Awaitable[Done | None]]
Wire = Callable[[Reach], Awaitable[Source | None]]


async def wired(reach: Reach) -> tuple[Source, ...]:
    """The sources that there are for this tenant now."""
    found = await asyncio.gather(*(wire(reach) for wire in WIRES))
    return tuple(source for source in found if source)


async def gather(sources: Sequence[Source], query: str) -> Gathered:
    """What each source finds. Only cancellation is raised."""
    places = asyncio.Semaphore(AT_ONCE)

    async def asked(source: Source) -> Sequence[Passage] | None:
        most = MEMORIES if source.kind == "memory" else HITS
        async with places:
            try:
                async with asyncio.timeout(SECONDS):
                    return (await source.find(query, most))[:most]
            except (MemexError, TimeoutError):
                return None
            except Exception as error:
                log.error("the source %s failed: %s", source.kind, described(error))
                return None

    answers = await asyncio.gather(*map(asked, sources))
    pairs = list(zip((source.kind for source in sources), answers, strict=True))
    return Gathered(
        found={kind: list(answer) for kind, answer in pairs if answer},
        nothing=[kind for kind, answer in pairs if answer is not None and not answer],
        failed=[kind for kind, answer in pairs if answer is None],
    )


# -- notes and reports


@dataclass(frozen=True, slots=True)
class _Notes:
    """Notes, or research reports, by the search that people use."""

    kind: SourceKind
    doors: Doors
    tenant: str

    async def find(self, query: str, limit: int) -> Sequence[Passage]:
        reports = self.kind == "research"
        kind: Kind | None = "research" if reports else None
        found = await find(self.doors.documents, self.tenant, query, kind=kind, limit=limit if reports else 2 * limit)
        kept = [note for note in found if reports or note.kind != "research"]
        return [_passage(self.kind, note, query) for note in kept[:limit]]


def _passage(kind: SourceKind, note: Note, query: str) -> Passage:
    text = excerpt(note.body or note.summary or "", query, length=PASSAGE)
    return Passage(title=title(note), url=link(note.id), text=text, source_kind=kind, note_id=note.id)


async def _notes(reach: Reach) -> Source | None:
    return _Notes("note", reach.doors, reach.tenant) if await _any_note(reach) else None


async def _reports(reach: Reach) -> Source | None:
    there = await _any_note(reach, Where("kind", "==", "research"))
    return _Notes("research", reach.doors, reach.tenant) if there else None


async def _any_note(reach: Reach, *where: Where) -> bool:
    # One in the bin counts as well: to leave it out takes a second condition, which no store answers at one look. Who
    # has nothing else is told that nothing was found.
    return bool(await reach.doors.documents.query(Query("notes", f"tenants/{reach.tenant}", where, limit=1)))


# -- what is remembered of the person


@dataclass(frozen=True, slots=True)
class Memories:
    """What a turn's one recall allowed. It asks nobody again, and gives references: their words are added at use."""

    remembered: "Mapping[str, Remembered]"
    kind: SourceKind = "memory"

    async def find(self, query: str, limit: int) -> Sequence[Passage]:
        """The nearest first, as the recall had them."""
        return [one.passage for one in self.remembered.values()][:limit]


async def _memories(reach: Reach) -> Source | None:
    return None if reach.remembered is None else Memories(reach.remembered)


# -- what lies outside, through the gateway


@dataclass(frozen=True, slots=True)
class _Web:
    """The search in the web."""

    ask: Ask
    kind: SourceKind = "web"

    async def find(self, query: str, limit: int) -> Sequence[Passage]:
        done = await self.ask("web_search", {"query": query[:400], "limit": limit})
        if done is None or not done.ok:
            raise MemexError("The web could not be asked.", next="Ask again later.")
        return [
            Passage(title=one.title, url=one.url, text=one.quote or one.title, source_kind="web")
            for one in (done.outcome.sources if done.outcome else ())
        ]


@dataclass(frozen=True, slots=True)
class Servers:
    """The searches of MCP servers, asked side by side. What they say names no page, so each is a source by its name."""

    tools: tuple[str, ...]
    ask: Ask
    kind: SourceKind = "mcp"

    async def find(self, query: str, limit: int) -> Sequence[Passage]:
        """What each says; MemexError where none could be asked."""
        answers = await asyncio.gather(*(self._asked(tool, query) for tool in self.tools))
        if not any(done and done.ok for done in answers):
            raise MemexError("No connected server could be asked.", next="Ask again later.")
        told = [
            (tool, str(done.outcome.result.get("text") or ""))
            for tool, done in zip(self.tools, answers, strict=True)
            if done and done.ok and done.outcome
        ]
        return [
            Passage(title=tool.removeprefix(MCP_PREFIX), url=f"{TOOL}{tool}", text=text[:PASSAGE], source_kind="mcp")
            for tool, text in told
            if text
        ][:limit]

    async def _asked(self, tool: str, query: str) -> Done | None:
        # A slow one must not take the others' answers along, so that its time is over before the source's is.
        try:
            async with asyncio.timeout(SERVER_SECONDS):
                return await self.ask(tool, {"query": query[:400]})
        except TimeoutError:
            return None


async def _web(reach: Reach) -> Source | None:
    from shared.net.websearch import HOST

    open_to = reach.settings.allowed_hosts if reach.settings.egress_enabled else ()
    there = any(tool.name == "web_search" for tool in reach.tools)
    return _Web(reach.ask) if there and host_allowed(HOST, open_to) else None


async def _servers(reach: Reach) -> Source | None:
    return servers(reach.tools, reach.ask)


def servers(tools: Sequence[ToolSpec], ask: Ask) -> Servers | None:
    """The searches among the approved tools of MCP servers; None where there is none."""
    found = tuple(tool.name for tool in tools if _searches(tool))[:SERVERS]
    return Servers(found, ask) if found else None


def _searches(tool: ToolSpec) -> bool:
    """Whether an MCP server's tool is a search: it needs a query, and nothing else."""
    properties, required = tool.schema.get("properties"), tool.schema.get("required")
    if not tool.name.startswith(MCP_PREFIX) or not isinstance(properties, dict):
        return False
    query = properties.get("query")
    return required == ["query"] and isinstance(query, dict) and query.get("type") == "string"


WIRES: tuple[Wire, ...] = (_notes, _reports, _memories, _web, _servers)
"""How each kind of source is found; None where there is none."""
