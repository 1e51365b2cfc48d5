"""An MCP server over streamable HTTP on a real socket, which does what the test says, and the way to it past the DNS.

The client believes that it talks to a public host: `Loopback` takes each request at the address that the guard let it
connect to, notes that address, and carries the request to this machine.
"""

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from shared.net.guard import Network

HOST = "mcp.example"
URL = f"https://{HOST}/mcp"
PUBLIC = "93.184.216.34"

Message = dict[str, Any]
Odd = Callable[[Request, Message], Response | None]
"""What a test wants done instead; None leaves it to the server."""


def tool(name: str, description: str = "", **properties: Any) -> Message:
    """A tool as a server lists it."""
    schema = {"type": "object", "properties": properties}
    return {"name": name, "description": description, "inputSchema": schema}


@dataclass
class FakeMcp:
    """The server; a test sets what it offers and how it speaks."""

    tools: list[Message] = field(default_factory=list)
    page_size: int = 100
    streams: bool = False
    keeps_sessions: bool = True
    version: str = "2025-06-18"
    answers: dict[str, Callable[[Message], Message]] = field(default_factory=dict)
    odd: Odd = lambda _request, _message: None
    heard: list[tuple[str, Mapping[str, str], Message]] = field(default_factory=list)
    """Method, headers and whole message of each request."""
    sessions: list[str] = field(default_factory=list)
    port: int = 0
    network: "FakeNetwork" = field(default_factory=lambda: FakeNetwork())

    def begin_anew(self) -> None:
        """Forget everything but the socket."""
        vars(self).update(vars(FakeMcp(port=self.port)))

    @property
    def methods(self) -> list[str]:
        return [method for method, _, _ in self.heard]

    def calls(self) -> list[Message]:
        return [message["params"] for method, _, message in self.heard if method == "tools/call"]

    async def serve(self, request: Request) -> Response:
        message = json.loads(await request.body() or b"{}")
        method = message.get("method", request.method)
        self.heard.append((method, dict(request.headers), message))
        if (odd := self.odd(request, message)) is not None:
            return odd
        session = request.headers.get("mcp-session-id")
        if request.method == "DELETE":
            self.sessions.remove(str(session))
            return Response(status_code=204)
        if method == "initialize":
            return self.initialized(message)
        if self.keeps_sessions and session not in self.sessions:
            return JSONResponse({"error": "no such session"}, 404 if session else 400)
        if "id" not in message:
            return Response(status_code=202)
        return self.spoken(message, self.result(method, message.get("params") or {}))

    def initialized(self, message: Message) -> Response:
        result = {"protocolVersion": self.version, "capabilities": {}, "serverInfo": {"name": "fake", "version": "1"}}
        response = self.spoken(message, {"result": result})
        if self.keeps_sessions:
            self.sessions.append(f"session-{len(self.heard)}")
            response.headers["Mcp-Session-Id"] = self.sessions[-1]
        return response

    def result(self, method: str, params: Message) -> Message:
        if method == "tools/list":
            start = int(params.get("cursor") or 0)
            end = start + self.page_size
            following = {"nextCursor": str(end)} if end < len(self.tools) else {}
            return {"result": {"tools": self.tools[start:end], **following}}
        if method == "tools/call" and params["name"] in self.answers:
            return {"result": self.answers[params["name"]](params["arguments"])}
        return {"error": {"code": -32601, "message": f"no such method or tool, {params.get('name')}"}}

    def spoken(self, message: Message, outcome: Message) -> Response:
        whole = {"jsonrpc": "2.0", "id": message["id"], **outcome}
        return events([PROGRESS, whole]) if self.streams else JSONResponse(whole)


PROGRESS: Message = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}}


def events(messages: Sequence[Message]) -> Response:
    """Messages as an event stream, in pieces that cut lines apart."""

    async def pieces() -> Any:
        text = ": hello\n\n" + "".join(f"event: message\ndata: {json.dumps(one)}\n\n" for one in messages)
        for start in range(0, len(text), 7):
            yield text[start : start + 7].encode()

    return StreamingResponse(pieces(), media_type="text/event-stream")


def said(text: str, **more: Any) -> Message:
    """A tool's answer."""
    return {"content": [{"type": "text", "text": text}], **more}


@dataclass
class FakeNetwork:
    """Names and what was connected to; `reach` gives the doors that the client takes."""

    names: dict[str, list[str]] = field(default_factory=lambda: {HOST: [PUBLIC], "other.example": ["8.8.8.8"]})
    connected: list[tuple[str, str, str]] = field(default_factory=list)
    """Address, Host header and name in the certificate, of each request."""
    looked_up: list[str] = field(default_factory=list)

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        self.looked_up.append(host)
        return self.names[host]

    def reach(self, port: int) -> Network:
        return Network(self.resolve, Loopback(self, port))


class Loopback(httpx.AsyncBaseTransport):
    """Carries each request over a connection of its own, which ends with the answer."""

    def __init__(self, network: FakeNetwork, port: int) -> None:
        self._network = network
        self._port = port

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        name = str(request.extensions.get("sni_hostname"))
        self._network.connected.append((request.url.host, request.headers["host"], name))
        inner = httpx.AsyncHTTPTransport(verify=False)  # reading certificates takes longer than all the rest
        url = request.url.copy_with(scheme="http", host="127.0.0.1", port=self._port)
        content = await request.aread()
        response = await inner.handle_async_request(
            httpx.Request(request.method, url, headers=request.headers, content=content, extensions=request.extensions)
        )
        return httpx.Response(response.status_code, headers=response.headers, stream=_Carried(response, inner))


class _Carried(httpx.AsyncByteStream):
    def __init__(self, response: httpx.Response, inner: httpx.AsyncHTTPTransport) -> None:
        self._response = response
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._response.aiter_raw():
            yield chunk

    async def aclose(self) -> None:
        await self._response.aclose()
        await self._inner.aclose()


@contextmanager
def running() -> Iterator[FakeMcp]:
    """A server that listens from the first line on, in a thread of its own."""
    fake = FakeMcp()
    routes = [Route("/{path:path}", fake.serve, methods=["POST", "GET", "DELETE"])]
    listening = socket.create_server(("127.0.0.1", 0))
    fake.port = listening.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=routes), log_level="critical", lifespan="off", ws="none"))
    thread = threading.Thread(target=lambda: asyncio.run(_serve(server, listening)), daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.should_exit = server.force_exit = True
        thread.join()
        listening.close()


async def _serve(server: uvicorn.Server, listening: socket.socket) -> None:
    await server.serve(sockets=[listening])
    # Whoever is told to leave at once leaves connections open, and the next test would be blamed for them.
    for connection in [*server.server_state.connections]:
        connection.transport.abort()
    await asyncio.sleep(0)
