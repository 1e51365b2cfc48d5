"""The words of a text as they are compared."""

import re
from functools import lru_cache

from shared.search import tokens


def alike(left: str, right: str) -> bool:
    """Whether two sentences say nearly the same."""
    a, b = _said(left), _said(right)
    return len(a & b) >= 0.7 * max(1, len(a | b))


@lru_cache(maxsize=4096)
def _said(text: str) -> frozenset[str]:
    return frozenset(spoken(text))


_CHUNK = re.compile(r"\S{100}")


def spoken(text: str) -> list[str]:
    """The words of a text, a hundred characters at a time where nothing parts them: long chains cost too much."""
    return tokens("", _CHUNK.sub(r"\g<0> ", text), [])
