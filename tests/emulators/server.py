"""An ASGI app on a loopback port, served in the event loop of whoever asks. It knows no product."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator

import uvicorn
from starlette.types import ASGIApp


def listen() -> socket.socket:
    """A listening socket on a free port."""
    # asyncio turns Nagle's algorithm off (40 ms on each answer) only where the protocol is named.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen(2048)
    return listening


def address(listening: socket.socket) -> str:
    """Its `host:port`."""
    return f"127.0.0.1:{listening.getsockname()[1]}"


def reserve() -> socket.socket:
    """A socket that keeps a port for another process of ours, which binds it too: nobody else gets it meanwhile."""
    kept = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    kept.bind(("127.0.0.1", 0))
    return kept


@contextlib.asynccontextmanager
async def serving(app: ASGIApp, listening: socket.socket) -> AsyncIterator[None]:
    """Serve on a socket, which is closed at the end."""
    config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=1)
    server = _Server(config)
    task = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started and not task.done():
        await asyncio.sleep(0.005)
    try:
        yield
    finally:
        server.should_exit = True
        await task
        listening.close()


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the process."""
        yield
