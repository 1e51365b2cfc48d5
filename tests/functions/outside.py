"""The outside of a chat under test: pages, a search and an MCP server, and every request that reached one of them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from infra.local.services import LocalServices
from shared.models.mcp import NewMcpServer
from shared.net.guard import Network
from shared.net.websearch import HOST as SEARCH
from shared.preferences import Choices, choose
from shared.tools import catalog, mcpservers, web
from shared.tools import mcp as mcptools
from shared.tools.mcp import Toolbox
from tests.fakes.mcpserver import HOST as SERVER
from tests.fakes.mcpserver import URL as SERVER_URL
from tests.fakes.mcpserver import FakeMcp, running, said, tool

TENANT = "default"
PAGES = "pears.example"
"""The host of pages that the person allowed."""
URL = f"https://{PAGES}/ripe"
PUBLIC = "93.184.216.34"
MCP_TOOL = "mcp_maps_add"


@dataclass
class Outside:
    """What answers by address, and what was asked of it. `names` gives a host's addresses, one look after the other."""

    server: FakeMcp
    pages: dict[str, httpx.Response] = field(default_factory=dict)
    names: dict[str, list[list[str]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    """Host and path of each request that left."""
    connected: list[str] = field(default_factory=list)
    """The address that each went to."""

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        looks = self.names.get(host, [[PUBLIC]])
        return looks.pop(0) if len(looks) > 1 else looks[0]

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request.headers["host"] + request.url.raw_path.decode())
        self.connected.append(request.url.host)
        return self.pages.get(self.asked[-1].partition("?")[0], httpx.Response(404))

    @property
    def network(self) -> Network:
        return Network(self.resolve, httpx.MockTransport(self.answer))

    def reached(self) -> int:
        """How many requests have left the house, the calls of the server's tools among them."""
        return len(self.asked) + len(self.server.calls())


def page(text: str, title: str = "Pears") -> httpx.Response:
    html = f"<title>{title}</title><p>{text}</p>"
    return httpx.Response(200, headers={"content-type": "text/html; charset=utf-8"}, content=html.encode())


def to(location: str) -> httpx.Response:
    return httpx.Response(302, headers=[(b"location", location.encode())])


def results(title: str, url: str, snippet: str) -> httpx.Response:
    """A page of the search with one result."""
    return page(
        f'<a class="result__a" href="//duckduckgo.com/l/?uddg={quote(url, safe="")}">{title}</a>'
        f'<a class="result__snippet" href="#">{snippet}</a>'
    )


SEARCH_PAGE = f"{SEARCH}/html/"


@contextmanager
def outside(monkeypatch: pytest.MonkeyPatch) -> Iterator[Outside]:
    """Have the tools of both kinds of turn go out here, and nowhere else."""
    with running() as server:
        made = Outside(server)
        tools = web.tools(made.network)
        before = catalog.built_in
        for whose in ("cast", "ensemble"):
            monkeypatch.setattr(f"shared.agent.{whose}.built_in", lambda: {**before(), **tools})
        monkeypatch.setattr(mcptools, "_process", Toolbox(server.network.reach(server.port)))
        yield made


async def opened(product: LocalServices, *hosts: str, **chosen: Any) -> None:
    """The person allows these hosts, or those of the pages, the search and the server."""
    wanted = Choices(egress_enabled=True, allowed_hosts=list(hosts or (PAGES, SEARCH, SERVER)), **chosen)
    await choose(product.documents, product.settings, TENANT, wanted, product.now())


async def with_server(
    product: LocalServices, out: Outside, description: str = "Adds.", answer: Mapping[str, Any] | None = None
) -> None:
    """A server of the person's with one tool, which they approved."""
    out.server.tools = [tool("add", description, a={"type": "string"})]
    out.server.answers["add"] = lambda _arguments: dict(answer or said("3"))
    way = out.server.network.reach(out.server.port)
    wanted = NewMcpServer(name="maps", url=SERVER_URL, headers={})
    made = await mcpservers.add(product, TENANT, wanted, (SERVER,), way, key=None)
    await mcpservers.approve(product, TENANT, made.id, ("add",), expected=None)
