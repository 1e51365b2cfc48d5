"""HTML to plain text with a title. Odd HTML gives odd text, never an error; scripts and page furniture give none.

It reads a page once from front to back: `html.parser` looks through the rest of the page for each comment, tag or quote
that nothing closes, so that a page of such beginnings stops the process for minutes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

_DROPPED = frozenset(
    "script style noscript template svg canvas iframe object nav header footer aside select button dialog".split()
)
_BREAKS = frozenset(
    "address article blockquote br caption dd details div dl dt fieldset figcaption figure h1 h2 h3 h4 h5 h6 hr li "
    "main ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_RAW = {tag: re.compile(rf"</{tag}(?=[\s/>])", re.I) for tag in ("script", "style")}
"""Elements whose content is no markup, with what ends them."""
_MARKUP = re.compile(r"<(?=[a-zA-Z!?/])")
_NAME = re.compile(r"[a-zA-Z][^\s/>]*+")
_REST_OF_TAG = re.compile(r"(?:[^>=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+')?)*+>")
"""A quote is one only after `=`; what is in it closes no tag."""
_HUGE = re.compile(r"&#\d{8,}+;?")


@dataclass(frozen=True, slots=True)
class PageText:
    """What a reader of the page sees: headings as Markdown lines, paragraphs apart."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class _Piece:
    """Text between tags, or a tag by its name."""

    text: str = ""
    opens: str = ""
    closes: str = ""


def decoded(text: str) -> str:
    """The text with its character references resolved; one that is no character's number gives the mark for that."""
    return unescape(_HUGE.sub("\ufffd", text))  # `unescape` raises where a number has thousands of digits


def _pieces(html: str) -> Iterator[_Piece]:
    at = 0
    quotes = True
    while begin := _MARKUP.search(html, at):
        yield _Piece(html[at : begin.start()])
        name = _NAME.match(html, begin.end())
        if not name:
            at, piece = _unopened(html, begin.end())
            yield piece
            continue
        rest = _REST_OF_TAG.match(html, name.end()) if quotes else None
        # Where every `>` seems to stand in quotes, one of them is left open. From there on quotes mean nothing.
        quotes = rest is not None
        at = rest.end() if rest else html.find(">", name.end()) + 1
        if not at:
            yield _Piece(html[begin.start() :])
            return
        tag = name[0].lower()
        yield _Piece(opens=tag)
        if html.startswith("/>", at - 2):
            yield _Piece(closes=tag)
        elif tag in _RAW:
            raw_end = _RAW[tag].search(html, at)
            at = raw_end.start() if raw_end else len(html)
    yield _Piece(html[at:])


def _unopened(html: str, at: int) -> tuple[int, _Piece]:
    """Where a comment, a declaration or an end tag ends, and what it is; `at` is behind its `<`."""
    comment = html.startswith("!--", at)
    end = html.find("-->", at + 1) if comment else html.find(">", at)
    if end < 0:
        return len(html), _Piece("" if comment else html[at - 1 :])
    name = _NAME.match(html, at + 1) if html[at] == "/" else None
    return end + (3 if comment else 1), _Piece(closes=name[0].lower()) if name else _Piece()


class _Reader:
    def __init__(self) -> None:
        self.title: list[str] = []
        self.out: list[str] = []
        self._dropped: list[str] = []
        self._in_title = False

    def read(self, piece: _Piece) -> None:
        if piece.opens:
            self._opens(piece.opens)
        elif piece.closes:
            self._closes(piece.closes)
        elif not self._dropped:
            text = decoded(piece.text)
            if self._in_title:
                self.title.append(text)
            else:
                self.out.append(re.sub(r"\s+", " ", text))

    def _opens(self, tag: str) -> None:
        if tag in _VOID:
            if tag in _BREAKS:
                self.out.append("\n")
        elif self._dropped or tag in _DROPPED:
            if tag == (self._dropped[0] if self._dropped else tag):
                self._dropped.append(tag)
        elif tag == "title":
            self._in_title = not self.title
        elif tag in _BREAKS:
            self.out.append(f"\n\n{_HEADINGS[tag]} " if tag in _HEADINGS else "\n- " if tag == "li" else "\n\n")

    def _closes(self, tag: str) -> None:
        if self._dropped:
            # Only the tag that began it ends it, so that a stray end tag inside opens nothing.
            if tag == self._dropped[-1]:
                self._dropped.pop()
        elif tag == "title":
            self._in_title = False
        elif tag in _BREAKS and tag not in _VOID:
            self.out.append("\n\n")


def plain(html: str) -> PageText:
    """The page's title and its text."""
    reader = _Reader()
    for piece in _pieces(html):
        reader.read(piece)
    lines = (re.sub(r"[ \t]+", " ", line).strip() for line in "".join(reader.out).split("\n"))
    lines = (line for line in lines if line not in ("-", "#", "##", "###", "####", "#####", "######"))
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    return PageText(title=" ".join("".join(reader.title).split())[:300], text=text)
