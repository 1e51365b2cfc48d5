"""The stand-in's memory: runs, and every request it was asked, in one SQLite file. A killed process loses nothing."""

import json
import sqlite3
from dataclasses import dataclass, replace
from pathlib import Path

from shared.models.base import JsonDict

_TABLES = """
CREATE TABLE IF NOT EXISTS runs (
  id TEXT PRIMARY KEY, created REAL NOT NULL, duration REAL NOT NULL, mode TEXT NOT NULL, request TEXT NOT NULL,
  finding TEXT, cancelled REAL, deleted REAL, looks INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS requests (
  number INTEGER PRIMARY KEY, at REAL NOT NULL, action TEXT NOT NULL, run TEXT NOT NULL, status INTEGER NOT NULL,
  labels TEXT NOT NULL, fingerprint TEXT NOT NULL
);
"""


@dataclass(frozen=True, slots=True)
class Run:
    """An interaction: what was asked, and the few facts from which everything else follows."""

    id: str
    created: float
    duration: float
    mode: str
    request: JsonDict
    finding: JsonDict | None = None
    cancelled: float | None = None
    deleted: float | None = None
    looks: int = 0
    """GETs so far, this one included."""

    @property
    def labels(self) -> dict[str, str]:
        """The request's labels."""
        labels = self.request.get("labels")
        return {name: str(value) for name, value in labels.items()} if isinstance(labels, dict) else {}


class ResearchStore:
    """Runs and requests. Each call is one short statement on a local file, so it may run on the event loop."""

    def __init__(self, file: Path) -> None:
        # One event loop uses it, though not always on the thread that made it.
        self._db = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=NORMAL")
        self._db.executescript(_TABLES)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def add(self, run: Run) -> None:
        """Keep a new run."""
        self._db.execute(
            "INSERT INTO runs (id, created, duration, mode, request) VALUES (?, ?, ?, ?, ?)",
            (run.id, run.created, run.duration, run.mode, json.dumps(run.request)),
        )

    def run(self, run_id: str) -> Run | None:
        """A run by its id."""
        row = self._db.execute(
            "SELECT id, created, duration, mode, request, finding, cancelled, deleted, looks FROM runs WHERE id = ?",
            (run_id,),
        ).fetchone()
        if row is None:
            return None
        return Run(row[0], row[1], row[2], row[3], json.loads(row[4]), json.loads(row[5] or "null"), *row[6:])

    def look(self, run: Run) -> Run:
        """Count one more GET."""
        self._db.execute("UPDATE runs SET looks = looks + 1 WHERE id = ?", (run.id,))
        return replace(run, looks=run.looks + 1)

    def found(self, run_id: str, finding: JsonDict) -> None:
        """Keep what the research found; the first finding stays."""
        self._db.execute("UPDATE runs SET finding = ? WHERE id = ? AND finding IS NULL", (json.dumps(finding), run_id))

    def cancel(self, run_id: str, at: float) -> None:
        """Mark a run as cancelled; the first time stays."""
        self._db.execute("UPDATE runs SET cancelled = coalesce(cancelled, ?) WHERE id = ?", (at, run_id))

    def delete(self, run_id: str, at: float) -> None:
        """Mark a run as deleted."""
        self._db.execute("UPDATE runs SET deleted = coalesce(deleted, ?) WHERE id = ?", (at, run_id))

    def forget(self, before: float) -> None:
        """Drop runs that are older."""
        self._db.execute("DELETE FROM runs WHERE created < ?", (before,))

    def log(
        self,
        action: str,
        at: float,
        *,
        run: str = "",
        status: int = 200,
        labels: dict[str, str] | None = None,
        fingerprint: str = "",
    ) -> None:
        """Note a request that was answered."""
        self._db.execute(
            "INSERT INTO requests (at, action, run, status, labels, fingerprint) VALUES (?, ?, ?, ?, ?, ?)",
            (at, action, run, status, json.dumps(labels or {}, sort_keys=True), fingerprint),
        )

    def count(self, action: str, *, run: str | None = None, fingerprint: str | None = None, **labels: str) -> int:
        """How many requests of a kind there were, for one run, one input, or certain labels."""
        rows = self._db.execute("SELECT run, fingerprint, labels FROM requests WHERE action = ?", (action,))
        return sum(
            (run is None or row[0] == run)
            and (fingerprint is None or row[1] == fingerprint)
            and labels.items() <= json.loads(row[2]).items()
            for row in rows
        )

    def requests(self) -> list[JsonDict]:
        """Every request, oldest first."""
        rows = self._db.execute("SELECT at, action, run, status, labels FROM requests ORDER BY number")
        names = ("at", "action", "run", "status")
        return [dict(zip(names, row[:4], strict=True)) | {"labels": json.loads(row[4])} for row in rows]
