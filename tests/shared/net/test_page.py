"""Reading pages: every hop is checked again, the connection goes to the checked address, and limits hold."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import httpx
import pytest

from shared.errors import (
    Forbidden,
    MemexError,
    NotFound,
    TooLarge,
    Unprocessable,
    Unreachable,
    Upstream,
    UpstreamTimeout,
)
from shared.net.page import Page, PageReader

NAMES = {"example.org": "93.184.216.34", "www.example.org": "8.8.8.8", "inside.example.org": "10.1.2.3"}


class Web:
    """A transport that answers by Host header and records what was connected to."""

    def __init__(self, pages: dict[str, httpx.Response]) -> None:
        self.pages = pages
        self.seen: list[tuple[str, str, str]] = []
        self.looked_up: list[str] = []
        self.headers: list[httpx.Headers] = []

    async def answer(self, request: httpx.Request) -> httpx.Response:
        host = request.headers["host"]
        self.headers.append(request.headers)
        self.seen.append((request.url.host, host, str(request.extensions.get("sni_hostname"))))
        return self.pages[f"{host}{request.url.raw_path.decode()}"]

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        self.looked_up.append(host)
        return [NAMES[host]]

    async def read(self, url: str, **limits: float) -> Page:
        reader = PageReader(
            ["example.org", "*.example.org", "169.254.169.254"],
            resolve=self.resolve,
            transport=httpx.MockTransport(self.answer),
            max_bytes=int(limits.get("max_bytes", 2_000_000)),
            seconds=limits.get("seconds", 20.0),
        )
        return await reader.read(url)


def html(text: str, **headers: str) -> httpx.Response:
    return httpx.Response(200, headers={"content-type": "text/html; charset=utf-8"} | headers, content=text.encode())


def to(location: str) -> httpx.Response:
    return httpx.Response(302, headers={"location": location})


async def test_a_page_is_read_at_the_checked_address_under_its_own_name() -> None:
    web = Web({"example.org/a?q=1": html("<title>Hi</title><p>One.</p>")})
    assert await web.read("https://example.org/a?q=1#part") == Page("https://example.org/a?q=1#part", "Hi", "One.")
    assert web.seen == [("93.184.216.34", "example.org", "example.org")]
    assert web.looked_up == ["example.org"]


async def test_redirects_are_followed_where_each_hop_is_allowed() -> None:
    web = Web({"example.org/": to("//www.example.org/b"), "www.example.org/b": to("c"), "www.example.org/c": html("x")})
    assert (await web.read("http://example.org/")).url == "http://www.example.org/c"
    assert [address for address, *_ in web.seen] == ["93.184.216.34", "8.8.8.8", "8.8.8.8"]


@pytest.mark.survival(15)
@pytest.mark.parametrize(
    ("location", "code"),
    [
        ("http://169.254.169.254/latest/meta-data", "address_blocked"),
        ("http://inside.example.org/", "address_blocked"),
        ("http://evil.test/", "egress_blocked"),
        ("http://2852039166/", "address_blocked"),
        ("http://[::ffff:169.254.169.254]/", "address_blocked"),
        ("file:///etc/passwd", "address_blocked"),
        ("http://example.org:6379/", "address_blocked"),
    ],
)
async def test_a_redirect_to_a_forbidden_place_is_not_followed(location: str, code: str) -> None:
    web = Web({"example.org/": to(location)})
    with pytest.raises(Forbidden) as caught:
        await web.read("http://example.org/")
    assert caught.value.code == code
    assert len(web.seen) == 1


async def test_a_name_that_changes_its_address_between_hops_is_checked_again() -> None:
    web = Web({"example.org/": to("/again"), "example.org/again": html("inside")})
    answers = iter(["93.184.216.34", "127.0.0.1"])

    async def rebinding(host: str, port: int) -> Sequence[str]:
        return [next(answers)]

    reader = PageReader(["example.org"], resolve=rebinding, transport=httpx.MockTransport(web.answer))
    with pytest.raises(Forbidden):
        await reader.read("http://example.org/")
    assert len(web.seen) == 1


async def test_a_hop_brings_nothing_to_the_next() -> None:
    first = httpx.Response(302, headers={"location": "//www.example.org/b#part", "set-cookie": "id=secret; Path=/"})
    web = Web({"example.org/": first, "www.example.org/b": html("x")})
    await web.read("http://example.org/")
    for headers in web.headers:
        assert headers["accept-encoding"] == "identity"
        assert not {"cookie", "referer", "authorization"} & set(headers)


@pytest.mark.parametrize("location", ["http://[nonsense", "http://0251.0376.0251.0376/", "http://a..b/"])
async def test_a_redirect_to_what_is_no_address_says_so(location: str) -> None:
    web = Web({"example.org/": to(location)})
    with pytest.raises(MemexError) as caught:
        await web.read("http://example.org/")
    assert caught.value.code in ("redirected", "address_blocked", "address_invalid") and caught.value.next


@pytest.mark.parametrize("status", [300, 304, 305, 404, 500])
async def test_an_error_names_the_host_and_what_to_do(status: int) -> None:
    web = Web({"example.org/": httpx.Response(status)})
    with pytest.raises(MemexError) as caught:
        await web.read("http://example.org/")
    assert "example.org" in caught.value.message and caught.value.next
    assert len(web.seen) == 1


async def test_a_host_that_can_not_be_reached_is_named() -> None:
    async def broken(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("to https://93.184.216.34/?secret")

    web = Web({})
    reader = PageReader(["example.org"], resolve=web.resolve, transport=httpx.MockTransport(broken))
    with pytest.raises(Unreachable) as caught:
        await reader.read("http://example.org/?secret")
    assert "example.org" in caught.value.message and "secret" not in caught.value.message + caught.value.next


async def test_a_redirect_without_end_ends() -> None:
    web = Web({"example.org/": to("/")})
    with pytest.raises(Forbidden):
        await web.read("http://example.org/")
    assert len(web.seen) == 6


@pytest.mark.parametrize(
    ("response", "error"),
    [
        (httpx.Response(404), NotFound),
        (httpx.Response(410), NotFound),
        (httpx.Response(500), Upstream),
        (httpx.Response(200, headers={"content-type": "application/pdf"}), Unprocessable),
        (
            httpx.Response(200, headers={"content-type": "text/html", "content-encoding": "br"}, content=b""),
            Unprocessable,
        ),
        (html("x" * 1001), TooLarge),
    ],
)
async def test_what_is_no_page_is_refused(response: httpx.Response, error: type[MemexError]) -> None:
    with pytest.raises(error):
        await Web({"example.org/": response}).read("http://example.org/", max_bytes=1000)


async def test_a_page_that_trickles_is_given_up() -> None:
    class Slow(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield b"<p>"
            await asyncio.Event().wait()

    response = httpx.Response(200, headers={"content-type": "text/html"}, stream=Slow())
    with pytest.raises(UpstreamTimeout):
        await Web({"example.org/": response}).read("http://example.org/", seconds=0.01)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("Grüße".encode("latin-1"), "text/html; charset=iso-8859-1"),
        ('<meta charset="iso-8859-1">Grüße'.encode("latin-1"), "text/html"),
        ("Grüße".encode(), "text/plain; charset=martian"),
        ("Grüße".encode(), "text/plain"),
    ],
)
async def test_the_declared_encoding_is_used(body: bytes, kind: str) -> None:
    response = httpx.Response(200, headers={"content-type": kind}, content=body)
    page = await Web({"example.org/": response}).read("http://example.org/")
    assert (page.text, page.title) == ("Grüße", "example.org")
