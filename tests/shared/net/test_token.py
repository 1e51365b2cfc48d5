"""Tokens: fetched once for all who wait, replaced before they end."""

import asyncio

import google.auth
import google.auth.exceptions
import pytest

from shared.errors import NotConfigured
from shared.net.token import EARLY, GoogleToken, application_default


class Source:
    def __init__(self) -> None:
        self.fetched = 0
        self.now = 1000.0

    def fetch(self) -> tuple[str, float]:
        self.fetched += 1
        return f"token-{self.fetched}", self.now + 3600


async def test_one_fetch_serves_all_who_ask_at_once() -> None:
    source = Source()
    token = GoogleToken(source.fetch, now=lambda: source.now)
    assert await asyncio.gather(*(token() for _ in range(5))) == ["token-1"] * 5
    assert source.fetched == 1


async def test_a_token_is_replaced_a_little_before_it_ends() -> None:
    source = Source()
    token = GoogleToken(source.fetch, now=lambda: source.now)
    await token()
    source.now += 3600 - EARLY - 1
    assert await token() == "token-1"
    source.now += 2
    assert await token() == "token-2"


def test_missing_credentials_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(**_: object) -> None:
        raise google.auth.exceptions.DefaultCredentialsError("no")  # type: ignore[no-untyped-call]  # untyped

    monkeypatch.setattr(google.auth, "default", none)
    with pytest.raises(NotConfigured, match="No Google credentials"):
        application_default()
