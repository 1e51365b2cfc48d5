"""Brings a file of an older format up to the current one, inside the transaction of whoever opens it. Loses nothing."""

import json
import sqlite3

from pydantic import JsonValue

from infra.local.store import facets, fulltext
from shared import beginning
from shared.models.base import JsonDict

_PAGE = 500


def bring_up(db: sqlite3.Connection, found: int) -> None:
    """All steps from the format that was found."""
    if found < 2:
        _index_anew(db)
    if found < 3:
        _find_beginnings(db)


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


def _find_beginnings(db: sqlite3.Connection) -> None:
    """Notes are found by beginnings of their first words, too; their other words stay as they were made."""
    last = 0
    while rows := db.execute(_SEARCH_DOCUMENTS, (fulltext.COLLECTION, last, _PAGE)).fetchall():
        for n, scope, old, note in rows:
            tenant = fulltext.tenant_of(scope)
            try:
                data, said = json.loads(old), json.loads(note)
            except ValueError:
                continue  # as above
            if tenant is None or not isinstance(data, dict) or not isinstance(said, dict):
                continue
            new = data | {"tokens": _with_beginnings(data, said)}
            fulltext.replace(db, n, old, fulltext.terms(tenant, new))
            text = json.dumps(new, ensure_ascii=False, separators=(",", ":"))
            db.execute("UPDATE documents SET data = ? WHERE n = ?", (text, n))
        last = rows[-1][0]


# The note of a search document has its id, beside it. Of a long body it holds the beginning, which is all that is read.
_SEARCH_DOCUMENTS = """SELECT entry.n, entry.scope, entry.data, note.data
    FROM documents AS entry JOIN documents AS note ON note.collection = 'notes' AND note.id = entry.id
        AND note.scope = substr(entry.scope, 1, length(entry.scope) - length(entry.collection)) || 'notes'
    WHERE entry.collection = ? AND entry.n > ? ORDER BY entry.n LIMIT ?"""


def _with_beginnings(data: JsonDict, note: JsonDict) -> list[JsonValue]:
    """The tokens of a search document as they would be made now, were its words made anew as they are."""
    body = f"{_text(note.get('body'))}\n{_text(note.get('url'))}"
    words = beginning.with_words(_texts(data.get("tokens")), _text(data.get("title")), body, _texts(data.get("tags")))
    return list(words)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
