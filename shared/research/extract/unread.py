"""What a report tells of pages that its question names and that were not read. No sentences: these need a source."""

import re
from collections.abc import Sequence

from shared.research.extract import inert

PAGES = 3
"""Pages that are read for one question."""
NAMED = 10
"""Pages of a question of which a report tells."""
_ENDED = re.compile(r"[.!?]++(?:\s++|$)")


def failed(url: str, why: str, remedy: str = "") -> str:
    """A page that was tried; `remedy` is what a person can do about it."""
    told = inert.sentence(_ENDED.sub("; ", why).rstrip("; "))
    return f"Could not be read: {inert.sentence(url)} – {told}{f'; {remedy}' if remedy else ''}"


def beyond(urls: Sequence[str]) -> str:
    """Pages that are too many for one question."""
    return f"Not read: {_all(urls)} – at most {PAGES} pages are read for one question; ask about these in another note"


def switched_off(urls: Sequence[str], remedy: str) -> str:
    """Pages that nobody may read; `remedy` is what a person has to do so that they are."""
    return f"Not read: {_all(urls)} – reading pages is switched off, so nothing here comes from there; {remedy}"


def brief(told: str) -> str:
    """The same without the addresses, for an error: these reach logs, and a client cuts a long one."""
    what, _, why = told.partition(" – ")
    return f"{what.partition(':')[0]}: {why}."


def _all(urls: Sequence[str]) -> str:
    return ", ".join(map(inert.sentence, urls))
