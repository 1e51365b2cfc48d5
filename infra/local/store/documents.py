"""The documents port on SQLite. It decides what a commit does; the writer decides when it reaches the disk."""

import asyncio
import itertools
import json
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic_core import from_json

from infra.local.store import conditions, courtesy, facets, fulltext, paths, schema
from infra.local.store.lock import FolderLock
from infra.local.store.writer import Writer
from shared.errors import Conflict, Invalid, TooLarge
from shared.store.documents import Document, Expect, Hit, Query, Write

T = TypeVar("T")

LARGEST = 1_048_576
"""Bytes of one document, as in Firestore."""
NOTES = "notes"

# Up to here a read is done sooner than a thread would be woken, so the loop does it itself.
_INLINE_ROWS = 100
_READERS = 2

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


class _Put(NamedTuple):
    """A write, worked out as far as is possible without looking at the store."""

    path: str
    place: paths.Place
    expect: str | Expect
    data: str | None
    facets: list[str]
    tenant: str | None
    terms: fulltext.Terms | None


class _Row(NamedTuple):
    n: int
    version: int
    facets: str
    data: str | None


class SqliteDocuments:
    """All documents of one folder. One process at a time may hold it, and one loop use it; `close` gives it back."""

    def __init__(self, folder: Path, *, now: Callable[[], float] = time.time) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.now = now
        self._lock = FolderLock(folder)
        try:
            opened = schema.create(folder)
            # Grows with every write and every start, so a version never comes back, not even after a deletion.
            self._versions = itertools.count((opened << 40) + 1)
            self._inline = schema.connect(folder, writes=False)
            self._mine = threading.local()
            self._readers: list[sqlite3.Connection] = [self._inline]
            self._pool = ThreadPoolExecutor(_READERS, "memex-reader", self._open_reader)
            self.writer = Writer(schema.connect(folder))
        except BaseException:
            self._lock.release()
            raise
        self._watchers: list[Callable[[], None]] = []

    def close(self) -> None:
        """Finish what was asked for, close the file and release the folder; a second call does nothing."""
        self.writer.close()
        self._pool.shutdown()
        for reader in self._readers:
            reader.close()
        self._lock.release()

    def __enter__(self) -> "SqliteDocuments":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def get(self, path: str) -> Document | None:
        """The document, or None."""
        await courtesy.step()
        row = self._inline.execute(_GET, paths.place(path)).fetchone()
        return None if row is None else Document(path, from_json(row[1]), str(row[0]))

    async def get_many(self, paths: Sequence[str]) -> list[Document | None]:
        """Several documents as they were at one moment, in the order asked."""
        if len(paths) <= _INLINE_ROWS:
            return _get_many(self._inline, paths)
        return await self._read(lambda db: _get_many(db, paths))

    async def query(self, query: Query) -> list[Document]:
        """At most `query.limit` documents."""
        if query.limit < 1:
            return []
        statement = conditions.statement(query)
        if statement.bounded and query.limit <= _INLINE_ROWS:
            return _query(self._inline, statement)
        return await self._read(lambda db: _query(db, statement))

    async def search(
        self, tenant: str, words: Sequence[str], *, kind: str | None, tag: str | None, limit: int
    ) -> list[Hit]:
        """Search documents with any of the words, those with the most and rarest first."""
        plan = fulltext.plan(self._inline, tenant, words, kind, tag, limit)
        if plan is None:
            return []
        if plan.heavy:
            return await self._read(lambda db: fulltext.run(db, plan))
        return fulltext.run(self._inline, plan)

    async def commit(self, writes: Sequence[Write]) -> None:
        """All writes or none; Conflict (code `conflict`) where one expectation fails."""
        puts = [_prepared(write) for write in writes]
        if len(puts) > 1 and len({put.path for put in puts}) < len(puts):
            raise Invalid("a commit may name a document only once", code="invalid_commit")
        await courtesy.step()
        try:
            await self.writer.run(lambda db: self._apply(db, puts), then=self._committed)
        except UnicodeEncodeError as error:
            raise Invalid("a document holds text that is not Unicode", code="invalid_document") from error

    def watch(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Have `changed` called in the loop after each commit that changed notes; the answer ends it."""
        self._watchers.append(changed)
        return lambda: self._watchers.remove(changed)

    def read_inline(self, sql: str, parameters: Sequence[str | int | float] = ()) -> list[tuple[object, ...]]:
        """A short read of the neighbours in this folder (triggers, bus), on the loop."""
        return self._inline.execute(sql, parameters).fetchall()

    def number(self) -> int:
        """The next number of the sequence that versions and message ids come from."""
        return next(self._versions)

    def _apply(self, db: sqlite3.Connection, puts: list[_Put]) -> bool:
        # First all expectations, then the first change: a conflict leaves the transaction to its neighbours.
        rows = [_found(db, put) for put in puts]
        for put, row in zip(puts, rows, strict=True):
            _check(put, row)
        changed = False
        for put, row in zip(puts, rows, strict=True):
            version = next(self._versions)
            kind = _store(db, put, row, version)
            # Like Firestore: only a write that changes something is an event.
            if kind is not None and put.place.collection == NOTES and put.path.count("/") == 3:
                changed = True
                db.execute(
                    "INSERT INTO changes (n, path, kind, at) VALUES (?, ?, ?, ?)",
                    (version, put.path, kind, self.now()),
                )
        return changed

    def _committed(self, changed: bool) -> None:
        if changed:
            for watcher in self._watchers:
                watcher()

    async def _read(self, read: Callable[[sqlite3.Connection], T]) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, lambda: read(self._mine.db))

    def _open_reader(self) -> None:
        self._mine.db = schema.connect(self.folder, writes=False)
        self._readers.append(self._mine.db)


_GET = "SELECT version, data FROM documents WHERE collection = ? AND scope = ? AND id = ?"
_AT = " FROM documents WHERE collection = ? AND scope = ? AND id = ?"


def _prepared(write: Write) -> _Put:
    place = paths.place(write.path)
    tenant = fulltext.tenant_of(place.scope) if place.collection == fulltext.COLLECTION else None
    if write.data is None:
        return _Put(write.path, place, write.expect, None, [], tenant, None)
    try:
        text = _encode(write.data)
    except (TypeError, ValueError) as error:
        raise Invalid(f"{write.path} holds what JSON can't: {error}", code="invalid_document") from error
    if len(text) * 4 > LARGEST and len(text.encode("utf-8", "replace")) > LARGEST:
        raise TooLarge(f"{write.path} would be larger than {LARGEST:,} bytes", code="document_too_large")
    terms = None if tenant is None else fulltext.terms(tenant, write.data)
    return _Put(write.path, place, write.expect, text, facets.entries(place.collection, write.data), tenant, terms)


def _found(db: sqlite3.Connection, put: _Put) -> _Row | None:
    # The old data are needed where they say what changes: in the word index, and for what triggers events.
    whole = put.tenant is not None or put.place.collection == NOTES
    sql = f"SELECT n, version, facets, {'data' if whole else 'NULL'}{_AT}"
    row = db.execute(sql, put.place).fetchone()
    return None if row is None else _Row(*row)


def _check(put: _Put, row: _Row | None) -> None:
    if put.expect is Expect.ANYTHING:
        return
    if put.expect is Expect.ABSENT:
        if row is not None:
            raise Conflict(f"{put.path} exists already")
    elif row is None:
        raise Conflict(f"{put.path} has been deleted")
    elif str(row.version) != put.expect:
        raise Conflict(f"{put.path} was changed by someone else")


def _store(db: sqlite3.Connection, put: _Put, row: _Row | None, version: int) -> str | None:
    if put.data is None:
        return None if row is None else _delete(db, put, row)
    if row is None:
        return _insert(db, put, version)
    return _replace(db, put, row, version)


def _insert(db: sqlite3.Connection, put: _Put, version: int) -> str:
    n = db.execute(
        "INSERT INTO documents (collection, scope, id, version, facets, data) VALUES (?, ?, ?, ?, ?, ?)",
        (*put.place, version, "\n".join(put.facets), put.data),
    ).lastrowid
    assert n is not None  # an INSERT that did not raise
    _index(db, put, n, put.facets)
    if put.terms is not None:
        fulltext.insert(db, n, put.place.id, put.terms)
    return "created"


def _replace(db: sqlite3.Connection, put: _Put, row: _Row, version: int) -> str | None:
    entries = "\n".join(put.facets)
    db.execute(
        "UPDATE documents SET version = ?, facets = ?, data = ? WHERE n = ?", (version, entries, put.data, row.n)
    )
    if entries != row.facets:
        old = row.facets.split("\n") if row.facets else []
        _unindex(db, put, [entry for entry in old if entry not in put.facets])
        _index(db, put, row.n, [entry for entry in put.facets if entry not in old])
    if put.terms is not None and row.data is not None:
        fulltext.replace(db, row.n, row.data, put.terms)
    return None if row.data == put.data else "updated"


def _delete(db: sqlite3.Connection, put: _Put, row: _Row) -> str:
    db.execute("DELETE FROM documents WHERE n = ?", (row.n,))
    _unindex(db, put, row.facets.split("\n") if row.facets else [])
    if put.tenant is not None and row.data is not None:
        fulltext.delete(db, row.n, put.tenant, row.data)
    return "deleted"


def _index(db: sqlite3.Connection, put: _Put, n: int, entries: list[str]) -> None:
    for entry in entries:
        db.execute("INSERT INTO facets VALUES (?, ?, ?, ?)", (entry, put.place.scope, put.place.id, n))


def _unindex(db: sqlite3.Connection, put: _Put, entries: list[str]) -> None:
    for entry in entries:
        db.execute(
            "DELETE FROM facets WHERE facet = ? AND scope = ? AND id = ?", (entry, put.place.scope, put.place.id)
        )


def _get_many(db: sqlite3.Connection, wanted: Sequence[str]) -> list[Document | None]:
    by_folder: dict[tuple[str, str], list[str]] = {}
    for path in wanted:
        collection, scope, id = paths.place(path)
        by_folder.setdefault((collection, scope), []).append(id)
    found: dict[str, Document] = {}
    # Several statements see one moment only inside a transaction.
    if len(by_folder) > 1:
        db.execute("BEGIN")
    try:
        for (collection, scope), ids in by_folder.items():
            folder = paths.folder(scope)
            for id, version, data in db.execute(_GET_MANY, (collection, scope, _encode(ids))).fetchall():
                path = f"{folder}/{id}"
                found[path] = Document(path, from_json(data), str(version))
    finally:
        if len(by_folder) > 1:
            db.execute("COMMIT")
    return [found.get(path) for path in wanted]


_GET_MANY = """SELECT id, version, data FROM documents
    WHERE collection = ? AND scope = ? AND id IN (SELECT value FROM json_each(?))"""


def _query(db: sqlite3.Connection, statement: conditions.Statement) -> list[Document]:
    return [
        Document(f"{paths.folder(scope)}/{id}", from_json(data), str(version))
        for scope, id, version, data in db.execute(statement.sql, statement.parameters).fetchall()
    ]
