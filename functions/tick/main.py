"""Every fifteen minutes: find what lost messages would have told, and start the routines that are due."""

import functions_framework.aio
from fastapi import Request, Response

from shared import services
from shared.http import application, serve
from shared.routines.due import start_due
from shared.sweep import sweep

app = application("tick", private=True)


@app.post("/{path:path}")
async def round_over_all(_request: Request) -> dict[str, int]:
    """One sweep, then the routines; what it acted on."""
    current = services.current()
    counts = await sweep(current)
    counts["routines"] = await start_due(current)
    if current.settings.memory_engine:
        from shared.memory.canary import watch

        counts["canary"] = await watch(current)
    return counts


@functions_framework.aio.http
async def tick(_request: Request) -> Response:
    """The function's entry point: the app serves the request."""
    return serve(app)
