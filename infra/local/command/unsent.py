"""Captures that could not be sent, kept in files with the command that sends them. It sends nothing."""

import json
import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote, unquote

_OPTIONS = ".options.json"


def folder() -> Path:
    """Where they wait."""
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return state / "memex" / "unsent"


def waiting() -> list["Unsent"]:
    """All that wait, the oldest first; an OSError where the folder can't be read."""
    found: dict[str, float] = {}
    for file in folder().glob("[!.]*"):
        if name := next((file.name.removesuffix(end) for end in (_OPTIONS, ".txt") if file.name.endswith(end)), ""):
            found[name] = file.stat().st_mtime
    return [Unsent(unquote(name)) for name in sorted(found, key=lambda name: (found[name], name))]


class Unsent:
    """One capture that waits, by the Idempotency-Key under which it was sent first."""

    def __init__(self, key: str) -> None:
        name = quote(key, safe="")
        self.key = key
        self.file = folder() / f"{name}.txt"
        """The text, as it is; there is none where a capture has no text."""
        self._options = folder() / f"{name}{_OPTIONS}"

    def keep(self, text: str, options: Sequence[str]) -> None:
        """Store it, for its owner only; an OSError where that is not possible."""
        self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if text:
            _write(self.file, text)
        _write(self._options, json.dumps(list(options), ensure_ascii=False))

    def forget(self) -> None:
        """It was sent at last, so nobody needs the copy, and what a person wrote doesn't lie about."""
        self.file.unlink(missing_ok=True)
        self._options.unlink(missing_ok=True)

    def command(self) -> str:
        """The command that sends it again, for a shell; whatever its outcome was, it is stored once."""
        text = self.file.exists()
        command = ["memex", "capture", *(["-"] if text else []), *self._read(), f"--again={self.key}"]
        return shlex.join(command) + (f" < {shlex.quote(str(self.file))}" if text else "")

    def read(self) -> tuple[str, list[str]]:
        """The text and what was given beside it; a ValueError or an OSError where that can't be read."""
        return self.file.read_bytes().decode() if self.file.exists() else "", self._read()

    def _read(self) -> list[str]:
        """What was given beside the text; nothing where nobody stored it."""
        try:
            options = json.loads(self._options.read_bytes())
        except (OSError, ValueError):
            return []
        return [one for one in options if isinstance(one, str)] if isinstance(options, list) else []


def _write(file: Path, text: str) -> None:
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
        stream.write(text.encode())
