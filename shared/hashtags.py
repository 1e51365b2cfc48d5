"""Hashtags that a person typed before or after a text: `#garden how do pears ripen? #research`. It alters no text."""

import re
import unicodedata
from dataclasses import dataclass

from shared.models.base import kebab

MOST = 50
"""Hashtags that are taken of one text."""
_WINDOW = 4_000
"""Characters at the end of a text in which its last hashtags are looked for."""
_LONGEST = 200
"""Characters of a hashtag as typed; a longer one is data."""

_WORD = re.compile(r"\S+")
_SAYS = re.compile(r"[^\W_]")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})([^\n]*)$", re.MULTILINE)
_COLOUR = re.compile(r"(?=.*\d)(?:[0-9a-f]{3}|[0-9a-f]{6})|([0-9a-f])\1\1|([0-9a-f]{2})\2\2|(?:([0-9a-f])\3){3}")
_DIRECTIVE = re.compile(r"#(?:include\s*[<\"]|(?:define|undef|ifn?def)\s+[A-Z_]|pragma\s+\w|endif\b)")
"""Lines of C, which people paste without a fence."""


@dataclass(frozen=True, slots=True)
class Typed:
    """The hashtags around a text."""

    tags: tuple[str, ...] = ()
    """In kebab-case, distinct, in the order of the text; `#research` is one like any other."""
    alone: bool = False
    """Whether the text says nothing besides: there is no question in it."""


def typed(text: str) -> Typed:
    """The hashtags with which the text begins and ends. Those inside it are its words, and nobody's wish."""
    head, begin = _before(text)
    tail, end = _after(text, begin)
    tags = tuple(dict.fromkeys((*head, *tail)))[:MOST]
    return Typed(tags, bool(tags) and not _SAYS.search(text, begin, end))


def _before(text: str) -> tuple[list[str], int]:
    """The run at the beginning, and where it ends."""
    found: list[str] = []
    end = 0
    for word in _WORD.finditer(text):
        tag = None if len(found) == MOST or _is_code(text, word.start()) else _tag(word[0].rstrip(",;:"))
        if tag is None:
            # Selectors of a style sheet look alike; what follows them does not.
            return ([], 0) if word[0].startswith("{") else (found, end)
        found.append(tag)
        end = word.end()
    return found, end


def _after(text: str, begin: int) -> tuple[list[str], int]:
    """The run at the end, behind `begin`, and where it begins."""
    found: list[str] = []
    start = len(text)
    first = max(begin, len(text.rstrip()) - _WINDOW)
    for word in reversed(list(_WORD.finditer(text, first))):
        # With a full stop or a question mark behind it, a hashtag is the last word of a sentence.
        name = word[0].rstrip(",;") if found else word[0]
        cut = word.start() == first and text[first - 1 : first].strip()
        tag = None if cut or len(found) == MOST or _is_code(text, word.start()) else _tag(name)
        if tag is None or _is_quoted(text, word.start()):
            break
        found.append(tag)
        start = word.start()
    if not found or _is_fenced(text, start):
        return [], len(text)
    return found[::-1], start


def _tag(word: str) -> str | None:
    """The tag that a hashtag names; None where it is none: a number, a colour, a mark of a heading."""
    name = word[1:]
    if not word.startswith("#") or len(word) > _LONGEST or _COLOUR.fullmatch(name.lower()):
        return None
    # Marks belong to the letters before them, as in Hindi and Thai.
    if not any(map(str.isalpha, name)) or not all(char in "-_/" or _is_letter(char) for char in name):
        return None
    try:
        return kebab(name)
    except ValueError:
        return None


def _is_letter(char: str) -> bool:
    return unicodedata.category(char)[0] in "LNM"


def _line(text: str, at: int) -> str:
    """The line before a place in it."""
    return text[text.rfind("\n", 0, at) + 1 : at]


def _is_code(text: str, at: int) -> bool:
    """Whether it stands in an indented line, or is a directive of a compiler."""
    before = _line(text, at)
    indented = not before.strip() and len(before.expandtabs(4)) >= 4
    return indented or bool(_DIRECTIVE.match(text, at))


def _is_quoted(text: str, at: int) -> bool:
    return _line(text, at).lstrip().startswith(">")


def _is_fenced(text: str, at: int) -> bool:
    """Whether a code block that began before is still open here; one without an end goes to the end."""
    fence = ""
    for mark in _FENCE.finditer(text, 0, at):
        if not fence:
            # Behind backticks on one line there is no block: that is code inside a sentence.
            fence = "" if mark[1][0] == "`" and "`" in mark[2] else mark[1]
        elif mark[1].startswith(fence) and not mark[2].strip():
            fence = ""
    return bool(fence)
