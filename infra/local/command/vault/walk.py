"""A folder's Markdown files in order. It never follows a link out of the folder, and opens nothing."""

import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

NOTES = (".md", ".markdown")
_KINDS = {
    "image": "png jpg jpeg gif svg webp bmp avif heic tif tiff ico",
    "audio file": "mp3 wav m4a ogg flac opus 3gp aac",
    "video": "mp4 mov mkv webm ogv avi",
    "PDF": "pdf",
    "canvas": "canvas",
    "base": "base",
    "document": "doc docx odt rtf ppt pptx odp xls xlsx ods csv txt html htm epub",
    "drawing": "excalidraw drawio",
}
_KIND_OF = {f".{ending}": kind for kind, endings in _KINDS.items() for ending in endings.split()}


@dataclass(frozen=True, slots=True)
class File:
    """A Markdown file of the vault."""

    path: Path
    name: str
    """Its path inside the vault, parts joined by `/`."""
    size: int


@dataclass(slots=True)
class Found:
    """What lies in a folder."""

    files: list[File] = field(default_factory=list)
    attachments: Counter[str] = field(default_factory=Counter)
    """Kind -> how many."""
    hidden: int = 0
    links: list[str] = field(default_factory=list)
    """Links that lead out of the vault, or nowhere, or to a folder that is there anyway."""
    unreadable: list[tuple[str, str]] = field(default_factory=list)
    """Names, and why."""


def walk(root: Path) -> Found:
    """Everything below the folder, in order of name."""
    found = Found()
    inside = root.resolve()
    pending: list[tuple[Path, str]] = [(inside, "")]
    while pending:
        folder, prefix = pending.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            found.unreadable.append((prefix.rstrip("/") or str(root), error.strerror or "can't be opened"))
            continue
        folders = []
        for entry in entries:
            name = prefix + entry.name
            if entry.name.startswith("."):
                found.hidden += 1
            elif entry.is_dir(follow_symlinks=False):
                folders.append((Path(entry.path), f"{name}/"))
            else:
                _file(found, entry, name, inside)
        pending += reversed(folders)
    found.files.sort(key=lambda file: file.name)
    return found


def _file(found: Found, entry: os.DirEntry[str], name: str, inside: Path) -> None:
    path = Path(entry.path)
    try:
        if entry.is_symlink():
            target = path.resolve()
            # What a link inside the vault to one of its folders shows is imported from there.
            if not target.is_file() or not _shown(target, inside):
                found.links.append(name)
                return
        if not entry.is_file():
            found.attachments["special file"] += 1
            return
        ending = PurePosixPath(name).suffix.lower()
        if ending not in NOTES:
            found.attachments[_KIND_OF.get(ending, f"{ending} file" if ending else "file without an ending")] += 1
            return
        found.files.append(File(path, name, entry.stat().st_size))
    except (OSError, RuntimeError) as error:
        # A link that leads to itself is a RuntimeError.
        found.unreadable.append((name, getattr(error, "strerror", None) or "can't be opened"))


def _shown(target: Path, inside: Path) -> bool:
    """Whether a path lies in the vault, and in no hidden folder of it."""
    if not target.is_relative_to(inside):
        return False
    return not any(part.startswith(".") for part in target.relative_to(inside).parts)
