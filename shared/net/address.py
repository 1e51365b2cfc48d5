"""Web addresses as text: how two are compared, and what of one may be shown. It asks nobody."""

import re
from collections.abc import Iterable
from urllib.parse import quote, urlsplit, urlunsplit

from shared.errors import MemexError
from shared.net.guard import split

_ESCAPE = re.compile(r"%[0-9a-f]{2}", re.I)
_PATH = "/%:@!$&'()*+,;=~"
_KEY = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9_.~%-]{20,}")
"""A part of a path that nobody would say aloud."""
HIDDEN = "[hidden]"


def normal(url: str) -> str:
    """The address as it is asked: host in lower case, no default port, no fragment, each character escaped once.

    Invalid or Forbidden where it is no address that may be asked at all.
    """
    scheme, host, port = split(url)
    parts = urlsplit(url)
    place = f"[{host}]" if ":" in host else host
    if port != (443 if scheme == "https" else 80):
        place += f":{port}"
    return urlunsplit((scheme, place, _escaped(parts.path or "/"), _escaped(parts.query, "?"), ""))


def _escaped(text: str, more: str = "") -> str:
    return _ESCAPE.sub(lambda found: found[0].upper(), quote(text, safe=_PATH + more, errors="replace"))


def normals(urls: Iterable[str]) -> set[str]:
    """Those that are addresses, in the form in which they are compared."""
    found = set()
    for url in urls:
        try:
            found.add(normal(url))
        except MemexError:
            continue
    return found


def host_of(url: str) -> str:
    """Its host, normalised."""
    return split(url)[1]


def secrets_in(url: str) -> list[str]:
    """What in an address may be a secret, as it stands there: the values of its query, and keys in its path."""
    parts = urlsplit(url)
    values = (part.partition("=")[2] or part for part in parts.query.split("&"))
    keys = (segment for segment in parts.path.split("/") if _KEY.fullmatch(segment))
    return [part for part in (*values, *keys) if part]


def shown(url: str) -> str:
    """The address without what may be secret in it."""
    parts = urlsplit(url)
    path = "/".join(HIDDEN if _KEY.fullmatch(segment) else segment for segment in parts.path.split("/"))
    named = (part.partition("=") for part in parts.query.split("&") if part)
    query = "&".join(f"{name}={HIDDEN}" if equals else HIDDEN for name, equals, _ in named)
    return urlunsplit((parts.scheme, parts.netloc, path, query, ""))
