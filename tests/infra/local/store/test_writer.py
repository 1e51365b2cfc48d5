import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.local.store.writer import Job, Writer, derived
from shared.errors import Conflict, MemexError


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    db = sqlite3.connect(tmp_path / "some.db", isolation_level=None, check_same_thread=False)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("CREATE TABLE numbers (n INTEGER PRIMARY KEY)")
    made = Writer(db)
    yield made
    made.close()


def insert(*numbers: int) -> Job[int]:
    def job(db: sqlite3.Connection) -> int:
        for number in numbers:
            db.execute("INSERT INTO numbers VALUES (?)", (number,))
        return sum(numbers)

    return job


async def numbers(writer: Writer) -> list[int]:
    return await writer.run(lambda db: [n for (n,) in db.execute("SELECT n FROM numbers ORDER BY n").fetchall()])


async def grouped(writer: Writer, *jobs: Job[int]) -> list[int | BaseException]:
    """Results of jobs that wait together: the writer is held up until all are there."""
    held = threading.Event()
    blocker = asyncio.ensure_future(writer.run(lambda db: held.wait(30)))
    tasks = [asyncio.ensure_future(writer.run(job)) for job in jobs]
    await asyncio.sleep(0)
    held.set()
    await blocker
    return await asyncio.gather(*tasks, return_exceptions=True)


async def test_jobs_that_wait_together_share_one_transaction(writer: Writer) -> None:
    def inside(db: sqlite3.Connection) -> int:
        return db.execute("SELECT count(*) FROM numbers").fetchall()[0][0]  # type: ignore[no-any-return]  # a count

    assert await grouped(writer, insert(1), inside, insert(2), inside) == [1, 1, 2, 2]


async def test_a_job_that_fails_before_it_changed_anything_fails_alone(writer: Writer) -> None:
    def refuse(db: sqlite3.Connection) -> int:
        raise Conflict("no")

    one, refused, two = await grouped(writer, insert(1), refuse, insert(2))
    assert (one, two) == (1, 2)
    assert isinstance(refused, Conflict)
    assert await numbers(writer) == [1, 2]


async def test_a_job_that_fails_half_way_takes_nothing_and_nobody_with_it(writer: Writer) -> None:
    one, broken, two = await grouped(writer, insert(1), insert(7, 8, 7), insert(2))
    assert (one, two) == (1, 2)
    assert isinstance(broken, MemexError) and broken.code == "store_failed"
    assert await numbers(writer) == [1, 2]
    assert await writer.run(insert(9)) == 9


async def test_a_caller_who_leaves_does_not_stop_the_job_or_its_consequence(writer: Writer) -> None:
    done = asyncio.Event()
    held = threading.Event()
    blocker = asyncio.ensure_future(writer.run(lambda db: held.wait(30)))
    task = asyncio.ensure_future(writer.run(insert(1), then=lambda _: done.set()))
    await asyncio.sleep(0)
    task.cancel()
    held.set()
    await blocker
    await asyncio.wait_for(done.wait(), 30)
    assert await numbers(writer) == [1]


async def test_closing_finishes_what_waits_and_then_refuses(writer: Writer) -> None:
    task = asyncio.ensure_future(writer.run(insert(1)))
    await asyncio.sleep(0)
    writer.send(lambda db: None)
    writer.close()
    assert await task == 1
    with pytest.raises(MemexError):
        await writer.run(lambda db: None)
    writer.send(lambda db: None)


async def test_what_follows_from_an_entry_of_a_queue_is_not_waited_for_on_the_disk(writer: Writer) -> None:
    def synchronous(db: sqlite3.Connection) -> int:
        return int(db.execute("PRAGMA synchronous").fetchone()[0])

    full, normal = 2, 1
    with derived():
        assert await writer.run(synchronous) == normal
    assert await writer.run(synchronous) == full
    assert await writer.run(synchronous, durable=False) == normal
