"""Reading a web page: its title and its text. It runs nothing of it and loads nothing that it names."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx

from shared.errors import MemexError, NotFound, Unprocessable, Upstream
from shared.net.guard import Network, Resolve, system_resolve
from shared.net.markup import PageText, plain
from shared.net.outside import Arrival, Ask, Outside

MAX_BYTES = 2_000_000
SECONDS = 20.0
_HEADERS = {
    "User-Agent": "Memex/0.1 (reads pages that its user names)",
    "Accept": "text/html, text/plain;q=0.9, text/markdown;q=0.9",
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
        self._outside = Outside(allowed_hosts, Network(resolve, transport), seconds=seconds)
        self._max_bytes = max_bytes

    async def read(self, url: str) -> Page:
        """The page, or a MemexError that says why not."""
        async with self._outside.send(Ask("GET", url, _HEADERS)) as arrival:
            if failure := _failure(arrival):
                raise failure
            text = _decode(await arrival.body(self._max_bytes), arrival.response.headers)
        html = "html" in (arrival.kind or "text/html")
        read = await asyncio.to_thread(plain, text) if html else PageText("", text.strip())
        return Page(url=arrival.url, title=read.title or urlsplit(arrival.url).hostname or arrival.url, text=read.text)


def _failure(arrival: Arrival) -> MemexError | None:
    status, host = arrival.response.status_code, arrival.host
    if status in (404, 410):
        return NotFound(f"{host} has no such page", code="page_not_found", next="Check the address.")
    if not arrival.response.is_success:
        return Upstream(
            f"{host} answered {status}", code="page_unavailable", next="Try again later.", upstream_status=status
        )
    kind = arrival.kind or "text/html"
    if kind not in ("text/html", "application/xhtml+xml", "text/plain", "text/markdown"):
        return Unprocessable(
            f"{host} sent something of another type than a page",
            code="page_type",
            next="Only web pages and text are read.",
        )
    return None


def _decode(body: bytes, headers: Mapping[str, str]) -> str:
    declared = _CHARSET.search(headers.get("content-type", "")) or _CHARSET.search(body[:2048].decode("latin-1"))
    try:
        return body.decode(declared[1] if declared else "utf-8", "replace")
    except LookupError:
        return body.decode("utf-8", "replace")
