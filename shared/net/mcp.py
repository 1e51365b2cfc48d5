"""A small client of MCP servers over streamable HTTP. It starts no programs (no stdio) and keeps no stream open.

Not the official package: it brings fourteen others, and it opens its connections itself, past the guard that checks
each hop and the address really connected to. Of the protocol this speaks what tools need: initialize, the list of
tools, a call. It offers a server nothing that the server could ask back for.
"""

import asyncio
import itertools
import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from pydantic import JsonValue

from shared.errors import MemexError, TooMany, Upstream, UpstreamTimeout
from shared.models.base import JsonDict
from shared.models.mcp import MOST_TOOLS, McpAccess, McpOffer
from shared.net.address import host_of
from shared.net.guard import Network
from shared.net.mcpsaid import Ear, Refused, Said, secrets_of
from shared.net.outside import Arrival, Ask, Outside
from shared.net.sse import EventReader

VERSION = "2025-06-18"
VERSIONS = frozenset({"2025-11-25", VERSION, "2025-03-26", "2024-11-05"})
"""Those whose tools look alike; the server chooses."""
SECONDS = 20.0
"""For one question, all its pages and requests included."""
MAX_BYTES = 2_000_000
PAGES = 20
_SESSION_ID = re.compile(r"[\x21-\x7e]{1,1000}")
_HEADERS = {
    "User-Agent": "Memex/0.1 (uses tools that its user approved)",
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}


@dataclass(frozen=True, slots=True)
class Opened:
    """What a server wants back with each request: its session's id, where it keeps one, and the version it chose."""

    id: str = field(repr=False)
    version: str


@dataclass(slots=True)
class Session:
    """The session with one server, for all who talk to it; opened by the first who needs it."""

    opened: Opened | None = None
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class _SessionGone(Upstream):
    code = "mcp_session_gone"


class McpClient:
    """Talks to one server. The session outlives the client where the caller keeps it."""

    def __init__(
        self,
        access: McpAccess,
        allowed_hosts: Sequence[str],
        network: Network,
        *,
        session: Session | None = None,
        seconds: float = SECONDS,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self._access = access
        self._host = host_of(access.url)
        self._outside = Outside(allowed_hosts, network, seconds=seconds)
        self._session = session if session is not None else Session()
        self._ear = Ear(self._host, secrets_of(access))
        self._seconds = seconds
        self._max_bytes = max_bytes

    async def tools(self) -> list[McpOffer]:
        """All tools that the server offers now."""
        async with self._in_time():
            found: dict[str, McpOffer] = {}
            cursors: set[str] = set()
            cursor: JsonValue = None
            for _ in range(PAGES):
                result = await self._request("tools/list", {"cursor": cursor} if cursor else {})
                for offer in self._ear.offers(result):
                    if offer.name in found:
                        raise self._ear.unreadable("names a tool twice")
                    found[offer.name] = offer
                if len(found) > MOST_TOOLS:
                    raise self._ear.unreadable(f"offers more than {MOST_TOOLS} tools")
                cursor = result.get("nextCursor")
                if not cursor:
                    return list(found.values())
                if not isinstance(cursor, str) or cursor in cursors:
                    raise self._ear.unreadable("repeats a page of its list of tools")
                cursors.add(cursor)
            raise self._ear.unreadable(f"has more than {PAGES} pages of tools")

    async def call(self, tool: str, arguments: JsonDict) -> Said:
        """Have a tool run. UpstreamTimeout means that it may have run all the same."""
        try:
            async with self._in_time():
                return self._ear.said(await self._request("tools/call", {"name": tool, "arguments": arguments}))
        except Refused as refused:
            return Said(refused.words, failed=True)
        except MemexError as error:
            if isinstance(error, UpstreamTimeout) or error.code in _UNHEARD:
                raise UpstreamTimeout(error.message, code=error.code, next=_LOOK) from error
            raise

    async def close(self) -> None:
        """Tell the server that its session is over; whether it hears is its own business."""
        opened, self._session.opened = self._session.opened, None
        if opened and opened.id:
            ask = Ask("DELETE", self._access.url, _headers(opened), secret=self._private(opened))
            with suppress(MemexError):
                async with self._outside.send(ask):
                    pass

    # -- the conversation ---------------------------------------------------------------------------------------

    async def _request(self, method: str, params: JsonDict) -> JsonDict:
        opened = await self._open(None)
        try:
            result, _ = await self._exchange(method, params, opened)
        except _SessionGone:
            # The server did nothing with it: a session that it no longer knows is its word for "begin again".
            result, _ = await self._exchange(method, params, await self._open(opened))
        return result

    async def _open(self, gone: Opened | None) -> Opened:
        """The session that is open and is not the one that is gone."""
        async with self._session.turn:
            if self._session.opened is None or self._session.opened is gone:
                self._session.opened = None
                self._session.opened = await self._initialize()
            return self._session.opened

    async def _initialize(self) -> Opened:
        us: JsonDict = {"name": "memex", "version": "0.1"}
        params: JsonDict = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": us}
        result, headers = await self._exchange("initialize", params, None)
        version = result.get("protocolVersion")
        if not isinstance(version, str) or version not in VERSIONS:
            raise self._ear.unreadable("speaks a version of MCP that we don't know")
        session_id = headers.get("mcp-session-id", "")
        if session_id and not _SESSION_ID.fullmatch(session_id):
            raise self._ear.unreadable("gave its session a name that can't be sent back")
        opened = Opened(session_id, version)
        async with self._sent({"jsonrpc": "2.0", "method": "notifications/initialized"}, opened):
            return opened

    async def _exchange(
        self, method: str, params: JsonDict, opened: Opened | None
    ) -> tuple[JsonDict, Mapping[str, str]]:
        """A request's result, with the headers of the answer."""
        id = next(_ids)
        message: JsonDict = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
        async with self._sent(message, opened) as arrival:
            if arrival.kind == "text/event-stream":
                answer = await self._streamed(arrival, id)
            elif arrival.kind == "application/json":
                answer = self._ear.answer(await arrival.body(self._max_bytes), id)
            else:
                raise self._ear.unreadable("answered with something else than MCP")
            headers = {name.lower(): value for name, value in arrival.response.headers.items()}
        if answer is None:
            raise self._ear.unreadable("answered something else than what it was asked")
        error, result = answer.get("error"), answer.get("result")
        if isinstance(error, dict):
            raise self._ear.refused(method, error)
        if not isinstance(result, dict):
            raise self._ear.unreadable("gave neither a result nor an error")
        return result, headers

    @asynccontextmanager
    async def _sent(self, message: JsonDict, opened: Opened | None) -> AsyncIterator[Arrival]:
        content = json.dumps(message, allow_nan=False).encode()
        ask = Ask("POST", self._access.url, _headers(opened), content, secret=self._private(opened))
        async with self._outside.send(ask) as arrival:
            self._check(arrival.response.status_code, opened)
            yield arrival

    def _private(self, opened: Opened | None) -> dict[str, str]:
        session = {"Mcp-Session-Id": opened.id} if opened and opened.id else {}
        return {**self._access.headers, **session}

    @asynccontextmanager
    async def _in_time(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(self._seconds):
                yield
        except TimeoutError as error:
            raise UpstreamTimeout(
                f"The MCP server at {self._host} did not answer in time", next="Try again later."
            ) from error

    def _check(self, status: int, opened: Opened | None) -> None:
        if 200 <= status < 300:
            return
        if status == 404 and opened and opened.id:
            raise _SessionGone(f"The MCP server at {self._host} ended the session", next="Try again.")
        if status == 429:
            raise TooMany(f"The MCP server at {self._host} is at its limit", next="Try again in a moment.")
        known = {
            401: ("mcp_unauthorized", "wants a key, or another one", _AGAIN),
            403: ("mcp_unauthorized", "does not let us in with this key", _AGAIN),
            404: ("mcp_not_found", "is not at this address", "Check the address, and add the server again."),
            405: ("mcp_not_found", "does not speak streamable HTTP at this address", "Check the address."),
        }
        code, words, next = known.get(status, ("mcp_unavailable", f"answered {status}", "Try again later."))
        raise Upstream(f"The MCP server at {self._host} {words}", code=code, next=next, upstream_status=status)

    async def _streamed(self, arrival: Arrival, id: int) -> JsonDict | None:
        """The answer among the events; progress and whatever else the server tells on the way is not heard."""
        arrival.refuse_compressed()
        reader = EventReader()
        size = 0
        async for chunk in arrival.response.aiter_bytes():
            size += len(chunk)
            if size > self._max_bytes:
                raise self._ear.unreadable(f"sent more than {self._max_bytes // 1000} kB")
            for event in reader.feed(chunk):
                if event.name == "message" and (answer := self._ear.answer(event.data.encode(), id)) is not None:
                    return answer
        raise UpstreamTimeout(
            f"The MCP server at {self._host} broke off before it answered",
            code="connection_lost",
            next="Try again later.",
        )


_ids = itertools.count(1)  # distinct in a process, so that two who share a session never share an id
_UNHEARD = frozenset({"mcp_unreadable", "unreadable", "too_large"})
"""Errors of an answer: by then the tool may have run."""
_LOOK = "Whether the tool ran is unknown: look before you repeat it."
_AGAIN = "Remove the server, and add it again with the headers that it wants."


def _headers(opened: Opened | None) -> dict[str, str]:
    return {**_HEADERS, "MCP-Protocol-Version": opened.version} if opened else dict(_HEADERS)
