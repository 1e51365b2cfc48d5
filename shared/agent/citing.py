"""Citations of an answer: a link counts only where it leads to something that was really read or made."""

import re
from collections.abc import Iterable, Mapping

from shared.models.note import Citation

_LINK = re.compile(
    r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\((<[^>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+\"[^\"]*\")?\)"
)
_BARE = re.compile(r"(?<![\w(/<])#/notes/([0-9a-z]{26})")
_NOTE = "#/notes/"


def cited(text: str, sources: Mapping[str, Citation], known: Iterable[str] = ()) -> tuple[str, list[Citation]]:
    """The answer with links to unread notes and pages taken off, and the sources it leans on, numbered by appearance.

    `sources` maps `#/notes/<id>` or a page's address to what was read there; `known` are further addresses that may
    be linked (those that the person typed, notes that were made), which are no sources.
    """
    may = set(known)
    used: dict[str, Citation] = {}

    def note_use(url: str) -> bool:
        if url in sources:
            used.setdefault(url, sources[url])
            return True
        return url in may

    def link(match: re.Match[str]) -> str:
        image, words, url = match[1], match[2], match[3].strip("<>")
        # No view fetches a remote image, so one is only its words.
        if not image and note_use(url):
            return match[0]
        return words

    def bare(match: re.Match[str]) -> str:
        return match[0] if note_use(match[0]) else "(a note that was not read)"

    text = _outside_links(_LINK.sub(link, text), bare)
    return text, [citation.model_copy(update={"number": number}) for number, citation in enumerate(used.values(), 1)]


def _outside_links(text: str, bare: object) -> str:
    """Replace bare note addresses, those inside remaining links left alone."""
    assert callable(bare)
    done: list[str] = []
    at = 0
    for match in _LINK.finditer(text):
        done += [_BARE.sub(bare, text[at : match.start()]), match[0]]
        at = match.end()
    return "".join([*done, _BARE.sub(bare, text[at:])])
