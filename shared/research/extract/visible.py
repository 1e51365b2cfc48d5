"""Markdown as its reader sees it, on one line. It takes marks away and changes no word."""

import re

from shared.net.markup import decoded
from shared.research.citing import code_apart
from shared.research.extract.inert import uncited

# Text of others: no pattern may cost more than the text is long.
_SUBSTITUTIONS = (
    (re.compile(r"!\[\[[^\[\]]*+\]\]|!\[[^\[\]]*+\]\([^()]*+(?:\([^()]*+\)[^()]*+){0,9}+\)"), ""),
    (re.compile(r"\[\[[^\[\]|]*+\|([^\[\]]*+)\]\]"), r"\1"),
    (re.compile(r"\[\[#?([^\[\]]*+)\]\]"), r"\1"),
    (re.compile(r"(?<!!)\[([^\[\]]++)\]\([^()]*+(?:\([^()]*+\)[^()]*+){0,9}+\)"), r"\1"),
    (re.compile(r"\[\^[^\[\]]*+\]|\s\^[\w-]++$"), ""),
)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*+>")
_EMPHASIS = re.compile(r"\*++|_++|~++|=++")
_KINDS = frozenset(("*", "**", "***", "_", "__", "~~", "=="))
# Emphasis over several sentences leaves its stars at either end.
_LEFT_OVER = re.compile(r"(?<!\S)\*(?=[\"'“])|(?<=[\"'”.!?])\*(?!\S)|^\*{2,3}+(?=[^\s*])|(?<=[^\s*])\*{2,3}+$")
_LETTER = re.compile(r"\w")
_MARKED = re.compile(r"[\[*_~=%<&`^]")
_CELL_END = re.compile(r"(?<!\\)\|")
_STASHED = re.compile("\x02(\\d{1,9})\x03")


def clean(markdown: str) -> str:
    """The text as a reader sees it, on one line; code stays code, links become their words, citations go."""
    if is_row(markdown):
        return " – ".join(filter(None, map(clean, _cells(markdown))))
    if not _MARKED.search(markdown):
        return uncited(markdown)
    codes: list[str] = []
    kept: list[str] = []
    for piece, code in code_apart(markdown.replace("\x02", "").replace("\x03", "")):
        kept.append(f"\x02{len(codes)}\x03" if code else piece)
        codes += [piece] if code else []
    text = "".join(kept)
    for pattern, by in _SUBSTITUTIONS:
        text = pattern.sub(by, text)
    text = _TAG.sub("", _without(_without(text, "%%", "%%"), "<!--", "-->"))
    text = decoded(_LEFT_OVER.sub("", _unemphasised(text)))
    return uncited(_STASHED.sub(lambda match: codes[int(match[1])], text))


def is_row(line: str) -> bool:
    """Whether a line is a row of a table."""
    line = line.strip()
    return len(line) > 1 and line[0] == line[-1] == "|" and "\n" not in line


def is_rule(line: str) -> bool:
    """Whether a row only parts a table's head from its body."""
    return "-" in line and set(line) <= set("|:- \t")


def _cells(row: str) -> list[str]:
    return [cell.replace("\\|", "|") for cell in _CELL_END.split(row.strip()[1:-1])]


def _without(text: str, begin: str, end: str) -> str:
    """The text without what stands between two marks; where nothing ends it, it stays."""
    kept: list[str] = []
    at = 0
    while (start := text.find(begin, at)) >= 0 and (stop := text.find(end, start + len(begin))) >= 0:
        kept.append(text[at:start])
        at = stop + len(end)
    return "".join(kept) + text[at:]


def _unemphasised(text: str) -> str:
    """Without the marks of emphasis: each with the nearest one of its kind that can end it."""
    begun: dict[str, int] = {}
    gone: set[int] = set()
    for mark in _EMPHASIS.finditer(text):
        kind, start, end = mark[0], mark.start(), mark.end()
        before, after = text[start - 1 : start], text[end : end + 1]
        # Two stars may stand inside a word. The others there are part of it: `snake_case`, `a==b`.
        loose = kind in ("**", "***")
        if kind in begun and before.strip() and (loose or not _LETTER.match(after)):
            gone |= {begun.pop(kind), start}
        elif kind in _KINDS and after.strip() and (loose or not _LETTER.match(before)):
            begun[kind] = start
    return _EMPHASIS.sub(lambda mark: "" if mark.start() in gone else mark[0], text)
