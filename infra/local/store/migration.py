"""Brings a file of an older format up to the current one, inside the transaction of whoever opens it. Loses nothing."""

import json
import sqlite3

from infra.local.store import facets

_PAGE = 500


def bring_up(db: sqlite3.Connection, found: int) -> None:
    """All steps from the format that was found."""
    if found < 2:
        _index_anew(db)


def _index_anew(db: sqlite3.Connection) -> None:
    """Every document's entries as facets.py has them now; documents and their versions stay as they are."""
    last = 0
    while rows := db.execute(
        "SELECT n, collection, scope, id, facets, data FROM documents WHERE n > ? ORDER BY n LIMIT ?", (last, _PAGE)
    ).fetchall():
        for n, collection, scope, id, old, data in rows:
            try:
                entries = facets.entries(collection, json.loads(data))
            except ValueError:
                continue  # what can't be read can't be found by its fields either; whoever asks for it is told
            if (text := "\n".join(entries)) == old:
                continue
            for entry in old.split("\n") if old else ():
                db.execute("DELETE FROM facets WHERE facet = ? AND scope = ? AND id = ?", (entry, scope, id))
            db.executemany("INSERT INTO facets VALUES (?, ?, ?, ?)", [(entry, scope, id, n) for entry in entries])
            db.execute("UPDATE documents SET facets = ? WHERE n = ?", (text, n))
        last = rows[-1][0]
