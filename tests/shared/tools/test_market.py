"""The tool that looks prices up."""

from collections.abc import Sequence

import pytest
from pydantic import ValidationError

from shared.agent.model import ToolCall
from shared.gateway.gateway import Asks, Done, Gateway, Policy
from shared.net.market import MarketData, Quote
from shared.tools.market import NAME, FetchMarketData, tools
from tests.fakes.desk import Desk
from tests.shared.tools.using import errand


class Stall:
    """A provider with one price."""

    source = "https://market.example/quotes"

    async def quotes(self, symbols: Sequence[str]) -> list[Quote]:
        return [Quote(symbol="PEAR", price=1.5, currency="EUR", at="today")]


def gateway(desk: Desk, market: MarketData | None) -> Gateway:
    policy = Policy(None, approve_tools=True, egress_enabled=False, allowed_hosts=(), budget_left=None)
    return Gateway({tool.name: tool for tool in tools(lambda _url: market)}, policy, desk.now)


CALL = ToolCall("c", NAME, {"symbols": ["PEAR", "PLUM"]})


async def test_a_price_comes_marked_with_its_source_and_what_is_unknown(desk: Desk) -> None:
    done = await gateway(desk, Stall()).call(errand(desk), CALL, outside=False)
    assert isinstance(done, Done)
    assert done.ok and done.outside and done.outcome
    assert done.outcome.result["message"] == "Unknown to the provider: PLUM."
    assert [one.url for one in done.outcome.sources] == [Stall.source]


async def test_after_reading_others_text_it_asks_and_where_it_is_off_it_says_so_instead(desk: Desk) -> None:
    assert isinstance(await gateway(desk, Stall()).call(errand(desk), CALL, outside=True), Asks)
    off = await gateway(desk, None).call(errand(desk), CALL, outside=True)
    assert isinstance(off, Done)
    assert off.result["error"] == "not_configured"
    assert "MEMEX_MARKET_URL" in str(off.result["next"])


@pytest.mark.parametrize("symbols", [[], ["A B"], ["../x"], ["A"] * 11, ["&key=1"]])
def test_symbols_are_symbols(symbols: list[str]) -> None:
    with pytest.raises(ValidationError):
        FetchMarketData(symbols=symbols)
