"""The #tags in a Markdown text. What stands in code, links, comments and addresses is none."""

import re
from bisect import bisect_right
from collections import defaultdict

_TAG = re.compile(r"(?<!\S)#([^\s!\"#$%&'()*+,.:;<=>?@^`{|}~\[\]\\\u2000-\u206f\u2e00-\u2e7f\u3000-\u3003]+)")
_FENCE = re.compile(r"^(?P<lead>[\s>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(?P<mark>`{3,}(?=[^`]*$)|~{3,})")
_ITEM = re.compile(r"^[\s>]*(?:[-*+]|\d{1,9}[.)])(?:\s|$)")
_INDENTED = re.compile(r"^(?: {4}| {0,3}\t)")
_TICKS = re.compile(r"`+")
# Wiki links and embeds, the targets of Markdown links, comments, and the inside of HTML tags.
_ELSEWHERE = re.compile(r"\[\[[^\[\]\n]{0,1000}\]\]|\]\([^()\n]{0,2000}\)|<!--.*?-->|<[a-zA-Z/][^<>\n]{0,2000}>", re.S)


def hashtags(text: str) -> list[str]:
    """The tags in order of appearance, as spelled, each once."""
    found: dict[str, None] = {}
    for paragraph in _prose(text):
        readable = _ELSEWHERE.sub("|", _without_code(paragraph))
        for match in _TAG.finditer(readable):
            if any(char.isalpha() for char in match[1]):
                found[match[1]] = None
    return list(found)


def _prose(text: str) -> list[str]:
    """The paragraphs that are no code blocks."""
    paragraphs: list[list[str]] = [[]]
    fence: tuple[str, bool] | None = None
    in_list = code = False
    blank = True
    for line in text.splitlines():
        if fence:
            if fence[1] and ">" not in line:
                fence = None  # the quote ended, and its code block with it
            else:
                fence = None if _closes(line, fence[0]) else fence
                continue
        if opened := _FENCE.match(line):
            fence = (opened["mark"], ">" in opened["lead"])
            paragraphs.append([])
            blank = True
        elif not line.strip():
            paragraphs.append([])
            blank = True
        else:
            code = bool(_INDENTED.match(line)) and not in_list and (code or blank)
            in_list = bool(_ITEM.match(line)) or (in_list and (line[0].isspace() or not blank))
            blank = False
            if not code:
                paragraphs[-1].append(line)
    return ["\n".join(lines) for lines in paragraphs if lines]


def _closes(line: str, mark: str) -> bool:
    rest = line.strip().lstrip(">").strip()
    while rest.startswith(">"):
        rest = rest[1:].strip()
    return len(rest) >= len(mark) and set(rest) == {mark[0]}


def _without_code(paragraph: str) -> str:
    """The paragraph with its code spans taken out."""
    runs = [(match.start(), match.end()) for match in _TICKS.finditer(paragraph)]
    if not runs:
        return paragraph
    by_length: dict[int, list[int]] = defaultdict(list)
    for at, (start, end) in enumerate(runs):
        by_length[end - start].append(at)
    kept: list[str] = []
    done = at = 0
    while at < len(runs):
        start, end = runs[at]
        same = by_length[end - start]
        following = bisect_right(same, at)
        if following < len(same):
            kept += [paragraph[done:start], "|"]
            at = same[following]
            done = runs[at][1]
        at += 1
    return "".join([*kept, paragraph[done:]])
