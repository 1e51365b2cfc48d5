"""The steps of agent tasks and routines, as their workflow calls them. The one private function that asks models."""

import functions_framework.aio
from fastapi import Request, Response

from shared import services
from shared.agent_task import steps
from shared.errors import NotFound
from shared.http import application, serve
from shared.operations.step import Answer
from shared.operations.step import Request as Step

app = application("agent", private=True)


@app.post("/step")
async def step(asked: Step) -> Answer:
    """Do the next thing."""
    return await steps.step(services.current(), asked)


@app.post("/fail")
async def fail(asked: Step) -> Answer:
    """End it, because the workflow can't go on."""
    return await steps.abandon(services.current(), asked)


@app.post("/")
async def nothing() -> None:
    """Whoever is let in hears that the steps have addresses of their own; everybody else hears nothing of them."""
    raise NotFound("There is nothing at this address.", next="The steps are /step and /fail.")


@functions_framework.aio.http
async def agent(_request: Request) -> Response:
    """The function's entry point: the app serves the request."""
    return serve(app)
