"""The private side of the local product: functions reached by their own host names, over HTTP without a socket.

Nothing here is bound to a port, so what is private in the cloud can't be called from outside here either.
"""

import httpx
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from infra.local.lazily import Lazily

DOMAIN = "memex.internal"
URL = f"http://{{name}}.{DOMAIN}"
"""Address of a function, with its name in braces."""


def apps() -> dict[str, ASGIApp]:
    """The private functions by name."""
    from functions.agent.main import app as agent
    from functions.dispatch.main import app as dispatch
    from functions.enrich.main import app as enrich
    from functions.fanout.main import app as fanout
    from functions.research.main import app as research
    from functions.tick.main import app as tick

    return {
        "agent": agent,
        "dispatch": dispatch,
        "enrich": enrich,
        "fanout": fanout,
        "memory": Lazily(_memory),
        "research": research,
        "tick": tick,
    }


def _memory() -> ASGIApp:
    # Loaded by its first step: where memory is off there is none.
    from functions.memory.main import app

    return app


class ByHost:
    """Hands a request to the function that its Host names."""

    def __init__(self, functions: dict[str, ASGIApp]) -> None:
        self._functions = {f"{name}.{DOMAIN}".encode(): app for name, app in functions.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        host = next((value for name, value in scope["headers"] if name == b"host"), b"")
        app = self._functions.get(host)
        await (app or PlainTextResponse("no such function", 404))(scope, receive, send)


def client(functions: dict[str, ASGIApp]) -> httpx.AsyncClient:
    """A client that reaches the private functions, and nothing else."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(ByHost(functions), raise_app_exceptions=False))
