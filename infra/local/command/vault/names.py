"""File names that every system takes, and paths that stay inside the folder they are meant for."""

import os
import re
import unicodedata

from infra.local.command.vault.walk import NOTES

LONGEST = 180
"""Bytes of a name that we choose; systems take 255, and an ending and a number must fit."""
# Windows refuses the first; the others mean something inside a wiki link.
_UNSAFE = re.compile(r"[<>:\"/\\|?*\[\]#^\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e]+")
_DEVICES = {"CON", "PRN", "AUX", "NUL", *(f"{name}{n}" for name in ("COM", "LPT") for n in range(1, 10))}


def safe(text: str, otherwise: str = "Untitled") -> str:
    """A name from any text."""
    text = unicodedata.normalize("NFC", _UNSAFE.sub(" ", text))
    text = " ".join(text.split()).strip(". ")
    while len(text.encode()) > LONGEST:
        text = text[: -max(1, (len(text.encode()) - LONGEST) // 4)].rstrip(". ")
    if text.split(".")[0].strip().upper() in _DEVICES:
        text = f"_{text}"
    return text or otherwise


def first_words(body: str, most: int = 8) -> str:
    """The beginning of a text, without its Markdown marks."""
    for line in body.splitlines():
        if words := re.sub(r"^[\s>#*+-]+|[*_`]", "", line).split():
            return " ".join(words[:most])
    return ""


def inside(path: str, *, windows: bool = os.name == "nt") -> str:
    """An imported note's path as it may be written: itself, but for what would lead out of the folder or hide."""
    parts = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        part = part.replace("\0", "")
        if windows:
            part = safe(part)
        parts.append(f"_{part}" if part.startswith(".") else part)
    name = "/".join(parts) or "Untitled.md"
    return name if name.lower().endswith(NOTES) else f"{name}.md"


class Names:
    """The names that are taken in one export, so that no two notes get the same one on any system."""

    def __init__(self) -> None:
        self._taken: dict[str, str] = {}

    def claim(self, name: str, note_id: str) -> bool:
        """Take exactly this name; False where another note has it."""
        return self._taken.setdefault(_folded(name), note_id) == note_id

    def choose(self, stem: str, note_id: str) -> str:
        """Take this name, or the next free one with a number."""
        number = 1
        while not self.claim(name := f"{stem}.md" if number == 1 else f"{stem} ({number}).md", note_id):
            number += 1
        return name


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
