"""Redaction: a planted secret never survives, wherever and however it is written; what is no secret stays legible."""

import base64
import json
import time
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from shared.gateway.redact import DEPTH, MASK, TOTAL, holds_a_secret, names_a_secret, redacted, text
from shared.gateway.size import size
from shared.models.base import JsonDict
from shared.models.ids import ulid

# -- planted secrets -------------------------------------------------------------------------------------------

KEYS = (
    "key", "KEY", "apiKey", "api_key", "API-KEY", "x-api-key", "Api Key", "token", "accessToken", "ACCESS_TOKEN",
    "refresh-token", "secret", "client_secret", "clientSecret", "password", "Password", "passwd", "db.password",
    "authorization", "Authorization", "Proxy-Authorization", "cookie", "Set-Cookie", "credential", "credentials",
    "privateKey", "ssh_key", "auth", "signature", "ｔｏｋｅｎ", "apikey", "ACCESSKEY",
)  # fmt: skip

keys = st.sampled_from(KEYS)
short = st.text("abcdefghijkmnopq", min_size=8, max_size=12).map(lambda word: f"zz{word}")
"""Nothing about it looks secret: only its name tells."""


def by_lot(seed: int) -> list[str]:
    digest = sha256(str(seed).encode()).digest()
    return [
        digest.hex(),
        digest.hex().upper()[:40],
        base64.b64encode(digest).decode(),
        base64.urlsafe_b64encode(digest[:24]).decode().rstrip("="),
        f"ghp_{base64.urlsafe_b64encode(digest[:15]).decode().replace('-', 'x').replace('_', 'y')}",
        f"sk-{digest.hex()[:12]}",
    ]


tokens = st.integers().flatmap(lambda seed: st.sampled_from(by_lot(seed)))

NAMED = (
    "Authorization: Bearer {}",
    "curl -H 'authorization: Bearer {}' https://example.org/",
    "bearer {}",
    "password={}",
    "PASSWORD = '{}'",
    '{{"token": "{}"}}',
    '{{\\"token\\": \\"{}\\"}}',
    'password="{}',
    "api_key: {}",
    "my secret: {} and more",
    "Cookie: a=b; session={}",
    "https://someone:{}@example.org/path",
    "postgres://u:{}@db.example.org:5432/x",
    "//u:{}@example.org",
    "https://example.org/?q=pears&api_key={}&page=2",
    "https://example.org/#key={}",
    "https://example.org/cb?access%5Ftoken={}",
)
named = st.tuples(st.sampled_from(NAMED), short).map(lambda pair: (pair[0].format(pair[1]), pair[1]))
drawn = st.tuples(
    st.sampled_from(("{}", "see {} there", "https://example.org/{}/x", "({})", "a/b/{}", "x={}")), tokens
).map(lambda pair: (pair[0].format(pair[1]), pair[1]))

innocent: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@st.composite
def planted(draw: st.DrawFn) -> tuple[JsonDict, str]:
    """Arguments with one secret somewhere in them, and the secret."""
    inner: JsonValue
    match draw(st.sampled_from(("under", "inside", "pair", "header", "named", "drawn", "as a key"))):
        case "under":
            secret = draw(short)
            inner = {draw(keys): secret}
        case "inside":
            secret = draw(short)
            inner = {draw(keys): [{"deep": secret}]}
        case "pair":
            secret = draw(short)
            inner = [draw(keys), secret]
        case "header":
            secret = draw(short)
            inner = {draw(st.sampled_from(("name", "Name", "header"))): draw(keys), "value": secret}
        case "named":
            inner, secret = draw(named)
        case "drawn":
            inner, secret = draw(drawn)
        case _:
            written, secret = draw(named | drawn)
            inner = {written: 1}
    for _ in range(draw(st.integers(0, 12))):
        beside = draw(innocent)
        inner = [beside, inner] if draw(st.booleans()) else {"a": beside, "b": inner}
    return {"argument": inner, "other": draw(innocent)}, secret


@settings(deadline=None)
@given(planted())
def test_a_planted_secret_never_survives(case: tuple[JsonDict, str]) -> None:
    arguments, secret = case
    kept = json.dumps(redacted(arguments), ensure_ascii=False)
    assert secret not in kept
    assert secret[: len(secret) - 2] not in kept


@settings(deadline=None)
@given(st.dictionaries(st.text(max_size=20), innocent | st.text(max_size=30_000), max_size=5))
def test_whatever_comes_in_what_goes_out_can_be_stored(arguments: JsonDict) -> None:
    kept = redacted(arguments)
    assert size(kept) <= TOTAL
    json.dumps(kept, allow_nan=False).encode()
    assert "" not in kept


def test_a_secret_in_the_middle_of_a_long_text_is_not_cut_in_two() -> None:
    secret = by_lot(1)[3]
    for before in range(49_960, 50_010):
        kept = text("x " * (before // 2) + secret)
        assert secret[:10] not in kept
    # What is masked shrinks, and brings the place where the text was cut into what is kept.
    assert secret[:10] not in text(f"Bearer {'y' * 49_970} {secret}")


def test_depth_and_width_are_bounded() -> None:
    deep: JsonValue = "bottom"
    for _ in range(200):
        deep = [{"a": deep}]
    kept = json.dumps(redacted({"deep": deep}))
    assert "bottom" not in kept
    assert kept.count("[") <= DEPTH
    wide = redacted({"wide": list(range(5_000))})
    assert "4900 more" in json.dumps(wide)
    # Many large texts: all of it stays small.
    assert size(redacted({f"n{number}": "pear " * 3_000 for number in range(90)})) <= TOTAL


@pytest.mark.parametrize("key", KEYS)
def test_a_name_of_a_secret_is_known_in_any_spelling(key: str) -> None:
    assert names_a_secret(key)


@pytest.mark.parametrize(
    "key", ["title", "note_id", "query", "body", "tags", "author", "keyword", "passage", "monkeys", "url", "task_id"]
)
def test_other_names_are_none(key: str) -> None:
    assert not names_a_secret(key)


@pytest.mark.parametrize(
    "value",
    [
        "How do I grow pears flat against a south wall in 2024?",
        "https://example.org/how-to-grow-pears-against-a-wall-2024?page=2&sort=newest#chapter-3",
        "2024-01-02T10:20:30Z",
        "#/notes/01h8xgjwbwbaq4z4z4z4z4z4z4",
        "The basic idea: tokens of affection; a key to the garden",
        "Straßenbahnhaltestellenverzeichnis, नोट्स, 笔记",
        "someone@example.org",
        "The password is required, and my old password is wrong again.",
        "Passwords are hashed; the password manager is great, and nobody resets a password to feel safe.",
        "Where is my password? My password is in the safe. I forgot the PIN.",
        "The secret of good bread is time, the key is to listen, and the pin on the map is bent.",
        "Mein Passwort ist geheim. Das Passwort ist falsch.",
        "Tokens are 4 characters on average, account numbers have 10 digits, the status code is 404.",
        "ISBN 9783161484100, call +4915112345678901, order 1234567890123456",
        "My spare key hangs in the shed; pin the note of 2024 to the top.",
        "/home/pears/documents/gardening/espalier/notes.md",
    ],
)
def test_what_is_no_secret_stays_as_it_is(value: str) -> None:
    assert text(value) == value


def test_our_ids_stay_and_tell_what_was_touched() -> None:
    note = ulid(1_700_000_000.0)
    assert redacted({"note_id": note, "task_ids": [note]}) == {"note_id": note, "task_ids": [note]}


def test_the_other_parameters_of_an_address_stay() -> None:
    kept = text("https://me:pw@example.org/a?q=pears&token=abc&page=2")
    assert kept == f"https://{MASK}@example.org/a?q=pears&token={MASK}&page=2"


# -- as people say it ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("my wifi password is hunter2secret", f"my wifi password is {MASK}"),
        ("The password for the guest network is swordfish.", f"The password for the guest network is {MASK}."),
        ("my password is correct horse battery staple and I row", f"my password is {MASK} and I row"),
        ('my password is "open sesame", ok', f"my password is {MASK}, ok"),
        ("hunter2secret is my wifi password", f"{MASK} is my wifi password"),
        ("I changed my password to Sommer!23 today", f"I changed my password to {MASK} today"),
        ("use password hunter2secret to log in", f"use password {MASK} to log in"),
        ("Mein WLAN-Passwort ist Sommer2024, merk es dir", f"Mein WLAN-Passwort ist {MASK}, merk es dir"),
        ("mein Kennwort lautet Kaninchen", f"mein Kennwort lautet {MASK}"),
        ("password=hunter2.", f"password={MASK}."),
        ("pin: 1234", f"pin: {MASK}"),
        ("my PIN is 12 34", f"my PIN is {MASK}"),
        ("PIN 4711", f"PIN {MASK}"),
        ("the code for the alarm is 0815", f"the code for the alarm is {MASK}"),
        ("the door code is 4711 and I row", f"the door code is {MASK} and I row"),
        ("my token is abc123xyz", f"my token is {MASK}"),
        ("api key abc123def", f"api key {MASK}"),
        ("my account number is 12345678 at the bank", f"my account number is {MASK} at the bank"),
        ("pay with 4111 1111 1111 1111 please", f"pay with {MASK} please"),
        ("send it to DE89 3704 0044 0532 0130 00 today", f"send it to {MASK} today"),
        ("cvv 123", f"cvv {MASK}"),
    ],
)
def test_a_secret_in_a_sentence_is_masked_and_the_sentence_stays(said: str, kept: str) -> None:
    assert text(said) == kept
    assert text(text(said)) == text(said), "what is masked is left alone"
    assert holds_a_secret(said)


def test_an_ordinary_sentence_holds_no_secret() -> None:
    assert not holds_a_secret("I live in Porto, and my password is in the safe.")
    assert not holds_a_secret("A long one. " * 1_000), "what is only too long to be kept is none"


@pytest.mark.parametrize(
    "piece", ["my password is ", "password for a b c d ", "is my is my password ", "pin ", "1 ", "AB12 ", "a: is my "]
)
def test_the_longest_text_is_looked_through_at_once(piece: str) -> None:
    began = time.process_time()
    text((piece * 50_000)[:50_000])
    assert time.process_time() - began < 2, "a pattern that goes back and forth takes minutes"
