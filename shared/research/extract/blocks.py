"""A note's Markdown as blocks with headings and places: paragraphs, items of lists, rows of tables, lines of code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from shared.research.extract.visible import clean, is_row, is_rule


@dataclass(frozen=True, slots=True)
class Block:
    """Where a block lies in the text; `code` is what it holds, where that is a single line of code."""

    start: int
    end: int
    headings: tuple[str, ...]
    number: int
    marker: str = ""
    item: int = 0
    code: str = ""


# Notes and pages are text from outside, and a regular expression at work stops every thread. So no pattern may
# cost more than the text is long: what repeats is bounded, possessive, or ends where the next attempt begins.
_FRONT_MATTER = re.compile(r"\A---[ \t]*+\n.*?\n---[ \t]*+(?:\n|\Z)", re.S)
_FENCE = re.compile(r"[\s>]{0,99}(`{3,}+|~{3,}+)")
_HEADING = re.compile(r"(#{1,6})[ \t](.*)")
_CLOSING = re.compile(r"(?:^|[ \t])#{1,99}$")
_QUOTE = re.compile(r"(?:\s{0,9}>){1,50}\s?")
_CALLOUT = re.compile(r"\[![\w-]{1,50}\][+-]?\s*+")
_ITEM = re.compile(r"\s*+([-*+]|\d{1,3}[.)])\s++(?:\[.\]\s++)?")
_ANCHOR = re.compile(r"\^[\w-]++")
_MAX_CODE = 100
_MAX_LINE = 5_000
"""Characters of a line that are looked at together."""


def blocks(markdown: str) -> Iterator[Block]:
    """Everything that can be read as prose, and the lines of code between, in order."""
    reader = _Blocks()
    front = _FRONT_MATTER.match(markdown)
    at = front.end() if front else 0
    while at < len(markdown):
        end = markdown.find("\n", at)
        end = len(markdown) if end < 0 else end
        stop = _cut(markdown, at, end)
        yield from reader.line(markdown[at:stop], at)
        while stop < end:
            at, stop = stop, _cut(markdown, stop, end)
            yield from reader.more(at, stop)
        at = end + 1
    yield from reader.flush()


def _cut(markdown: str, start: int, end: int) -> int:
    """Where to end what is read of a line at once: with a sentence if there is one, else with a word."""
    if end - start <= _MAX_LINE:
        return end
    window = markdown[start : start + _MAX_LINE]
    last = max(window.rfind(mark) + len(mark) for mark in (". ", "! ", "? ", "。"))
    return start + (last if last > 2 else window.rfind(" ") + 1 or _MAX_LINE)


class _Blocks:
    """Reads line by line; a paragraph is open until something else begins."""

    def __init__(self) -> None:
        self._path: list[tuple[int, str]] = []
        self._number = 0
        self._item = 0
        self._open: tuple[int, int] | None = None
        self._fence = ""
        self._code: list[str] = []
        self._code_start = 0
        self._comment = False
        self._in_list = False
        self._reading = False
        self._row: tuple[int, int] | None = None

    @property
    def _headings(self) -> tuple[str, ...]:
        return tuple(title for _, title in self._path)

    def flush(self) -> Iterator[Block]:
        yield from self._end_row()
        if self._open:
            self._number += 1
            yield Block(*self._open, self._headings, self._number)
            self._open = None

    def more(self, start: int, end: int) -> Iterator[Block]:
        """The next piece of a line that is too long to be read at once."""
        if self._fence:
            self._code.append("")
        elif self._reading:
            yield from self.flush()
            self._open = (start, end)
            yield from self.flush()

    def line(self, line: str, at: int) -> Iterator[Block]:
        self._reading = False
        if self._fence or _FENCE.match(line):
            yield from self.flush()
            yield from self._fenced(line, at)
        elif self._comment or line.strip().startswith("%%"):
            yield from self.flush()
            if line.count("%%") % 2:
                self._comment = not self._comment
        elif heading := _HEADING.match(line):
            yield from self.flush()
            level = len(heading[1])
            self._path = [one for one in self._path if one[0] < level]
            if title := clean(_CLOSING.sub("", heading[2].strip())):
                self._path.append((level, title))
            self._in_list = False
        elif is_row(line) or is_rule(line.strip()):
            yield from self._table(line, at)
        elif _silent(line.strip()):
            yield from self.flush()
        else:
            self._reading = True
            yield from self._prose(line, at)

    def _fenced(self, line: str, at: int) -> Iterator[Block]:
        fence = _FENCE.match(line)
        if not self._fence:
            self._fence, self._code, self._code_start = fence[1] if fence else "", [], at
        elif fence and fence[1].startswith(self._fence) and not line.strip("`~> \t"):
            self._fence = ""
            code = "\n".join(self._code).strip()
            if code and "\n" not in code and len(code) <= _MAX_CODE:
                yield Block(self._code_start, at + len(line), self._headings, self._number, code=code)
        else:
            quote = _QUOTE.match(line)
            self._code.append(line[quote.end() :] if quote else line)

    def _table(self, line: str, at: int) -> Iterator[Block]:
        """A row is an item of a list; the table's head is none, and shows as one only by what follows it."""
        if is_rule(line.strip()):
            self._row = None
            yield from self.flush()
            return
        yield from self.flush()
        self._row = (at + len(line) - len(line.lstrip()), at + len(line.rstrip()))

    def _end_row(self) -> Iterator[Block]:
        row, self._row = self._row, None
        if row:
            yield self._as_item(*row, "-")

    def _as_item(self, start: int, end: int, marker: str) -> Block:
        if not self._in_list:
            self._number += 1
        self._in_list = True
        self._item += 1
        return Block(start, end, self._headings, self._number, marker, self._item)

    def _prose(self, line: str, at: int) -> Iterator[Block]:
        yield from self._end_row()
        start = at
        if quote := _QUOTE.match(line):
            yield from self.flush()
            start += quote.end()
            if callout := _CALLOUT.match(line[quote.end() :]):
                start += callout.end()
                if not line.rstrip().endswith((".", "!", "?", ":")):
                    return  # a callout's title is no sentence
        rest = line[start - at :]
        if item := _ITEM.match(rest):
            yield from self.flush()
            marker = item[1] if item[1][0].isdigit() else "-"
            yield self._as_item(start + item.end(), at + len(line), marker)
            return
        self._in_list = False
        if self._open and not quote:
            self._open = (self._open[0], at + len(line))
        else:
            self._open = (start, at + len(line))
        if quote:
            yield from self.flush()


def _silent(line: str) -> bool:
    """Whether a line, stripped, holds no prose: empty, a rule, an image, a tag, a block's name."""
    if not line or (set(line) <= set("-*_ \t") and sum(map(line.count, "-*_")) >= 3):
        return True
    if line.startswith("!["):
        end = line.rfind("]")
        return end > 0 and not any(map(str.isspace, line[end:]))
    tag = line[0] == "<" and line.find(">") == len(line) - 1 > 1
    return tag or bool(_ANCHOR.fullmatch(line))
