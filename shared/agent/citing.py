"""Citations of an answer: a link counts only where it leads to something that was really read, made, or typed.

What is taken off here is taken off for every reader of the text. Markdown has more forms of links than are known here,
so whoever draws the text draws only links that `links` names (shared/events/trace.py).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from shared.agent.addresses import trimmed
from shared.models.note import Citation

# Every repetition is bounded: the text is a model's, and is read on the event loop.
_TOKEN = re.compile(
    r"(?P<code>```.*?(?:```|\Z)|`[^`\n]{1,500}`)"
    r"|(?P<image>!?)\[(?P<words>[^\[\]\n]{0,400})\]"
    r"\((?P<url><[^<>\n]{0,2000}>|[^()\s<>]{0,2000}(?:\([^()\s<>]{0,500}\)[^()\s<>]{0,500})?)"
    r"(?:[ \t]{1,3}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?\)"
    r"|(?P<define>^ {0,3}\[[^\[\]\n]{1,200}\]:[ \t]{0,9}<?(?P<defined>[^\s<>]{1,2000})[^\n]{0,400})"
    r"|(?P<page>https?://[^\s<>\"'`{}|\\^\[\]]{1,2000})"
    r"|(?P<note>(?<![\w/])#/notes/[0-9a-z]{26})",
    re.IGNORECASE | re.DOTALL | re.MULTILINE,
)
_UNREAD_PAGE, _UNREAD_NOTE = "(an address that was not read)", "(a note that was not read)"


@dataclass(frozen=True, slots=True)
class Checked:
    """A text whose links hold: the sources it leans on, numbered by appearance, and all that may be drawn as a link."""

    text: str
    citations: list[Citation]
    links: list[str]


@dataclass(slots=True)
class _Check:
    sources: Mapping[str, Citation]
    known: frozenset[str]
    used: dict[str, None] = field(default_factory=dict)

    def holds(self, url: str) -> bool:
        if url not in self.sources and url not in self.known:
            return False
        self.used[url] = None
        return True

    def token(self, match: re.Match[str]) -> str:
        if match["code"] is not None:
            return match[0]
        if match["define"] is not None:
            return match[0] if self.holds(match["defined"]) else ""
        if match["page"] is not None:
            url = trimmed(match["page"])
            return match[0] if self.holds(url) else _UNREAD_PAGE + match["page"][len(url) :]
        if match["note"] is not None:
            return match[0] if self.holds(match["note"]) else _UNREAD_NOTE
        # No view fetches a remote image, so one is only its words.
        drawn = not match["image"] and self.holds(match["url"].strip("<>"))
        return match[0] if drawn else match["words"]


def cited(text: str, sources: Mapping[str, Citation], known: Iterable[str] = ()) -> Checked:
    """The answer without links to unread notes and pages.

    `sources` maps `#/notes/<id>` or a page's address to what was read there; `known` are further addresses that may
    be linked (those that the person typed, notes that were made), which are no sources.
    """
    check = _Check(sources, frozenset(known))
    cleaned = _TOKEN.sub(check.token, text)
    leaned = [sources[url] for url in check.used if url in sources]
    numbered = [one.model_copy(update={"number": number}) for number, one in enumerate(leaned, 1)]
    return Checked(cleaned, numbered, list(check.used)[:200])
