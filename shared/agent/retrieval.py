"""Looking in all sources before an answer is written: which there are, and asking them side by side. It ranks nothing.

A source that fails or is slow is named as such and keeps nobody waiting. Further sources (memories) are one entry in
`WIRES` each.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from shared.agent.model import ToolSpec
from shared.doors import Doors
from shared.errors import MemexError
from shared.find import find
from shared.gateway.gateway import Done
from shared.gateway.policy import MCP_PREFIX
from shared.log import described
from shared.models.base import JsonDict
from shared.models.evidence import Gathered, Passage, SourceKind
from shared.models.note import Kind, Note
from shared.net.guard import host_allowed
from shared.preferences import Preferences
from shared.store.notes import Notes
from shared.tools.excerpt import excerpt
from shared.tools.shapes import link, title

AT_ONCE = 3
"""Sources that are asked side by side."""
SECONDS = 20.0
"""How long one source may take."""
HITS = 8
"""Passages that one source gives."""
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
    """What sources are made from. `ask` is the gateway: None where the tool may not be used without a person."""

    doors: Doors
    tenant: str
    settings: Preferences
    tools: tuple[ToolSpec, ...]
    ask: Callable[[str, JsonDict], Awaitable[Done | None]]


Wire = Callable[[Reach], Awaitable[Source | None]]


async def wired(reach: Reach) -> tuple[Source, ...]:
    """The sources that there are for this tenant now."""
    found = await asyncio.gather(*(wire(reach) for wire in WIRES))
    return tuple(source for source in found if source)


async def gather(sources: Sequence[Source], query: str) -> Gathered:
    """What each source finds. Only cancellation is raised."""
    places = asyncio.Semaphore(AT_ONCE)

    async def asked(source: Source) -> Sequence[Passage] | None:
        async with places:
            try:
                async with asyncio.timeout(SECONDS):
                    return (await source.find(query, HITS))[:HITS]
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
    some = await Notes(reach.doors.documents, reach.tenant).page(limit=1)
    return _Notes("note", reach.doors, reach.tenant) if some else None


async def _reports(reach: Reach) -> Source | None:
    some = await Notes(reach.doors.documents, reach.tenant).page(kind="research", limit=1)
    return _Notes("research", reach.doors, reach.tenant) if some else None


# -- what lies outside, through the gateway


@dataclass(frozen=True, slots=True)
class _Asked:
    """A tool that searches, asked as a source."""

    kind: SourceKind
    tool: str
    reach: Reach

    async def find(self, query: str, limit: int) -> Sequence[Passage]:
        arguments: JsonDict = {"query": query[:400]}
        done = await self.reach.ask(self.tool, {**arguments, "limit": limit} if self.kind == "web" else arguments)
        if done is None or not done.ok:
            raise MemexError("The source could not be asked.", next="Ask again later.")
        read = done.outcome.sources if done.outcome else ()
        if read:
            return [
                Passage(title=one.title, url=one.url, text=one.quote or one.title, source_kind=self.kind)
                for one in read
            ]
        text = str((done.outcome.result if done.outcome else {}).get("text") or "")
        named = self.tool.removeprefix(MCP_PREFIX)
        told = Passage(title=named, url=f"tool:{self.tool}", text=text[:PASSAGE], source_kind=self.kind)
        return [told] if text else []


async def _web(reach: Reach) -> Source | None:
    from shared.net.websearch import HOST

    open_to = reach.settings.allowed_hosts if reach.settings.egress_enabled else ()
    there = any(tool.name == "web_search" for tool in reach.tools)
    return _Asked("web", "web_search", reach) if there and host_allowed(HOST, open_to) else None


async def _servers(reach: Reach) -> Source | None:
    found = next((tool.name for tool in reach.tools if _searches(tool)), None)
    return _Asked("mcp", found, reach) if found else None


def _searches(tool: ToolSpec) -> bool:
    """Whether an MCP server's tool is a search: it needs a query, and nothing else."""
    properties, required = tool.schema.get("properties"), tool.schema.get("required")
    if not tool.name.startswith(MCP_PREFIX) or not isinstance(properties, dict):
        return False
    query = properties.get("query")
    return required == ["query"] and isinstance(query, dict) and query.get("type") == "string"


WIRES: tuple[Wire, ...] = (_notes, _reports, _web, _servers)
"""How each kind of source is found; None where there is none."""
