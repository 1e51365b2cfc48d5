"""A report as a terminal shows it: `[1]` in the text, and below it what each number is. It leaves code alone."""

import re
from collections.abc import Callable

from infra.local.command import screen
from infra.local.command.answers import Note
from shared.research.citing import code_apart
from shared.research.sources import listed_sources

_CITE = re.compile(r"\[cite:\s{0,9}(\d{1,4}(?:\s{0,9}[,;–-]\s{0,9}\d{1,4}){0,99})\s{0,9}\]")
_NOTE = re.compile(r"#/notes/([0-9a-z]{26})")
_TITLE = 100


def numbered(body: str) -> str:
    """The text with `[1]` for each `[cite: 1]`."""
    return "".join(piece if code else _CITE.sub(r"[\1]", piece) for piece, code in code_apart(body))


def parts(found: Note, address: Callable[[str], str] | None = None) -> tuple[str, list[str]]:
    """The report's text, and its sources by number: title, where it is, and the passage that it leans on.

    `address` is where a browser shows the note with an id; without it, notes are named by their id.
    """
    text, listed, _ = listed_sources(found.body)
    known = {one.number: (one.title, one.url, "") for one in listed}
    known |= {one.number: (one.title or one.url, one.url, one.quote) for one in found.citations}
    if not known:
        return numbered(found.body).strip(), []
    lines: list[str] = []
    for number, (title, url, quote) in sorted(known.items()):
        lines.append(f"[{number}] {screen.fit(title, _TITLE)}  {_where(url, address)}")
        lines += [f"    > {' '.join(quote.split())}"] if quote else []
    return numbered(text if listed else found.body).strip(), lines


def _where(url: str, address: Callable[[str], str] | None) -> str:
    note = _NOTE.fullmatch(url)
    if note is None:
        return screen.plain(url)
    return address(note[1]) if address else f"note {note[1]}"
