"""The lock of a data folder: one process at a time, which says in it where it serves. It waits for nobody's work."""

import contextlib
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from shared.errors import Conflict, NotConfigured

NAME = "memex.lock"
_LONGEST = 300
"""Bytes that a number and an address may take."""
_TRIES = 3
_PAUSE_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that has a folder."""

    process: int
    address: str
    """Where it serves, like http://127.0.0.1:8765; empty until it does."""


class FolderLock:
    """Held from construction to `release`, or until the process ends in any way."""

    def __init__(self, folder: Path) -> None:
        try:
            self._file = os.open(folder / NAME, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise NotConfigured(
                f"The data folder {folder} can't be written ({error.strerror}).",
                next="Check who owns it, or choose another: make run DATA=FOLDER, or memex serve --data FOLDER.",
            ) from None
        try:
            _take(self._file)
        except OSError as error:
            told = _parsed(os.pread(self._file, _LONGEST, 0))
            os.close(self._file)
            raise in_use(folder, told) from error
        os.ftruncate(self._file, 0)
        # The first byte is the one that is locked, and Windows lets nobody read a locked byte.
        os.pwrite(self._file, f" {os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let another process own the folder; a second call does nothing."""
        if self._file >= 0:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, 0)
            os.close(self._file)
            self._file = -1


def in_use(folder: Path, told: Holder | None) -> Conflict:
    """What to say where a folder belongs to another process."""
    who = f"process {told.process}" if told else "another process"
    where = f", which serves {told.address}" if told and told.address else ""
    stop = f"Stop that one (kill {told.process})" if told else "Stop that one"
    return Conflict(
        f"The data folder {folder} is in use by {who}{where}.",
        code="folder_in_use",
        next=f"{stop}, or choose another folder: make run DATA=FOLDER, or memex serve --data FOLDER.",
    )


def announce(folder: Path, address: str) -> None:
    """Say where the folder's owner, which is this process, serves; `release`, or its end in any way, takes it back."""
    # In the lock itself, so that what is read there is true as long as somebody holds it, and whoever takes it next
    # has wiped out what a dead process said.
    with (folder / NAME).open("r+b", buffering=0) as file:
        file.write(f" {os.getpid()}\n{address}\n".encode())


def holder(folder: Path) -> Holder | None:
    """The process that has the folder now, or None; an OSError where that can't be seen."""
    try:
        told = _parsed((folder / NAME).read_bytes()[:_LONGEST])
        # What is locked is looked at only where somebody wrote his number: a look must not be in a start's way.
        return told if told and _held(folder / NAME) else None
    except FileNotFoundError:
        return None


def _parsed(content: bytes) -> Holder | None:
    number, _, rest = content[1:].decode("ascii", "replace").partition("\n")
    address, whole, _ = rest.partition("\n")
    number = number.strip(" \0")
    if not (number.isascii() and number.isdigit()):
        return None
    return Holder(int(number), address if whole else "")


def _take(file: int) -> None:
    """Lock, or raise an OSError; whoever only looks holds it for less than a moment, and that must not stop a start."""
    for left in reversed(range(_TRIES)):
        try:
            _lock(file)
        except OSError:
            if not left:
                raise
            time.sleep(_PAUSE_SECONDS)
        else:
            return


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

    def _held(file: Path) -> bool:
        return True
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _held(file: Path) -> bool:
        with file.open("rb") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError:
                return True
            return False
