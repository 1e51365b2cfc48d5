"""What a person does with MCP servers: add one, look at it again, approve its tools, remove it. No model comes here."""

from collections.abc import Sequence
from typing import Protocol

from shared.errors import Conflict, Forbidden, MemexError, TooMany, Unprocessable
from shared.models.base import moment
from shared.models.ids import ulid
from shared.models.mcp import MOST_SERVERS, McpAccess, McpFailure, McpOffer, McpServer, NewMcpServer
from shared.net.guard import Network, inside, split
from shared.store import answers
from shared.store.documents import Documents
from shared.store.mcp import McpServers, name_taken
from shared.store.records import until_settled
from shared.tools.mcpschema import merged


class Clerk(Protocol):
    """What these acts need."""

    @property
    def documents(self) -> Documents:
        """Where documents live."""
        ...

    def now(self) -> float:
        """Unix seconds."""
        ...


async def add(
    doors: Clerk,
    tenant: str,
    wanted: NewMcpServer,
    allowed_hosts: Sequence[str],
    network: Network,
    *,
    key: answers.Key | None,
) -> McpServer:
    """Store a server with the tools that it offers, none of them approved; one that can't be asked, with the reason.

    A repeat of the same request answers the server that is there.
    """
    servers = McpServers(doors.documents, tenant)
    _refuse_inside(wanted.url)
    if key and (known := await answers.known(doors.documents, key, doors.now())):
        return (await servers.get(known)).value
    if len(await servers.all()) >= MOST_SERVERS:
        raise TooMany(f"There are {MOST_SERVERS} MCP servers already.", next="Remove one of them first.")
    if await servers.taken(wanted.name):
        raise name_taken(wanted.name)
    access = McpAccess(url=wanted.url, headers=wanted.headers)
    offers, failure = await _asked(access, allowed_hosts, network)

    async def attempt() -> McpServer:
        now = doors.now()
        if key and (known := await answers.known(doors.documents, key, now)):
            return (await servers.get(known)).value
        server = _new(wanted, now, offers, failure)
        await servers.add(server, access, *([answers.write(key, server.id, now)] if key else []))
        return server

    return await until_settled(attempt)


def _new(wanted: NewMcpServer, now: float, offers: Sequence[McpOffer], failure: McpFailure | None) -> McpServer:
    from shared.net.address import shown

    return McpServer(
        id=ulid(now),
        created_at=moment(now),
        updated_at=moment(now),
        name=wanted.name,
        url=shown(wanted.url),
        headers=sorted(wanted.headers),
        status="unreachable" if failure else "ready",
        error=failure,
        checked_at=moment(now),
        tools=merged((), offers),
    )


async def refresh(
    doors: Clerk, tenant: str, server_id: str, allowed_hosts: Sequence[str], network: Network
) -> McpServer:
    """Ask the server again. What it changed of an approved tool takes the approval from it."""
    servers = McpServers(doors.documents, tenant)
    _, access = await servers.with_access(server_id)
    offers, failure = await _asked(access, allowed_hosts, network)

    async def attempt() -> McpServer:
        stored = await servers.get(server_id)
        server = stored.value.changed(
            doors.now(),
            status="unreachable" if failure else "ready",
            error=failure,
            checked_at=moment(doors.now()),
            tools=stored.value.tools if failure else merged(stored.value.tools, offers),
        )
        await doors.documents.commit([servers.put(server, stored.version)])
        return server

    return await until_settled(attempt)


async def approve(
    doors: Clerk, tenant: str, server_id: str, names: Sequence[str], *, expected: int | None
) -> McpServer:
    """Approve exactly these tools as they were seen last, and no others.

    `expected` is the revision that the person looked at: Conflict `revision_conflict` where it is another by now.
    """
    servers = McpServers(doors.documents, tenant)

    async def attempt() -> McpServer:
        stored = await servers.get(server_id)
        if expected is not None and stored.value.revision != expected:
            raise Conflict("The server was looked at again meanwhile.", code="revision_conflict", next="Read it again.")
        usable = {tool.name for tool in stored.value.tools if not tool.unusable}
        if not usable.issuperset(names):
            raise Unprocessable(
                "tools: one of them is not offered by this server, or can't be used", next="Choose among its tools."
            )
        # Whoever decides has seen what changed, whatever they decide.
        tools = [
            tool.model_copy(update={"approved": tool.name in names and not tool.unusable, "changed": False})
            for tool in stored.value.tools
        ]
        server = stored.value.changed(doors.now(), tools=tools)
        await doors.documents.commit([servers.put(server, stored.version)])
        return server

    return await until_settled(attempt)


async def remove(doors: Clerk, tenant: str, server_id: str) -> McpServer:
    """Delete a server and its secrets."""
    servers = McpServers(doors.documents, tenant)

    async def attempt() -> McpServer:
        stored = await servers.get(server_id)
        await servers.remove(stored)
        return stored.value

    return await until_settled(attempt)


def _refuse_inside(url: str) -> None:
    """An address that can never be asked is not worth keeping."""
    _, host, _ = split(url)
    if inside(host):
        raise Forbidden(
            f"{host} is on this machine or inside a network, and no MCP server there is connected to:"
            " whoever steers the model with a note or a page could reach into your network through it.",
            code="address_blocked",
            next="Give it a public https address, and allow that host in Settings.",
        )


async def _asked(
    access: McpAccess, allowed_hosts: Sequence[str], network: Network
) -> tuple[list[McpOffer], McpFailure | None]:
    """What the server offers, or why it could not be asked."""
    from shared.net.mcp import McpClient

    client = McpClient(access, allowed_hosts, network)
    try:
        offers = await client.tools()
    except MemexError as error:
        return [], McpFailure(code=error.code, message=error.message, next=error.next)
    await client.close()
    return offers, None
