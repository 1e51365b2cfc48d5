"""The door to other services: JSON requests, and streams of events. It decides nothing about retries."""

import asyncio
import json as jsonlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass

import httpx
from pydantic import JsonValue

from shared.errors import MemexError, NotConfigured, Unreachable, Upstream, UpstreamTimeout
from shared.net.blobs import BlobFilter
from shared.net.sse import EventReader, ServerEvent

CONNECT_SECONDS = 10.0
LOOPBACK = ("all://127.0.0.1", "all://localhost", "all://[::1]")

Usable = Callable[[str, JsonValue], bool]
"""Whether an event (name, data as JSON; None where it is none) is the one that was waited for."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, whatever its status; header names in lower case; a body that is no JSON is None."""

    status: int
    headers: Mapping[str, str]
    body: JsonValue

    @property
    def ok(self) -> bool:
        """Whether the status says success."""
        return 200 <= self.status < 300


def translate(error: httpx.HTTPError | httpx.InvalidURL) -> MemexError:
    """Our word for httpx's. What matters is whether the other side can have seen the request."""
    match error:
        case httpx.InvalidURL() | httpx.UnsupportedProtocol():
            return NotConfigured("The service's address can't be used", next="Check the address in the settings.")
        case httpx.ConnectError() | httpx.ConnectTimeout() | httpx.PoolTimeout() | httpx.ProxyError():
            return Unreachable("The service could not be reached", next="Nothing was sent; it is tried again.")
        case httpx.TimeoutException():
            return UpstreamTimeout("The service did not answer in time")
        case httpx.NetworkError() | httpx.RemoteProtocolError():
            return UpstreamTimeout("The connection broke before the answer was whole", code="connection_lost")
        case _:
            return Upstream("The service's answer could not be read", code="unreadable")


class Http:
    """One connection pool, made on first use, because its TLS setup costs time that many requests never need."""

    def __init__(self, *, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._transport = transport
        self._made: httpx.AsyncClient | None = None

    def _client(self) -> httpx.AsyncClient:
        if self._made is None:
            # A proxy from the environment serves the outside; our own stand-ins are next door.
            mounts: dict[str, httpx.AsyncBaseTransport | None] = dict.fromkeys(LOOPBACK)
            self._made = httpx.AsyncClient(
                transport=self._transport, mounts=None if self._transport else mounts, follow_redirects=False
            )
        return self._made

    async def aclose(self) -> None:
        """Let go of all connections; the next request makes new ones."""
        made, self._made = self._made, None
        if made is not None:
            await made.aclose()

    @asynccontextmanager
    async def _open(
        self, method: str, url: str, headers: Mapping[str, str], json: JsonValue, timeout: float
    ) -> AsyncIterator[httpx.Response]:
        limits = httpx.Timeout(timeout, connect=min(CONNECT_SECONDS, timeout), pool=min(CONNECT_SECONDS, timeout))
        with _translated():
            # httpx counts each read anew; only an outer limit ends an answer that trickles.
            async with (
                asyncio.timeout(timeout),
                self._client().stream(method, url, headers=dict(headers), json=json, timeout=limits) as response,
            ):
                yield response

    async def request_json(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        json: JsonValue = None,
        timeout: float = 30.0,
        max_bytes: int = 8_000_000,
    ) -> Reply:
        """Ask and read the whole answer; `max_bytes` limits what is kept of it, inline images left out."""
        async with self._open(method, url, headers, json, timeout) as response:
            return await _whole(response, max_bytes)

    async def first_event(
        self,
        url: str,
        *,
        headers: Mapping[str, str],
        json: JsonValue,
        timeout: float,
        usable: Usable,
        max_bytes: int = 1_000_000,
    ) -> Reply:
        """Post, read the stream up to the first usable event, close the connection; the event's data is the body.

        An answer that is no event stream (an error, plain JSON) is read whole and returned as it is.
        """
        async with self._open("POST", url, headers, json, timeout) as response:
            if not response.headers.get("content-type", "").startswith("text/event-stream"):
                return await _whole(response, max_bytes)
            reader = EventReader()
            async for chunk in response.aiter_bytes():
                for event in reader.feed(chunk):
                    data = _parse(event.data.encode())
                    if usable(event.name, data):
                        return Reply(response.status_code, _headers(response), data)
        raise UpstreamTimeout("The stream ended before it said anything of use", code="stream_ended")

    async def events(
        self,
        url: str,
        *,
        headers: Mapping[str, str],
        json: JsonValue,
        timeout: float,
        silence: float,
        max_bytes: int = 32_000_000,
    ) -> AsyncGenerator[ServerEvent | Reply, None]:
        """Post, and every event as it comes, until the stream ends; close the iterator to hang up before.

        An answer that is no event stream (an error, plain JSON) is the only item, read whole. `timeout` limits the
        whole stream, `silence` the wait for each piece of it, both in seconds; `max_bytes` limits what is read.
        """
        deadline = asyncio.get_running_loop().time() + timeout
        wait = min(silence, timeout)
        limits = httpx.Timeout(wait, connect=min(CONNECT_SECONDS, wait), pool=min(CONNECT_SECONDS, wait))
        # The clock runs around each step, never across a yield: there it would cancel whoever reads the events.
        async with AsyncExitStack() as opened:
            with _translated():
                async with asyncio.timeout_at(deadline):
                    response = await opened.enter_async_context(
                        self._client().stream("POST", url, headers=dict(headers), json=json, timeout=limits)
                    )
                    told = response.headers.get("content-type", "")
                    whole = None
                    if not response.is_success or not told.startswith("text/event-stream"):
                        whole = await _whole(response, max_bytes)
            if whole is not None:
                yield whole
                return
            reader, chunks, size = EventReader(), response.aiter_bytes(), 0
            while True:
                with _translated():
                    async with asyncio.timeout_at(deadline):
                        chunk = await anext(chunks, None)
                if chunk is None:
                    return
                size += len(chunk)
                if size > max_bytes:
                    raise Upstream("The service's answer is too large", code="too_large")
                for event in reader.feed(chunk):
                    yield event


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise translate(error) from error
    except TimeoutError as error:
        raise UpstreamTimeout("The service did not answer in time") from error


def _headers(response: httpx.Response) -> dict[str, str]:
    return {name.lower(): value for name, value in response.headers.items()}


async def _whole(response: httpx.Response, max_bytes: int) -> Reply:
    blobs = BlobFilter()
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += blobs.feed(chunk)
        if len(body) > max_bytes:
            raise Upstream("The service's answer is too large", code="too_large")
    body += blobs.end()
    return Reply(response.status_code, _headers(response), _parse(bytes(body)))


def _parse(text: bytes) -> JsonValue:
    try:
        parsed: JsonValue = jsonlib.loads(text)
    except (ValueError, RecursionError):
        return None
    return parsed
