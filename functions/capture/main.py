"""POST /api/v1/captures: a thought becomes a note. It starts nothing; the note's own trigger does."""

import json

import functions_framework.aio
from fastapi import Request, Response
from pydantic import Field, JsonValue, ValidationError

from shared import services
from shared.capture import Capture
from shared.capture import capture as store
from shared.errors import MemexError
from shared.http import ErrorBody, Person, application, serve
from shared.models.answer import NoteAnswer
from shared.models.base import Model
from shared.models.note import Note
from shared.paging import Key
from shared.store import answers

app = application("capture")


class Batch(Model):
    """Several captures in one request."""

    captures: list[dict[str, JsonValue]] = Field(min_length=1, max_length=20)


class Result(Model):
    """What became of one capture of a batch."""

    status: int
    note: Note | None = None
    error: ErrorBody | None = None


class BatchAnswer(Model):
    """One result for each capture, in the same order."""

    results: list[Result]


@app.post("/api/v1/captures", status_code=201)
async def one(entry: Capture, person: Person, request: Request, response: Response, key: Key = None) -> NoteAnswer:
    """Store a capture; 200 where this very capture is stored already."""
    current = services.current()
    kept = answers.key(person.tenant, "captures", key, await request.body())
    captured = await store(current.documents, person.tenant, entry, current.now(), key=kept)
    if not captured.fresh:
        response.status_code = 200
    return NoteAnswer(note=captured.note)


@app.post("/api/v1/captures/batch", status_code=207)
async def batch(entries: Batch, person: Person, key: Key = None) -> BatchAnswer:
    """Store up to twenty captures; a bad one never fails the rest."""
    return BatchAnswer(
        results=[
            await _result(entry, person.tenant, f"captures/batch/{position}", key)
            for position, entry in enumerate(entries.captures)
        ]
    )


async def _result(raw: dict[str, JsonValue], tenant: str, route: str, key: str | None) -> Result:
    current = services.current()
    try:
        entry = Capture.model_validate(raw)
        kept = answers.key(tenant, route, key, json.dumps(raw, sort_keys=True).encode())
        captured = await store(current.documents, tenant, entry, current.now(), key=kept)
    except ValidationError as invalid:
        first = invalid.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])[:80] or "capture"
        message = f"{where}: {first['msg'].removeprefix('Value error, ')}"
        return Result(status=422, error=ErrorBody(code="invalid_field", message=message))
    except UnicodeEncodeError:
        return Result(status=422, error=ErrorBody(code="invalid_field", message="text: holds half a character"))
    except MemexError as error:
        return Result(status=error.status, error=ErrorBody(code=error.code, message=error.message, next=error.next))
    return Result(status=201 if captured.fresh else 200, note=captured.note)


@functions_framework.aio.http
async def capture(_request: Request) -> Response:
    """The function's entry point: the app serves the request."""
    return serve(app)
