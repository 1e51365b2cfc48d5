"""The search: results out of the page, and every page that is not plainly one of results as an error."""

from collections.abc import Sequence
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from shared.errors import Forbidden, MemexError, TooLarge, TooMany, Upstream
from shared.net.guard import Network
from shared.net.websearch import HOST, Found, results, search

ADVERTISEMENT = """
<div class="result results_links results_links_deep result--ad ">
  <h2 class="result__title"><a rel="nofollow" class="result__a"
    href="https://duckduckgo.com/y.js?ad_domain=shop.example&amp;ad_provider=x">Buy pears</a></h2>
  <a class="result__snippet" href="https://duckduckgo.com/y.js?ad_domain=shop.example">Cheap!</a>
</div>"""
ROWS = """
<div class="result results_links results_links_deep web-result ">
  <div class="links_main links_deep result__body">
    <h2 class="result__title">
      <a rel="nofollow" class="result__a"
         href="//duckduckgo.com/l/?uddg=https%3A%2F%2FPears.example%2Fpruning%3Fa%3D1%26b%3D2%23top&amp;rut=abc">
         Pruning <b>pears</b> &amp; apples</a>
    </h2>
    <a class="result__url" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fpears.example">pears.example</a>
    <a class="result__snippet" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fpears.example%2Fpruning&amp;rut=abc">
      Prune <b>pears</b> in
      winter &mdash; or summer.</a>
  </div>
</div>
<div class="result results_links web-result">
  <h2 class="result__title"><a class='result__a' href='https://direct.example/'>Direct</a></h2>
  <div class="result__snippet">A second one.</div>
</div>
<div class="result web-result">
  <h2><a class="result__a" href="//duckduckgo.com/l/?uddg=javascript%3Aalert(1)">Bad</a></h2>
  <a class="result__snippet" href="#">not to be taken for another's</a>
</div>
<div class="result web-result">
  <a class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fdirect.example%2F&amp;rut=2">Direct again</a>
</div>
<div class="result result--more"><div class="result__a">More</div></div>"""
PEARS = Found("Pruning pears & apples", "https://pears.example/pruning?a=1&b=2", "Prune pears in winter — or summer.")
DIRECT = Found("Direct", "https://direct.example/", "A second one.")
NOTHING = '<html><div class="result result--no-result"><div class="no-results">No results.</div></div></html>'
CHALLENGE = '<div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div>'


def test_results_come_out_of_their_wrapping_without_advertisements() -> None:
    assert results(f"<html>{ADVERTISEMENT}{ROWS}</html>") == [PEARS, DIRECT]


def test_an_empty_list_is_one_only_where_the_page_says_so() -> None:
    assert results(NOTHING) == []
    assert results(f"{ADVERTISEMENT}{NOTHING}") == []
    # A page may speak of the class without being it.
    with pytest.raises(Upstream):
        results("<p>We renamed no-results.</p>")


@pytest.mark.parametrize(
    "page",
    [
        "",
        "<html><body><h1>New design</h1><a class='hit' href='https://pears.example/'>Pears</a></body></html>",
        '{"results": []}',
        ADVERTISEMENT,
        '<a class="result__a" href="//duckduckgo.com/settings">x</a>',
        '<a class="result__a" href="//duckduckgo.com/l/?target=https%3A%2F%2Fpears.example">renamed</a>',
        '<a class="result__a" href="https://pears.example/">cut off',
    ],
)
def test_a_page_of_another_shape_is_an_error(page: str) -> None:
    with pytest.raises(Upstream) as caught:
        results(page)
    assert caught.value.code == "search_unreadable" and caught.value.next


def test_a_page_built_to_keep_us_busy_does_not() -> None:
    for piece in ("<a ", "<a class=", '<a class="result__a" ', "<a " + "x" * 5000 + ">", "<a x = = =", "class=no-"):
        with pytest.raises(Upstream):
            results(piece * (500_000 // len(piece)))


class Engine:
    def __init__(self, *answers: httpx.Response) -> None:
        self.answers = list(answers)
        self.asked: list[httpx.Request] = []

    async def answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        return self.answers.pop(0)

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        return {HOST: ["52.142.124.215"], "evil.test": ["8.8.8.8"]}[host]

    async def search(self, query: str = "pears", limit: int = 5, hosts: Sequence[str] = (HOST,)) -> list[Found]:
        return await search(query, limit, hosts, Network(self.resolve, httpx.MockTransport(self.answer)))


def html(text: str, status: int = 200, **headers: str) -> httpx.Response:
    return httpx.Response(status, headers={"content-type": "text/html"} | headers, content=text.encode())


async def test_the_query_goes_to_the_pinned_host_and_nowhere_else() -> None:
    engine = Engine(html(ROWS))
    assert await engine.search("süße & saure pears?", limit=1) == [PEARS]
    (asked,) = engine.asked
    assert (asked.url.scheme, asked.url.host, asked.headers["host"]) == ("https", "52.142.124.215", HOST)
    assert asked.extensions["sni_hostname"] == HOST
    assert parse_qs(urlsplit(str(asked.url)).query) == {"q": ["süße & saure pears?"]}


@pytest.mark.parametrize(
    ("answer", "error", "code"),
    [
        (html(CHALLENGE, 202), TooMany, "search_blocked"),
        (html(CHALLENGE), TooMany, "search_blocked"),
        (html("", 202), TooMany, "search_blocked"),
        (html("", 403), TooMany, "search_blocked"),
        (html("", 429), TooMany, "search_blocked"),
        (html(ROWS, 500), Upstream, "search_failed"),
        (html("", 302, location="https://evil.test/?q=pears"), Upstream, "search_failed"),
        (html("", 307, location=f"https://{HOST}/other"), Upstream, "search_failed"),
        (html("<p>?</p>"), Upstream, "search_unreadable"),
        (html("x" * 1_000_001), TooLarge, "too_large"),
    ],
)
async def test_an_unusual_answer_says_so(answer: httpx.Response, error: type[MemexError], code: str) -> None:
    engine = Engine(answer)
    with pytest.raises(error) as caught:
        await engine.search(hosts=[HOST, "evil.test"])
    assert caught.value.code == code and caught.value.next
    assert len(engine.asked) == 1


@pytest.mark.parametrize("hosts", [[], ["duckduckgo.com"], ["*.html.duckduckgo.com"]])
async def test_the_search_engine_has_to_be_allowed_like_any_host(hosts: list[str]) -> None:
    engine = Engine()
    with pytest.raises(Forbidden) as caught:
        await engine.search(hosts=hosts)
    assert caught.value.code == "egress_blocked" and HOST in caught.value.message
    assert engine.asked == []
