"""A note asks for research: claim it. And the steps that the workflow calls while the run goes on."""

import functions_framework.aio
from fastapi import Request, Response

from shared import services
from shared.http import application, message, serve
from shared.operations.step import Answer, Polling
from shared.research import claim, steps

app = application("research", private=True)


@app.post("/create")
async def create(step: Polling) -> Answer:
    """Start the outside run."""
    return await steps.create(services.current(), step)


@app.post("/poll")
async def poll(step: Polling) -> Answer:
    """Look at it."""
    return await steps.poll(services.current(), step)


@app.post("/finish")
async def finish(step: Polling) -> Answer:
    """Write its report."""
    return await steps.finish(services.current(), step)


@app.post("/fail")
async def fail(step: Polling) -> Answer:
    """End it, because the workflow can't go on."""
    return await steps.abandon(services.current(), step)


@app.post("/", status_code=204)
async def announced(request: Request) -> None:
    """One message that a note asks for research."""
    attributes = await message(request)
    await claim.claim(services.current(), attributes.get("tenant", ""), attributes.get("note_id", ""))


@functions_framework.aio.http
async def research(_request: Request) -> Response:
    """The function's entry point: the app serves the request."""
    return serve(app)
