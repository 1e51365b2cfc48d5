"""The lines of the tables as regular expressions. It knows the notation, and none of the words."""

import re
from collections.abc import Iterator
from functools import cache

from shared.agent.models.offline_tables import SLOTS, TABLE, WORDS, Kind, Language

_SLOT = re.compile(r"<(\w+)(?:=(\w+))?>")
# Bounded, so that a message of nothing but spaces costs no more than another.
_GAP = r"(?:\s{0,9}[:,]\s{0,9}|\s{1,9})"
_END = r"[\s.!?]{0,20}\Z"


@cache
def patterns(language: Language) -> tuple[tuple[Kind, re.Pattern[str]], ...]:
    """All lines of a language, in their order."""
    return tuple(
        (kind, re.compile(expression(line, WORDS[language]), re.I | re.S))
        for kind, lines in TABLE[language]
        for line in lines.strip().splitlines()
    )


def expression(line: str, words: dict[str, str]) -> str:
    """One line as the regular expression of a whole request."""
    line = re.sub(r"\{(\w+)\}", lambda name: words[name[1]], line.strip())
    return "".join(map(_step, _tokens(line))) + _END


def _step(token: str) -> str:
    # Whoever writes a colon in a line means one; elsewhere words may be parted by one.
    colon = token.endswith(":")
    token = token.removesuffix(":")
    optional = token.startswith("[")
    inner = _SLOT.sub(_slot, token[1:-1] if optional else token).replace(" ", r"\s+")
    if colon:
        return (rf"(?:(?:{inner})\s{{0,9}})?" if optional else rf"(?:{inner})\s{{0,9}}") + r":\s{0,9}"
    step = f"(?:{inner})(?:{_GAP}|(?={_END}))"
    return f"(?:{step})?" if optional else step


def _slot(slot: re.Match[str]) -> str:
    return rf"[\"“„']?(?P<{slot[1]}>{SLOTS[slot[2] or '']})[\"”“']?"


def _tokens(line: str) -> Iterator[str]:
    """The line's parts: what stands in brackets is one, spaces and all."""
    depth, start = 0, 0
    for at, sign in enumerate(line):
        depth += (sign in "[(<") - (sign in "])>")
        if sign == " " and depth == 0:
            yield line[start:at]
            start = at + 1
    yield line[start:]
