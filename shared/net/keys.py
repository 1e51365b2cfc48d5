"""The public keys that sign identity tokens, fetched once an hour and when a new one appears."""

import asyncio
from collections.abc import Callable, Sequence

from shared.errors import Unauthorized, Upstream
from shared.net.http import Http

LIVE_SECONDS = 3600.0
LEAST_SECONDS = 60.0
"""A token that names an unknown key makes us look again, but not more often than this."""


class PublishedKeys:
    """A JWKS document at an address."""

    def __init__(self, http: Http, url: str, issuers: Sequence[str], now: Callable[[], float]) -> None:
        self.issuers = tuple(issuers)
        self._http = http
        self._url = url
        self._now = now
        self._keys: dict[str, object] = {}
        self._read_at = float("-inf")
        self._turn = asyncio.Lock()

    async def key(self, key_id: str | None) -> object:
        """The public key with this id."""
        async with self._turn:  # one look serves all who wait for it
            age = self._now() - self._read_at
            if age > LIVE_SECONDS or (key_id not in self._keys and age > LEAST_SECONDS):
                await self._read()
        found = self._keys.get(key_id or "")
        if found is None:
            raise Unauthorized("The identity token was signed by a key we don't know.")
        return found

    async def _read(self) -> None:
        import jwt

        reply = await self._http.request_json("GET", self._url, headers={}, timeout=10.0, max_bytes=200_000)
        listed = reply.body.get("keys") if isinstance(reply.body, dict) else None
        if not reply.ok or not isinstance(listed, list):
            raise Upstream("The keys of identity tokens can't be read.", upstream_status=reply.status)
        keys: dict[str, object] = {}
        for entry in listed:
            if isinstance(entry, dict) and isinstance(entry.get("kid"), str):
                try:
                    keys[str(entry["kid"])] = jwt.PyJWK(entry).key
                except (jwt.PyJWTError, NotImplementedError, TypeError, ValueError):
                    continue  # a kind of key that we don't use, or none at all
        if not keys:
            raise Upstream("The list of keys of identity tokens holds none.", upstream_status=reply.status)
        self._keys, self._read_at = keys, self._now()
