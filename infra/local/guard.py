"""The border of the local product: only this machine's own pages and programs are served, and people go first."""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_QUIET = 0.02
_PATIENCE = 0.2


class Guard:
    """Checks Host and Origin of every request, so that no foreign page can reach a server on this machine."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._hosts = {f"{host}:{port}" for host in LOOPBACK}
        self._origins = {f"http://{host}" for host in self._hosts}
        self.foreground = Foreground()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if refusal := self._refusal(scope["headers"]):
            await _forbidden(refusal)(scope, receive, send)
            return
        if not scope["path"].startswith("/api/"):
            await self._app(scope, receive, send)
            return
        with self.foreground.request() as begun:

            async def watched(message: Message) -> None:
                # A stream is held for minutes; what people wait for is that it begins.
                begun()
                await send(message)

            await self._app(scope, receive, watched)

    def _refusal(self, headers: Iterable[tuple[bytes, bytes]]) -> str:
        host = origin = ""
        for name, value in headers:
            if name == b"host":
                host = value.decode("latin-1").lower()
            elif name == b"origin":
                origin = value.decode("latin-1").lower()
        if host not in self._hosts:
            return "This server answers only to its own address on this machine."
        if origin and origin not in self._origins:
            return "This server answers only its own pages."
        return ""


def _forbidden(message: str) -> JSONResponse:
    body = {"error": {"code": "foreign_origin", "message": message, "next": "Open the address that `make run` prints."}}
    return JSONResponse(body, status_code=403)


class Foreground:
    """Requests of people that are being answered; background work asks here before it begins.

    A burst of requests has gaps in which nobody waits; work that began in one would hold up the next request. So
    background work wants a moment of quiet, and where there is none it gets through one piece at a time.
    """

    def __init__(self) -> None:
        self._open = 0
        self._last = float("-inf")
        self._turn = asyncio.Lock()

    @contextmanager
    def request(self) -> Iterator[Callable[[], None]]:
        """One request that a person waits for, until the end or until its answer begins: then it calls what it got."""
        waiting = True
        self._open += 1

        def begun() -> None:
            nonlocal waiting
            if waiting:
                waiting = False
                self._open -= 1
                self._last = time.monotonic()

        try:
            yield begun
        finally:
            begun()

    async def give_way(self) -> None:
        """Return once it is quiet, or after a while all the same: background work is slowed, never starved."""
        if self._quiet() <= 0:
            return
        async with self._turn:
            until = time.monotonic() + _PATIENCE
            while (wait := self._quiet()) > 0 and time.monotonic() < until:  # noqa: ASYNC110  # quiet is no event
                await asyncio.sleep(min(wait, _QUIET))

    def _quiet(self) -> float:
        """Seconds until it has been quiet for long enough."""
        return _QUIET if self._open else self._last + _QUIET - time.monotonic()
