"""A note's Markdown as sentences, each with its headings and the passage it was, word for word. It never rewords."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from infra.local.research.inert import uncited
from shared.net.markup import decoded
from shared.research.citing import code_apart


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
_MAX_SENTENCE = 1_000
"""Characters; what is longer has no sentences, and can't be quoted."""
_NEAR = 200
"""Characters between a sentence and the code that it announces."""


def sentences(markdown: str) -> list[Sentence]:
    """Everything in a note that can be read as prose, in its order."""
    found: list[Sentence] = []
    ended = 0
    for block in _blocks(markdown):
        if block.code:
            _join_code(found, ended, markdown, block)
            continue
        for start, end in _spans(markdown, block.start, block.end):
            quote = markdown[start:end]
            text = clean(quote)
            if _readable(text, block.marker):
                found.append(Sentence(text, quote, block.headings, block.number, block.marker, block.item))
                ended = end
    return found


_CJK = re.compile(r"[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")


def length(text: str) -> int:
    """About how many words it has; two characters make one where there are no spaces."""
    return len(text.split()) + len(_CJK.findall(text)) // 2


def _readable(text: str, marker: str) -> bool:
    """Whether it says something by itself: a list item may be a word, a line of prose may not."""
    if len(text) > _MAX_SENTENCE or not re.search(r"[^\W\d_]{2}", text):
        return False
    return bool(marker) or text.endswith((".", "!", "?", "…", ":", ".)", "。", "！", "？")) or length(text) >= 4


def _join_code(found: list[Sentence], ended: int, markdown: str, block: _Block) -> None:
    """A line of code that a sentence announces (`To embed a note:`) belongs to that sentence."""
    last = found[-1] if found else None
    if last is None or not last.lead or last.headings != block.headings:
        return
    if block.start - ended > _NEAR or markdown[ended : block.start].strip():
        return
    ticks = "``" if "`" in block.code else "`"
    pad = " " if "`" in block.code else ""
    found[-1] = Sentence(
        f"{last.text} {ticks}{pad}{block.code}{pad}{ticks}",
        markdown[ended - len(last.quote) : block.end],
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

    @property
    def _headings(self) -> tuple[str, ...]:
        return tuple(title for _, title in self._path)

    def flush(self) -> Iterator[_Block]:
        if self._open:
            self._number += 1
            yield _Block(*self._open, self._headings, self._number)
            self._open = None

    def more(self, start: int, end: int) -> Iterator[_Block]:
        """The next piece of a line that is too long to be read at once."""
        if self._fence:
            self._code.append("")
        elif self._reading:
            yield from self.flush()
            self._open = (start, end)
            yield from self.flush()

    def line(self, line: str, at: int) -> Iterator[_Block]:
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
        elif _silent(line.strip()):
            yield from self.flush()
        else:
            self._reading = True
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
            quote = _QUOTE.match(line)
            self._code.append(line[quote.end() :] if quote else line)

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


def _silent(line: str) -> bool:
    """Whether a line, stripped, holds no prose: empty, a rule, a row of a table, an image, a tag, a block's name."""
    if not line or (set(line) <= set("-*_ \t") and sum(map(line.count, "-*_")) >= 3):
        return True
    if len(line) > 1 and line[0] == line[-1] == "|":
        return True
    if "|" in line and "---" in line and set(line) <= set("|:- \t"):
        return True
    if line.startswith("!["):
        end = line.rfind("]")
        return end > 0 and not any(map(str.isspace, line[end:]))
    tag = line[0] == "<" and line.find(">") == len(line) - 1 > 1
    return tag or bool(_ANCHOR.fullmatch(line))


_MASKED = re.compile(r"\[\[[^\[\]\n]*+\]\]|\]\([^()\n]*+(?:\([^()\n]*+\)[^()\n]*+){0,9}+\)")
_FIRST = re.compile(r"[^\W\d_]")


def _mask(link: re.Match[str]) -> str:
    """As long as the link, and able to begin a sentence if its words are."""
    first = _FIRST.search(link[0], max(0, link[0].find("|")))
    return ("x" if first is None or first[0].islower() else "X") * len(link[0])


_BOUNDARY = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\betc)(?<!\bDr)(?:[.!?…][\"'”’)*_]*+(?=\s++[^a-z])|[。！？])"
)


def _spans(markdown: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where the sentences between two offsets lie; a dot in code, or in a link, ends none."""
    masked = "".join(
        "x" * len(piece) if code else _MASKED.sub(_mask, piece) for piece, code in code_apart(markdown[start:end])
    )
    at = 0
    for boundary in [*(match.end() for match in _BOUNDARY.finditer(masked)), len(masked)]:
        raw = masked[at:boundary]
        left = len(raw) - len(raw.lstrip())
        if raw.strip():
            yield start + at + left, start + at + len(raw.rstrip())
        at = boundary


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
_STASHED = re.compile("\x02(\\d{1,9})\x03")


def clean(markdown: str) -> str:
    """The text as a reader sees it, on one line; code stays code, links become their words, citations go."""
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
