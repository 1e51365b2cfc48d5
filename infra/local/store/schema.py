"""The file memex.db: its tables, its version, and how connections to it are opened. It holds no queries."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from infra.local.store import migration
from shared.errors import NotConfigured

NAME = "memex.db"
VERSION = 3

# `collection` comes first so that one index serves a parent's collection and the collection under every parent.
# `scope` is the collection's path with the separators replaced (see paths.py), so order of text is order of path.
# `facets` rows exist only for the fields in facets.py: they are the partial index over documents.
_TABLES = (
    """CREATE TABLE documents (
        n INTEGER PRIMARY KEY, collection TEXT NOT NULL, scope TEXT NOT NULL, id TEXT NOT NULL,
        version INTEGER NOT NULL, facets TEXT NOT NULL, data TEXT NOT NULL)""",
    "CREATE UNIQUE INDEX documents_by_path ON documents (collection, scope, id)",
    """CREATE TABLE facets (
        facet TEXT NOT NULL, scope TEXT NOT NULL, id TEXT NOT NULL, n INTEGER NOT NULL,
        PRIMARY KEY (facet, scope, id)) WITHOUT ROWID""",
    "CREATE TABLE opens (count INTEGER NOT NULL)",
    "INSERT INTO opens VALUES (0)",
    # Words are only looked up, never shown or counted within a note: no content, no positions, no lengths.
    """CREATE VIRTUAL TABLE word_index USING fts5 (
        terms, content = '', detail = none, columnsize = 0,
        tokenize = "ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\\]^_`{|}~'")""",
    "CREATE VIRTUAL TABLE term_counts USING fts5vocab (word_index, 'row')",
    "CREATE TABLE searchable (n INTEGER PRIMARY KEY, id TEXT NOT NULL, headings TEXT NOT NULL)",
    "CREATE TABLE tenants (n INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, notes INTEGER NOT NULL)",
    """CREATE TABLE changes (
        n INTEGER PRIMARY KEY, path TEXT NOT NULL, kind TEXT NOT NULL, at REAL NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0, due_at REAL NOT NULL DEFAULT 0)""",
    "CREATE INDEX changes_by_due ON changes (due_at, n)",
    """CREATE TABLE deliveries (
        n INTEGER PRIMARY KEY AUTOINCREMENT, subscription TEXT NOT NULL, message_id TEXT NOT NULL,
        attributes TEXT NOT NULL, published_at REAL NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
        due_at REAL NOT NULL DEFAULT 0)""",
    "CREATE INDEX deliveries_by_due ON deliveries (subscription, due_at, n)",
    """CREATE TABLE dead_letters (
        n INTEGER PRIMARY KEY, subscription TEXT NOT NULL, message_id TEXT NOT NULL, attributes TEXT NOT NULL,
        published_at REAL NOT NULL, attempts INTEGER NOT NULL, died_at REAL NOT NULL, reason TEXT NOT NULL)""",
)


def create(folder: Path) -> int:
    """Make or check the file in `folder`; the answer says how often it has been opened, this time included."""
    new = not (folder / NAME).exists()
    with readable(folder / NAME):
        opened = _prepare(folder)
    if new and os.name == "posix":
        _sync_folder(folder)
    return opened


def _prepare(folder: Path) -> int:
    db = connect(folder)
    try:
        (found,) = db.execute("PRAGMA user_version").fetchone()
        if found > VERSION:
            raise NotConfigured(
                f"{folder / NAME} was written by a newer Memex (its format is {found}, this one knows {VERSION})",
                code="newer_data",
                next="Update Memex, or start with another folder (--data).",
            )
        db.execute("BEGIN IMMEDIATE")
        if found == 0:
            for statement in _TABLES:
                db.execute(statement)
        else:
            migration.bring_up(db, found)
        db.execute(f"PRAGMA user_version = {VERSION:d}")
        ((opened,),) = db.execute("UPDATE opens SET count = count + 1 RETURNING count").fetchall()
        db.execute("COMMIT")
    finally:
        db.close()
    return int(opened)


@contextmanager
def readable(file: Path) -> Iterator[None]:
    """Say in words that a SQLite file can't be used; nothing is ever repaired or made anew in its place."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise NotConfigured(
            f"{file} can't be opened ({error}).",
            code="unusable_data",
            next="Check that the disk has room and that file and folder may be written, then start again.",
        ) from None
    except sqlite3.DatabaseError as error:
        raise NotConfigured(
            f"{file} is damaged ({error}); it was left as it is.",
            code="damaged_data",
            next="Restore the data folder from a copy, or start with another one (--data).",
        ) from None


def connect(folder: Path, *, writes: bool = True) -> sqlite3.Connection:
    """A connection in autocommit mode; the caller keeps it to one thread at a time."""
    db = sqlite3.connect(folder / NAME, isolation_level=None, check_same_thread=False, cached_statements=256)
    db.execute("PRAGMA busy_timeout = 10000")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA cache_size = -16000")
    db.execute("PRAGMA temp_store = MEMORY")
    db.execute("PRAGMA journal_size_limit = 67108864")
    if not writes:
        db.execute("PRAGMA query_only = ON")
    return db


def _sync_folder(folder: Path) -> None:
    # Without this the name of a new file may be lost with the power, and all commits with it.
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
