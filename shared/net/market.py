"""Market data: the port, and a provider over HTTP. Off until MEMEX_MARKET_URL names one; it trades nothing.

The provider answers `GET URL?symbols=A,B` with `{"quotes": [{"symbol", "price", "currency", "at", "name"?,
"change_percent"?}]}`. It is the deployment's own choice, like a model's server: no list of allowed hosts concerns it.
"""

from collections.abc import Sequence
from typing import Annotated, Protocol
from urllib.parse import urlencode, urlsplit

import httpx
from pydantic import ConfigDict, Field, ValidationError

from shared.errors import NotConfigured, TooMany, Upstream
from shared.models.base import Model
from shared.net.http import Http

VARIABLE = "MEMEX_MARKET_URL"
SECONDS = 15.0
MAX_BYTES = 200_000
_LATER = "Try again later, or go on without market data."
_HERE = ("127.0.0.1", "localhost", "::1")


class Quote(Model):
    """A price as the provider tells it."""

    # A provider may say more than we ask for.
    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)

    symbol: Annotated[str, Field(max_length=20)]
    price: Annotated[float, Field(allow_inf_nan=False)]
    currency: Annotated[str, Field(max_length=8)]
    at: Annotated[str, Field(max_length=40)]
    """When that price was, as the provider writes it."""
    name: Annotated[str, Field(max_length=200)] | None = None
    change_percent: Annotated[float, Field(allow_inf_nan=False)] | None = None


class _Answer(Model):
    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)

    quotes: list[Quote]


class MarketData(Protocol):
    """Whoever knows prices."""

    @property
    def source(self) -> str:
        """The provider's address without anything secret in it."""
        ...

    async def quotes(self, symbols: Sequence[str]) -> list[Quote]:
        """What is known of these symbols; one that is unknown is left out. Raises Upstream and its kinds."""
        ...


class HttpMarketData:
    """A provider over HTTP."""

    def __init__(self, url: str, *, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._url = url
        self._transport = transport

    @property
    def source(self) -> str:
        """The provider's address without its query, where a key may stand."""
        parts = urlsplit(self._url)
        return f"{parts.scheme}://{parts.hostname or ''}{parts.path}"

    async def quotes(self, symbols: Sequence[str]) -> list[Quote]:
        """One request for all of them."""
        http = Http(transport=self._transport)
        mark = "&" if urlsplit(self._url).query else "?"
        try:
            reply = await http.request_json(
                "GET",
                f"{self._url}{mark}{urlencode({'symbols': ','.join(symbols)})}",
                headers={"Accept": "application/json"},
                timeout=SECONDS,
                max_bytes=MAX_BYTES,
            )
        finally:
            await http.aclose()
        if reply.status == TooMany.status:
            raise TooMany("The market data provider is at its limit.", code="market_busy", next=_LATER)
        if not reply.ok:
            raise Upstream(
                f"The market data provider answered {reply.status}.",
                code="market_failed",
                next=_LATER,
                upstream_status=reply.status,
            )
        try:
            told = _Answer.model_validate(reply.body)
        except ValidationError:
            raise Upstream(
                "The market data provider answered with something else than quotes.",
                code="market_unreadable",
                next=f"Whoever runs this deployment should check {VARIABLE}.",
            ) from None
        wanted = {symbol.upper() for symbol in symbols}
        return [quote for quote in told.quotes if quote.symbol.upper() in wanted]


def configured(url: str) -> MarketData | None:
    """The provider at this address, or None without one; NotConfigured where the address can't be used."""
    if not url:
        return None
    try:
        parts = urlsplit(url)
        usable = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _HERE)
    except ValueError:
        usable = False
    if not usable:
        raise NotConfigured(
            f"{VARIABLE} is no https address.", next="Correct it, or leave it out: then there is no market data."
        )
    return HttpMarketData(url)
