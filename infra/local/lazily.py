"""An app that is made at its first request: what nobody asks for costs no memory and no start-up time."""

from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send


class Lazily:
    """Stands for the app that `make` gives."""

    def __init__(self, make: Callable[[], ASGIApp]) -> None:
        self._make = make
        self._app: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if self._app is None:
            self._app = self._make()
        await self._app(scope, receive, send)
