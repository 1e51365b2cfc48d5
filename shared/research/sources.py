"""The sources that a report names: its own numbered list first, annotations where it has none. It invents none."""

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError

from shared.events.trace import cut
from shared.models.evidence import TOOL
from shared.models.ids import Id
from shared.models.note import Citation
from shared.research.interaction import Annotation

SOURCES = frozenset(
    "sources;source;references;works cited;bibliography;citations;sources used;sources cited;list of sources;"
    "source list;references cited;footnotes;endnotes;quellen;quelle;quellenverzeichnis;quellenangaben;literatur;"
    "literaturverzeichnis;referenzen;nachweise;einzelnachweise;belege;fußnoten;références;bibliographie;fuentes;"
    "fuente;referencias;bibliografía;fonti;fonte;riferimenti;bibliografia;fontes;referências;bronnen;bron;källor;"
    "källa".split(";")
)
"""How a list of sources is headed, in small letters."""
# A line is text from outside: it is cut before it is matched, and no pattern may cost more than the line is long.
_LONGEST_LINE = 5000
_ENTRY = re.compile(r"(?:[-*]\s++)?(?:\[(\d{1,4})\]:?|(\d{1,4})[.)])\s++(\S.*)")
_BRACKET = re.compile(r"\\.|[\[\]]")
_TARGET = re.compile(r"\(\s*+<?([^\s<>()]++(?:\([^\s<>()]*+\)[^\s<>()]*+)*+)>?(?:\s++\"[^\"]{0,500}\")?\s*+\)")
_ADDRESS = re.compile(r"(?:https?://|#/notes/)[^\s<>\"\])]++")
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


def heads_sources(line: str) -> bool:
    """Whether a line announces a list of sources, however it is set: as a heading, in bold, with a colon or bare."""
    return len(line) < 100 and " ".join(line.strip(" \t#*_:").split()).lower() in SOURCES


def listed_sources(markdown: str) -> tuple[str, list[Listed], list[str]]:
    """The text without its source list, which is the last there is; the list's entries; what was wrong with them.

    An earlier one is part of the text: a section of a source that was read may well be headed "References".
    """
    lines = markdown.splitlines()
    shown = [line[:_LONGEST_LINE].strip() for line in lines]
    for start in (at for at in reversed(range(len(lines))) if heads_sources(shown[at])):
        end = start + 1
        while end < len(lines) and (not shown[end] or _ENTRY.match(shown[end])):
            end += 1
        if entries := [entry for line in shown[start:end] if (entry := _ENTRY.match(line))]:
            found, flags = _listed(entries)
            return "\n".join(lines[:start] + lines[end:]), found, flags
    return "\n".join(lines), [], []


def _listed(entries: list[re.Match[str]]) -> tuple[list[Listed], list[str]]:
    found: dict[int, Listed] = {}
    flags: list[str] = []
    for entry in entries:
        number = int(entry[1] or entry[2])
        title, url = _linked(entry[3])
        if not _usable(url):
            flags.append(f"Source {number} has no address that can be opened")
        else:
            found.setdefault(number, Listed(number, title, url))
    return list(found.values()), flags


def those_read(listed: list[Listed], notes: list[Annotation]) -> tuple[list[Listed], list[str]]:
    """The entries that the annotations know, and a flag for each other one.

    Annotations of opaque redirects name no listed address; then they can't tell, and the list stays as it is.
    """
    read = {note.url for note in notes}
    if not any(one.url in read for one in listed):
        return listed, []
    kept = [one for one in listed if one.url in read]
    return kept, [f"Source {one.number} was listed but not read" for one in listed if one.url not in read]


def _linked(entry: str) -> tuple[str, str]:
    if "](" in entry and (link := _link(entry)):
        return link
    if address := _ADDRESS.search(entry):
        url = address[0].rstrip(".,;:")
        return entry.replace(address[0], "").strip(" -–—:.,()[]<>") or url, url
    return entry, ""


def _link(entry: str) -> tuple[str, str] | None:
    """Label and address of the first link; a label may hold brackets."""
    begun: list[int] = []
    for bracket in _BRACKET.finditer(entry):
        if bracket[0] == "[":
            begun.append(bracket.end())
        elif bracket[0] == "]" and begun:
            label = entry[begun.pop() : bracket.start()]
            if target := _TARGET.match(entry, bracket.end()):
                return re.sub(r"\\(.)", r"\1", label).strip() or target[1], target[1]
    return None


def _usable(url: str) -> bool:
    if url.startswith(TOOL):
        return True  # it can't be opened, but it says who said it
    if not url or url.startswith(_NOTE):
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
