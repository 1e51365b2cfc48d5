"""A tenant's operations changed: see who may run now. The message only says where to look."""

import functions_framework.aio
from fastapi import Request, Response

from shared import services
from shared.http import application, message, serve
from shared.research.dispatch import dispatch as look

app = application("dispatch", private=True)


@app.post("/{path:path}", status_code=204)
async def announced(request: Request) -> None:
    """One message."""
    if tenant := (await message(request)).get("tenant"):
        await look(services.current(), tenant)


@functions_framework.aio.http
async def dispatch(_request: Request) -> Response:
    """The function's entry point: the app serves the request."""
    return serve(app)
