"""What the local product's one port serves: public functions, the Executions API and its console, the stand-in."""

import hmac
from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from shared.auth import DeviceKeys
from shared.errors import MemexError, Unauthorized
from shared.http import error_response

ENGINE = ("/v1/", "/console")
CLOCK = "/local/"
CAPTURES = "/api/v1/captures"
CHAT = "/api/v1/chat/"


class ByPath:
    """Hands a request to whoever serves its address."""

    def __init__(self, parts: Sequence[tuple[str, ASGIApp]], otherwise: ASGIApp) -> None:
        self._parts = parts
        self._otherwise = otherwise

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        path: str = scope["path"]
        for prefix, app in self._parts:
            if path.startswith(prefix):
                await app(scope, receive, send)
                return
        await self._otherwise(scope, receive, send)


class ByKey:
    """Lets in only who knows the device key: moving the clock moves every deadline."""

    def __init__(self, app: ASGIApp, device_keys: DeviceKeys) -> None:
        self._app = app
        self._device_keys = device_keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or refuse it."""
        try:
            self._device_keys.caller(_header(scope, b"authorization"))
        except MemexError as error:
            await error_response(error)(scope, receive, send)
            return
        await self._app(scope, receive, send)


class BySecret:
    """Lets in only this process: the stand-in reads the notes of the tenant that a request names."""

    def __init__(self, app: ASGIApp, secret: str) -> None:
        self._app = app
        self._secret = secret

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or refuse it."""
        given = _header(scope, b"x-goog-api-key") or ""
        if not hmac.compare_digest(given.encode(), self._secret.encode()):
            await error_response(Unauthorized("The stand-in serves this process alone."))(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _header(scope: Scope, wanted: bytes) -> str | None:
    return next((value.decode("latin-1") for name, value in scope["headers"] if name == wanted), None)


def fronts(
    *,
    capture: ASGIApp,
    chat: ASGIApp,
    api: ASGIApp,
    engine: Sequence[BaseRoute],
    clock: Sequence[BaseRoute],
    standin: Sequence[BaseRoute],
    standin_prefix: str,
    standin_key: str,
    device_keys: DeviceKeys,
) -> ASGIApp:
    """One app for all addresses; public functions authenticate by themselves."""
    parts: list[tuple[str, ASGIApp]] = [(CAPTURES, capture), (CHAT, chat)]
    workflows = Starlette(routes=list(engine))
    parts += [(prefix, workflows) for prefix in ENGINE]
    parts.append((CLOCK, ByKey(Starlette(routes=list(clock)), device_keys)))
    if standin:
        parts.append((standin_prefix, BySecret(Starlette(routes=list(standin)), standin_key)))
    return ByPath(parts, api)
