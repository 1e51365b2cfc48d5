"""Published keys: fetched once an hour and when a new one appears, whatever else stands in the list."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import jwt
import pytest
from pydantic import JsonValue

from shared.auth import ServiceTokens
from shared.errors import Forbidden, MemexError, Unauthorized, Upstream
from shared.net.http import Http
from shared.net.keys import LEAST_SECONDS, LIVE_SECONDS, PublishedKeys
from tests.emulators.identity import Identity, Key

URL = "https://keys.example/certs"
ISSUER = "https://accounts.example"
ACCOUNT, AUDIENCE = "push@p.iam.gserviceaccount.com", "https://research.example"


class Publisher:
    """Publishes what it is told, and counts who asks."""

    def __init__(self, *keys: Key) -> None:
        self.keys = list(keys)
        self.answer: httpx.Response | None = None
        self.asked = 0
        self.now = 1_000_000.0
        self.http = Http(transport=httpx.MockTransport(self._published))
        self.published = PublishedKeys(self.http, URL, [ISSUER], lambda: self.now)

    async def _published(self, request: httpx.Request) -> httpx.Response:
        assert str(request.url) == URL
        self.asked += 1
        await asyncio.sleep(0)
        return self.answer or httpx.Response(200, json={"keys": [key.jwk() for key in self.keys]})

    def says(self, *entries: object) -> None:
        self.answer = httpx.Response(200, json={"keys": list(entries)})


@pytest.fixture(scope="module")
def old() -> Key:
    return Key()


@pytest.fixture(scope="module")
def new() -> Key:
    return Key()


@pytest.fixture
async def publisher(old: Key) -> AsyncIterator[Publisher]:
    made = Publisher(old)
    yield made
    await made.http.aclose()


async def test_a_known_key_is_fetched_once_an_hour(publisher: Publisher, old: Key) -> None:
    for _ in range(3):
        assert await publisher.published.key(old.id) == old.private.public_key()
    publisher.now += LIVE_SECONDS
    await publisher.published.key(old.id)
    assert publisher.asked == 1
    publisher.now += 1
    await publisher.published.key(old.id)
    assert publisher.asked == 2


async def test_one_look_serves_all_who_ask_at_once(publisher: Publisher, old: Key) -> None:
    await asyncio.gather(*(publisher.published.key(old.id) for _ in range(10)))
    assert publisher.asked == 1


async def test_a_new_key_is_found_when_a_token_names_it(publisher: Publisher, old: Key, new: Key) -> None:
    await publisher.published.key(old.id)
    publisher.keys = [old, new]
    publisher.now += LEAST_SECONDS + 1
    assert await publisher.published.key(new.id) == new.private.public_key()
    assert await publisher.published.key(old.id) == old.private.public_key()
    assert publisher.asked == 2


async def test_a_key_that_is_published_no_longer_is_refused_after_an_hour(
    publisher: Publisher, old: Key, new: Key
) -> None:
    await publisher.published.key(old.id)
    publisher.keys = [new]
    publisher.now += LIVE_SECONDS + 1
    with pytest.raises(Unauthorized):
        await publisher.published.key(old.id)


@pytest.mark.parametrize("key_id", ["unknown", "", None])
async def test_tokens_with_unknown_keys_make_us_look_once_a_minute(publisher: Publisher, key_id: str | None) -> None:
    for _ in range(20):
        with pytest.raises(Unauthorized):
            await publisher.published.key(key_id)
        publisher.now += 5
    assert publisher.asked == 2


GARBAGE: dict[str, object] = {
    "no map": "key",
    "no id": {"kty": "RSA", "n": "AQAB", "e": "AQAB"},
    "an id that is no text": {"kid": 5, "kty": "RSA"},
    "no kind": {"kid": "bad"},
    "an unknown kind": {"kid": "bad", "kty": "PQ", "alg": "ML-DSA-65"},
    "no numbers": {"kid": "bad", "kty": "RSA", "alg": "RS256"},
    "numbers that are none": {"kid": "bad", "kty": "RSA", "n": 5, "e": []},
    "numbers that make no key": {"kid": "bad", "kty": "RSA", "n": "!!!", "e": ""},
    "no signature": {"kid": "bad", "kty": "RSA", "alg": "none", "n": "AQAB", "e": "AQAB"},
    "an algorithm that is none": {"kid": "bad", "kty": "RSA", "alg": ["RS256"], "n": "AQAB", "e": "AQAB"},
    "a short curve": {"kid": "bad", "kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"},
}


@pytest.mark.parametrize("entry", GARBAGE.values(), ids=GARBAGE)
async def test_what_is_no_key_hides_no_other(publisher: Publisher, old: Key, entry: object) -> None:
    publisher.says(entry, old.jwk())
    assert await publisher.published.key(old.id) == old.private.public_key()
    with pytest.raises(Unauthorized):
        await publisher.published.key("bad")


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(503, json={"keys": []}),
        httpx.Response(200, text="<html>Sign in to the network</html>"),
        httpx.Response(200, json=[]),
        httpx.Response(200, json={"keys": {}}),
        httpx.Response(200, json={"keys": []}),
        httpx.Response(200, json={"keys": ["garbage"]}),
        httpx.Response(302, headers={"Location": "https://elsewhere.example"}),
        httpx.Response(200, content=b"[" * 300_000),
    ],
    ids=["down", "a page", "a list", "no list", "empty", "garbage", "moved", "too large"],
)
async def test_a_bad_answer_is_trouble_that_passes_and_forgets_nothing(
    publisher: Publisher, old: Key, answer: httpx.Response
) -> None:
    await publisher.published.key(old.id)
    publisher.answer = answer
    publisher.now += LEAST_SECONDS + 1
    with pytest.raises(Upstream):
        await publisher.published.key("new")
    assert await publisher.published.key(old.id) == old.private.public_key()
    publisher.answer = None
    with pytest.raises(Unauthorized):
        await publisher.published.key("new")


# The whole check, with published keys


@pytest.fixture
def identity(old: Key) -> Identity:
    return Identity(ISSUER, "p", key=old)


async def called(publisher: Publisher, token: str) -> str:
    tokens = ServiceTokens(publisher.published, [ACCOUNT], lambda: publisher.now)
    return await tokens.caller(f"Bearer {token}", [AUDIENCE])


async def test_a_token_of_a_published_key_is_its_account(publisher: Publisher, identity: Identity) -> None:
    times = {"iat": int(publisher.now), "exp": int(publisher.now) + 3600}
    assert await called(publisher, identity.sign(ACCOUNT, AUDIENCE, times)) == ACCOUNT


@pytest.mark.parametrize(
    ("changed", "refusal"),
    [
        ({"iat": 1_000_000 - 7200, "exp": 1_000_000 - 3600}, Unauthorized),
        ({"iat": 1_000_000 + 3600}, Unauthorized),
        ({"exp": "soon"}, Unauthorized),
        ({"aud": "https://elsewhere.example"}, Unauthorized),
        ({"aud": f"{AUDIENCE}/"}, Unauthorized),
        ({"iss": "https://evil.example"}, Unauthorized),
        ({"email": "mallory@p.iam.gserviceaccount.com"}, Forbidden),
        ({"email_verified": False}, Forbidden),
        ({"email": None}, Forbidden),
    ],
)
async def test_a_token_that_says_anything_else_is_refused(
    publisher: Publisher, identity: Identity, changed: dict[str, JsonValue], refusal: type[MemexError]
) -> None:
    times = {"iat": int(publisher.now), "exp": int(publisher.now) + 3600}
    with pytest.raises(refusal):
        await called(publisher, identity.sign(ACCOUNT, AUDIENCE, {**times, **changed}))


async def test_a_token_signed_otherwise_is_refused(
    publisher: Publisher, identity: Identity, old: Key, new: Key
) -> None:
    times = {"iat": int(publisher.now), "exp": int(publisher.now) + 3600}
    claims = {"iss": ISSUER, "aud": AUDIENCE, "email": ACCOUNT, "email_verified": True, **times}
    public = old.jwk()
    forged = new
    forged_id, forged.id = forged.id, old.id
    try:
        tokens = {
            "another key under a known id": identity.sign(ACCOUNT, AUDIENCE, times, key=forged),
            "no signature": identity.unsigned(ACCOUNT, AUDIENCE),
            "the public key as a secret": jwt.encode(
                claims, str(public["n"]), algorithm="HS256", headers={"kid": old.id}
            ),
            "no token": "x.y.z",
            "nothing": "",
        }
    finally:
        forged.id = forged_id
    for what, token in tokens.items():
        with pytest.raises(Unauthorized):
            await called(publisher, token)
            pytest.fail(what)
