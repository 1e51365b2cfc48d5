"""The part of a text that answers a question best, for a list. It looks for words and judges nothing."""

import re

from shared.search import words

LENGTH = 600
"""Characters of an excerpt, its marks included."""
_TERMS = 40
_HITS = 2_000
_BEFORE = 60
"""Characters before the first word that was found, at most."""


def excerpt(text: str, question: str = "", length: int = LENGTH) -> str:
    """At most `length` characters of the text, around the place where most of the question's words stand together."""
    text = text.strip()
    if len(text) <= length:
        return text
    start = _start(text, question, length)
    room = length - (2 if start else 1)
    if start:
        # From the next word on, where there is one soon.
        space = re.compile(r"\s").search(text, start, start + min(_BEFORE, length // 5))
        start = space.end() if space else start
    if start + room + 1 >= len(text):
        return f"…{text[-(length - 1) :].lstrip()}"
    return f"{'…' if start else ''}{text[start : start + room].rstrip()}…"


def _start(text: str, question: str, length: int) -> int:
    """Where the best window begins; 0 where no word is found."""
    hits = _hits(text, question)
    best, most = 0, 0
    before = min(_BEFORE, length // 5)
    inside: dict[str, int] = {}
    left = 0
    for at, word in hits:
        inside[word] = inside.get(word, 0) + 1
        while at - hits[left][0] > length - 2 * before:
            gone = hits[left][1]
            inside[gone] -= 1
            if not inside[gone]:
                del inside[gone]
            left += 1
        if len(inside) > most:
            best, most = hits[left][0], len(inside)
    return max(0, best - before)


def _hits(text: str, question: str) -> list[tuple[int, str]]:
    """Places where a word of the question begins."""
    # The search's words are stems without accents; the question's own are as the text may have them.
    asked = [*words(question), *(word for word in re.findall(r"\w{3,}", question))]
    terms = list(dict.fromkeys(word.lower() for word in asked if word))[:_TERMS]
    if not terms:
        return []
    # Where words are written without spaces, one may begin anywhere.
    pattern = "|".join(
        ("" if term[0] >= "\u0e00" else r"\b") + re.escape(term) for term in sorted(terms, key=len, reverse=True)
    )
    found: list[tuple[int, str]] = []
    for match in re.finditer(pattern, text, re.IGNORECASE):
        found.append((match.start(), match[0].lower()))
        if len(found) == _HITS:
            break
    return found
