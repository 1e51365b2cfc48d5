"""HTML to plain text with a title. Odd HTML gives odd text, never an error; scripts and page furniture give none."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser

_DROPPED = frozenset(
    "script style noscript template svg canvas iframe object nav header footer aside select button dialog".split()
)
_BREAKS = frozenset(
    "address article blockquote br caption dd details div dl dt fieldset figcaption figure h1 h2 h3 h4 h5 h6 hr li "
    "main ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())


@dataclass(frozen=True, slots=True)
class PageText:
    """What a reader of the page sees: headings as Markdown lines, paragraphs apart."""

    title: str
    text: str


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title: list[str] = []
        self.out: list[str] = []
        self._dropped: list[str] = []
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
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

    def handle_endtag(self, tag: str) -> None:
        if self._dropped:
            # Only the tag that began it ends it, so that a stray end tag inside opens nothing.
            if tag == self._dropped[-1]:
                self._dropped.pop()
        elif tag == "title":
            self._in_title = False
        elif tag in _BREAKS:
            self.out.append("\n\n")

    def handle_data(self, data: str) -> None:
        if self._in_title and not self._dropped:
            self.title.append(data)
        elif not self._dropped:
            self.out.append(re.sub(r"\s+", " ", data))


def plain(html: str) -> PageText:
    """The page's title and its text."""
    reader = _Reader()
    try:
        reader.feed(html)
        reader.close()
    except (AssertionError, ValueError, IndexError):
        pass  # the parser gives up on some malformed declarations; what it read until then is the page
    lines = (re.sub(r"[ \t]+", " ", line).strip() for line in "".join(reader.out).split("\n"))
    lines = (line for line in lines if line not in ("-", "#", "##", "###", "####", "#####", "######"))
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    return PageText(title=" ".join("".join(reader.title).split())[:300], text=text)
