"""A note's Markdown as sentences, each with its headings and the passage it was, word for word. It never rewords."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence or list item: clean to read, and `quote` as it stands in the source."""

    text: str
    quote: str
    headings: tuple[str, ...] = ()
    block: int = 0
    """Sentences of one paragraph, and the items of one list, share it."""
    marker: str = ""
    """`-` or `1.` for a list item."""
    item: int = 0
    """Sentences of one list item share it."""

    @property
    def lead(self) -> bool:
        """Whether it only announces what follows."""
        return self.text.endswith(":")


@dataclass(frozen=True, slots=True)
class _Block:
    start: int
    end: int
    headings: tuple[str, ...]
    number: int
    marker: str = ""
    item: int = 0
    code: str = ""


_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?\n---[ \t]*(?:\n|\Z)", re.S)
_FENCE = re.compile(r"^\s*(?:>\s*)*(`{3,}|~{3,})")
_HEADING = re.compile(r"^(#{1,6})[ \t]+(.*?)[ \t]*#*$")
_QUOTE = re.compile(r"^(?:\s*>)+\s?")
_CALLOUT = re.compile(r"^\[![\w-]+\][+-]?\s*")
_ITEM = re.compile(r"^\s*([-*+]|\d{1,3}[.)])\s+(?:\[.\]\s+)?")
_RULE = re.compile(r"^\s*(?:[-*_]\s*){3,}$")
_TABLE = re.compile(r"^\s*\|.*\|\s*$|^\s*:?-{3,}:?\s*(?:\|\s*:?-{3,}:?\s*)+$")
_EMBED_LINE = re.compile(r"^\s*!\[.*\]\S*\s*$|^\s*\^[\w-]+\s*$|^\s*<[^>]+>\s*$")
_MAX_CODE = 100


def sentences(markdown: str) -> list[Sentence]:
    """Everything in a note that can be read as prose, in its order."""
    found: list[Sentence] = []
    for block in _blocks(markdown):
        if block.code:
            _join_code(found, markdown, block)
            continue
        for start, end in _spans(markdown, block.start, block.end):
            quote = markdown[start:end]
            text = clean(quote)
            if _readable(text, block.marker):
                found.append(Sentence(text, quote, block.headings, block.number, block.marker, block.item))
    return found


_CJK = re.compile(r"[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")


def length(text: str) -> int:
    """About how many words it has; two characters make one where there are no spaces."""
    return len(text.split()) + len(_CJK.findall(text)) // 2


def _readable(text: str, marker: str) -> bool:
    """Whether it says something by itself: a list item may be a word, a line of prose may not."""
    if not re.search(r"[^\W\d_]{2}", text):
        return False
    return bool(marker) or text.endswith((".", "!", "?", "…", ":", ".)", "。", "！", "？")) or length(text) >= 4


def _join_code(found: list[Sentence], markdown: str, block: _Block) -> None:
    """A line of code that a sentence announces (`To embed a note:`) belongs to that sentence."""
    last = found[-1] if found else None
    if last is None or not last.lead or last.headings != block.headings:
        return
    begin = markdown.rfind(last.quote, 0, block.start)
    if begin < 0 or markdown[begin + len(last.quote) : block.start].strip():
        return
    ticks = "``" if "`" in block.code else "`"
    pad = " " if "`" in block.code else ""
    found[-1] = Sentence(
        f"{last.text} {ticks}{pad}{block.code}{pad}{ticks}",
        markdown[begin : block.end],
        last.headings,
        last.block,
        last.marker,
        last.item,
    )


def _blocks(markdown: str) -> Iterator[_Block]:
    reader = _Blocks()
    front = _FRONT_MATTER.match(markdown)
    at = front.end() if front else 0
    while at < len(markdown):
        end = markdown.find("\n", at)
        end = len(markdown) if end < 0 else end
        yield from reader.line(markdown[at:end], at)
        at = end + 1
    yield from reader.flush()


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

    @property
    def _headings(self) -> tuple[str, ...]:
        return tuple(title for _, title in self._path)

    def flush(self) -> Iterator[_Block]:
        if self._open:
            self._number += 1
            yield _Block(*self._open, self._headings, self._number)
            self._open = None

    def line(self, line: str, at: int) -> Iterator[_Block]:
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
            if title := clean(heading[2]):
                self._path.append((level, title))
            self._in_list = False
        elif not line.strip() or _RULE.match(line) or _TABLE.match(line) or _EMBED_LINE.match(line):
            yield from self.flush()
        else:
            yield from self._prose(line, at)

    def _fenced(self, line: str, at: int) -> Iterator[_Block]:
        fence = _FENCE.match(line)
        if not self._fence:
            self._fence, self._code, self._code_start = fence[1] if fence else "", [], at
        elif fence and fence[1].startswith(self._fence) and not line.strip("`~> \t"):
            self._fence = ""
            code = "\n".join(self._code).strip()
            if code and "\n" not in code and len(code) <= _MAX_CODE:
                yield _Block(self._code_start, at + len(line), self._headings, self._number, code=code)
        else:
            self._code.append(_QUOTE.sub("", line) if line.lstrip().startswith(">") else line)

    def _prose(self, line: str, at: int) -> Iterator[_Block]:
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
            if not self._in_list:
                self._number += 1
            self._in_list = True
            marker = item[1] if item[1][0].isdigit() else "-"
            self._item += 1
            yield _Block(start + item.end(), at + len(line), self._headings, self._number, marker, self._item)
            return
        self._in_list = False
        if self._open and not quote:
            self._open = (self._open[0], at + len(line))
        else:
            self._open = (start, at + len(line))
        if quote:
            yield from self.flush()


_CODE_SPAN = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.S)
_MASKED = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)|\[\[[^\]\n]*\]\]|\]\([^)\n]*\)", re.S)
_BOUNDARY = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\betc)(?<!\bDr)(?:[.!?…][\"'”’)*_]*(?=\s+[^a-z\s])|[。！？])"
)


def _spans(markdown: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where the sentences between two offsets lie; a dot in code, or in a link, ends none."""
    masked = _MASKED.sub(lambda match: "x" * len(match[0]), markdown[start:end])
    at = 0
    for boundary in [*(match.end() for match in _BOUNDARY.finditer(masked)), len(masked)]:
        raw = masked[at:boundary]
        left = len(raw) - len(raw.lstrip())
        if raw.strip():
            yield start + at + left, start + at + len(raw.rstrip())
        at = boundary


_SUBSTITUTIONS = (
    (re.compile(r"!\[\[[^\]]*\]\]|!\[[^\]]*\]\([^)]*\)"), ""),
    (re.compile(r"\[\[[^\]|]*\|([^\]]*)\]\]"), r"\1"),
    (re.compile(r"\[\[#?([^\]]*)\]\]"), r"\1"),
    (re.compile(r"(?<!!)\[([^\]]+)\]\((?:[^()]|\([^)]*\))*\)"), r"\1"),
    (re.compile(r"%%.*?%%", re.S), ""),
    (re.compile(r"\[\^[^\]]*\]|\s\^[\w-]+$"), ""),
    # A marker in a source would look like one of ours and point to the wrong place.
    (re.compile(r"\s?\[(?:cite:\s*)?\d[\d,\s;–-]*\]"), ""),
    (re.compile(r"</?[a-zA-Z][^>]*>|<!--.*?-->", re.S), ""),
    (re.compile(r"(\*\*\*|\*\*|__|==|~~)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])"), r"\1"),
    # Emphasis over several sentences leaves one star at either end.
    (re.compile(r"(?<!\S)\*(?=[\"'“])|(?<=[\"'”.!?])\*(?!\S)"), ""),
    (re.compile(r"(?<![\w_])_(?=\S)([^_\n]+?)(?<=\S)_(?![\w_])"), r"\1"),
)


def clean(markdown: str) -> str:
    """The text as a reader sees it; code stays code, links become their words."""
    codes: list[str] = []

    def stash(match: re.Match[str]) -> str:
        codes.append(match[0])
        return f"\x02{len(codes) - 1}\x03"

    text = _CODE_SPAN.sub(stash, markdown.replace("\x02", "").replace("\x03", ""))
    for pattern, by in _SUBSTITUTIONS:
        text = pattern.sub(by, text)
    text = unescape(text).replace("\u200b", "")
    text = re.sub("\x02(\\d+)\x03", lambda match: codes[int(match[1])], text)
    return re.sub(r"\s+", " ", text).strip()
