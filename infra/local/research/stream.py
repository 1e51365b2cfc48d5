"""An event stream that notices when its reader goes away, even while it has nothing to say."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Callable

from starlette.types import Receive, Scope, Send

from shared.models.base import JsonDict


def frame(name: str, payload: JsonDict) -> bytes:
    """One event as it goes over the wire; its data repeats its name."""
    return f"event: {name}\ndata: {json.dumps({'event_type': name} | payload, ensure_ascii=False)}\n\n".encode()


DONE = b"event: done\ndata: [DONE]\n\n"


def event_id(number: int, kind: str) -> str:
    """An opaque id of the n-th event."""
    return "v1_" + base64.urlsafe_b64encode(f"{number}_{kind}".encode()).decode().rstrip("=")


class EventStream:
    """An answer that sends frames as they come; `gone` is called if the reader leaves before the end."""

    def __init__(self, frames: AsyncIterator[bytes], gone: Callable[[], None]) -> None:
        self._frames = frames
        self._gone = gone

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve it."""
        headers = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-cache")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        # Servers hold the head back until the first piece of body.
        await send({"type": "http.response.body", "body": b"", "more_body": True})
        sending = asyncio.create_task(self._send(send))
        leaving = asyncio.create_task(_left(receive))
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not sending.done():
                self._gone()
        finally:
            for task in (sending, leaving):
                task.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)

    async def _send(self, send: Send) -> None:
        async for piece in self._frames:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
