"""A note's Markdown as sentences, each with its headings and the passage it was, word for word. It never rewords."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from shared.research.citing import code_apart
from shared.research.extract.blocks import Block, blocks
from shared.research.extract.visible import clean, is_row


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


_MAX_SENTENCE = 1_000
"""Characters; what is longer has no sentences, and can't be quoted."""
_NEAR = 200
"""Characters between a sentence and the code that it announces."""


def sentences(markdown: str) -> list[Sentence]:
    """Everything in a note that can be read as prose, in its order."""
    found: list[Sentence] = []
    ended = 0
    for block in blocks(markdown):
        if block.code:
            _join_code(found, ended, markdown, block)
            continue
        row = is_row(markdown[block.start : block.end])
        for start, end in [(block.start, block.end)] if row else _spans(markdown, block.start, block.end):
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


def _join_code(found: list[Sentence], ended: int, markdown: str, block: Block) -> None:
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
