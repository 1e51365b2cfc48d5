"""The way out to hosts that a person allowed: each hop is checked, and only the address that was checked is asked.

It keeps no connection for the next request: one that was made for a host, with that host's certificate, must not
serve another host at the same address.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from ssl import SSLContext
from typing import Literal
from urllib.parse import urljoin, urlsplit, urlunsplit

import httpx

from shared.errors import (
    Forbidden,
    Invalid,
    MemexError,
    NotConfigured,
    TooLarge,
    Unprocessable,
    Unreachable,
    Upstream,
    UpstreamTimeout,
)
from shared.net.guard import Network, Target, check, split
from shared.net.http import translate

HOPS = 5
_KEEPS_METHOD = (307, 308)


@dataclass(frozen=True, slots=True)
class Ask:
    """One request; `hops` is how many redirects are followed, 0 hands them back.

    `secret` are headers that only the origin of `url` gets, however it redirects.
    """

    method: Literal["GET", "POST", "DELETE"]
    url: str
    headers: Mapping[str, str]
    content: bytes | None = None
    secret: Mapping[str, str] = field(default_factory=dict, repr=False)
    hops: int = HOPS


@dataclass(frozen=True, slots=True)
class Arrival:
    """An answer whose body is still to be read, and the address that gave it in the end."""

    url: str
    host: str
    response: httpx.Response

    @property
    def kind(self) -> str:
        """The media type, in lower case; empty where none is given."""
        return str(self.response.headers.get("content-type", "")).partition(";")[0].strip().lower()

    async def body(self, max_bytes: int) -> bytes:
        """All of it; TooLarge above the limit, before it is in memory."""
        self.refuse_compressed()
        body = bytearray()
        async for chunk in self.response.aiter_bytes():
            body += chunk
            if len(body) > max_bytes:
                raise TooLarge(
                    f"{self.host} sent more than {max_bytes // 1000} kB", next="It is more than we read; choose less."
                )
        return bytes(body)

    def refuse_compressed(self) -> None:
        """A compressed answer can be a thousand times as large as what a limit counts; we asked for none."""
        if self.response.headers.get("content-encoding", "identity").lower() not in ("identity", ""):
            raise Unprocessable(
                f"{self.host} answered compressed, unasked", code="page_type", next="It can't be read; choose another."
            )


class Outside:
    """Sends requests to allowed hosts, each whole within `seconds`, its redirects and its body included."""

    def __init__(self, allowed_hosts: Sequence[str], network: Network, *, seconds: float) -> None:
        self._allowed = tuple(allowed_hosts)
        self._network = network
        self._seconds = seconds

    @asynccontextmanager
    async def send(self, ask: Ask) -> AsyncIterator[Arrival]:
        """The answer, or a MemexError that names the host."""
        _, host, _ = split(ask.url)
        # The transport alone: a client would keep cookies by bare address, look at redirects before we do, and log
        # whole addresses. No proxy from the environment: it would look names up again, on its own.
        transport = self._network.transport or httpx.AsyncHTTPTransport(
            verify=_tls(), trust_env=False, limits=httpx.Limits(max_keepalive_connections=0)
        )
        try:
            async with asyncio.timeout(self._seconds), transport:
                arrival = await self._followed(transport, ask)
                try:
                    yield arrival
                finally:
                    await arrival.response.aclose()
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise _named(translate(error), host) from error
        except TimeoutError as error:
            raise UpstreamTimeout(f"{host} did not answer in time", next="Try again later.") from error

    async def _followed(self, transport: httpx.AsyncBaseTransport, ask: Ask) -> Arrival:
        origin = split(ask.url)
        for _ in range(ask.hops + 1):
            target = await check(ask.url, self._allowed, self._network.resolve)
            if split(ask.url) != origin:
                ask = replace(ask, secret={})
            response = await transport.handle_async_request(self._request(ask, target))
            if not (ask.hops and response.has_redirect_location):
                return Arrival(ask.url, target.host, response)
            await response.aclose()
            ask = _redirected(ask, target, response)
        raise Forbidden(
            f"{origin[1]} redirects too often", code="address_blocked", next="Give the address that it leads to."
        )

    def _request(self, ask: Ask, target: Target) -> httpx.Request:
        return httpx.Request(
            ask.method,
            _at_address(target),
            # Uncompressed: see `Arrival.refuse_compressed`.
            headers={**ask.headers, **ask.secret, "Accept-Encoding": "identity", "Host": target.authority},
            content=ask.content,
            extensions={
                # The certificate must be the host's, although the connection goes to a bare address.
                "sni_hostname": target.host,
                "timeout": httpx.Timeout(self._seconds).as_dict(),
            },
        )


@cache
def _tls() -> SSLContext:
    """Reading the certificates costs tens of milliseconds, once."""
    return httpx.create_ssl_context(trust_env=False)


def _redirected(ask: Ask, target: Target, response: httpx.Response) -> Ask:
    """The next hop. What is sent with a body is sent again only where the server asks for that, never in the clear."""
    try:
        url = urljoin(ask.url, response.headers["location"])
        encrypted = urlsplit(url).scheme == "https"
    except ValueError as error:
        raise Upstream(
            f"{target.host} redirects to what is no address", code="redirected", next="Check the address."
        ) from error
    if ask.method != "GET":
        if response.status_code not in _KEEPS_METHOD:
            raise Upstream(
                f"{target.host} redirects what it was sent (HTTP {response.status_code})",
                code="redirected",
                next="Give the address that it leads to.",
            )
        if target.scheme == "https" and not encrypted:
            raise Forbidden(
                f"{target.host} redirects away from https",
                code="address_blocked",
                next="Give an address that stays encrypted.",
            )
    return replace(ask, url=url)


def _at_address(target: Target) -> str:
    parts = urlsplit(target.url)
    host = f"[{target.address}]" if ":" in target.address else target.address
    return urlunsplit((target.scheme, f"{host}:{target.port}", parts.path or "/", parts.query, ""))


def _named(error: MemexError, host: str) -> MemexError:
    """The same word, with the host and what a person can do."""
    match error:
        case NotConfigured():
            return Invalid("The address can't be used", code="address_invalid", next="Correct the address.")
        case Unreachable():
            return Unreachable(f"{host} could not be reached", next="Check the address, or try again later.")
        case UpstreamTimeout():
            return UpstreamTimeout(
                f"The connection to {host} broke, or took too long", code=error.code, next="Try again later."
            )
        case _:
            return Upstream(f"The answer of {host} can't be read", code=error.code, next="Try again later.")
