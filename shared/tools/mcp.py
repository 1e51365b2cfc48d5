"""The tools of the tenant's MCP servers: those that a person approved, and that are still what the person saw.

Nothing that a server says stands where a model looks for instructions: the description is ours, the schema holds no
sentence, and the server's own words are carried apart, as data.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import ConfigDict

from shared.doors import Doors
from shared.errors import Forbidden, MemexError
from shared.gateway.tool import Errand, Outcome, Tool
from shared.models.base import JsonDict, Model
from shared.models.mcp import McpOffer, McpServer, McpTool
from shared.net.guard import Network
from shared.store.mcp import McpServers
from shared.tools.bound import bounded
from shared.tools.mcpschema import is_pinned, stripped, tool_name

if TYPE_CHECKING:
    from shared.net.mcp import Session

FRESH_SECONDS = 120.0
"""How long a server's list of tools is believed."""
DOWN_SECONDS = 20.0
"""How long a server that could not be asked is left alone, so that not every turn waits for it."""
LIST_SECONDS = 10.0
CALL_SECONDS = 25.0
_SETTINGS = "Look at it in Settings, MCP servers."
_CLOSED = "The outside is closed, so the tools of your MCP servers are missing. Switch network access on in Settings."


class McpArguments(Model):
    """Arguments whose shape the server's schema gives."""

    model_config = ConfigDict(extra="allow", frozen=True, hide_input_in_errors=True)


@dataclass(frozen=True, slots=True)
class Listing:
    """What a server said of itself; good until `until` (unix seconds). Its session serves the calls that follow."""

    until: float
    session: "Session"
    offers: dict[str, McpOffer] = field(default_factory=dict)
    problem: str = ""


Key = tuple[str, str, int, tuple[str, ...]]
"""Tenant, server, the server's revision, and the hosts that were allowed."""


class Toolbox:
    """The servers' tools, asked for once in a while by each process."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._listings: dict[Key, Listing] = {}

    async def tools_for(
        self, doors: Doors, tenant: str, allowed_hosts: Sequence[str]
    ) -> tuple[dict[str, Tool[Any]], list[str]]:
        """The tools by name, and a sentence for each approved one that is missing, for the person to read."""
        servers = await McpServers(doors.documents, tenant).all()
        if not allowed_hosts and any(tool.approved for server in servers for tool in server.tools):
            return {}, [_CLOSED]
        found = await asyncio.gather(*(self._of(doors, tenant, server, tuple(allowed_hosts)) for server in servers))
        tools: dict[str, Tool[Any]] = {}
        problems: list[str] = []
        for offered, missing in found:
            tools.update(offered)
            problems += missing
        return tools, problems

    async def _of(
        self, doors: Doors, tenant: str, server: McpServer, allowed_hosts: tuple[str, ...]
    ) -> tuple[dict[str, Tool[Any]], list[str]]:
        problems = [_changed(server, tool) for tool in server.tools if tool.changed]
        if server.error and not server.tools:
            problems.append(_problem(server, server.error.message, server.error.next))
        approved = [tool for tool in server.tools if tool.approved]
        if not approved:
            return {}, problems
        listing = await self._listing(doors, tenant, server, allowed_hosts)
        if listing.problem:
            return {}, [*problems, listing.problem]
        tools: dict[str, Tool[Any]] = {}
        for tool in approved:
            offer = listing.offers.get(tool.name)
            if offer is None:
                problems.append(f"The MCP server {server.name} no longer offers its tool {tool.name}. {_SETTINGS}")
            elif not is_pinned(tool, offer):
                problems.append(_changed(server, tool))
            else:
                made = self._tool(server, tool, offer, listing.session)
                tools[made.name] = made
        return tools, problems

    async def _listing(self, doors: Doors, tenant: str, server: McpServer, allowed_hosts: tuple[str, ...]) -> Listing:
        now = doors.now()
        key = (tenant, server.id, server.revision, allowed_hosts)
        if (known := self._listings.get(key)) and now < known.until:
            return known
        self._listings = {old: listing for old, listing in self._listings.items() if now < listing.until}
        self._listings[key] = listing = await self._asked(doors, tenant, server, allowed_hosts)
        return listing

    async def _asked(self, doors: Doors, tenant: str, server: McpServer, allowed_hosts: tuple[str, ...]) -> Listing:
        from shared.net.mcp import McpClient, Session

        session = Session()
        try:
            _, access = await McpServers(doors.documents, tenant).with_access(server.id)
            client = McpClient(access, allowed_hosts, self._network, session=session, seconds=LIST_SECONDS)
            offers = {offer.name: offer for offer in await client.tools()}
        except MemexError as error:
            problem = _problem(server, error.message, error.next)
            return Listing(doors.now() + DOWN_SECONDS, session, problem=problem)
        return Listing(doors.now() + FRESH_SECONDS, session, offers)

    def _tool(self, server: McpServer, tool: McpTool, offer: McpOffer, session: "Session") -> Tool[McpArguments]:
        async def run(errand: Errand, arguments: McpArguments) -> Outcome:
            from shared.net.mcp import McpClient

            stored, access = await McpServers(errand.doors.documents, errand.tenant).with_access(server.id)
            if not any(one.approved and one.name == tool.name and is_pinned(one, offer) for one in stored.value.tools):
                raise Forbidden(
                    f"The tool {tool.name} of the MCP server {server.name} is not approved any more.",
                    code="mcp_not_approved",
                    next=_SETTINGS,
                )
            client = McpClient(access, errand.allowed_hosts, self._network, session=session, seconds=CALL_SECONDS)
            said = await client.call(tool.name, arguments.model_extra or {})
            return Outcome(_result(said.text, said.failed, said.left_out))

        return Tool(
            tool_name(server.name, tool.name),
            f"A tool of the MCP server {server.name}, added by the person. What the server says of it is given apart.",
            McpArguments,
            run,
            seconds=CALL_SECONDS + 5,
            outside=True,
            schema=stripped(offer.input_schema),
            carried={"description": offer.description},
        )


def _result(text: str, failed: bool, left_out: Sequence[str]) -> JsonDict:
    result: JsonDict = {"text": bounded(text)}
    if failed:
        result = {"error": "mcp_tool_failed", "message": "The tool failed; `text` is what it says.", **result}
    elif not text:
        result["message"] = "The tool answered without a text."
    if left_out:
        result["left_out"] = list(left_out[:50])
    return result


def _problem(server: McpServer, message: str, next: str) -> str:
    return f"The MCP server {server.name} can't be used now: {message.rstrip('.')}. {next or _SETTINGS}"


def _changed(server: McpServer, tool: McpTool) -> str:
    return f"The tool {tool.name} of the MCP server {server.name} changed since you approved it. {_SETTINGS}"


_process = Toolbox(Network())


async def tools_for(doors: Doors, tenant: str, allowed_hosts: Sequence[str]) -> tuple[dict[str, Tool[Any]], list[str]]:
    """The approved tools of the tenant's MCP servers by name, and what of them is missing, a sentence each."""
    return await _process.tools_for(doors, tenant, allowed_hosts)
