"""Executions on disk: `executions.db`, one SQLite file. It is the only module that writes SQL.

Durability. The file is in WAL mode. A commit with synchronous=NORMAL has handed its pages to the operating system, so
it survives `kill -9` of this process; only a power failure can take the last ones back, and then a step is run again,
which is what happens to one that was under way anyway. What a caller was told (an execution exists, it has ended) must
not be taken back: those commits use synchronous=FULL. All calls are short and local, so they run on the event loop.
"""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from infra.local.workflow.errors import NotFound
from infra.local.workflow.records import ExecutionError, Position, StackElement, State, StepEntry

SCHEMA_VERSION = 1

_SCHEMA = """
CREATE TABLE revisions (
    workflow TEXT NOT NULL, revision TEXT NOT NULL, source TEXT NOT NULL, created REAL NOT NULL,
    PRIMARY KEY (workflow, revision)
) WITHOUT ROWID;
CREATE TABLE executions (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
    workflow TEXT NOT NULL, revision TEXT NOT NULL, state TEXT NOT NULL, argument TEXT NOT NULL,
    created REAL NOT NULL, ended REAL, result TEXT, error TEXT, positions TEXT,
    log_level TEXT NOT NULL, labels TEXT NOT NULL
);
CREATE INDEX executions_by_workflow ON executions (workflow, number);
CREATE INDEX executions_by_state ON executions (state);
-- What changes with every step stands apart, so that the argument and the result are not written again.
CREATE TABLE threads (
    number INTEGER PRIMARY KEY, steps INTEGER NOT NULL, billed INTEGER NOT NULL, thread TEXT NOT NULL
);
CREATE VIEW execution_rows AS SELECT executions.*, threads.billed FROM executions JOIN threads USING (number);
CREATE TABLE step_entries (
    number INTEGER NOT NULL, id INTEGER NOT NULL, routine TEXT NOT NULL, step TEXT NOT NULL, type TEXT NOT NULL,
    created REAL NOT NULL, parent INTEGER, state TEXT NOT NULL, updated REAL NOT NULL, exception TEXT, note TEXT,
    PRIMARY KEY (number, id)
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Row:
    """An execution as stored."""

    number: int
    id: str
    workflow: str
    revision: str
    state: State
    argument: str
    created: float
    ended: float | None
    result: str | None
    error: ExecutionError | None
    positions: tuple[Position, ...]
    log_level: str
    labels: dict[str, str]
    billed: int


@dataclass(frozen=True, slots=True)
class NewRow:
    """An execution that begins."""

    id: str
    workflow: str
    revision: str
    argument: str
    created: float
    thread: str
    log_level: str
    labels: dict[str, str]


@dataclass(frozen=True, slots=True)
class Saved:
    """Where an execution stood when its process ended."""

    steps: int
    billed: int
    thread: str
    open_entries: dict[int, StepEntry]


class Store:
    """The file `executions.db`."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(folder / "executions.db", isolation_level=None)
        self._db.row_factory = sqlite3.Row
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=NORMAL")
        self._db.execute("PRAGMA busy_timeout=5000")
        self._migrate()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _migrate(self) -> None:
        [version] = self._db.execute("PRAGMA user_version").fetchone()
        if version == SCHEMA_VERSION:
            return
        if version != 0:
            raise RuntimeError(f"executions.db has schema {version}; this program knows {SCHEMA_VERSION}")
        self._db.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")

    # Definitions

    def keep_revision(self, workflow: str, revision: str, source: str, now: float) -> float:
        """Store a definition unless it is there; return when it was first seen."""
        self._db.execute("INSERT OR IGNORE INTO revisions VALUES (?, ?, ?, ?)", (workflow, revision, source, now))
        row = self._revision(workflow, revision)
        return float(row["created"])

    def revision(self, workflow: str, revision: str) -> str:
        """Return the source of a definition that an execution began with."""
        return str(self._revision(workflow, revision)["source"])

    def _revision(self, workflow: str, revision: str) -> sqlite3.Row:
        query = "SELECT * FROM revisions WHERE workflow = ? AND revision = ?"
        row: sqlite3.Row | None = self._db.execute(query, (workflow, revision)).fetchone()
        if row is None:
            raise NotFound(f"revision {revision} of workflow {workflow} not found")
        return row

    # Executions

    def create(self, row: NewRow, source: str) -> int:
        """Store a new execution, and the definition it runs, for good; return its number."""
        with _Durable(self._db):
            self.keep_revision(row.workflow, row.revision, source, row.created)
            cursor = self._db.execute(
                "INSERT INTO executions (id, workflow, revision, state, argument, created, log_level, labels) "
                "VALUES (?, ?, ?, 'ACTIVE', ?, ?, ?, ?)",
                (row.id, row.workflow, row.revision, row.argument, row.created, row.log_level, json.dumps(row.labels)),
            )
            number = cursor.lastrowid
            assert number is not None
            self._db.execute("INSERT INTO threads VALUES (?, 0, 0, ?)", (number, row.thread))
        return number

    def save(self, number: int, steps: int, billed: int, thread: str, entries: Iterable[StepEntry]) -> None:
        """Store where an execution stands, and the step entries that began or changed."""
        with _Transaction(self._db):
            self._write_entries(number, entries)
            self._db.execute(
                "UPDATE threads SET steps = ?, billed = ?, thread = ? WHERE number = ?", (steps, billed, thread, number)
            )

    def finish(
        self,
        number: int,
        state: State,
        now: float,
        *,
        result: str | None = None,
        error: ExecutionError | None = None,
        positions: tuple[Position, ...] = (),
        steps: int = 0,
        billed: int = 0,
        entries: Iterable[StepEntry] = (),
    ) -> None:
        """Store an execution's end for good."""
        with _Durable(self._db):
            self._write_entries(number, entries)
            self._db.execute(
                "UPDATE executions SET state = ?, ended = ?, result = ?, error = ?, positions = ? WHERE number = ?",
                (
                    state,
                    now,
                    result,
                    json.dumps(asdict(error)) if error else None,
                    json.dumps([[one.routine, one.step] for one in positions]),
                    number,
                ),
            )
            self._db.execute(
                "UPDATE threads SET steps = max(steps, ?), billed = max(billed, ?), thread = '' WHERE number = ?",
                (steps, billed, number),
            )
            self._db.execute(
                "UPDATE step_entries SET state = 'STATE_CANCELLED', updated = ? "
                "WHERE number = ? AND state = 'STATE_IN_PROGRESS'",
                (now, number),
            )

    def _write_entries(self, number: int, entries: Iterable[StepEntry]) -> None:
        self._db.executemany(
            "INSERT OR REPLACE INTO step_entries "
            "(number, id, routine, step, type, created, parent, state, updated, exception, note) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    number,
                    entry.id,
                    entry.routine,
                    entry.step,
                    entry.type,
                    entry.created,
                    entry.parent,
                    entry.state,
                    entry.updated,
                    entry.exception,
                    entry.note,
                )
                for entry in entries
            ],
        )

    def find(self, execution_id: str) -> Row | None:
        """Return an execution."""
        row = self._db.execute("SELECT * FROM execution_rows WHERE id = ?", (execution_id,)).fetchone()
        return None if row is None else _row(row)

    def active(self) -> list[Row]:
        """Return the executions that have not ended, oldest first."""
        rows = self._db.execute("SELECT * FROM execution_rows WHERE state = 'ACTIVE' ORDER BY number")
        return [_row(row) for row in rows]

    def page(self, workflow: str | None, states: Iterable[str], before: int, size: int) -> list[Row]:
        """Return executions older than number `before`, newest first."""
        wanted = list(states)
        rows = self._db.execute(
            "SELECT * FROM execution_rows WHERE number < :before AND (:workflow IS NULL OR workflow = :workflow) "
            "AND (:any OR state IN (SELECT value FROM json_each(:states))) ORDER BY number DESC LIMIT :size",
            {
                "before": before,
                "workflow": workflow,
                "any": not wanted,
                "states": json.dumps(wanted),
                "size": size,
            },
        )
        return [_row(row) for row in rows]

    def saved(self, number: int) -> Saved:
        """Return where an execution stands."""
        row = self._db.execute("SELECT * FROM threads WHERE number = ?", (number,)).fetchone()
        rows = self._db.execute(
            "SELECT * FROM step_entries WHERE number = ? AND state = 'STATE_IN_PROGRESS'", (number,)
        )
        return Saved(row["steps"], row["billed"], row["thread"], {entry.id: entry for entry in map(_entry, rows)})

    # Step entries

    def count_entries(self, number: int) -> int:
        """Count an execution's step entries."""
        [count] = self._db.execute("SELECT count(*) FROM step_entries WHERE number = ?", (number,)).fetchone()
        return int(count)

    def entries(self, number: int, *, skip: int, size: int, newest_first: bool = False) -> list[StepEntry]:
        """Return step entries in order."""
        oldest = "SELECT * FROM step_entries WHERE number = ? ORDER BY id LIMIT ? OFFSET ?"
        newest = "SELECT * FROM step_entries WHERE number = ? ORDER BY id DESC LIMIT ? OFFSET ?"
        rows = self._db.execute(newest if newest_first else oldest, (number, size, skip))
        return [_entry(row) for row in rows]

    def entry(self, number: int, entry: int) -> StepEntry | None:
        """Return one step entry."""
        row = self._db.execute("SELECT * FROM step_entries WHERE number = ? AND id = ?", (number, entry)).fetchone()
        return None if row is None else _entry(row)

    def purge(self, before: float) -> int:
        """Forget executions that ended before a time, and old definitions that none needs; count the executions."""
        with _Durable(self._db):
            self._db.execute(
                "DELETE FROM step_entries WHERE number IN (SELECT number FROM executions WHERE ended < ?)", (before,)
            )
            self._db.execute(
                "DELETE FROM threads WHERE number IN (SELECT number FROM executions WHERE ended < ?)", (before,)
            )
            gone = self._db.execute("DELETE FROM executions WHERE ended < ?", (before,)).rowcount
            self._db.execute(
                "DELETE FROM revisions WHERE created < ? AND NOT EXISTS (SELECT 1 FROM executions "
                "WHERE executions.workflow = revisions.workflow AND executions.revision = revisions.revision)",
                (before,),
            )
        return gone


class _Transaction:
    """All or nothing; the connection is usable afterwards, also where the disk was full."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, _: object, __: object) -> None:
        try:
            if kind is None:
                self._db.execute("COMMIT")
        finally:
            # SQLite may have rolled back by itself; a second time would be an error.
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")


class _Durable(_Transaction):
    """A transaction that has reached the disk when it is over."""

    def __enter__(self) -> None:
        self._db.execute("PRAGMA synchronous=FULL")
        super().__enter__()

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        try:
            super().__exit__(kind, error, trace)
        finally:
            self._db.execute("PRAGMA synchronous=NORMAL")


def _row(row: sqlite3.Row) -> Row:
    error = json.loads(row["error"]) if row["error"] else None
    return Row(
        row["number"],
        row["id"],
        row["workflow"],
        row["revision"],
        row["state"],
        row["argument"],
        row["created"],
        row["ended"],
        row["result"],
        _error(error) if error else None,
        tuple(Position(routine, step) for routine, step in json.loads(row["positions"] or "[]")),
        row["log_level"],
        json.loads(row["labels"]),
        row["billed"] or 0,
    )


def _entry(row: sqlite3.Row) -> StepEntry:
    _, *columns = row
    return StepEntry(*columns)


def _error(data: dict[str, Any]) -> ExecutionError:
    trace = tuple(StackElement(**element) for element in data["trace"])
    return ExecutionError(data["payload"], data["context"], trace)
