"""The data folder as it lies on the disk: who may read it, who holds it, what its files say. It changes nothing."""

import json
import os
import shutil
import sqlite3
import stat
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Any

from infra.local.doctor.finding import Finding, Unanswered, ok, problem, warning
from infra.local.store import lock, schema
from infra.local.store.lock import Holder

FILES = ("memex.db", "executions.db", "research.db", "memory.db")
SECRETS = ("device-key", "device-keys.json", "signing-key.pem")
LITTLE, TIGHT = 100_000_000, 1_000_000_000
"""Free bytes below which nothing can be kept, and below which it is time to look."""
PATIENCE = 5.0
"""Seconds that looking through one file may take."""


@dataclass(frozen=True, slots=True)
class DataFolder:
    """One data folder."""

    path: Path
    start: str
    """The command that starts Memex with it."""

    def permissions(self) -> Finding:
        """Whether its owner, and nobody else, may use it."""
        if not self.path.exists():
            return warning(f"{self.path} is not there yet; the first start makes it", self.start)
        if not self.path.is_dir():
            return problem(f"{self.path} is no folder", "Name another one with --data.")
        if not os.access(self.path, os.R_OK | os.W_OK | os.X_OK):
            return problem(f"{self.path} can't be written by you", f"chmod u+rwx {quote(str(self.path))}")
        if open_ := [name for name in SECRETS if self._mode(name) & 0o077]:
            files = " ".join(quote(str(self.path / name)) for name in open_)
            return problem(f"others can read {' and '.join(open_)}, so Memex won't start", f"chmod 600 {files}")
        mode = self._mode()
        if mode & 0o077:
            return warning(f"others can look into {self.path} (mode {mode:04o})", f"chmod 700 {quote(str(self.path))}")
        return ok(f"{self.path} is yours alone")

    def _mode(self, name: str = "") -> int:
        if sys.platform == "win32":
            return 0
        try:
            return stat.S_IMODE((self.path / name).stat().st_mode)
        except OSError:
            return 0

    def space(self) -> Finding:
        """Whether the disk has room."""
        there = next(folder for folder in (self.path.absolute(), *self.path.absolute().parents) if folder.is_dir())
        free = shutil.disk_usage(there).free
        told = f"{free / 1e9:.1f} GB are free" if free >= TIGHT else f"{free / 1e6:.0f} MB are free"
        if free < LITTLE:
            return problem(told, f"Make room on the disk of {there}, or name another folder with --data.")
        return warning(told, f"Make room on the disk of {there}.") if free < TIGHT else ok(told)

    def holder(self) -> Holder | None:
        """The process that has the folder, or None."""
        try:
            return lock.holder(self.path)
        except OSError as error:
            raise Unanswered(f"{self.path / lock.NAME} can't be read ({error.strerror})") from None

    def lock(self) -> Finding:
        """Who has the folder, and where that one serves."""
        found = self.holder()
        if found is None:
            return ok("free, no Memex runs on it")
        return ok(f"held by process {found.process}" + (f", which serves {found.address}" if found.address else ""))

    def format(self) -> Finding:
        """Whether this Memex knows the files' format."""
        with self.opened(schema.NAME) as db:
            (found,) = db.execute("PRAGMA user_version").fetchone()
        if found > schema.VERSION:
            return problem(
                f"{schema.NAME} was written by a newer Memex (format {found}, this one knows {schema.VERSION})",
                "Update Memex, or name another folder with --data.",
            )
        if found < schema.VERSION:
            return ok(f"format {found}; the next start brings it to {schema.VERSION}")
        return ok(f"format {found}")

    def sound(self) -> Finding:
        """Whether SQLite finds its files whole."""
        there = [name for name in FILES if (self.path / name).exists()]
        if not there:
            raise Unanswered("nothing has been kept yet")
        for name in there:
            with self.opened(name) as db:
                if said := _damage(db):
                    return problem(
                        f"{name} is damaged: {said}", f"Keep a copy of {self.path}, then restore it from an older copy."
                    )
        return ok(f"{', '.join(there)} are whole" if len(there) > 1 else f"{there[0]} is whole")

    def dead_letters(self) -> Finding:
        """Whether a message was given up."""
        with self.opened(schema.NAME) as db:
            rows = db.execute("SELECT subscription, reason FROM dead_letters ORDER BY n").fetchall()
        if not rows:
            return ok("none")
        told = ", ".join(f"{count} for {name}" for name, count in Counter(str(row[0]) for row in rows).items())
        return warning(f"{told} (the last one {rows[-1][1]}); the sweep does again what they asked for", "memex ops")

    def active(self) -> list[dict[str, Any]]:
        """Operations that have not ended, as they are stored."""
        with self.opened(schema.NAME) as db:
            rows = db.execute("SELECT id, data FROM documents WHERE collection = 'operations'").fetchall()
        found = [{**json.loads(data), "id": id} for id, data in rows]
        return [one for one in found if one.get("status") not in ("completed", "failed", "cancelled")]

    @contextmanager
    def opened(self, name: str) -> Iterator[sqlite3.Connection]:
        """A connection that can't write."""
        file = self.path / name
        if not file.exists():
            raise Unanswered("nothing has been kept yet")
        # Where nobody has the file open there is no log beside it, and SQLite would make one even for a reader.
        alone = "" if file.with_name(f"{name}-wal").exists() else "&immutable=1"
        with schema.readable(file):
            db = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro{alone}", uri=True, timeout=2)
            try:
                yield db
            finally:
                db.close()


def _damage(db: sqlite3.Connection) -> str:
    """What SQLite finds wrong, in one line; empty where nothing is."""
    until = time.monotonic() + PATIENCE
    db.set_progress_handler(lambda: time.monotonic() > until, 100_000)
    try:
        rows = [str(row[0]) for row in db.execute("PRAGMA quick_check(3)")]
    except sqlite3.OperationalError as error:
        if "interrupt" in str(error):
            raise Unanswered("the files are large; looking through them takes more than a few seconds") from None
        raise
    # Looking through a full-text index wants to write, which a reader may not: that says nothing of the index.
    return "; ".join(row for row in rows if row != "ok" and not row.startswith("unable to validate"))
