"""Commits of one document, beside bare inserts into SQLite with the same settings; messages and changes delivered."""

import asyncio
import json
import random
import tempfile
import time
from pathlib import Path
from statistics import median

from infra.local.store import schema
from infra.local.store.documents import SqliteDocuments
from shared.models.ids import ulid
from shared.store.documents import Expect, Write
from tests.bench.search import Row

COMMITS = 480
"""In each round; the kinds take turns, because disks have moods."""
ROUNDS = 5
_WAYS = 16


def measure() -> list[Row]:
    """Microseconds a commit, one after the other and 16 at once; and a read. The floor is one bare statement."""
    floor, single, many = [], [], []
    with tempfile.TemporaryDirectory() as name:
        for turn in range(ROUNDS):
            folder = Path(name) / str(turn)
            floor.append(_bare_inserts(folder / "bare"))
            single.append(asyncio.run(_commits(folder / "1", 1)))
            many.append(asyncio.run(_commits(folder / "16", _WAYS)))
        bare = median(floor)
        ours, read = asyncio.run(_gets(Path(name) / "get"))
    return [
        _row("commit one after the other, us", median(single), bare, 3.0),
        _row("commit 16 at once, us", median(many), bare, 1.5),
        _row("get, us", ours, read, 3.0),
    ]


def _row(name: str, ours: float, floor: float, goal: float) -> Row:
    return {"name": name, "ours": ours, "floor": floor, "ratio": ours / floor, "goal": goal}


def _note(number: int) -> dict[str, object]:
    return {
        "kind": "capture",
        "body": "What we talked about at lunch, and where to read on. " * 8,
        "tags": ["work"],
        "enrichment": {"status": "pending"},
        "research": {"requested": False},
        "revision": number,
    }


def _bare_inserts(folder: Path) -> float:
    folder.mkdir(parents=True)
    schema.create(folder)
    db = schema.connect(folder)
    db.execute("CREATE TABLE bare (path TEXT PRIMARY KEY, data TEXT NOT NULL)")
    start = time.perf_counter()
    for number in range(COMMITS):
        id = ulid(1_700_000_000 + number)
        db.execute("INSERT INTO bare VALUES (?, ?)", (f"tenants/x/notes/{id}", json.dumps(_note(number))))
    took = time.perf_counter() - start
    db.close()
    return took / COMMITS * 1e6


async def _commits(folder: Path, ways: int) -> float:
    with SqliteDocuments(folder) as documents:

        async def some(way: int) -> None:
            for number in range(COMMITS // ways):
                path = f"tenants/x/notes/{ulid(1_700_000_000 + number)}"
                data = json.loads(json.dumps(_note(way)))
                await documents.commit([Write(path, data, Expect.ABSENT)])

        start = time.perf_counter()
        await asyncio.gather(*(some(way) for way in range(ways)))
        return (time.perf_counter() - start) / COMMITS * 1e6


async def _gets(folder: Path) -> tuple[float, float]:
    chance = random.Random(7)
    with SqliteDocuments(folder) as documents:
        ids = [ulid(1_700_000_000 + number) for number in range(COMMITS)]
        await documents.commit([Write(f"tenants/x/notes/{id}", json.loads(json.dumps(_note(1)))) for id in ids])
        chance.shuffle(ids)
        start = time.perf_counter()
        for id in ids:
            await documents.get(f"tenants/x/notes/{id}")
        ours = time.perf_counter() - start
        db = schema.connect(folder, writes=False)
        db.execute("SELECT count(*) FROM documents").fetchall()
        start = time.perf_counter()
        for id in ids:
            (text,) = db.execute(
                "SELECT data FROM documents WHERE collection = 'notes' AND scope = ? AND id = ?",
                ("tenants\x01x\x01notes", id),
            ).fetchone()
            json.loads(text)
        floor = time.perf_counter() - start
        db.close()
    return ours / COMMITS * 1e6, floor / COMMITS * 1e6
