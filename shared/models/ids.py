"""Identifiers: lowercase ULIDs, so that order of id is order of creation."""

import re
import secrets
from hashlib import sha256
from typing import Annotated

from pydantic import StringConstraints

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_PATTERN = r"^[0-7][0-9a-hjkmnp-tv-z]{25}$"
_SHAPE = re.compile(_PATTERN)
Id = Annotated[str, StringConstraints(pattern=_PATTERN)]


def is_id(text: str) -> bool:
    """Whether this has the shape of an id; only such may become part of a document's path."""
    return _SHAPE.fullmatch(text) is not None


def _base32(number: int, length: int) -> str:
    return "".join(ALPHABET[(number >> shift) & 31] for shift in range(5 * (length - 1), -1, -5))


def ulid(at: float) -> str:
    """A new id for the moment `at` (unix seconds): 48 bits of milliseconds, 80 random ones."""
    return _base32(int(at * 1000), 10) + _base32(secrets.randbits(80), 16)


def ulid_floor(at: float) -> str:
    """The smallest id of the moment `at`: everything older sorts before it."""
    return _base32(max(0, int(at * 1000)), 10) + "0" * 16


def derived(parent: str, *parts: str) -> str:
    """An id that repeats for the same parts: the parent's moment, and a hash in place of chance."""
    digest = sha256("\x1f".join((parent, *parts)).encode()).digest()
    return parent[:10] + _base32(int.from_bytes(digest[:10]), 16)


def numbered(number: int) -> str:
    """The id of the n-th child of a document; order of id is order of number."""
    return f"{number:06d}"
