"""What a client reads and edits, and the web client itself. Every resource has a router of its own."""

from importlib import import_module

import functions_framework.aio
from fastapi import APIRouter, FastAPI, Request, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from functions.api import web
from shared.http import application, serve

AREAS = (
    "notes",
    "tasks",
    "operations",
    "settings",
    "agents",
    "approvals",
    "routines",
    "memories",
    "activity",
    "tools",
    "mcp",
)
"""What lies below `/api/v1/{area}` is served by functions/api/{area}.py."""
_PREFIX = "/api/v1/"


class Areas:
    """Loads an area with the first request for it: an instance that starts has one request to answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._left = set(AREAS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "http" and scope["path"].startswith(_PREFIX):
            area = scope["path"].removeprefix(_PREFIX).partition("/")[0]
            if area in self._left:
                app.include_router(_router(area))
                self._left.remove(area)
        await self._app(scope, receive, send)


def _router(area: str) -> APIRouter:
    router: APIRouter = import_module(f"functions.api.{area}").router
    return router


def whole() -> FastAPI:
    """An app with every area, for whoever wants to know all that there is."""
    made = application("api")
    for area in AREAS:
        made.include_router(_router(area))
    return made


app = application("api")
app.add_middleware(Areas)
web.attach(app)


@functions_framework.aio.http
async def api(_request: Request) -> Response:
    """The function's entry point: the app serves the request."""
    return serve(app)
