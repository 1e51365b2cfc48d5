"""The bank's file: memories, revisions, operations, changes that are not visible yet. A killed process loses none."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from shared.models.base import JsonDict
from shared.models.memory import Action

_TABLES = """
CREATE TABLE IF NOT EXISTS memories (
  id TEXT PRIMARY KEY, scope TEXT NOT NULL, fact TEXT NOT NULL, metadata TEXT NOT NULL,
  created REAL NOT NULL, updated REAL NOT NULL, expires REAL, deleted REAL
);
CREATE INDEX IF NOT EXISTS by_scope ON memories (scope, created);
CREATE TABLE IF NOT EXISTS revisions (
  memory TEXT NOT NULL, id INTEGER NOT NULL, fact TEXT NOT NULL, labels TEXT NOT NULL, metadata TEXT NOT NULL,
  extracted TEXT NOT NULL, created REAL NOT NULL, expires REAL NOT NULL, PRIMARY KEY (memory, id)
);
CREATE TABLE IF NOT EXISTS operations (
  name TEXT PRIMARY KEY, verb TEXT NOT NULL, request TEXT NOT NULL, created REAL NOT NULL,
  looks INTEGER NOT NULL DEFAULT 0, answer TEXT
);
CREATE TABLE IF NOT EXISTS unseen (number INTEGER PRIMARY KEY, change TEXT NOT NULL, reads INTEGER);
"""
REVISION_SECONDS = 365 * 86_400.0
DELETED_SECONDS = 48 * 3600.0
"""How long a deleted memory's revisions stay readable."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A memory."""

    id: str
    scope: str
    fact: str
    metadata: JsonDict
    created: float
    updated: float
    expires: float | None
    deleted: float | None


@dataclass(frozen=True, slots=True)
class Past:
    """A revision."""

    id: int
    fact: str
    labels: JsonDict
    metadata: JsonDict
    extracted: list[str]
    created: float
    expires: float


@dataclass(frozen=True, slots=True)
class Task:
    """An operation; `answer` is what it ended with."""

    name: str
    verb: str
    request: JsonDict
    created: float
    looks: int
    answer: JsonDict | None


@dataclass(frozen=True, slots=True)
class Effect:
    """One change of one memory, complete enough to be made later."""

    action: Action
    id: str
    at: float
    scope: str = ""
    fact: str = ""
    metadata: JsonDict | None = None
    """None leaves it as it is."""
    labels: JsonDict | None = None
    expires: float | None = None
    extracted: tuple[str, ...] = ()
    to_revision: int | None = None
    """A rollback: later revisions are dropped, and a deleted memory is there again."""


class MemoryStore:
    """Each call is a few short statements on a local file, so it may run on the event loop."""

    def __init__(self, file: Path) -> None:
        # One event loop uses it, though not always on the thread that made it.
        self._db = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=NORMAL")
        self._db.executescript(_TABLES)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    @contextmanager
    def atomic(self) -> Iterator[None]:
        """All of it or none."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    # -- memories

    def memory(self, id: str) -> Kept | None:
        """One memory, deleted or not."""
        return next(self._memories("WHERE id = ?", (id,)), None)

    def memories(self, scope: str | None) -> list[Kept]:
        """Those of one scope, or of all, newest first."""
        where, values = ("WHERE scope = ? AND deleted IS NULL", (scope,)) if scope else ("WHERE deleted IS NULL", ())
        return list(self._memories(f"{where} ORDER BY created DESC, rowid DESC", values))

    def _memories(self, tail: str, values: tuple[str, ...]) -> Iterator[Kept]:
        columns = "id, scope, fact, metadata, created, updated, expires, deleted"
        for row in self._db.execute(f"SELECT {columns} FROM memories {tail}", values):  # noqa: S608  # our own words
            yield Kept(row[0], row[1], row[2], json.loads(row[3]), *row[4:])

    def revisions(self, id: str) -> list[Past]:
        """A memory's revisions, newest first."""
        rows = self._db.execute(
            "SELECT id, fact, labels, metadata, extracted, created, expires FROM revisions"
            " WHERE memory = ? ORDER BY id DESC",
            (id,),
        )
        return [Past(row[0], row[1], *map(json.loads, row[2:5]), *row[5:]) for row in rows]

    def apply(self, effect: Effect) -> None:
        """Make a change."""
        match effect.action:
            case "DELETED":
                self._db.execute("UPDATE memories SET deleted = ? WHERE id = ?", (effect.at, effect.id))
            case "CREATED":
                self._db.execute(
                    "INSERT OR REPLACE INTO memories VALUES (?, ?, ?, ?, ?, ?, ?, NULL)",
                    (
                        effect.id,
                        effect.scope,
                        effect.fact,
                        json.dumps(effect.metadata or {}),
                        effect.at,
                        effect.at,
                        effect.expires,
                    ),
                )
                self._revise(effect)
            case "UPDATED":
                self._update(effect)

    def _update(self, effect: Effect) -> None:
        metadata = None if effect.metadata is None else json.dumps(effect.metadata)
        self._db.execute(
            "UPDATE memories SET fact = ?, metadata = coalesce(?, metadata), updated = ?,"
            " expires = coalesce(?, expires), deleted = CASE WHEN ? THEN NULL ELSE deleted END WHERE id = ?",
            (effect.fact, metadata, effect.at, effect.expires, effect.to_revision is not None, effect.id),
        )
        if effect.to_revision is None:
            self._revise(effect)
        else:
            later = (effect.id, effect.to_revision)
            self._db.execute("DELETE FROM revisions WHERE memory = ? AND id > ?", later)

    def _revise(self, effect: Effect) -> None:
        self._db.execute(
            "INSERT INTO revisions SELECT ?, coalesce(max(id), 0) + 1, ?, ?, ?, ?, ?, ?"
            " FROM revisions WHERE memory = ?",
            (
                effect.id,
                effect.fact,
                json.dumps(effect.labels or {}),
                json.dumps(effect.metadata or {}),
                json.dumps(effect.extracted),
                effect.at,
                effect.at + REVISION_SECONDS,
                effect.id,
            ),
        )

    def defer(self, effect: Effect, reads: int | None) -> None:
        """Make a change after so many reads; None means never."""
        self._db.execute("INSERT INTO unseen (change, reads) VALUES (?, ?)", (json.dumps(asdict(effect)), reads))

    def saw(self) -> None:
        """One more read: what has waited for it becomes visible to the next."""
        with self.atomic():
            due = self._db.execute("SELECT number, change FROM unseen WHERE reads <= 1 ORDER BY number").fetchall()
            for number, change in due:
                fields = json.loads(change)
                self.apply(Effect(**{**fields, "extracted": tuple(fields["extracted"])}))
                self._db.execute("DELETE FROM unseen WHERE number = ?", (number,))
            self._db.execute("UPDATE unseen SET reads = reads - 1")

    def expire(self, now: float) -> None:
        """Drop what is past its time."""
        self._db.execute("DELETE FROM memories WHERE expires <= ?", (now,))
        self._db.execute("DELETE FROM memories WHERE deleted <= ?", (now - DELETED_SECONDS,))
        self._db.execute("DELETE FROM revisions WHERE expires <= ?", (now,))
        self._db.execute("DELETE FROM revisions WHERE memory NOT IN (SELECT id FROM memories)")

    # -- operations

    def add(self, task: Task) -> None:
        """Keep a new operation."""
        self._db.execute(
            "INSERT INTO operations (name, verb, request, created) VALUES (?, ?, ?, ?)",
            (task.name, task.verb, json.dumps(task.request), task.created),
        )

    def task(self, name: str) -> Task | None:
        """An operation by its name."""
        return next(self._tasks("WHERE name = ?", (name,)), None)

    def open_since(self, before: float) -> list[Task]:
        """Operations without an end that are older."""
        return list(self._tasks("WHERE answer IS NULL AND created <= ? ORDER BY rowid", (before,)))

    def _tasks(self, tail: str, values: tuple[str | float, ...]) -> Iterator[Task]:
        columns = "name, verb, request, created, looks, answer"
        for row in self._db.execute(f"SELECT {columns} FROM operations {tail}", values).fetchall():  # noqa: S608
            yield Task(row[0], row[1], json.loads(row[2]), row[3], row[4], json.loads(row[5] or "null"))

    def look(self, name: str) -> None:
        """Count one more GET."""
        self._db.execute("UPDATE operations SET looks = looks + 1 WHERE name = ?", (name,))

    def finish(self, name: str, answer: JsonDict) -> None:
        """Keep how it ended; what was asked is needed no more, and it holds what a person said."""
        self._db.execute("UPDATE operations SET answer = ?, request = '{}' WHERE name = ?", (json.dumps(answer), name))

    def count(self, verb: str) -> int:
        """How many operations of a kind were begun."""
        found: int = self._db.execute("SELECT count(*) FROM operations WHERE verb = ?", (verb,)).fetchone()[0]
        return found
