"""What the front matter of an exported note says that the note is: a claim, which proves nothing. Pure."""

from dataclasses import dataclass
from datetime import datetime

from infra.local.command.vault import front_matter
from infra.local.command.vault.front_matter import Fields, Value, key_of
from shared.models.base import moment
from shared.models.ids import ALPHABET, is_id
from shared.models.note import web_address

_KINDS = ("capture", "link", "research", "digest", "review")
_NOTE = "#/notes/"
_LONGEST_NUMBER = 6
_LAST_SECONDS = 253_000_000_000
"""Near the end of the year 9986; an id may name a later time than a calendar can."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A note as the file of an export names it."""

    id: str
    kind: str = "capture"
    titled: bool = False
    """Whether the front matter gives a title."""
    url: str = ""
    source_note_id: str = ""
    citations: tuple[dict[str, object], ...] = ()
    """As the API takes them."""

    @property
    def written(self) -> datetime:
        """When the note was written, as its id has it: an imported file need not say it."""
        milliseconds = 0
        for char in self.id[:10]:
            milliseconds = milliseconds * 32 + ALPHABET.index(char)
        return moment(min(milliseconds, _LAST_SECONDS * 1000) / 1000)

    def as_json(self) -> dict[str, object]:
        """What an import sends of it."""
        found: dict[str, object] = {"note_id": self.id, "kind": self.kind}
        if self.source_note_id:
            found["source_note_id"] = self.source_note_id
        return {**found, "citations": list(self.citations)} if self.citations else found


def claim(head: str, known_as: str = "") -> Claim | None:
    """What this front matter claims; None where no export wrote it.

    `known_as` is the id under which the export's own list has the file: files that were imported once have no other.
    """
    try:
        fields = front_matter.split(head).fields or {}
    except front_matter.Malformed:
        fields = {}
    told, kind = _text(fields, "id"), _text(fields, "kind")
    # Others than Memex write an `id`, too.
    ours = is_id(told) and kind in (*_KINDS, "thesis")
    note_id = known_as if is_id(known_as) else told if ours else ""
    if not note_id:
        return None
    titled = bool(front_matter.title(fields))
    if not ours:
        return Claim(note_id, titled=titled)
    source = _text(fields, "source_note_id")
    return Claim(
        note_id,
        # What makes a thesis is in no file.
        kind=kind if kind in _KINDS else "capture",
        titled=titled,
        url=_text(fields, "url") if _is_address(_text(fields, "url")) else "",
        source_note_id=source if is_id(source) else "",
        citations=tuple(_citations(fields)),
    )


def _citations(fields: Fields) -> list[dict[str, object]]:
    """Those that name a number, a title and an address that may be followed."""
    given = fields.get("citations")
    found = (_citation(one) for one in (given if isinstance(given, list) else []))
    return [one for one in found if one]


def _citation(one: Value) -> dict[str, object]:
    if not isinstance(one, dict):
        return {}
    number, title, url, quote = (_text(one, name) for name in ("number", "title", "url", "quote"))
    if not (number.isascii() and number.isdecimal() and len(number) <= _LONGEST_NUMBER):
        return {}
    cited: dict[str, object] = {"number": int(number), "title": title or url, "url": url}
    if quote:
        cited["quote"] = quote
    if is_id(url.removeprefix(_NOTE)) and url.startswith(_NOTE):
        return {**cited, "source_kind": "note", "note_id": url.removeprefix(_NOTE)}
    return cited if _is_address(url) else {}


def _text(fields: Fields, name: str) -> str:
    key = key_of(fields, name)
    value = fields[key] if key else ""
    return value.strip() if isinstance(value, str) else ""


def _is_address(url: str) -> bool:
    try:
        return web_address(url) == url
    except ValueError:
        return False
