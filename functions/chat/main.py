"""Conversations: sessions, messages answered as a stream, and the person's word at a gate. Loads ADK on first use."""

import functions_framework.aio
from fastapi import Request, Response

from functions.chat import runs, sessions
from shared.http import application, serve

app = application("chat")
app.include_router(sessions.router)
app.include_router(runs.router)


@functions_framework.aio.http
async def chat(_request: Request) -> Response:
    """The function's entry point: the app serves the request."""
    return serve(app)
