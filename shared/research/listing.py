"""The list of sources that a draft brings along: it is cut off, since a report's list is made of what was read. Pure.

Which of its entries may be believed is decided elsewhere.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from shared.research.sources import SOURCES, heads_sources


class Unlisted(NamedTuple):
    """A draft without its list."""

    body: str
    entries: dict[int, str]
    """What the list says under its numbers."""


# A draft is a model's: every repetition is bounded, and a line is cut before it is looked at.
_LONGEST_LINE = 5_000
_FENCE = re.compile(r"\s{0,9}(?:`{3,}|~{3,})")
_ADDRESS = r"(?:https?://|#/notes/|tool:)"
_LINK = re.compile(
    rf"\[[^\[\]\n]{{0,400}}\]\([^()\s]{{1,2000}}(?: \"[^\"\n]{{0,300}}\")?\)|<?{_ADDRESS}[^\s<>()]{{1,2000}}>?"
)
_NUMBERED = re.compile(r"(?:[-*+•]\s{1,9})?(?:\[\^?(\d{1,4})\]:?|\(?(\d{1,4})[.):])\s{1,9}(\S.*)")
_BULLET = re.compile(r"[-*+•]\s{1,9}(\S.*)")
_BRACKETED = re.compile(r"\[\^?\d{1,4}\]:?\s")
_DEFINED = re.compile(r"\[(\^?[^\[\]\n]{1,40})\]:\s{0,9}<?([^\s<>]{1,2000})")
_BY_NAME = re.compile(r"\[([^\[\]\n]{1,400})\]\[([^\[\]\n]{0,40})\]")
_LABELLED = re.compile(r"[\s>#*_]{0,20}([^\W\d_][^:：\n]{0,40}?)[\s*_]{0,9}[:：][\s*_]{0,9}(\S.*)")
_RULE = re.compile(r"(?:[-*_]\s?){3,99}")
_WORD = re.compile(r"\w+")
_ENDED = re.compile(r"[.!?。！？][\"'”’)*_]{0,4}$")
_MOST_WORDS = 8
"""Of a line beside its links; with more it says something, and is no entry."""
_ONE = frozenset(("source", "quelle", "fuente", "fonte", "bron", "källa"))
"""These announce the source of what stands above, and no list."""


def unlisted(draft: str) -> Unlisted:
    """The draft without the lists of sources in it, whatever their headings and forms."""
    lines = draft.splitlines()
    fenced = _fenced(lines)
    targets = {
        match[1].lower(): match[2]
        for at, line in enumerate(lines)
        if not fenced[at] and (match := _DEFINED.match(_shown(line)))
    }
    kept: list[str] = []
    entries: dict[int, str] = {}
    at = 0
    while at < len(lines):
        line = "" if fenced[at] else _shown(lines[at])
        rest = _announced(line)
        if rest is not None and (end := _end(lines, fenced, at + 1, begun=bool(rest))):
            entries |= dict(_numbered([rest, *map(_shown, lines[at + 1 : end])]))
            at = end
        elif _BRACKETED.match(line) and _LINK.search(line):
            # No heading, but what marks point to.
            entries |= dict(_numbered([line]))
            at += 1
        elif _DEFINED.match(line):
            at += 1
        else:
            kept.append(_single(lines[at]) if line else lines[at])
            at += 1
    entries |= _trailing(kept)
    while len(kept) < len(lines) and kept and (not kept[-1].strip() or _RULE.fullmatch(kept[-1].strip())):
        del kept[-1]  # what parted the list from the text
    body = "\n".join(kept)
    if targets:
        body = _BY_NAME.sub(lambda one: _by_name(one, targets), body)
    return Unlisted(body, entries)


def _shown(line: str) -> str:
    return line[:_LONGEST_LINE].strip().removeprefix(">").strip()


def _fenced(lines: list[str]) -> list[bool]:
    found: list[bool] = []
    inside = False
    for line in lines:
        fence = bool(_FENCE.match(line))
        found.append(inside or fence)
        inside ^= fence
    return found


def _announced(line: str) -> str | None:
    """What stands behind a list's heading on its own line; None where the line is no such heading."""
    if heads_sources(line):
        return ""
    label = _LABELLED.match(line)
    if label and label[1].strip().lower() in SOURCES - _ONE and _is_entry(label[2]):
        return label[2]
    return None


def _single(line: str) -> str:
    """`Source: [Walls](...)` below a statement is that statement's link."""
    label = _LABELLED.match(_shown(line))
    return label[2] if label and label[1].strip().lower() in _ONE and _is_entry(label[2]) else line


def _end(lines: list[str], fenced: list[bool], start: int, *, begun: bool) -> int:
    """Where the list that is announced ends; 0 where there is none, and its heading heads something else."""
    end, at = start if begun else 0, start
    while at < len(lines) and not fenced[at]:
        line = _shown(lines[at])
        if line and not (_in_list(line) or (end and lines[at].startswith((" ", "\t")))):
            break
        at += 1
        end = at if line else end
    nothing_follows = not any(line.strip() for line in lines[start:])
    return end or (len(lines) if nothing_follows else 0)


def _in_list(line: str) -> bool:
    marked = _NUMBERED.match(line) or _BULLET.match(line) or _DEFINED.match(line)
    return bool(marked) or (line.startswith("|") and line.endswith("|")) or _is_entry(line)


def _is_entry(line: str) -> bool:
    """Whether a line is links, and no statement with links."""
    left = _LINK.sub(" ", line)
    return left != line and len(_WORD.findall(left)) <= _MOST_WORDS and not _ENDED.search(left.strip())


def _numbered(lines: list[str]) -> Iterator[tuple[int, str]]:
    for line in lines:
        if match := _NUMBERED.match(line):
            yield int(match[1] or match[2]), match[3]


def _trailing(lines: list[str]) -> dict[int, str]:
    """Cut a list that nothing announces off the end: items that are links alone. One alone is a statement's link."""
    at = len(lines)
    items: list[str] = []
    while at and (not lines[at - 1].strip() or _only_links(_shown(lines[at - 1]))):
        at -= 1
        items += [_shown(lines[at])] if lines[at].strip() else []
    if not items:
        return {}
    found = dict(_numbered(items))
    if len(items) == 1 and not found:
        bullet = _BULLET.match(items[0])
        lines[at:] = ["", bullet[1] if bullet else items[0]]
        return {}
    del lines[at:]
    return found


def _only_links(line: str) -> bool:
    item = _NUMBERED.match(line) or _BULLET.match(line)
    if not item:
        return False
    said = item[item.lastindex or 0]
    return said != (left := _LINK.sub(" ", said)) and not _WORD.search(left)


def _by_name(link: re.Match[str], targets: dict[str, str]) -> str:
    target = targets.get((link[2] or link[1]).lower())
    return f"[{link[1]}]({target})" if target else link[0]
