"""MCP servers in the store: each a document that may be shown, and below it one that holds its secrets."""

from shared.errors import Conflict, NotFound
from shared.models.ids import is_id
from shared.models.mcp import MOST_SERVERS, McpAccess, McpServer
from shared.store.documents import Document, Documents, Expect, Query, Write
from shared.store.records import Stored, parse, write


class McpServers:
    """The MCP servers of one tenant."""

    def __init__(self, documents: Documents, tenant: str) -> None:
        self._documents = documents
        self._parent = f"tenants/{tenant}"

    def path(self, server_id: str) -> str:
        """Where a server lives."""
        if not is_id(server_id):
            raise _missing()
        return f"{self._parent}/mcp_servers/{server_id}"

    def _secrets(self, server_id: str) -> str:
        return f"{self.path(server_id)}/secrets/access"

    def _name(self, name: str) -> str:
        return f"{self._parent}/mcp_names/{name}"

    async def all(self) -> list[McpServer]:
        """All servers, in the order in which they were added."""
        # A few more than may be added: two that are added at once can pass the limit together.
        query = Query("mcp_servers", self._parent, limit=2 * MOST_SERVERS)
        return [parse(McpServer, document).value for document in await self._documents.query(query)]

    async def get(self, server_id: str) -> Stored[McpServer]:
        """One server."""
        return _parsed(await self._documents.get(self.path(server_id)))

    async def with_access(self, server_id: str) -> tuple[Stored[McpServer], McpAccess]:
        """One server, and how it is reached."""
        server, access = await self._documents.get_many([self.path(server_id), self._secrets(server_id)])
        if access is None:
            raise _missing()
        return _parsed(server), McpAccess.model_validate(access.data)

    async def taken(self, name: str) -> bool:
        """Whether a server of this name is there."""
        return await self._documents.get(self._name(name)) is not None

    async def add(self, server: McpServer, access: McpAccess, *more: Write) -> None:
        """Store a new server together with `more`; Conflict `name_taken` where its name is in use."""
        if await self.taken(server.name):
            raise name_taken(server.name)
        await self._documents.commit(
            [
                write(self.path(server.id), server, Expect.ABSENT),
                Write(self._secrets(server.id), access.model_dump(mode="json"), Expect.ABSENT),
                Write(self._name(server.name), {"server_id": server.id}, Expect.ABSENT),
                *more,
            ]
        )

    def put(self, server: McpServer, expect: str) -> Write:
        """One server as a write."""
        return write(self.path(server.id), server, expect)

    async def remove(self, stored: Stored[McpServer]) -> None:
        """Delete a server with its secrets, and free its name."""
        await self._documents.commit(
            [
                Write(self.path(stored.value.id), None, stored.version),
                Write(self._secrets(stored.value.id), None),
                Write(self._name(stored.value.name), None),
            ]
        )


def name_taken(name: str) -> Conflict:
    """There is one of this name already."""
    return Conflict(f"There is an MCP server named {name} already.", code="name_taken", next="Choose another name.")


def _missing() -> NotFound:
    return NotFound("There is no such MCP server.", code="mcp_server_not_found", next="Reload the list of servers.")


def _parsed(document: Document | None) -> Stored[McpServer]:
    if document is None:
        raise _missing()
    return parse(McpServer, document)
