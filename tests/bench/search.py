"""Search with the notes read back, beside a bare FTS5 table holding the same notes."""

import asyncio
import itertools
import json
import random
import sqlite3
import statistics
import tempfile
import time
import timeit
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypedDict

from infra.local.store.documents import SqliteDocuments
from shared import beginning, search
from shared.models.ids import ulid
from shared.store.documents import Write

ROUNDS = 9
_QUESTIONS = 40
_VOCABULARY = 40_000
_GROUP = 200


class Row(TypedDict):
    """One line of the bench table; `ratio` is ours / floor."""

    name: str
    ours: float
    floor: float
    ratio: float
    goal: float


def measure() -> list[Row]:
    """Milliseconds of one search (median over questions of 1 to 8 words), and of making a note's words.

    While the last word is typed, its last letter is missing, and the floor is FTS5's own search for a beginning.
    """
    searches = (_search(2_000), _search(2_000, typed=True), _search(50_000))
    return [*map(asyncio.run, searches), _tokens()]


async def _search(notes: int, *, typed: bool = False) -> Row:
    chance = random.Random(7)
    words = _vocabulary(chance)
    weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(len(words))))
    texts = [" ".join(chance.choices(words, cum_weights=weights, k=chance.randint(20, 100))) for _ in range(notes)]
    # Words as they are written: people look for what is in their notes.
    questions = [
        chance.choices(words, cum_weights=weights, k=size)
        for size in itertools.islice(itertools.cycle((1, 2, 3, 4, 8)), _QUESTIONS)
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bare = _bare(folder, texts)
        with SqliteDocuments(folder) as documents:
            await _fill(documents, texts)
            ours, floor = [], []
            for question in questions:
                if typed:
                    question = [*question[:-1], question[-1][: max(3, len(question[-1]) - 1)]]
                wanted = search.words(" ".join(question))
                match = " OR ".join(f'"{word}"' for word in question)
                if typed:
                    wanted.append(beginning.asked(" ".join(question)))
                    match += "*"
                ours.append(await _time_ours(documents, wanted))
                floor.append(_timed(partial(_floor, bare, match)))
        bare.close()
    each = [one / other for one, other in zip(ours, floor, strict=True)]
    return {
        "name": f"search {notes:,} notes{', typing' * typed}, ms; median question (worst {max(each):.2f}x)",
        "ours": statistics.median(ours) * 1e3,
        "floor": statistics.median(floor) * 1e3,
        "ratio": statistics.median(each),
        "goal": 1.5,
    }


async def _time_ours(documents: SqliteDocuments, words: list[str]) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        hits = await documents.search("x", words, kind=None, tag=None, limit=20)
        await documents.get_many([f"tenants/x/notes/{hit.id}" for hit in hits])
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def _floor(db: sqlite3.Connection, match: str) -> None:
    db.execute("SELECT rowid, text FROM bare WHERE bare MATCH ? ORDER BY rank LIMIT 20", (match,)).fetchall()


async def _fill(documents: SqliteDocuments, texts: list[str]) -> None:
    writes: list[Write] = []
    for number, text in enumerate(texts):
        id = ulid(1_700_000_000 + number)
        note = {"kind": "capture", "body": text, "tags": ["some"], "title": None, "revision": 1}
        found = {"tokens": beginning.indexed("", text, ["some"]), "kind": "capture", "tags": ["some"], "title": None}
        writes.append(Write(f"tenants/x/notes/{id}", json.loads(json.dumps(note))))
        writes.append(Write(f"tenants/x/search/{id}", json.loads(json.dumps(found))))
    for start in range(0, len(writes), 2 * _GROUP):
        await documents.commit(writes[start : start + 2 * _GROUP])


def _bare(folder: Path, texts: list[str]) -> sqlite3.Connection:
    """The same notes in as many transactions as ours get: FTS5 is slower after many small ones."""
    db = sqlite3.connect(folder / "bare.db", isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA cache_size = -16000")
    db.execute("CREATE VIRTUAL TABLE bare USING fts5 (text)")
    for start in range(0, len(texts), _GROUP):
        db.execute("BEGIN")
        db.executemany("INSERT INTO bare (text) VALUES (?)", [(text,) for text in texts[start : start + _GROUP]])
        db.execute("COMMIT")
    return db


def _vocabulary(chance: random.Random) -> list[str]:
    def word() -> str:
        return "".join(chance.choice("bcdfglmnprst") + chance.choice("aou") for _ in range(chance.randint(2, 4)))

    return [word() for _ in range(_VOCABULARY)]


def _timed(act: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        act()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def _tokens() -> Row:
    text = " ".join(("We moved the database to a cheaper region and measured latency for a week.").split() * 5)
    text = " ".join(text.split()[:60])

    def act() -> None:
        for _ in range(100):
            beginning.indexed("A note", text, ["work", "data-base"])

    def split() -> None:
        for _ in range(100):
            list(dict.fromkeys(text.lower().split()))

    act()
    # The quickest round: this is pure reckoning, and all that makes it slower is somebody else.
    ours, floor = (min(timeit.repeat(run, number=1, repeat=ROUNDS)) * 10 for run in (act, split))
    return {"name": "words of a 60-word note, ms", "ours": ours, "floor": floor, "ratio": ours / floor, "goal": 20.0}
