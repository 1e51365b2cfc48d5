"""HTTP for every function: one app factory, one shape of error, one place that authenticates. No product rules."""

import logging
import warnings
from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic.warnings import UnsupportedFieldAttributeWarning
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared import services
from shared.auth import Caller
from shared.errors import Invalid, MemexError, TooLarge, Unprocessable
from shared.events import cloud
from shared.log import described
from shared.models.base import Model

MAX_BODY = 900_000
"""Bytes of a request's body; Firestore holds 1 MiB in a document, and a commit must leave room."""

log = logging.getLogger("memex")

# FastAPI names a body's model by an alias that pydantic has no use for, and keeps the warning back where it makes the
# field; ours are built when they are first needed, which is later.
warnings.simplefilter("ignore", UnsupportedFieldAttributeWarning)


class ErrorBody(Model):
    """What went wrong: a stable code, what happened, what to do."""

    code: str
    message: str
    next: str = ""


class ErrorAnswer(Model):
    """The one shape of every error."""

    error: ErrorBody


def error_response(error: MemexError) -> JSONResponse:
    """An error as its answer; nobody else turns errors into JSON."""
    body = {"error": {"code": error.code, "message": error.message, "next": error.next}}
    return JSONResponse(body, status_code=error.status)


async def _known(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, MemexError)
    return error_response(error)


async def _framework(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    code, message, next = _FRAMEWORK.get(
        error.status_code, ("invalid", "The request can't be answered.", "Check how it is written, and send it again.")
    )
    answer = error_response(Invalid(message, code=code, next=next))
    answer.status_code = error.status_code
    # Among them which methods an address takes.
    answer.headers.update(error.headers or {})
    return answer


_FRAMEWORK = {
    404: (
        "not_found",
        "There is nothing at this address.",
        "Check the path: those of the API begin with /api/v1/, such as /api/v1/notes and /api/v1/captures.",
    ),
    405: (
        "method_not_allowed",
        "This address does not take that method.",
        "Use one of those in the answer's Allow header.",
    ),
}


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    # What is not called JSON is not read as JSON, and then no field of it is right.
    if first["loc"][:1] == ("body",) and not _is_json(request.headers.get("content-type", "")):
        sent = "another Content-Type than" if request.headers.get("content-type") else "no Content-Type; it has to be"
        unread = Invalid(
            f"The request has {sent} application/json.",
            code="not_json",
            next="Send one JSON object, with the header Content-Type: application/json.",
        )
        answer = error_response(unread)
        answer.status_code = 415
        return answer
    if first["type"] == "json_invalid":
        return error_response(
            Invalid("The body is not valid JSON.", code="invalid_json", next="Correct it and send again.")
        )
    # The location names the field; the input itself is never echoed.
    where = ".".join(str(part) for part in first["loc"] if part != "body")[:80] or "body"
    reason = {"extra_forbidden": "there is no such field", "missing": "is required"}.get(
        first["type"], first["msg"].removeprefix("Value error, ")
    )
    body = {
        "error": {
            "code": "invalid_field",
            "message": f"{where}: {reason}",
            "next": "Correct it and send again.",
        }
    }
    return JSONResponse(body, status_code=422)


def _is_json(content_type: str) -> bool:
    kind = content_type.partition(";")[0].strip().lower()
    return kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json"))


async def _half_a_character(_request: Request, _error: Exception) -> JSONResponse:
    # JSON can spell half of a surrogate pair, which no text and no store can hold.
    return error_response(Unprocessable("The text holds half a character (a lone surrogate).", next="Remove it."))


class Boundary:
    """Innermost middleware: limits what comes in, and lets no unforeseen error out with its text."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False
        left = MAX_BODY
        if _announced(scope) > MAX_BODY:
            await error_response(_too_large())(scope, receive, send)
            return

        async def bounded() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise _too_large()
            return message

        async def watched(message: Message) -> None:
            nonlocal started
            # The framework takes an error while reading for bad input; its answer to that is not ours.
            if left >= 0 or started:
                started = True
                await send(message)

        try:
            await self._app(scope, bounded, watched)
            if left < 0 and not started:
                raise _too_large()
        except Exception as error:
            answer = error if isinstance(error, MemexError) else _unforeseen(scope, error)
            if started:
                raise answer from None
            await error_response(answer)(scope, receive, send)


def _too_large() -> TooLarge:
    return TooLarge(f"The body has more than {MAX_BODY} bytes.", next="Split it, and send the parts.")


def _announced(scope: Scope) -> int:
    """The content length that the client announced, 0 where it did not."""
    return next((int(value) for name, value in scope["headers"] if name == b"content-length" and value.isdigit()), 0)


def _unforeseen(scope: Scope, error: Exception) -> MemexError:
    """Log where it happened, never what it says: an exception's text may quote a note."""
    log.error("unforeseen %s on %s", described(error), scope["method"])
    return MemexError(
        "Something went wrong on our side; nothing of this request was half done.",
        next="Try again in a moment.",
    )


class Cors:
    """Lets the listed origins call from a browser; none are listed where one origin serves everything."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._chosen: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if self._chosen is None:
            # On first use: settings are read when a request comes, never at import.
            origins = services.current().settings.cors_origins
            self._chosen = (
                CORSMiddleware(
                    self._app,
                    allow_origins=origins,
                    allow_methods=["GET", "POST", "PATCH", "PUT", "DELETE"],
                    allow_headers=_ASKED_HEADERS,
                    expose_headers=["ETag"],
                    max_age=3600,
                )
                if origins
                else self._app
            )
        await self._chosen(scope, receive, send)


_ASKED_HEADERS = ["Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Last-Event-ID"]


async def message(request: Request) -> dict[str, str]:
    """The attributes of a pushed message; none where it is so old that the sweep has found what it announced."""
    push = cloud.pushed(await request.body())
    if push.at is not None and services.current().now() - push.at > cloud.STALE_SECONDS:
        log.warning("message %s is too old and left to the sweep", push.id)
        return {}
    return push.attributes


async def _person(request: Request) -> Caller:
    return services.current().device_keys.caller(request.headers.get("authorization"))


# The same dependency guards every public app, and is asked once a request.
Person = Annotated[Caller, Depends(_person)]


def _service(name: str) -> Callable[[Request], Awaitable[None]]:
    async def check(request: Request) -> None:
        current = services.current()
        audiences = [current.function_url(name)]
        # Eventarc names a function by its other address. Cloud Run routes by Host, so this host is our own.
        if (host := request.headers.get("host", "")).endswith(".run.app"):
            audiences.append(f"https://{host}")
        await current.service_tokens.caller(request.headers.get("authorization"), audiences)

    return check


def application(name: str, *, private: bool = False) -> FastAPI:
    """The app of one function: authenticated before any handler runs, private ones by service token."""
    guard = _service(name) if private else _person
    app = FastAPI(
        title=f"memex {name}",
        version="1",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        dependencies=[Depends(guard)],
        responses={
            status: {"model": ErrorAnswer, "description": text}
            for status, text in ((401, "Nobody we know"), (422, "A field is wrong"), (503, "Not set up"))
        },
    )
    app.add_middleware(Boundary)
    if not private:
        app.add_middleware(Cors)
    app.add_exception_handler(MemexError, _known)
    app.add_exception_handler(HTTPException, _framework)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(UnicodeEncodeError, _half_a_character)
    # Beside the guarded routes: whether it lives is no secret.
    app.router.routes.append(Route("/api/v1/health", _alive))
    return app


async def _alive(_request: Request) -> Response:
    return JSONResponse({"status": "ok"}, headers={"Cache-Control": "no-store"})


def serve(app: FastAPI) -> Response:
    """The app in the place of a response: the framework hands whatever it gets the request, streams included."""
    return app  # type: ignore[return-value]  # functions_framework.aio awaits it as an ASGI callable
