"""The lock of a data folder: one process at a time. It never waits."""

import contextlib
import os
import sys
from pathlib import Path

from shared.errors import Conflict, NotConfigured

NAME = "memex.lock"


class FolderLock:
    """Held from construction to `release`, or until the process ends in any way."""

    def __init__(self, folder: Path) -> None:
        try:
            self._file = os.open(folder / NAME, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise NotConfigured(
                f"the data folder {folder} can't be written ({error.strerror})",
                next="Check who owns it, or start with another folder (--data).",
            ) from None
        try:
            _lock(self._file)
        except OSError as error:
            owner = os.pread(self._file, 32, 1).decode("ascii", "replace").strip()
            os.close(self._file)
            who = f"process {owner}" if owner else "another process"
            raise Conflict(
                f"the data folder {folder} is in use by {who}",
                code="folder_in_use",
                next="Stop that one, or start with another folder (--data).",
            ) from error
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


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
