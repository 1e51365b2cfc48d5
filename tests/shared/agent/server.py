"""A server on a real socket that answers with what a test wrote, and remembers what it was asked."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass
class Reply:
    """One answer. `then`: end well, break off in the middle, or stay open until the client hangs up."""

    chunks: list[bytes] = field(default_factory=list)
    status: int = 200
    kind: str = "text/event-stream"
    headers: dict[str, str] = field(default_factory=dict)
    then: Literal["end", "break", "hold", "repeat"] = "end"


@dataclass
class Asked:
    """A request."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class LoopbackServer:
    """One reply for each request, in order; running out is a failure."""

    replies: list[Reply] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    left: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a client hangs up on an answer that stays open, or that has no end."""
    url: str = ""
    _server: asyncio.Server | None = None

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        assert self._server
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            self.asked.append(Asked(head[0].split()[1], headers, json.loads(body or b"{}")))
            reply = self.replies.pop(0) if self.replies else Reply([b"no reply left"], 599, "text/plain")
            await self._answer(reply, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.left.set()
        finally:
            writer.close()

    async def _answer(self, reply: Reply, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = [f"HTTP/1.1 {reply.status} Answer", f"Content-Type: {reply.kind}", "Transfer-Encoding: chunked"]
        lines += ["Connection: close", *(f"{name}: {value}" for name, value in reply.headers.items())]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        while True:
            for chunk in reply.chunks:
                writer.write(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
                await writer.drain()
            if reply.then != "repeat":
                break
        if reply.then == "end":
            writer.write(b"0\r\n\r\n")
            await writer.drain()
        if reply.then == "hold":
            await reader.read()  # ends when the client hangs up
            self.left.set()
