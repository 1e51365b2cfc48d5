"""Market data: off until configured, one request, and only what was asked for."""

from collections.abc import Callable

import httpx
import pytest

from shared.errors import MemexError, NotConfigured, TooMany, Unreachable, Upstream, UpstreamTimeout
from shared.models.base import JsonDict
from shared.net.market import HttpMarketData, configured

URL = "https://market.example/v1/quotes?key=hidden"
QUOTE: JsonDict = {"symbol": "PEAR", "price": 12.5, "currency": "EUR", "at": "2026-01-02", "volume": 7}


def provider(answer: Callable[[httpx.Request], httpx.Response]) -> HttpMarketData:
    return HttpMarketData(URL, transport=httpx.MockTransport(answer))


def test_without_an_address_there_is_none() -> None:
    assert configured("") is None
    assert configured(URL) is not None
    assert configured("http://127.0.0.1:9/q") is not None


@pytest.mark.parametrize("url", ["http://market.example/", "ftp://x/", "market", "https://[", "javascript:x"])
def test_an_address_that_can_not_be_used_is_named(url: str) -> None:
    with pytest.raises(NotConfigured, match="MEMEX_MARKET_URL"):
        configured(url)


async def test_quotes_of_what_was_asked_for_and_nothing_else() -> None:
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, json={"quotes": [QUOTE, {**QUOTE, "symbol": "EVIL"}], "more": 1})

    market = provider(answer)
    (quote,) = await market.quotes(["pear", "APPL"])
    assert (quote.symbol, quote.price, quote.currency) == ("PEAR", 12.5, "EUR")
    (request,) = asked
    assert request.url.params["symbols"] == "pear,APPL"
    assert request.url.params["key"] == "hidden"
    assert market.source == "https://market.example/v1/quotes"


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (httpx.Response(429), TooMany),
        (httpx.Response(500), Upstream),
        (httpx.Response(302, headers={"location": "https://evil.example/"}), Upstream),
        (httpx.Response(200, text="<html>"), Upstream),
        (httpx.Response(200, json=[]), Upstream),
        (httpx.Response(200, json={"quotes": [{"symbol": "PEAR"}]}), Upstream),
        (httpx.Response(200, text='{"quotes": [{"symbol":"P","price":NaN,"currency":"E","at":"x"}]}'), Upstream),
        (httpx.Response(200, text="x" * 300_000), Upstream),
        (httpx.ConnectError("no"), Unreachable),
        (httpx.ReadTimeout("slow"), UpstreamTimeout),
    ],
)
async def test_whatever_is_no_answer_is_an_error_without_the_key(
    answer: httpx.Response | Exception, kind: type[MemexError]
) -> None:
    def reply(_request: httpx.Request) -> httpx.Response:
        if isinstance(answer, Exception):
            raise answer
        return answer

    with pytest.raises(kind) as caught:
        await provider(reply).quotes(["PEAR"])
    assert "hidden" not in f"{caught.value.message} {caught.value.next}"
