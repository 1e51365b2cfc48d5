"""The web client's files with their security headers, and /config.json. It serves nothing that belongs to a person."""

import re
from pathlib import Path

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from shared import services
from shared.config import Engine, Settings
from shared.models.base import JsonDict

DIST = Path(__file__).parents[2] / "web" / "dist"
_FOREVER = "public, max-age=31536000, immutable"
_HASHED = re.compile(r"-(?=[\w-]*[A-Z0-9])[\w-]{8}\.\w+$")
"""A name that the build made, as in `index-DKIo0dSk.js`: it changes with the content. `web-pictures.svg` is none."""


def policy(connect: list[str]) -> dict[str, str]:
    """Security headers of every page: nothing foreign is loaded, nothing inline runs."""
    sources = " ".join(["'self'", *connect])
    return {
        "Content-Security-Policy": (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
            f"connect-src {sources}; manifest-src 'self'; base-uri 'none'; "
            "form-action 'none'; frame-ancestors 'none'"
        ),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
    }


class _Assets(StaticFiles):
    """The page's files: kept for ever where the name carries a hash, asked for again where it doesn't."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """One file."""
        response = await super().get_response(path, scope)
        kept = _FOREVER if _HASHED.search(path) else "no-cache"
        response.headers.update({"Cache-Control": kept, "X-Content-Type-Options": "nosniff"})
        return response


async def _config(_request: Request) -> Response:
    current = services.current()
    engines = _engines(current.settings)
    body = {
        **{name: _elsewhere(current.public_url(name)) for name in ("api", "capture", "chat")},
        "research": engines[current.settings.research_engine],
        "engines": engines,
    }
    return JSONResponse(body, headers={"Cache-Control": "no-cache"})


def _engines(settings: Settings) -> dict[Engine, JsonDict]:
    """What research costs by whom: a person's own settings may name another one than the deployment's."""
    paid = settings.research_paid
    return {
        "deep": {
            "paid": paid,
            "cost_usd": settings.research_cost_usd if paid else 0,
            "engine": "Gemini Deep Research" if paid else "your own notes",
        },
        # It buys no run; what the chat's model costs is all that it costs.
        "local": {"paid": False, "cost_usd": 0, "engine": "Memex itself", "model": True},
    }


def _elsewhere(url: str) -> str:
    return url.rstrip("/")


async def _page(_request: Request) -> Response:
    page = DIST / "index.html"
    if not page.is_file():
        return JSONResponse(
            {
                "error": {
                    "code": "web_not_built",
                    "message": "The web client is not built here; the API works.",
                    "next": "Run `make setup`, which builds it.",
                }
            },
            status_code=404,
        )
    current = services.current()
    connect = [url for name in ("api", "capture", "chat") if (url := _elsewhere(current.public_url(name)))]
    return FileResponse(page, headers={"Cache-Control": "no-cache", **policy(connect)})


def attach(app: FastAPI) -> None:
    """Serve the client after the API's own routes; these addresses need no key."""
    app.router.routes += [
        Route("/config.json", _config),
        Route("/", _page),
        Route("/index.html", _page),
        Mount("/assets", _Assets(directory=DIST / "assets", check_dir=False)),
    ]
