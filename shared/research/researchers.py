"""Who does our own agents' research: the model, what may be read inside and outside, and the hands of the nodes.

Nobody looks on, so that whatever a person would have to be asked about is not done.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from shared.agent.board import Board
from shared.agent.model import Message, ToolCall
from shared.agent.retrieval import Source, servers
from shared.agent_task.cast import Cast
from shared.agent_task.record import Record
from shared.agent_task.team import Team
from shared.agents import read
from shared.errors import NotConfigured
from shared.events.trace import Plan
from shared.gateway.gateway import Asks, Done, Gateway, Policy
from shared.gateway.tool import Tool
from shared.models.base import JsonDict
from shared.models.ids import derived
from shared.models.operation import ResearchInput
from shared.net.guard import host_allowed
from shared.preferences import preferences
from shared.research import looks
from shared.research.looks import Notes
from shared.research.pages import READS, drafts, named, pages, unread
from shared.research.reading import OwnNotes, Web
from shared.services import Services
from shared.tools.catalog import built_in

TOOLS = ("search_notes", "get_note", "calculator", "current_time")
"""Of the researcher: it reads notes. Pages are read before it begins, so that nothing it read can send it to one."""


@dataclass(frozen=True, slots=True)
class Outside:
    """The way out: its gateway, and whether a search is allowed."""

    gateway: Gateway
    searches: bool
    reads: bool


async def chosen_cast(services: Services, tenant: str) -> tuple[Cast, Outside, str]:
    """Who takes part; why nobody does but the rules, where the chosen model can't be had."""
    from shared.net.websearch import HOST

    chosen = await preferences(services.documents, services.settings, tenant)
    tools, open_to = built_in(), tuple(chosen.allowed_hosts) if chosen.egress_enabled else ()

    def gateway(*names: str) -> Gateway:
        policy = Policy(frozenset(names), chosen.approve_tools, chosen.egress_enabled, open_to, None)
        return Gateway({name: tools[name] for name in names}, policy, services.now)

    inside = gateway(*(TOOLS if chosen.use_tools else ()))
    reads = chosen.use_tools and chosen.egress_enabled
    outside = Outside(gateway("web_search", "http_fetch"), reads and host_allowed(HOST, open_to), reads)
    try:
        return Cast(services.model(chosen.model), inside, chosen), outside, ""
    except NotConfigured as error:
        from shared.agent.models.offline import Offline

        return Cast(Offline(), inside, chosen), outside, f"{error.message} {error.next}"


class Researchers(Team):
    """The hands of a run of research."""

    def __init__(
        self,
        services: Services,
        tenant: str,
        record: Record,
        cast: Cast,
        asked: ResearchInput,
        web: Outside,
        *,
        linked: frozenset[str],
    ) -> None:
        super().__init__(services, tenant, record, cast, linked=linked)
        self._wanted = asked
        self._web = web
        self._asks = 0

    async def wire(self) -> tuple[Source, ...]:
        """Notes; pages and connected servers where the outside is open and there is a way to one.

        No memories: an operation does not know which person asked for it.
        """
        among = OwnNotes(self._services, self._tenant, self._wanted.note_id)
        found: list[Source] = [Notes(among, self._inside)]
        urls = named(self._wanted.urls)
        if self._web.reads and (urls or self._web.searches):
            found.append(Web(urls, self._out, self._web.searches))
        if self._web.reads and (connected := await self._servers()):
            found.append(connected)
        return tuple(found)

    async def _servers(self) -> Source | None:
        """The searches of MCP servers whose tools the person approved, and that the researcher may use."""
        from shared.tools.mcp import tools_for

        chosen = self._cast.preferences
        hosts = tuple(chosen.allowed_hosts)
        tools, problems = await tools_for(self._services, self._tenant, hosts)
        if not any(isinstance(event, Plan) for event in self._record.events):
            for problem in problems:
                self.tell({"type": "error", "code": "tools_missing", "message": problem})
        if not tools:
            return None
        without = (await read(self._services.documents, self._tenant)).disabled_tools()
        policy = Policy(frozenset(tools) - without, chosen.approve_tools, True, hosts, None)
        gateway = Gateway(tools, policy, self._services.now)
        return servers(gateway.specs(), lambda tool, arguments: self._through(gateway, tool, arguments))

    async def research(self, board: Board, instruction: str, messages: Sequence[Message]) -> str | None:
        """The draft; none without a language model: then the report is written by rule."""
        if self._cast.offline:
            return ""
        return await super().research(board, instruction, messages)

    async def _inside(self, tool: Tool[Any], arguments: JsonDict) -> Done | None:
        policy = Policy(None, approve_tools=False, egress_enabled=False, allowed_hosts=(), budget_left=None)
        return await self._through(Gateway({tool.name: tool}, policy, self._services.now), tool.name, arguments)

    async def _out(self, tool: str, arguments: JsonDict, addresses: frozenset[str]) -> Done | None:
        return await self._through(self._web.gateway, tool, arguments, addresses)

    async def _through(
        self, gateway: Gateway, tool: str, arguments: JsonDict, addresses: frozenset[str] = frozenset()
    ) -> Done | None:
        """A source's call, on record; None where a person would have to be asked: then it is not done."""
        self._asks += 1
        run_id = self._record.operation.id
        call = ToolCall(derived(run_id, "out", str(self._record.next_seq), str(self._asks)), tool, arguments)
        errand = self.errand(call, addresses)
        # A page is one that the person named or a search returned, whatever was read before. What is searched for may
        # be a model's words, and once it has read others' text these could carry something out.
        outside = self.outside and tool != READS
        reply = await gateway.call(errand, call, outside=outside)
        done = None if isinstance(reply, Asks) else reply
        self.beside(done or gateway.denied(errand, call, looks.NOBODY))
        if tool != READS:
            for draft in looks.drafts(call, done):
                self.tell(draft)
            return done
        known = pages(self._record.events).get(str(arguments.get("url")))
        # Judges look again for themselves.
        if not (known and known.text):
            for draft in drafts(call, done):
                self.tell(draft)
        return done

    def unread(self) -> list[str]:
        """What to tell of pages that the note names and that were not read."""
        return unread(self._wanted.urls, self._record.events, reads=self._web.reads)
