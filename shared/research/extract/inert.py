"""Text of notes and pages as it enters a report: one line that can't pass for the report's own structure.

It comes last, after all decoding; it takes nothing away but marks of citation and signs that nobody sees.
"""

import re
from urllib.parse import quote

from shared.research.citing import code_apart
from shared.research.sources import heads_sources

_UNSEEN = re.compile(
    r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    r"\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
    # These two shape Persian and join emoji; between Latin letters and signs they only hide something.
    r"|[\u200c\u200d]{2,}+|(?<=[!-~])[\u200c\u200d]|[\u200c\u200d](?=[!-~])"
)
_BRACKETS = " []\\"
_DIGIT = re.compile(r"\d")
_NUMBERS = r"\d[\d,\s;–\\-]*+\\?\]"
_CITE = re.compile(rf"\\?\[\s?cite\s?\\?:\s?({_NUMBERS})", re.I)
_MARKER = re.compile(rf"\s?\\?\[((?:\s?cite\s?\\?:)?\s?{_NUMBERS})", re.I)
_ACTIVE = re.compile(r"\\[^\w\s]|<(?=[a-zA-Z!?/])|&(?=#?\w{1,32};)|\](?=[(\[:])|`++")
_LEADING = re.compile(r"\d{1,9}(?=[.)](?:\s|$))|(?=[#>|]|[-+*](?:\s|$)|[-_*~=]{3})")


def uncited(text: str) -> str:
    """The text on one line without marks of citation: in the report they would point to the wrong place."""
    line = " ".join(text.split())
    if not (line.isascii() and line.isprintable()):
        line = _UNSEEN.sub("", line)
    if "[" not in line or not _DIGIT.search(line):
        return " ".join(line.split())
    made = "".join(
        _CITE.sub(_rounded, piece) if code else _MARKER.sub(_rounded, _MARKER.sub("", piece))
        for piece, code in code_apart(line)
    )
    return " ".join(made.split())


def _rounded(marker: re.Match[str]) -> str:
    """What is code, or formed only as another mark went, keeps its words and loses its brackets."""
    space = " " if marker[0].startswith(" ") else ""
    return f"{space}({marker[0].strip(_BRACKETS)})"


def sentence(text: str) -> str:
    """A sentence that begins no list, quote or heading, wherever it stands, and opens nothing that it doesn't close."""
    words = _passive(uncited(text))
    leading = _LEADING.match(words)
    return f"{leading[0]}\\{words[leading.end() :]}" if leading else words


def heading(text: str) -> str:
    """A heading's words; those that would announce the report's sources are put in quotes."""
    words = _passive(uncited(text).lstrip("# ")) or "Untitled"
    return f"“{words.strip(' *_:')}”" if heads_sources(words) else words


def label(text: str) -> str:
    """The words of a link in the list of sources."""
    return re.sub(r"[\\\[\]`<]|&(?=#?\w{1,32};)", r"\\\g<0>", uncited(text).lstrip("# "))


def address(url: str) -> str:
    """A URL that ends no link before its time."""
    odd = "()" if "(" in re.sub(r"\([^()]*+\)", "", url).replace(")", "(") else ""
    return re.sub(rf"[\s<>\[\]`\"\\{odd}]", lambda sign: quote(sign[0], safe=""), url)


def _passive(text: str) -> str:
    return "".join(piece if code else _ACTIVE.sub(_escaped, piece) for piece, code in code_apart(text))


def _escaped(sign: re.Match[str]) -> str:
    if sign[0][0] == "\\":
        return sign[0]
    return "".join(f"\\{one}" for one in sign[0])
