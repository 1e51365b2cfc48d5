"""MCP servers: added, looked at again, their tools approved, removed. Their secrets go in, and never out."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from shared import services
from shared.http import Person
from shared.models.base import Model
from shared.models.mcp import ApprovedTools, McpServer, NewMcpServer
from shared.net.guard import Network
from shared.paging import IfMatch, Key, answer, revision
from shared.preferences import preferences
from shared.store import answers
from shared.store.mcp import McpServers
from shared.tools import mcpservers

router = APIRouter(prefix="/api/v1/mcp/servers")


class McpServerAnswer(Model):
    """An MCP server."""

    server: McpServer


class McpServersAnswer(Model):
    """All MCP servers; there are never so many that they need a second page."""

    servers: list[McpServer]
    next_cursor: str | None = None


def network() -> Network:
    """The way to the servers."""
    return Network()


Way = Annotated[Network, Depends(network)]


@router.get("", response_model=McpServersAnswer)
async def page(request: Request, person: Person) -> Response:
    """The servers, in the order in which they were added."""
    found = await McpServers(services.current().documents, person.tenant).all()
    return answer(request, McpServersAnswer(servers=found))


@router.post("", status_code=201)
async def add(wanted: NewMcpServer, person: Person, request: Request, way: Way, key: Key = None) -> McpServerAnswer:
    """Add a server and ask it what it offers; one that can't be asked is kept with the reason."""
    current = services.current()
    kept = answers.key(person.tenant, "mcp/servers", key, await request.body())
    hosts = await _hosts(person.tenant)
    return McpServerAnswer(server=await mcpservers.add(current, person.tenant, wanted, hosts, way, key=kept))


@router.post("/{server_id}/refresh")
async def refresh(server_id: str, person: Person, way: Way) -> McpServerAnswer:
    """Ask it again what it offers."""
    hosts = await _hosts(person.tenant)
    server = await mcpservers.refresh(services.current(), person.tenant, server_id, hosts, way)
    return McpServerAnswer(server=server)


@router.post("/{server_id}/approve")
async def approve(server_id: str, wanted: ApprovedTools, person: Person, if_match: IfMatch = None) -> McpServerAnswer:
    """Approve exactly these tools, as they are listed; send the revision that was looked at as If-Match."""
    server = await mcpservers.approve(
        services.current(), person.tenant, server_id, wanted.tools, expected=revision(if_match)
    )
    return McpServerAnswer(server=server)


@router.delete("/{server_id}")
async def remove(server_id: str, person: Person) -> McpServerAnswer:
    """Remove a server with its secrets."""
    return McpServerAnswer(server=await mcpservers.remove(services.current(), person.tenant, server_id))


async def _hosts(tenant: str) -> tuple[str, ...]:
    """The hosts that may be asked; none while the outside is closed."""
    current = services.current()
    chosen = await preferences(current.documents, current.settings, tenant)
    return chosen.allowed_hosts if chosen.egress_enabled else ()
