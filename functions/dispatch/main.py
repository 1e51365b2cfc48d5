"""A tenant's operations changed: see who may run now. The message only says where to look."""

import functions_framework.aio
from fastapi import Request, Response

from shared import services
from shared.dead_letter import record
from shared.events import cloud
from shared.http import application, message, serve
from shared.operations.dispatch import dispatch as look

app = application("dispatch", private=True)
_ADDED = "CloudPubSubDeadLetterSource"


@app.post("/dead", status_code=204)
async def given_up(request: Request) -> None:
    """A message that some function could not take; here because whoever delivers messages is let in here anyway."""
    push, current = cloud.pushed(await request.body()), services.current()
    told = dict(push.attributes)
    # What Pub/Sub adds: https://cloud.google.com/pubsub/docs/handling-failures#how_dead_letter_topics_work
    source = {key: told.pop(key) for key in list(told) if key.startswith(_ADDED)}
    attempts = source.get(f"{_ADDED}DeliveryCount", "")
    await record(
        current.documents,
        subscription=source.get(f"{_ADDED}Subscription", "unknown"),
        message_id=push.id,
        attributes=told,
        attempts=int(attempts) if attempts.isascii() and attempts.isdigit() else 0,
        published_at=push.at or current.now(),
        died_at=push.at or current.now(),
        reason="could not be delivered",
    )


@app.post("/{path:path}", status_code=204)
async def announced(request: Request) -> None:
    """One message."""
    if tenant := (await message(request)).get("tenant"):
        await look(services.current(), tenant)


@functions_framework.aio.http
async def dispatch(_request: Request) -> Response:
    """The function's entry point: the app serves the request."""
    return serve(app)
