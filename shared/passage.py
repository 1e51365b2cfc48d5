"""Where a note says what was asked for: a short passage, its matching words apart. It finds words and ranks nothing.

It is shown of a search as it is typed: words that begin with the question's last one are marked as well.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from shared import beginning, search
from shared.models.base import Model

LENGTH = 300
"""Characters of a passage, without its marks."""
_BEFORE = 40
"""Characters before the first word that was found, at most."""
_MOST_TITLE = 200
_LONGEST_CHUNK = 200
"""Characters between two blanks that are looked at together."""
_MOST = 500
"""Words that are found in one text, at most."""
_TARGET = re.compile(r"\]\([^)\n]{0,500}\)")
"""Where a Markdown link leads: nobody reads it."""
_SPACE = re.compile(r"\s")


class Piece(Model):
    """Some text, and whether it is a word that was asked for."""

    text: str
    hit: bool = False


class Spot(NamedTuple):
    """A word of a text that was asked for."""

    start: int
    end: int
    term: str


def marked(text: str, question: str) -> list[Piece]:
    """The whole text, its matching words apart, in whatever inflection and with whatever accents they stand there."""
    text = unicodedata.normalize("NFC", text)
    return _pieces(text, _spots(text, question), 0, len(text))


def heading(title: str | None, body: str) -> str:
    """What a list shows as a note's name: its title, else its first line."""
    return title or next((line.strip() for line in body.splitlines() if line.strip()), "")[:_MOST_TITLE]


def passage(body: str, question: str, *, name: str = "", length: int = LENGTH) -> list[Piece]:
    """At most `length` characters around the place where most of the question's words stand; empty where none does.

    A first line that only repeats `name` is left out: whoever shows the passage shows the name above it.
    """
    text = unicodedata.normalize("NFC", _without_name(body, name))
    spots = _spots(text, question)
    if not spots:
        return []
    first = _best(spots, length)
    start = _start(text, first)
    end = min(len(text), start + length)
    if end < len(text):
        end = max((at.start() for at in _SPACE.finditer(text, first, end)), default=end)
    before = "…" if start and text[start - 1] != "\n" else ""
    pieces = _pieces(text, spots, start, end)
    return [Piece(text=before)] * bool(before) + pieces + [Piece(text="…")] * (end < len(text))


def _without_name(body: str, name: str) -> str:
    first, _, rest = body.lstrip().partition("\n")
    return rest if name and first.strip("# \t\r") == name.strip("# \t\r") else body


def _best(spots: list[Spot], length: int) -> int:
    """Where the first word of the best window begins."""
    best, most, left = spots[0].start, 0, 0
    inside: dict[str, int] = {}
    for right, spot in enumerate(spots):
        inside[spot.term] = inside.get(spot.term, 0) + 1
        while left < right and spot.end - spots[left].start > length - _BEFORE:
            gone = spots[left].term
            inside[gone] -= 1
            if not inside[gone]:
                del inside[gone]
            left += 1
        if len(inside) > most:
            best, most = spots[left].start, len(inside)
    return best


def _start(text: str, first: int) -> int:
    """Where the passage begins: at the line, else at a word, a little before the word that was found."""
    earliest = max(0, first - _BEFORE)
    line = text.rfind("\n", earliest, first)
    if line >= 0 or earliest == 0:
        return line + 1
    space = _SPACE.search(text, earliest, first)
    return space.end() if space else first


def _pieces(text: str, spots: list[Spot], start: int, end: int) -> list[Piece]:
    pieces: list[Piece] = []
    at = start
    for spot in spots:
        if spot.start < at or spot.end > end:
            continue
        if spot.start > at:
            pieces.append(Piece(text=text[at : spot.start]))
        pieces.append(Piece(text=text[spot.start : spot.end], hit=True))
        at = spot.end
    if at < end:
        pieces.append(Piece(text=text[at:end]))
    return pieces


# -- finding ---------------------------------------------------------------------------------------------------


def _spots(text: str, question: str) -> list[Spot]:
    """The text's words that were asked for, in order, none overlapping another."""
    begun = beginning.asked(question)
    asked = frozenset([*search.words(question), *([begun] if begun else ())])
    if not asked or not text:
        return []
    language = search.language(text)
    text = _TARGET.sub(lambda target: " " * len(target[0]), text)
    found: list[Spot] = []
    for start, chunk in _chunks(text, asked):
        if len(found) >= _MOST:
            break
        for spot in _in_chunk(chunk, start, asked, begun, language):
            if found and spot.start < found[-1].end:
                # Pairs of characters overlap: together they are one word.
                found[-1] = Spot(found[-1].start, max(found[-1].end, spot.end), found[-1].term)
            else:
                found.append(spot)
    return found


def _chunks(text: str, asked: frozenset[str]) -> Iterator[tuple[int, str]]:
    """What stands between blanks and may hold a word that was asked for: only this is taken apart."""
    spelled = {word.replace("ae", "a").replace("oe", "o") for word in asked}  # as _BARE leaves æ and œ
    beginnings = sorted({_beginning(word) for word in (*asked, *spelled)}, key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, beginnings)))
    done = 0
    for match in pattern.finditer(text.translate(_BARE)):
        if match.start() < done:
            continue
        start = end = match.start()
        while start > done and not text[start - 1].isspace() and end - start < _LONGEST_CHUNK:
            start -= 1
        while end < len(text) and not text[end].isspace() and end - start < _LONGEST_CHUNK:
            end += 1
        done = end
        yield start, text[start:end]


def _beginning(word: str) -> str:
    """Letters that each inflection of a word begins with."""
    word = word.removeprefix(beginning.MARK)
    if not word[0].isalpha():
        return word[0]
    return word[: max(min(2, len(word)), min(3, len(word) - 1))]


def _in_chunk(chunk: str, start: int, asked: frozenset[str], begun: str, language: str) -> Iterator[Spot]:
    none = True
    for begin, end, words in search.runs(chunk, language):
        term = next((word for word in words if word in asked), "")
        if not term and begun and beginning.begins(chunk[begin:end], begun):
            term = begun
        if term:
            none = False
            yield Spot(start + begin, start + end, term)
    if none and (term := next((word for word in search.joined(chunk, language) if word in asked), "")):
        # Such as `C++` and `1,000`: several signs that are one word only together.
        bare = chunk.strip("\"'`?!.,;:()[]{}*_¿¡«»„“”‘’…。")
        at = chunk.find(bare)
        yield Spot(start + at, start + at + len(bare), term)


class _Bare(dict[int, str]):
    """A character as the letter that it begins with when it is searched; always one, so that places stay."""

    def __missing__(self, code: int) -> str:
        letter = (search.fold(chr(code)) or chr(code))[0]
        self[code] = letter
        return letter


_BARE = _Bare()
