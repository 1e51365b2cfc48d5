"""A task's box in the text of its note, turned as the task is. One sign of the text changes, and no word."""

import re
from collections.abc import Iterator

from shared.enrichment.actions import same, ticked
from shared.enrichment.proposal import TASK, one_line
from shared.enrichment.text import read

_BOX = re.compile(r"(?:[ \t]{0,3}>[ \t]?)*[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]+\[([^\r\n])\][ \t]+\S")
_FENCE = re.compile(r"[ \t>]{0,12}(`{3,}|~{3,})")


def turned(body: str, title: str, *, done: bool) -> str:
    """The text with the box of the task of this title ticked or opened; the same text where it has none to turn.

    Several boxes of the same words are one task. It is done once all of them are ticked, and to do again once the
    last of them is open: the others stay as they are, for they may tell of earlier times.
    """
    name = same(one_line(title, TASK))
    places = [at for at, sign, line in _boxes(body) if (sign == " ") is done and _name(line) == name]
    text = body
    for at in places if done else places[-1:]:
        text = f"{text[:at]}{'x' if done else ' '}{text[at + 1 :]}"
    # It may still read otherwise, as in a comment or struck out: better no change than one that says nothing.
    return text if places and (name in ticked(read(text))) is done else body


def standing(body: str) -> frozenset[str]:
    """What each box outside of code says, ticked or not, in the form in which tasks are compared: of the whole text."""
    return frozenset(_name(line) for _, _, line in _boxes(body)) - {""}


def _boxes(body: str) -> Iterator[tuple[int, str, str]]:
    """Each box outside of code: where its sign stands, the sign, and its line."""
    at, fence = 0, ""
    for line in body.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) else fence
        elif mark:
            fence = mark[1]
        elif box := _BOX.match(line):
            yield at + box.start(1), box[1], line
        at += len(line)


def _name(line: str) -> str:
    """What a box says, in the form in which tasks are compared."""
    return next((same(one_line(block.text, TASK)) for block in read(line).blocks if block.box), "")
