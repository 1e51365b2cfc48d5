"""What a client reads and edits, and the web client itself. Every resource has a router of its own."""

import functions_framework.aio
from fastapi import Request, Response

from functions.api import (
    activity,
    agents,
    approvals,
    mcp,
    memories,
    notes,
    operations,
    routines,
    settings,
    tasks,
    tools,
    web,
)
from shared.http import application, serve

app = application("api")
app.include_router(notes.router)
app.include_router(tasks.router)
app.include_router(operations.router)
app.include_router(settings.router)
app.include_router(agents.router)
app.include_router(approvals.router)
app.include_router(routines.router)
app.include_router(memories.router)
app.include_router(activity.router)
app.include_router(tools.router)
app.include_router(mcp.router)
web.attach(app)


@functions_framework.aio.http
async def api(_request: Request) -> Response:
    """The function's entry point: the app serves the request."""
    return serve(app)
