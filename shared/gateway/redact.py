"""Secrets are masked before anything is shown or kept for later reading. It errs on the side of masking too much.

Masked are: what stands under a key that names a secret, whatever its spelling; what follows such a name in a text;
secrets as people say them, and the numbers of cards and accounts; the user part and such parameters of addresses;
tokens of known makes; and long runs of characters that look drawn by lot. Ids of ours look so too, and stay: without
them nobody could say what was touched.
"""

import math
import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from urllib.parse import unquote

from pydantic import JsonValue

from shared.events.trace import cut
from shared.gateway import spoken
from shared.gateway.size import fitted
from shared.models.base import JsonDict
from shared.models.ids import is_id

MASK = "[masked]"
DEPTH = 8
"""Levels of lists and objects that are looked into."""
ENTRIES = 100
TEXT = 2_000
"""Bytes (UTF-8) of one text."""
TOTAL = 12_000
"""Bytes (UTF-8 JSON) of everything."""
_READ = 50_000
"""Characters of a text that are looked at."""

_NAMES = (
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "passwort",
    "kennwort",
    "pwd",
    "secret",
    "token",
    "apikey",
    "accesskey",
    "privatekey",
    "authoriz",
    "authoris",
    "cookie",
    "credential",
    "signature",
)
_WORDS = frozenset({"key", "keys", "auth", "sig", "pass", "pin", "bearer", "jwt", "otp"})
_PARTS = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

_URL_USER = re.compile(r"(//)[^\s/?#]*@")
_PARAMETER = re.compile(r"([?&#;])([^\s=&#?;]{1,100})=([^\s&#]*)")
_HEADER = re.compile(r"(?im)\b((?:proxy-)?authori[sz]ation|(?:set-)?cookie)(\W{0,3}[:=])[^\r\n]*")
_BEARER = re.compile(r"(?i)\b(bearer)\s+\S+")
_BASIC = re.compile(r"\b([Bb]asic)\s+(?=[A-Za-z0-9+/]*[A-Z0-9+/=])[A-Za-z0-9+/]{8,}={0,2}")
_ASSIGNED = re.compile(
    r"(?i)((?:password|passwd|passphrase|pwd|secret|token|api[ _-]?key|access[ _-]?key|private[ _-]?key|credential"
    # The name's end, a sign, and the value: quoted, quoted inside a quote, or bare.
    r"|signature)s?[\\\"']{0,3}[ \t]{0,5}[:=][ \t]{0,5})"
    r"(\[masked\](?=[.!?):]*(?:[\s\"',;&]|\Z))|\"[^\"]*\"|'[^']*'|[\\\"']{0,3}[^\s\"',;&}\]\\]+)"
)
_PEM = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL)
_KNOWN = re.compile(
    r"\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?|\b(?:sk|pk|rk)[-_][\w-]{8,}|\bgh[opsur]_\w{8,}|\bgithub_pat_\w+|\bglpat-[\w-]{8,}"
    r"|\bxox[a-z]-[\w-]{8,}|\bAIza[\w-]{16,}|\bya29\.[\w.-]+|\b(?:AKIA|ASIA)[A-Z0-9]{8,}"
)
_RUN = re.compile(r"[A-Za-z0-9+/_=~%-]{20,}")
_HEX = re.compile(r"(?=[A-Fa-f]*\d)(?=\d*[A-Fa-f])[0-9A-Fa-f]{20,}")
_BETWEEN = re.compile(r"[+/_=~%-]+")
_WINDOW, _CHANGES = 20, 5
"""A run is drawn by lot where so many neighbours in a window are of different classes (lower, upper, digit)."""


def redacted(arguments: JsonDict) -> JsonDict:
    """A call's arguments without secrets, and small enough to be kept beside the call."""
    return fitted(_mapping(arguments, 0), TOTAL)


def names_a_secret(key: str) -> bool:
    """Whether what has this name is a secret: `apiKey`, `X-API-KEY`, `access_token`, `Set-Cookie`, `keys`."""
    plain = unicodedata.normalize("NFKC", key)
    if _WORDS & {part.lower() for part in _PARTS.split(plain) if part}:
        return True
    compact = "".join(char for char in plain.lower() if char.isalnum())
    return compact.endswith("key") or any(name in compact for name in _NAMES)


def text(value: str) -> str:
    """A text without secrets, and without what no store can hold."""
    # Cut at a space: a secret that is cut in two looks like none.
    kept = value if len(value) <= _READ else value[:_READ].rsplit(None, 1)[0]
    unread = f"\n[cut: {len(value) - len(kept)} more characters]" if len(kept) < len(value) else ""
    return cut(_masked(kept.encode(errors="replace").decode()), TEXT) + unread


def holds_a_secret(value: str) -> bool:
    """Whether something in a text would be masked; what is too long to be looked at counts as if it did."""
    kept = value.encode(errors="replace").decode()
    return len(value) > _READ or _masked(kept) != kept


def _masked(kept: str) -> str:
    kept = _PEM.sub(MASK, kept)
    kept = _URL_USER.sub(rf"\1{MASK}@", kept)
    kept = _PARAMETER.sub(_parameter, kept)
    kept = _HEADER.sub(rf"\1\2 {MASK}", kept)
    kept = _BEARER.sub(rf"\1 {MASK}", kept)
    kept = _BASIC.sub(rf"\1 {MASK}", kept)
    kept = _unsaid(kept)
    kept = _ASSIGNED.sub(rf"\1{MASK}", kept)
    kept = _KNOWN.sub(MASK, kept)
    return _RUN.sub(_run, kept)


def _unsaid(kept: str) -> str:
    found: list[str] = []
    at = 0
    for start, end in spoken.spans(kept):
        found += [kept[at:start], MASK]
        at = end
    return "".join([*found, kept[at:]])


def _parameter(found: re.Match[str]) -> str:
    mark, name, _ = found.groups()
    return f"{mark}{name}={MASK}" if names_a_secret(unquote(name)) else found[0]


def _run(found: re.Match[str]) -> str:
    return MASK if _by_lot(found[0]) else found[0]


def _by_lot(run: str) -> bool:
    # Dashes and slashes belong to tokens as to words; what tells is how letters and digits follow each other.
    parts = [part for part in _BETWEEN.split(run) if not is_id(part)]
    dense = "".join(parts)
    if len(dense) < _WINDOW:
        return False
    return dense.isdigit() or any(_HEX.fullmatch(part) for part in (dense, *parts)) or _mixed(dense)


def _mixed(dense: str) -> bool:
    kinds = ["0" if char.isdigit() else "A" if char.isupper() else "a" for char in dense]
    changes = [one != other for one, other in pairwise(kinds)]
    return any(sum(changes[at : at + _WINDOW - 1]) >= _CHANGES for at in range(max(1, len(changes) - _WINDOW + 2)))


def _value(value: JsonValue, depth: int) -> JsonValue:
    match value:
        case str():
            return text(value)
        case dict():
            return _mapping(value, depth)
        case list():
            return _sequence(value, depth)
        case bool() | None:
            return value
        case float() if not math.isfinite(value):
            return str(value)
        case int() if not -(2**63) <= value < 2**63:
            return text(str(value)) if value.bit_length() < 10_000 else MASK
        case _:
            return value


def _mapping(value: JsonDict, depth: int) -> JsonDict:
    if depth >= DEPTH:
        return {"cut": "nested too deeply to be shown"}
    # As headers are often written: {"name": "Authorization", "value": "..."}.
    named = any(isinstance(one, str) and names_a_secret(one) for key, one in value.items() if key.lower() in _NAMED)
    found: JsonDict = {}
    for key, one in list(value.items())[:ENTRIES]:
        secret = names_a_secret(key) or (named and key.lower() not in _NAMED)
        found[_fresh(text(key), found)] = MASK if secret and one is not None else _value(one, depth + 1)
    if len(value) > ENTRIES:
        found["cut"] = f"{len(value) - ENTRIES} more"
    return found


_NAMED = frozenset({"name", "header", "field", "key"})


def _fresh(key: str, taken: JsonDict) -> str:
    """The key, or one beside it: two that were masked must not become one."""
    key = cut(key, 200) or "(empty)"
    return key if key not in taken else f"{key} ({len(taken)})"


def _sequence(value: Sequence[JsonValue], depth: int) -> JsonValue:
    if depth >= DEPTH:
        return "nested too deeply to be shown"
    if len(value) == 2 and isinstance(value[0], str) and names_a_secret(value[0]):
        return [text(value[0]), MASK]
    found: list[JsonValue] = [_value(one, depth + 1) for one in value[:ENTRIES]]
    if len(value) > ENTRIES:
        found.append(f"[{len(value) - ENTRIES} more]")
    return found
