"""The door: every httpx exception has a word of ours, bodies and streams are bounded, and a stream can be left."""

import asyncio
import json
import tracemalloc
from collections.abc import AsyncIterator

import httpx
import pytest

from shared.errors import MemexError, NotConfigured, Unreachable, Upstream, UpstreamTimeout
from shared.net.http import Http, Reply, translate
from shared.net.sse import ServerEvent

URL = "https://example.test"
REQUEST = httpx.Request("POST", URL)
MEANING: dict[type[Exception], type[MemexError]] = {
    httpx.ConnectError: Unreachable,
    httpx.ConnectTimeout: Unreachable,
    httpx.PoolTimeout: Unreachable,
    httpx.ProxyError: Unreachable,
    httpx.UnsupportedProtocol: NotConfigured,
    httpx.InvalidURL: NotConfigured,
    httpx.ReadTimeout: UpstreamTimeout,
    httpx.WriteTimeout: UpstreamTimeout,
    httpx.TimeoutException: UpstreamTimeout,
    httpx.ReadError: UpstreamTimeout,
    httpx.WriteError: UpstreamTimeout,
    httpx.CloseError: UpstreamTimeout,
    httpx.NetworkError: UpstreamTimeout,
    httpx.RemoteProtocolError: UpstreamTimeout,
    httpx.LocalProtocolError: Upstream,
    httpx.ProtocolError: Upstream,
    httpx.DecodingError: Upstream,
    httpx.TooManyRedirects: Upstream,
    httpx.HTTPStatusError: Upstream,
    httpx.TransportError: Upstream,
    httpx.RequestError: Upstream,
    httpx.HTTPError: Upstream,
}
OUR_FAULT = {
    httpx.CookieConflict,
    httpx.StreamError,
    httpx.StreamConsumed,
    httpx.StreamClosed,
    httpx.ResponseNotRead,
    httpx.RequestNotRead,
}


def test_every_exception_of_httpx_is_known() -> None:
    names = (getattr(httpx, name) for name in httpx.__all__)
    exceptions = {one for one in names if isinstance(one, type) and issubclass(one, Exception)}
    assert exceptions == MEANING.keys() | OUR_FAULT


@pytest.mark.parametrize("foreign", MEANING, ids=lambda one: one.__name__)
async def test_each_exception_becomes_its_word(foreign: type[Exception]) -> None:
    if foreign is httpx.HTTPStatusError:
        error: Exception = httpx.HTTPStatusError("x", request=REQUEST, response=httpx.Response(500))
    else:
        error = foreign("x")
    assert type(translate(error)) is MEANING[foreign]  # type: ignore[arg-type]  # the table holds no others

    def fail(request: httpx.Request) -> httpx.Response:
        raise error

    http = Http(transport=httpx.MockTransport(fail))
    with pytest.raises(MEANING[foreign]):
        await http.request_json("GET", "https://example.test", headers={})
    await http.aclose()


class Body(httpx.AsyncByteStream):
    def __init__(self, pieces: AsyncIterator[bytes]) -> None:
        self.pieces = pieces
        self.closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self.pieces:
            yield piece

    async def aclose(self) -> None:
        self.closed = True


def answering(body: Body, kind: str = "application/json", status: int = 200) -> Http:
    headers = {"content-type": kind}
    return Http(transport=httpx.MockTransport(lambda _: httpx.Response(status, headers=headers, stream=body)))


async def images(megabytes: int) -> AsyncIterator[bytes]:
    yield b'{"steps":[{"data":"'
    for _ in range(megabytes * 16):
        yield b"iVBORw0K" * 8192
    yield b'"}],"status":"completed"}'


async def test_forty_megabytes_of_images_cost_less_than_one() -> None:
    http = answering(Body(images(40)))
    tracemalloc.start()
    reply = await http.request_json("GET", "https://example.test", headers={})
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert reply.body == {"steps": [{"data": "iVBORw0KiVBORw0K"}], "status": "completed"}
    assert peak < 1_000_000


async def words() -> AsyncIterator[bytes]:
    while True:
        yield b"word " * 1000


async def test_an_answer_without_end_is_cut_off() -> None:
    body = Body(words())
    with pytest.raises(Upstream, match="too large"):
        await answering(body).request_json("GET", "https://example.test", headers={}, max_bytes=100_000)
    assert body.closed


@pytest.mark.parametrize("text", [b"", b"<html>502</html>", b'{"half":', b"[" * 100_000])
async def test_what_is_no_json_is_an_answer_without_body(text: bytes) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield text

    reply = await answering(Body(pieces()), "text/html", 502).request_json("GET", "https://example.test", headers={})
    assert (reply.status, reply.body, reply.ok) == (502, None, False)
    assert reply.headers["content-type"] == "text/html"


async def hanging(*pieces: bytes) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece
    await asyncio.Event().wait()


async def test_the_first_usable_event_ends_the_stream() -> None:
    body = Body(hanging(b": ping\n\nevent: a\ndata: 1\n", b'\nevent: b\ndata: {"id":', b'"x"}\n\nevent: c\n'))
    reply = await answering(body, "text/event-stream; charset=utf-8").first_event(
        "https://example.test", headers={}, json={}, timeout=5, usable=lambda name, data: name == "b"
    )
    assert reply.body == {"id": "x"}
    assert body.closed


async def test_a_silent_stream_is_a_timeout() -> None:
    body = Body(hanging())
    with pytest.raises(UpstreamTimeout):
        await answering(body, "text/event-stream").first_event(
            "https://example.test", headers={}, json={}, timeout=0.01, usable=lambda name, data: True
        )
    assert body.closed


async def test_a_stream_that_ends_early_says_so() -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b'event: a\ndata: {"id": "x"'

    with pytest.raises(UpstreamTimeout) as caught:
        await answering(Body(pieces()), "text/event-stream").first_event(
            "https://example.test", headers={}, json={}, timeout=5, usable=lambda name, data: True
        )
    assert caught.value.code == "stream_ended"


async def test_an_answer_that_is_no_stream_is_read_whole() -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield json.dumps({"error": {"code": 429}}).encode()

    reply = await answering(Body(pieces()), status=429).first_event(
        "https://example.test", headers={}, json={}, timeout=5, usable=lambda name, data: True
    )
    assert (reply.status, reply.body) == (429, {"error": {"code": 429}})


async def test_events_come_as_they_are_sent_whatever_the_chunks() -> None:
    raw = 'data: {"a": "héllo 🍐"}\r\n\r\n: ping\n\ndata: [DONE]\n\ndata: cut'.encode()

    async def pieces() -> AsyncIterator[bytes]:
        for at in range(len(raw)):
            yield raw[at : at + 1]

    body = Body(pieces())
    http = answering(body, "text/event-stream; charset=utf-8")
    events = [event async for event in http.events(URL, headers={}, json={}, timeout=5, silence=5)]
    assert [event.data for event in events if isinstance(event, ServerEvent)] == ['{"a": "héllo 🍐"}', "[DONE]"]
    assert len(events) == 2
    assert body.closed


@pytest.mark.parametrize(("status", "kind"), [(200, "application/json"), (429, "text/event-stream")])
async def test_what_is_no_stream_is_the_only_item(status: int, kind: str) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b'{"choices": []}'

    body = Body(pieces())
    items = [
        item async for item in answering(body, kind, status).events(URL, headers={}, json={}, timeout=5, silence=5)
    ]
    assert [item.status for item in items if isinstance(item, Reply)] == [status]
    assert [item.body for item in items if isinstance(item, Reply)] == [{"choices": []}]
    assert body.closed


async def _events(body: Body, *, timeout: float = 5.0, max_bytes: int = 1000) -> list[object]:
    http = answering(body, "text/event-stream")
    return [
        item async for item in http.events(URL, headers={}, json={}, timeout=timeout, silence=5, max_bytes=max_bytes)
    ]


async def test_a_stream_without_end_is_cut_off() -> None:
    async def pieces() -> AsyncIterator[bytes]:
        while True:
            yield b"data: word\n\n"

    body = Body(pieces())
    with pytest.raises(Upstream) as caught:
        await _events(body)
    assert caught.value.code == "too_large"
    assert body.closed


async def test_a_stream_that_stays_silent_is_a_timeout() -> None:
    body = Body(hanging(b"data: 1\n\n"))
    with pytest.raises(UpstreamTimeout):
        await _events(body, timeout=0.05)
    assert body.closed


async def test_a_slow_reader_of_a_stream_is_never_cancelled_by_its_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, read = asyncio.get_running_loop(), list[object]()
    now = loop.time
    http = answering(Body(hanging(b"data: 1\n\ndata: 2\n\n")), "text/event-stream")
    with pytest.raises(UpstreamTimeout):
        async for event in http.events(URL, headers={}, json={}, timeout=50, silence=5):
            read.append(event)
            monkeypatch.setattr(loop, "time", lambda: now() + 100)  # longer than the whole stream may take
            for _ in range(5):
                await asyncio.sleep(0)
    assert len(read) == 2


async def test_leaving_a_stream_hangs_up() -> None:
    body = Body(hanging(b"data: 1\n\n"))
    events = answering(body, "text/event-stream").events(URL, headers={}, json={}, timeout=5, silence=5)
    async for _ in events:
        break
    assert not body.closed
    await events.aclose()
    assert body.closed


@pytest.mark.parametrize("foreign", [httpx.ConnectError, httpx.ReadError, httpx.ReadTimeout])
async def test_each_exception_of_a_stream_becomes_its_word(foreign: type[httpx.TransportError]) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"data: 1\n\n"
        raise foreign("x")

    body = Body(pieces())
    with pytest.raises(MEANING[foreign]):
        await _events(body)
    assert body.closed


async def test_loopback_never_goes_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.example.test:3128")
    server = await asyncio.start_server(_hello, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    http = Http()
    reply = await http.request_json("GET", f"http://127.0.0.1:{port}/", headers={})
    assert reply.body == {"hello": 1}
    await http.aclose()
    server.close()
    await server.wait_closed()


async def _hello(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 11\r\nConnection: close\r\n\r\n{"hello":1}')
    await writer.drain()
    writer.close()
