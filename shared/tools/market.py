"""The tool that looks prices up. It says so where no provider is configured, before anybody is asked about it."""

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import Field

from shared.errors import NotConfigured
from shared.gateway.tool import Errand, Outcome, Tool
from shared.models.base import Model
from shared.models.note import Citation
from shared.net.market import VARIABLE, MarketData, Quote
from shared.tools.shapes import plain

NAME = "fetch_market_data"
Symbol = Annotated[str, Field(pattern=r"^[A-Za-z0-9.^=-]{1,15}$")]


class FetchMarketData(Model):
    """What to look up."""

    symbols: list[Symbol] = Field(min_length=1, max_length=10, description="Ticker symbols.")


class Quotes(Model):
    """Prices; `message` names the symbols that nobody knows."""

    quotes: list[Quote]
    url: str
    """The provider."""
    message: str | None = None


def tools(market: Callable[[str], MarketData | None]) -> tuple[Tool[Any], ...]:
    """The tool over the provider that `market` finds at the configured address; None means that there is none."""

    async def free(errand: Errand, _asked: FetchMarketData) -> float:
        # Asked for before a person is: nobody shall say yes to what can't be done.
        _provider(market(errand.doors.settings.market_url))
        return 0.0

    async def fetch(errand: Errand, asked: FetchMarketData) -> Outcome:
        provider = _provider(market(errand.doors.settings.market_url))
        found = await provider.quotes(asked.symbols)
        known = {quote.symbol.upper() for quote in found}
        missing = [symbol for symbol in asked.symbols if symbol.upper() not in known]
        message = f"Unknown to the provider: {', '.join(missing)}." if missing else None
        sources = (Citation(number=1, title="Market data", url=provider.source),) if found else ()
        return Outcome(plain(Quotes(quotes=found, url=provider.source, message=message)), sources=sources)

    return (
        Tool(
            NAME,
            "Look up current prices of ticker symbols.",
            FetchMarketData,
            fetch,
            seconds=20.0,
            outside=True,
            price=free,
            answer=Quotes,
        ),
    )


def _provider(market: MarketData | None) -> MarketData:
    if market is None:
        raise NotConfigured(
            "There is no market data here: no provider is configured.",
            next=f"Go on without it. Whoever runs this deployment can set {VARIABLE}.",
        )
    return market
