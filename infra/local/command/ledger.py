"""What an export wrote into a folder, so that the next one knows its own files from those of the user."""

import json
import os
from collections import defaultdict
from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import Path
from typing import Literal

from infra.local.command.vault.text import digest

Outcome = Literal["written", "same", "kept"]
NAME = ".memex-export.jsonl"
_FRESH = ".memex-export.new"
_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)


class Occupied(Exception):
    """Something that is no plain file stands in the way."""


class History:
    """What earlier exports wrote into a folder, as they say there. It changes nothing."""

    def __init__(self, root: Path | None = None) -> None:
        self.ours: dict[str, set[str]] = defaultdict(set)
        """Name -> the hashes under which an export wrote that file."""
        self.seen: dict[str, set[str]] = defaultdict(set)
        """Name -> the hashes of files that were there already just as they would have been written."""
        self.names: dict[str, str] = {}
        """Id of a note -> its file."""
        self.notes: dict[str, str] = {}
        """Name of a file -> its note."""
        file = root / NAME if root else None
        if not file or not file.is_file() or file.is_symlink():
            return
        for line in file.read_text("utf-8", "replace").splitlines():
            try:
                entry = json.loads(line)
                name, note_id = str(entry["path"]), str(entry["note"])
            except (ValueError, KeyError, TypeError):
                continue  # cut off by a crash
            self.take(name, note_id)
            for hashes, key in ((self.ours, "sha256"), (self.seen, "same")):
                if key in entry:
                    hashes[name].add(str(entry[key]))

    def take(self, name: str, note_id: str) -> None:
        """Remember whose file it is."""
        self.names[note_id] = name
        self.notes[name] = note_id

    def exported(self, name: str, sha256: str) -> bool:
        """Whether an export left the file of that name with this content."""
        return sha256 in self.ours.get(name, ()) or sha256 in self.seen.get(name, ())

    def link(self, note_id: str) -> str:
        """How the page of another note names a note."""
        return link(self.names.get(note_id), note_id)


def link(name: str | None, note_id: str) -> str:
    """A link to a note by its file, or by its address where it has none; empty for no note."""
    if not note_id:
        return ""
    return f"[[{name.rsplit('.', 1)[0]}]]" if name else f"#/notes/{note_id}"


class Ledger:
    """One folder of exported notes. Nothing is written outside it, and nothing of the user's is overwritten."""

    def __init__(self, root: Path, *, force: bool) -> None:
        root.mkdir(parents=True, exist_ok=True)
        self.root = root.resolve()
        self._force = force
        self._history = History(self.root)

    def name_of(self, note_id: str) -> str | None:
        """The name that a note had in an earlier export."""
        return self._history.names.get(note_id)

    def left_over(self, notes: Collection[str], files: Mapping[str, str]) -> list[str]:
        """Names of files that earlier exports left here and that are no note's file any more, in order.

        `notes` are the ids of all notes that there are, `files` the names of those that were to be written now.
        """
        current = {files.get(note_id) or self.name_of(note_id) for note_id in notes}
        return sorted(name for name in self._history.notes if name not in current and self._is_here(name))

    def _is_here(self, name: str) -> bool:
        # The list lies in the folder, where anybody can write anything into it.
        path = self.root / name
        try:
            return path.is_file() and path.resolve().is_relative_to(self.root)
        except OSError:
            return False

    @cached_property
    def tells_case(self) -> bool:
        """Whether names that differ in case only are two files here."""
        probe = self.root / ".memex-case"
        probe.touch()
        try:
            return not (self.root / ".MEMEX-CASE").exists()
        finally:
            probe.unlink()

    def put(self, name: str, raw: bytes, note_id: str) -> Outcome:
        """Write a file, if nothing of the user's is lost by that."""
        target = self._place(name)
        sha256 = digest(raw)
        if target.is_symlink() or target.exists():
            if not target.is_symlink() and not target.is_file():
                raise Occupied("there is a folder of that name")
            found = "" if target.is_symlink() else digest(target.read_bytes())
            if found == sha256:
                self._note(name, note_id, sha256)
                return "same"
            if found not in self._history.ours[name] and not self._force:
                return "kept"
        # Recorded first: after a crash the hash still tells whether the file is ours.
        self._history.ours[name].add(sha256)
        self._append({"path": name, "sha256": sha256, "note": note_id})
        fresh = self.root / _FRESH
        fresh.write_bytes(raw)
        fresh.replace(target)
        self._history.take(name, note_id)
        return "written"

    def _place(self, name: str) -> Path:
        """Where a name lies; folders are made, links are not followed."""
        folder = self.root
        *folders, last = name.split("/")
        for part in folders:
            folder /= part
            if folder.is_symlink():
                raise Occupied(f"the folder {part} is a link to elsewhere")
            if folder.exists() and not folder.is_dir():
                raise Occupied(f"{part} is no folder")
            folder.mkdir(exist_ok=True)
        target = folder / last
        if not folder.resolve().is_relative_to(self.root):
            raise Occupied("it would lie outside the folder")
        return target

    def _note(self, name: str, note_id: str, sha256: str) -> None:
        if self.name_of(note_id) != name or not self._history.exported(name, sha256):
            self._history.take(name, note_id)
            self._history.seen[name].add(sha256)
            # Not as a hash of ours: the file was there, so it stays the user's.
            self._append({"path": name, "same": sha256, "note": note_id})

    def _append(self, entry: dict[str, str]) -> None:
        descriptor = os.open(self.root / NAME, _APPEND, 0o644)
        with os.fdopen(descriptor, "a", encoding="utf-8") as stream:
            stream.write(json.dumps(entry) + "\n")
