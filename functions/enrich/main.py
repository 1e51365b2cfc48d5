"""A note waits for enrichment: fill what is empty. The user's text is never changed."""

import functions_framework.aio
from fastapi import Request, Response

from shared import services
from shared.enrichment.act import enrich as enrich_note
from shared.http import application, message, serve

app = application("enrich", private=True)


@app.post("/{path:path}", status_code=204)
async def announced(request: Request) -> None:
    """One message; the condition is checked on the note itself, since a filter is only a saving."""
    attributes = await message(request)
    current = services.current()
    await enrich_note(current, attributes.get("tenant", ""), attributes.get("note_id", ""))


@functions_framework.aio.http
async def enrich(_request: Request) -> Response:
    """The function's entry point: the app serves the request."""
    return serve(app)
