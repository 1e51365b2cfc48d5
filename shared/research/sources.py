"""The sources that a report names: its own numbered list first, annotations where it has none. It invents none."""

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError

from shared.events.trace import cut
from shared.models.ids import Id
from shared.models.note import Citation
from shared.research.interaction import Annotation

_HEADING = re.compile(
    r"^(?:#{1,6}\s+|\*\*|__)?(?:sources|references|works cited|bibliography|citations)\s*:?\s*(?:\*\*|__)?\s*:?\s*$",
    re.I,
)
_ENTRY = re.compile(r"^\s*(?:[-*]\s+)?(?:\[(\d{1,4})\]:?|(\d{1,4})[.)])\s+(.*\S)\s*$")
_LINK = re.compile(
    r"\[((?:\\.|[^\[\]\\]|\[[^\[\]]*\])*)\]"
    r"\(\s*<?([^\s<>()]+(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s+\"[^\"]*\")?\s*\)"
)
_ADDRESS = re.compile(r"(?:https?://|#/notes/)[^\s<>\"\])]+")
_NOTE = "#/notes/"
_ID: TypeAdapter[str] = TypeAdapter(Id)


TITLE, QUOTE = 300, 600
"""Characters of a source's title and quote."""


@dataclass(frozen=True, slots=True)
class Listed:
    """An entry of a numbered source list."""

    number: int
    title: str
    url: str


def listed_sources(markdown: str) -> tuple[str, list[Listed], list[str]]:
    """The text without its source lists; their entries; what was wrong with them."""
    prose: list[str] = []
    found: dict[int, Listed] = {}
    flags: list[str] = []
    inside = False
    for line in markdown.splitlines():
        if _HEADING.match(line.strip()):
            inside = True
        elif inside and (entry := _ENTRY.match(line)):
            number = int(entry[1] or entry[2])
            title, url = _linked(entry[3])
            if not _usable(url):
                flags.append(f"Source {number} has no address that can be opened")
            else:
                found.setdefault(number, Listed(number, title, url))
        elif not (inside and not line.strip()):
            inside = False
            prose.append(line)
    return "\n".join(prose), list(found.values()), flags


def _linked(entry: str) -> tuple[str, str]:
    if link := _LINK.search(entry):
        return re.sub(r"\\(.)", r"\1", link[1]).strip() or link[2], link[2]
    if address := _ADDRESS.search(entry):
        url = address[0].rstrip(".,;:")
        return entry.replace(address[0], "").strip(" -–—:.,()[]<>") or url, url
    return entry, ""


def _usable(url: str) -> bool:
    if url.startswith(_NOTE):
        return _note_id(url) is not None
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def _note_id(url: str) -> str | None:
    if not url.startswith(_NOTE):
        return None
    try:
        return _ID.validate_python(url.removeprefix(_NOTE))
    except ValidationError:
        return None


def _citation(number: int, title: str, url: str, quote: str) -> Citation:
    note = _note_id(url)
    kind: Literal["note", "web"] = "note" if note else "web"
    return Citation(
        number=number,
        title=cut(title or url, TITLE),
        url=url,
        source_kind=kind,
        note_id=note,
        # Cut, a quote could no longer be found in its source.
        quote=quote if 0 < len(quote) <= QUOTE else None,
    )


def citations_of_list(listed: list[Listed], notes: list[Annotation]) -> list[Citation]:
    """Citations by the text's own list; quotes come from annotations with the same address."""
    quotes: dict[str, str] = {}
    for note in notes:
        if note.quote:
            quotes.setdefault(note.url, note.quote)
    return [_citation(one.number, one.title, one.url, quotes.get(one.url, "")) for one in listed]


def citations_of_annotations(notes: list[Annotation]) -> list[Citation]:
    """Without a list in the text, the annotations number the sources, in order of appearance."""
    first: dict[str, Annotation] = {}
    for note in notes:
        if _usable(note.url):
            first.setdefault(note.url, note)
    return [_citation(number, note.title, url, note.quote) for number, (url, note) in enumerate(first.items(), start=1)]
