"""The web as tools: a search, and one page. An address that nobody gave in this conversation is not asked for.

A model can put what it read into an address; only addresses that the person typed or a search returned go out, so that
no text of a note or page leaves in one.
"""

from typing import Any

from pydantic import Field

from shared.errors import Forbidden, MemexError
from shared.gateway.tool import Errand, Outcome, Quoted, Tool
from shared.models.base import JsonDict, Model
from shared.models.note import Citation
from shared.net.guard import Blocked, Network
from shared.tools.bound import bounded


class WebSearch(Model):
    """What to search for."""

    query: str = Field(min_length=1, max_length=400, pattern=r"\S", description="What to search for, in a few words.")
    limit: int = Field(default=5, ge=1, le=10, description="How many results.")


class HttpFetch(Model):
    """Which page to read."""

    url: str = Field(
        min_length=8, max_length=4000, description="An address that the person gave or a search returned, unchanged."
    )


class WebResult(Model):
    """One result of a search."""

    title: str
    url: str
    snippet: str


class WebResults(Model):
    """What a search found, best first; where it found nothing, `message` says so."""

    results: list[WebResult]
    message: str | None = None


class WebPage(Model):
    """A page as text."""

    url: str
    """Where it was in the end, after redirects."""
    title: str
    text: str


def tools(network: Network) -> dict[str, Tool[Any]]:
    """The tools, over this network."""

    async def web_search(errand: Errand, wanted: WebSearch) -> Outcome:
        from shared.net import websearch

        _refuse_closed(errand, websearch.HOST)
        found = await websearch.search(wanted.query, wanted.limit, errand.allowed_hosts, network)
        results = WebResults(
            results=[
                WebResult(title=bounded(one.title, 300), url=one.url, snippet=bounded(one.snippet, 1000))
                for one in found
            ],
            message=None if found else "DuckDuckGo found nothing for this.",
        )
        sources = tuple(
            Citation(number=number, title=one.title, url=one.url, quote=one.snippet or None)
            for number, one in enumerate(results.results, 1)
        )
        return Outcome(
            results.model_dump(exclude_none=True), sources=sources, addresses=tuple(one.url for one in found)
        )

    async def http_fetch(errand: Errand, wanted: HttpFetch) -> Outcome:
        from shared.net.address import host_of, normal, normals
        from shared.net.page import PageReader

        url, known = normal(wanted.url), normals(errand.addresses)
        # The same page over https is what a browser would make of it.
        if url not in known and url.replace("https://", "http://", 1) not in known:
            raise Forbidden(
                f"This address of {host_of(url)} was neither given by the person nor found by a search here.",
                code="address_not_given",
                next="Search for it, or ask the person for the whole address.",
            )
        _refuse_closed(errand, host_of(url))
        reader = PageReader(errand.allowed_hosts, resolve=network.resolve, transport=network.transport)
        try:
            read = await reader.read(url)
        except MemexError as failed:
            raise _ours(failed, host_of(url)) from failed
        page = WebPage(url=normal(read.url), title=read.title, text=bounded(read.text))
        # Whoever links the page may name it as it was asked for.
        names = dict.fromkeys((page.url, url))
        sources = tuple(Citation(number=n, title=page.title, url=name) for n, name in enumerate(names, 1))
        return Outcome(page.model_dump(), sources=sources, addresses=tuple(names))

    return {
        "web_search": Tool(
            "web_search",
            "Searches the web with DuckDuckGo. Use it when the notes can't answer and the person wants the web asked.",
            WebSearch,
            web_search,
            seconds=20.0,
            outside=True,
            answer=WebResults,
        ),
        "http_fetch": Tool(
            "http_fetch",
            "Reads one web page as text. Takes only addresses that the person gave or web_search returned.",
            HttpFetch,
            http_fetch,
            seconds=25.0,
            outside=True,
            answer=WebPage,
        ),
    }


def _ours(failed: MemexError, host: str) -> MemexError:
    """The failure without the name of a host that the page led to: whoever wrote the page chose it."""
    # A failure begins with the host that it is about, which is in lower case, or with a word of ours, which is not.
    about = failed.message.partition(" ")[0]
    if about == host or about[:1].isupper():
        return failed
    told = f"{host} leads on to another address, and that one could not be read."
    words: JsonDict = {"what happened there": failed.message}
    if isinstance(failed, Blocked):
        # For whoever asks a person about it.
        words["blocked_host"] = failed.host
    return Quoted(told, code=failed.code, next=failed.next, words=words)


def _refuse_closed(errand: Errand, host: str) -> None:
    if not errand.allowed_hosts:
        raise Forbidden(
            f"The outside is closed, so {host} is not asked.",
            code="egress_blocked",
            next=f"Switch network access on in Settings and allow {host} there.",
        )


TOOLS = tools(Network())
