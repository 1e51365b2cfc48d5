"""Every fifteen minutes: find what lost messages would have told."""

import functions_framework.aio
from fastapi import Request, Response

from shared import services
from shared.http import application, serve
from shared.sweep import sweep

app = application("tick", private=True)


@app.post("/{path:path}")
async def round_over_all(_request: Request) -> dict[str, int]:
    """One sweep; what it acted on."""
    return await sweep(services.current())


@functions_framework.aio.http
async def tick(_request: Request) -> Response:
    """The function's entry point: the app serves the request."""
    return serve(app)
