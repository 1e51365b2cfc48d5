"""A note was written: tell whoever has work with it. Reads the note as it is now, publishes ids, writes nothing."""

import logging
import re

import functions_framework.aio
from fastapi import Request, Response

from shared import services
from shared.events import cloud
from shared.http import application, serve
from shared.models.note import Note
from shared.store.notes import Notes

app = application("fanout", private=True)
log = logging.getLogger("memex.fanout")
_NOTE = re.compile(r"tenants/([^/]+)/notes/([^/]+)")


def attributes(tenant: str, note: Note) -> dict[str, str] | None:
    """What others need to know to pick this note up; None where nobody has work with it."""
    enrich, research = note.enrichment.status == "pending", note.research.requested
    if note.deleted_at or not (enrich or research):
        return None
    yes_no = {True: "true", False: "false"}
    return {"tenant": tenant, "note_id": note.id, "enrich": yes_no[enrich], "research": yes_no[research]}


@app.post("/{path:path}", status_code=204)
async def written(request: Request) -> None:
    """One event; a repeated or late one finds the note as it is and says what is true then."""
    current = services.current()
    event = cloud.document_event(request.headers, await request.body())
    if current.now() - event.at > cloud.STALE_SECONDS:
        log.warning("event %s is too old and left to the sweep", event.id)
        return
    match = _NOTE.fullmatch(event.path)
    if match is None:
        log.warning("event %s is about another kind of document", event.id)
        return
    tenant, note_id = match.groups()
    found = await Notes(current.documents, tenant).find(note_id)
    if found and (wanted := attributes(tenant, found.value)):
        await current.bus.publish("note-events", wanted)


@functions_framework.aio.http
async def fanout(_request: Request) -> Response:
    """The function's entry point: the app serves the request."""
    return serve(app)
