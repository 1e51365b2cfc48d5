"""What all lists share: limit, cursor, and an ETag so that an unchanged list costs no bytes."""

from hashlib import sha256
from typing import Annotated

from fastapi import Header, Query, Request, Response
from pydantic import BaseModel

from shared.errors import Unprocessable
from shared.models.ids import is_id

Limit = Annotated[int, Query(ge=1, le=200)]
Cursor = Annotated[str | None, Query(max_length=200)]
Key = Annotated[str | None, Header(alias="Idempotency-Key")]
IfMatch = Annotated[str | None, Header(alias="If-Match")]


def before(cursor: str | None) -> str | None:
    """The id that a cursor stands for."""
    if cursor is not None and not is_id(cursor):
        raise Unprocessable("cursor: not one that we gave", next="Start again without a cursor.")
    return cursor


def cursor_after(ids: list[str], limit: int) -> str | None:
    """The cursor of the next page, where a full page says that there may be one."""
    return ids[-1] if len(ids) == limit else None


def revision(header: str | None) -> int | None:
    """The revision that an If-Match header names."""
    if header is None:
        return None
    text = header.strip().removeprefix("W/").strip('"')
    if not (text.isascii() and text.isdigit()) or len(text) > 15:
        raise Unprocessable("If-Match: the revision as a whole number")
    return int(text)


def answer(request: Request, body: BaseModel) -> Response:
    """The list as JSON; 304 where the client has exactly this."""
    raw = body.model_dump_json().encode()
    tag = f'"{sha256(raw).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if tag in [part.strip() for part in request.headers.get("if-none-match", "").split(",")]:
        return Response(status_code=304, headers=headers)
    return Response(raw, media_type="application/json", headers=headers)


def last_seen(header: str | None, after: int) -> int:
    """Where a stream goes on: after the event that Last-Event-ID names, else after `after`."""
    if header is None:
        return after
    if not (header.isascii() and header.isdigit()) or len(header) > 15:
        raise Unprocessable("Last-Event-ID: the number of the last event seen")
    return int(header)
