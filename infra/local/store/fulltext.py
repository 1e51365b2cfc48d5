"""The words of search documents in FTS5, and their ranking. Every word carries its tenant: tenants can't mix."""

import heapq
import json
import math
import re
import sqlite3
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from pydantic_core import from_json

from shared import beginning
from shared.models.base import JsonDict
from shared.store.documents import Hit

COLLECTION = "search"
_NOT_A_WORD = re.compile(r"[\x00-\x1e\x20\x7f]+")
_MOST_WORDS = 30
_UNIT = 1_000_000
# Up to here a search is done sooner than a thread would be woken.
_FEW_NOTES = 3_000
_FEW_ENTRIES = 3_000


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
    heading = beginning.indexed(title if isinstance(title, str) else "", "", _texts(data.get("tags")))
    return Terms(tenant, _clean(_texts(data.get("tokens"))), _clean(heading), _marks(data))


def insert(db: sqlite3.Connection, n: int, id: str, new: Terms) -> None:
    """Index a new search document; `n` is its row."""
    tenant = _tenant_number(db, new.tenant, 1)
    db.execute("INSERT INTO searchable (n, id, headings) VALUES (?, ?, ?)", (n, id, " ".join(new.headings)))
    _add(db, n, tenant, new)


def replace(db: sqlite3.Connection, n: int, old: str, new: Terms) -> None:
    """Index a changed search document anew; `old` is the JSON it had."""
    before = _indexed(db, n, new.tenant, old)
    if before != new:
        tenant = _tenant_number(db, new.tenant, 0)
        _remove(db, n, tenant, before)
        _add(db, n, tenant, new)
        db.execute("UPDATE searchable SET headings = ? WHERE n = ?", (" ".join(new.headings), n))


def delete(db: sqlite3.Connection, n: int, tenant: str, old: str) -> None:
    """Forget a search document; `old` is the JSON it had."""
    _remove(db, n, _tenant_number(db, tenant, -1), _indexed(db, n, tenant, old))
    db.execute("DELETE FROM searchable WHERE n = ?", (n,))


class Plan(NamedTuple):
    """A search that is ready to run."""

    matches: dict[str, str]
    """Of each word, its FTS5 expression."""
    notes: int
    """How many search documents the tenant has."""
    limit: int
    heavy: bool
    """Whether it may read more than the loop should wait for."""


def plan(
    db: sqlite3.Connection, tenant: str, words: Sequence[str], kind: str | None, tag: str | None, limit: int
) -> Plan | None:
    """How to find the words; None where nothing can match."""
    row = db.execute("SELECT n, notes FROM tenants WHERE name = ?", (tenant,)).fetchone()
    wanted = list(dict.fromkeys(_clean(words)))
    if row is None or not wanted or limit < 1:
        return None
    number, notes = row
    heavy = False
    if notes > _FEW_NOTES or len(wanted) > _MOST_WORDS:
        counts = db.execute(
            f"SELECT doc, term FROM term_counts WHERE term IN ({', '.join('?' * len(wanted))})",  # noqa: S608  # marks
            [f"{number}/{word}" for word in wanted],
        ).fetchall()
        # Of a very long question the rarest words say most.
        rarest = sorted(counts)[:_MOST_WORDS]
        heavy = sum(count for count, _ in rarest) > _FEW_ENTRIES
        wanted = [term.partition("/")[2] for _, term in rarest]
    marks = [f"kind:{kind}"] if kind is not None else []
    marks += [f"tag:{tag}"] if tag is not None else []
    only = "".join(f" AND {_quoted(f'{number}!{mark}')}" for mark in _clean(marks))
    return Plan({word: _quoted(f"{number}/{word}") + only for word in wanted}, notes, limit, heavy)


def run(db: sqlite3.Connection, plan: Plan) -> list[Hit]:
    """The best notes first; of equal ones, the newest."""
    lists: dict[str, list[int]] = {}
    for word, match in plan.matches.items():
        ((rows,),) = db.execute(
            "SELECT json_group_array(rowid) FROM word_index WHERE word_index MATCH ?", (match,)
        ).fetchall()
        lists[word] = from_json(rows)
    scores = _scores(lists, plan.notes, plan.limit)
    if not scores:
        return []
    # All that tie with the last one are asked for, so that the newest of them can be chosen.
    last = min(heapq.nlargest(plan.limit, scores.values()))
    best = [n for n, score in scores.items() if score >= last]
    ids = db.execute(
        "SELECT n, id FROM searchable WHERE n IN (SELECT value FROM json_each(?))", (json.dumps(best),)
    ).fetchall()
    ranked = sorted(((scores[n], id) for n, id in ids), reverse=True)[: plan.limit]
    return [Hit(id, score / _UNIT) for score, id in ranked]


def _scores(lists: dict[str, list[int]], notes: int, limit: int) -> dict[int, int]:
    """BM25 of every note that can be among the best `limit`, in whole numbers so that equal notes tie exactly.

    Words count once a note, and length is no fault: a long report that holds all words of a question comes before a
    short note that holds one.
    """
    found = {word: rows for word, rows in sorted(lists.items(), key=lambda one: len(one[1])) if rows}
    weights = beginning.damped({word: _weight(len(rows) - bisect_left(rows, 0), notes) for word, rows in found.items()})
    weighed = []
    for word, rows in found.items():
        middle = bisect_left(rows, 0)
        weighed.append((weights[word], rows[middle:], [-n for n in rows[:middle]]))
    scores: dict[int, int] = {}
    left = sum(weight + weight // 2 for weight, _, _ in weighed)
    for weight, whole, headings in weighed:
        if not scores:
            scores = dict.fromkeys(whole, weight)
        elif len(scores) >= limit and min(heapq.nlargest(limit, scores.values())) > left:
            # The words left are common: no note that has only these can get among the best any more.
            for n in scores.keys() & set(whole):
                scores[n] += weight
        else:
            for n in whole:
                scores[n] = scores.get(n, 0) + weight
        for n in headings:
            if n in scores:
                scores[n] += weight // 2
        left -= weight + weight // 2
    return scores


def _weight(count: int, notes: int) -> int:
    # Lucene's form of the weight, which is never negative.
    return max(1, round(_UNIT * math.log(1 + (max(notes - count, 0) + 0.5) / (count + 0.5))))


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


def _add(db: sqlite3.Connection, n: int, tenant: int, terms: Terms) -> None:
    for row, text in _rows(n, tenant, terms):
        db.execute("INSERT INTO word_index (rowid, terms) VALUES (?, ?)", (row, text))


def _remove(db: sqlite3.Connection, n: int, tenant: int, terms: Terms) -> None:
    for row, text in _rows(n, tenant, terms):
        db.execute("INSERT INTO word_index (word_index, rowid, terms) VALUES ('delete', ?, ?)", (row, text))


def _rows(n: int, tenant: int, terms: Terms) -> list[tuple[int, str]]:
    """A note's row under `n`, and that of its title and tags under `-n`: one look finds a word in both."""
    word, mark = f" {tenant}/", f" {tenant}!"
    marks = "".join(mark + one for one in terms.marks)
    rows = [(n, "".join(word + one for one in terms.words) + marks)]
    if terms.headings:
        rows.append((-n, "".join(word + one for one in terms.headings) + marks))
    return rows


def _clean(words: Sequence[str]) -> list[str]:
    # A space inside a word would begin a term without its tenant.
    return [word for word in _NOT_A_WORD.sub("", "\x1f".join(words)).split("\x1f") if word]


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
