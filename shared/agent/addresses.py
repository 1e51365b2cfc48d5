"""Addresses of pages in what people and models say."""

import re

_PAGE = re.compile(r"https?://[^\s<>\"'`{}|\\^\[\]]+", re.IGNORECASE)
_CLOSERS = {")": "(", "]": "["}


def addresses(text: str) -> set[str]:
    """The web addresses in a text, without the punctuation of the sentence around them."""
    return {trimmed(found) for found in _PAGE.findall(text)}


def trimmed(url: str) -> str:
    """An address without the punctuation of the sentence around it."""
    while url:
        last = url[-1]
        if last in ".,;:!?*_…" or (last in _CLOSERS and url.count(last) > url.count(_CLOSERS[last])):
            url = url[:-1]
        else:
            break
    return url
