"""Reading a web page that a note names. Each hop is checked, and only the address that was checked is connected to."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit, urlunsplit

import httpx

from shared.errors import Forbidden, MemexError, NotFound, TooLarge, Unprocessable, Upstream, UpstreamTimeout
from shared.net.guard import Resolve, Target, check, system_resolve
from shared.net.http import translate
from shared.net.markup import PageText, plain

MAX_BYTES = 2_000_000
SECONDS = 20.0
HOPS = 5
_HEADERS = {
    "User-Agent": "Memex/0.1 (reads pages that its user's notes name)",
    "Accept": "text/html, text/plain;q=0.9, text/markdown;q=0.9",
    # A compressed answer can be a thousand times as large as what the limit counts.
    "Accept-Encoding": "identity",
}
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.I)


@dataclass(frozen=True, slots=True)
class Page:
    """A page as read: the address it was found at in the end, its title and plain text."""

    url: str
    title: str
    text: str


class PageReader:
    """Reads pages of allowed hosts. `transport` and `resolve` are for tests; nothing else gets around the guard."""

    def __init__(
        self,
        allowed_hosts: Sequence[str],
        *,
        resolve: Resolve = system_resolve,
        transport: httpx.AsyncBaseTransport | None = None,
        max_bytes: int = MAX_BYTES,
        seconds: float = SECONDS,
    ) -> None:
        self._allowed = tuple(allowed_hosts)
        self._resolve = resolve
        self._transport = transport
        self._max_bytes = max_bytes
        self._seconds = seconds

    async def read(self, url: str) -> Page:
        """The page, or a MemexError that says why not."""
        # No proxy from the environment: it would look names up again, on its own.
        client = httpx.AsyncClient(transport=self._transport, trust_env=False, follow_redirects=False)
        try:
            async with asyncio.timeout(self._seconds), client:
                return await self._follow(client, url)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise translate(error) from error
        except TimeoutError as error:
            raise UpstreamTimeout("The page did not arrive in time") from error

    async def _follow(self, client: httpx.AsyncClient, url: str) -> Page:
        for _ in range(HOPS + 1):
            target = await check(url, self._allowed, self._resolve)
            request = client.build_request(
                "GET",
                _at_address(target),
                headers=_HEADERS | {"Host": target.authority},
                timeout=self._seconds,
                # The certificate must be the host's, although the connection goes to a bare address.
                extensions={"sni_hostname": target.host},
            )
            response = await client.send(request, stream=True)
            try:
                if response.is_redirect:
                    url = urljoin(url, response.headers.get("location", ""))
                    continue
                return await self._page(response, url)
            finally:
                await response.aclose()
        raise Forbidden("The page redirects too often", code="address_blocked")

    async def _page(self, response: httpx.Response, url: str) -> Page:
        if failure := _failure(response):
            raise failure
        kind = response.headers.get("content-type", "text/html").partition(";")[0].strip().lower()
        body = bytearray()
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > self._max_bytes:
                raise TooLarge(f"The page is larger than {self._max_bytes // 1000} kB")
        text = _decode(bytes(body), response.headers)
        read = await asyncio.to_thread(plain, text) if "html" in kind else PageText("", text.strip())
        return Page(url=url, title=read.title or urlsplit(url).hostname or url, text=read.text)


def _at_address(target: Target) -> str:
    parts = urlsplit(target.url)
    host = f"[{target.address}]" if ":" in target.address else target.address
    return urlunsplit((target.scheme, f"{host}:{target.port}", parts.path or "/", parts.query, ""))


def _failure(response: httpx.Response) -> MemexError | None:
    status = response.status_code
    if status in (404, 410):
        return NotFound("There is no such page", code="page_not_found")
    if not response.is_success:
        return Upstream(f"The page's server answered {status}", code="page_unavailable", upstream_status=status)
    kind = response.headers.get("content-type", "text/html").partition(";")[0].strip().lower()
    if kind not in ("text/html", "application/xhtml+xml", "text/plain", "text/markdown"):
        return Unprocessable(f"Pages of type {kind} are not read", code="page_type")
    if response.headers.get("content-encoding", "identity").lower() not in ("identity", ""):
        return Unprocessable("The page came compressed, unasked", code="page_type")
    return None


def _decode(body: bytes, headers: Mapping[str, str]) -> str:
    declared = _CHARSET.search(headers.get("content-type", "")) or _CHARSET.search(body[:2048].decode("latin-1"))
    try:
        return body.decode(declared[1] if declared else "utf-8", "replace")
    except LookupError:
        return body.decode("utf-8", "replace")
