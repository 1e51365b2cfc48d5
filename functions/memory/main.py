"""The steps that the workflow calls while memories are made of what a person said."""

import functions_framework.aio
from fastapi import Request, Response

from shared import services
from shared.http import application, serve
from shared.memory import steps
from shared.operations.step import Answer, Polling

app = application("memory", private=True)


@app.post("/generate")
async def generate(step: Polling) -> Answer:
    """Ask the memory service, once."""
    return await steps.generate(services.current(), step)


@app.post("/poll")
async def poll(step: Polling) -> Answer:
    """Look whether it is done."""
    return await steps.poll(services.current(), step)


@app.post("/reconcile")
async def reconcile(step: Polling) -> Answer:
    """Prove what it did."""
    return await steps.reconcile(services.current(), step)


@app.post("/fail")
async def fail(step: Polling) -> Answer:
    """End it, because the workflow can't go on."""
    return await steps.abandon(services.current(), step)


@functions_framework.aio.http
async def memory(_request: Request) -> Response:
    """The function's entry point: the app serves the request."""
    return serve(app)
