"""Searching the web through DuckDuckGo's page without scripts. What is not plainly a list of results is an error."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import parse_qs, urlencode, urlsplit

from shared.errors import MemexError, TooMany, Upstream
from shared.net.address import normal
from shared.net.guard import Network
from shared.net.markup import decoded, plain
from shared.net.outside import Ask, Outside

HOST = "html.duckduckgo.com"
SECONDS = 15.0
MAX_BYTES = 1_000_000
MOST = 10
_ENGINE = "duckduckgo.com"
_HEADERS = {"User-Agent": "Memex/0.1 (searches for its user)", "Accept": "text/html", "Accept-Language": "*"}
_OPENS = re.compile(r"<(a|div|span)\s++([^<>]*+)>", re.I)
_ATTRIBUTE = re.compile(r"(?<![a-z-])([a-z-]++)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)')", re.I)
_EMPTY = re.compile(r"class\s*=\s*[\"'][^\"'<>]{0,200}\bno-results\b", re.I)
_CHALLENGE = ("anomaly-modal", "anomaly.js", "challenge-form")
_LATER = "Try again in a few minutes, or search in a browser and give the address of a page."


@dataclass(frozen=True, slots=True)
class Found:
    """One result: what the page calls itself, where it is (normalised), and what the search engine quotes of it."""

    title: str
    url: str
    snippet: str


async def search(query: str, limit: int, allowed_hosts: Sequence[str], network: Network) -> list[Found]:
    """The first results, best first; empty only where the search engine says that there are none."""
    # No redirect is followed: it would tell another host what was searched for.
    ask = Ask("GET", f"https://{HOST}/html/?{urlencode({'q': query}, errors='replace')}", _HEADERS, hops=0)
    async with Outside(allowed_hosts, network, seconds=SECONDS).send(ask) as arrival:
        status = arrival.response.status_code
        html = (await arrival.body(MAX_BYTES)).decode("utf-8", "replace")
    # The question whether a person asks comes with a status of success, 202.
    if any(mark in html for mark in _CHALLENGE) or status in (202, 403, 429):
        raise TooMany(
            "DuckDuckGo wants to know whether a person is asking (captcha)", code="search_blocked", next=_LATER
        )
    if status != 200:
        raise Upstream(
            f"DuckDuckGo answered {status} instead of results",
            code="search_failed",
            next=_LATER,
            upstream_status=status,
        )
    return results(html)[:limit]


def results(html: str) -> list[Found]:
    """The results on a page, advertisements left out; Upstream `search_unreadable` where it has another shape."""
    found: list[Found] = []
    open_row = False  # whether the last title was kept, so that a snippet belongs to it
    for kind, href, text in _parts(html):
        if kind == "result__a":
            url = None if _advertises(href) else _target(href)
            open_row = url is not None
            if url:
                found.append(Found(text or url, url, ""))
        elif open_row:
            found[-1] = replace(found[-1], snippet=found[-1].snippet or text)
    if not found and not _EMPTY.search(html):
        raise Upstream(
            "DuckDuckGo's page holds neither results nor its word that there are none; its shape may have changed",
            code="search_unreadable",
            next=_LATER,
        )
    unique = {one.url: one for one in reversed(found)}
    return [one for one in found if unique.get(one.url) is one]


def _parts(html: str) -> Iterator[tuple[str, str, str]]:
    """Titles and snippets in order: which of both, where it leads, its text."""
    at = 0
    while opens := _OPENS.search(html, at):
        at = opens.end()
        values = {name.lower(): double or single for name, double, single in _ATTRIBUTE.findall(opens[2])}
        classes = values.get("class", "").split()
        kind = "result__a" if "result__a" in classes and opens[1] in "aA" else "result__snippet"
        if kind not in classes:
            continue
        end = html.find(f"</{opens[1]}", at)
        if end < 0:
            return
        yield kind, decoded(values.get("href", "")), " ".join(plain(html[at:end]).text.split())
        at = end


def _host(href: str) -> str:
    try:
        return (urlsplit(href).hostname or "").lower()
    except ValueError:
        return ""


def _of_engine(href: str) -> bool:
    host = _host(href)
    return host == _ENGINE or host.endswith(f".{_ENGINE}")


def _advertises(href: str) -> bool:
    return _of_engine(href) and urlsplit(href).path == "/y.js"


def _target(href: str) -> str | None:
    """Where a result leads, out of the wrapping that counts clicks; None where nothing can be asked there."""
    if _of_engine(href):
        wrapped = parse_qs(urlsplit(href).query).get("uddg", [""])[0]
        if _of_engine(wrapped):
            return None
        href = wrapped
    try:
        return normal(href)
    except MemexError:
        return None
