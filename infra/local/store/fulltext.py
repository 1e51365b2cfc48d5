"""The words of search documents in FTS5, and their ranking. Every word carries its tenant: tenants can't mix."""

import json
import math
import re
import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from shared import search
from shared.models.base import JsonDict
from shared.store.documents import Hit

COLLECTION = "search"
_NOT_A_WORD = re.compile(r"[\x00-\x1e\x20\x7f]+")
_MOST_WORDS = 30
_HEADING = 0.5
"""What a word adds again where title or tags hold it."""


class Terms(NamedTuple):
    """What a search document puts into the index."""

    tenant: str
    words: list[str]
    headings: list[str]
    marks: list[str]


def tenant_of(scope: str) -> str | None:
    """The tenant whose search documents lie in `scope` (as in paths.py), if any."""
    parts = scope.split("\x01")
    return parts[1] if len(parts) == 3 and parts[0] == "tenants" and parts[2] == COLLECTION else None


def terms(tenant: str, data: JsonDict) -> Terms:
    """The terms of a search document."""
    title = data.get("title")
    heading = search.tokens(title if isinstance(title, str) else "", "", _texts(data.get("tags")))
    return Terms(tenant, _clean(_texts(data.get("tokens"))), _clean(heading), _marks(data))


def insert(db: sqlite3.Connection, n: int, id: str, new: Terms) -> None:
    """Index a new search document; `n` is its row."""
    tenant = _tenant_number(db, new.tenant, 1)
    db.execute("INSERT INTO searchable (n, id, headings) VALUES (?, ?, ?)", (n, id, " ".join(new.headings)))
    db.execute("INSERT INTO word_index (rowid, terms) VALUES (?, ?)", (n, _text(tenant, new)))


def replace(db: sqlite3.Connection, n: int, old: str, new: Terms) -> None:
    """Index a changed search document anew; `old` is the JSON it had."""
    tenant = _tenant_number(db, new.tenant, 0)
    before, after = _text(tenant, _indexed(db, n, new.tenant, old)), _text(tenant, new)
    if before != after:
        db.execute("INSERT INTO word_index (word_index, rowid, terms) VALUES ('delete', ?, ?)", (n, before))
        db.execute("INSERT INTO word_index (rowid, terms) VALUES (?, ?)", (n, after))
        db.execute("UPDATE searchable SET headings = ? WHERE n = ?", (" ".join(new.headings), n))


def delete(db: sqlite3.Connection, n: int, tenant: str, old: str) -> None:
    """Forget a search document; `old` is the JSON it had."""
    before = _text(_tenant_number(db, tenant, -1), _indexed(db, n, tenant, old))
    db.execute("INSERT INTO word_index (word_index, rowid, terms) VALUES ('delete', ?, ?)", (n, before))
    db.execute("DELETE FROM searchable WHERE n = ?", (n,))


class Plan(NamedTuple):
    """A search that is ready to run; `size` is how many entries it reads."""

    sql: str
    parameters: list[str | int]
    size: int


def plan(
    db: sqlite3.Connection, tenant: str, words: Sequence[str], kind: str | None, tag: str | None, limit: int
) -> Plan | None:
    """How to find the words; None where nothing can match."""
    row = db.execute("SELECT n, notes FROM tenants WHERE name = ?", (tenant,)).fetchone()
    wanted = list(dict.fromkeys(_clean(words)))
    if row is None or not wanted or limit < 1:
        return None
    number, notes = row
    found = []
    for word in wanted:
        term = f"{number}/{word}"
        count = db.execute("SELECT doc FROM term_counts WHERE term = ?", (term,)).fetchone()
        if count is not None:
            found.append((count[0], term, f"{number}^{word}"))
    if not found:
        return None
    # Of a very long question the rarest words say most.
    found = sorted(found)[:_MOST_WORDS]
    marks = [f"kind:{kind}"] if kind is not None else []
    marks += [f"tag:{tag}"] if tag is not None else []
    only = "".join(f" AND {_quoted(f'{number}!{mark}')}" for mark in _clean(marks))
    branches: list[str] = []
    parameters: list[str | int] = []
    for count, term, heading in found:
        # BM25's weight of a word (Lucene's form, never negative). Words count once a note, and length is no fault:
        # a long report that holds all words of a question comes before a short note that holds one.
        # Whole numbers, so that equal notes tie exactly.
        weight = round(1e6 * math.log(1 + (max(notes - count, 0) + 0.5) / (count + 0.5)))
        for sought, worth in ((term, max(weight, 1)), (heading, max(round(weight * _HEADING), 1))):
            branches.append("SELECT rowid AS n, ? AS worth FROM word_index WHERE word_index MATCH ?")
            parameters += [worth, _quoted(sought) + only]
    sql = (
        "SELECT s.id, found.score FROM (SELECT n, sum(worth) AS score FROM"
        f" ({' UNION ALL '.join(branches)}) GROUP BY n) found"
        " CROSS JOIN searchable s ON s.n = found.n ORDER BY found.score DESC, s.id DESC LIMIT ?"
    )
    return Plan(sql, [*parameters, limit], sum(count for count, _, _ in found))


def run(db: sqlite3.Connection, plan: Plan) -> list[Hit]:
    """The best notes first; of equal ones, the newest."""
    return [Hit(id, score / 1e6) for id, score in db.execute(plan.sql, plan.parameters).fetchall()]


def _indexed(db: sqlite3.Connection, n: int, tenant: str, old: str) -> Terms:
    # FTS5 forgets exactly the terms it is told. Headings are read back, because how words are made may have changed.
    ((headings,),) = db.execute("SELECT headings FROM searchable WHERE n = ?", (n,)).fetchall()
    data = json.loads(old)
    return Terms(tenant, _clean(_texts(data.get("tokens"))), headings.split(), _marks(data))


def _marks(data: JsonDict) -> list[str]:
    kind = data.get("kind")
    marks = [f"kind:{kind}"] if isinstance(kind, str) else []
    return _clean(marks + [f"tag:{tag}" for tag in _texts(data.get("tags"))])


def _tenant_number(db: sqlite3.Connection, name: str, more: int) -> int:
    ((number,),) = db.execute(
        "INSERT INTO tenants (name, notes) VALUES (?, ?)"
        " ON CONFLICT (name) DO UPDATE SET notes = notes + excluded.notes RETURNING n",
        (name, more),
    ).fetchall()
    return int(number)


def _text(tenant: int, terms: Terms) -> str:
    words, headings, marks = f" {tenant}/", f" {tenant}^", f" {tenant}!"
    return "".join(
        [
            *(words + word for word in terms.words),
            *(headings + word for word in terms.headings),
            *(marks + mark for mark in terms.marks),
        ]
    )


def _clean(words: Sequence[str]) -> list[str]:
    # A space inside a word would begin a term without its tenant.
    return [word for word in _NOT_A_WORD.sub("", "\x1f".join(words)).split("\x1f") if word]


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
