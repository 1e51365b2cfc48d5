import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from infra.local.clock import VirtualClock
from infra.local.store.documents import SqliteDocuments
from infra.local.store.triggers import Triggers
from shared.store.documents import Write

HOUR = 3600.0


class Receiver:
    """Answers 200, or what `answers` says for a document; keeps the clock's time of every delivery."""

    def __init__(self, clock: VirtualClock) -> None:
        self.clock = clock
        self.got: list[tuple[float, dict[str, str], bytes]] = []
        self.answers: dict[str, list[int | Exception]] = {}

    async def __call__(self, headers: dict[str, str], body: bytes) -> int:
        self.got.append((self.clock.now(), headers, body))
        answers = self.answers.get(headers["ce-document"])
        answer = answers.pop(0) if answers else 200
        if isinstance(answer, Exception):
            raise answer
        return answer

    @property
    def paths(self) -> list[str]:
        return [headers["ce-document"] for _, headers, _ in self.got]


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def receiver(clock: VirtualClock) -> Receiver:
    return Receiver(clock)


@pytest.fixture
def documents(tmp_path: Path, clock: VirtualClock) -> Iterator[SqliteDocuments]:
    with SqliteDocuments(tmp_path, now=clock.now) as opened:
        yield opened


@contextlib.asynccontextmanager
async def running(
    documents: SqliteDocuments,
    receiver: Callable[[dict[str, str], bytes], Awaitable[int]],
    clock: VirtualClock,
    concurrency: int = 4,
    yield_to: Callable[[], Awaitable[None]] | None = None,
) -> AsyncIterator[Triggers]:
    triggers = Triggers(documents, receiver, clock=clock, project="p", concurrency=concurrency, yield_to=yield_to)
    task = asyncio.create_task(triggers.run())
    try:
        yield triggers
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def note(id: str, n: int = 0) -> Write:
    return Write(f"tenants/x/notes/{id}", {"n": n})


async def delivered_all(triggers: Triggers, clock: VirtualClock) -> None:
    """Wait until nothing is left in the log, retries included."""
    async with asyncio.timeout(30):
        while triggers.waiting():
            await clock.sleep(600)


async def test_the_headers_are_those_of_eventarc(
    documents: SqliteDocuments, receiver: Receiver, clock: VirtualClock
) -> None:
    async with running(documents, receiver, clock) as triggers:
        await documents.commit([note("n1")])
        await triggers.settled()
    ((_, headers, _),) = receiver.got
    id = headers.pop("ce-id")
    assert len(id) == 36
    assert headers == {
        "content-type": "application/protobuf",
        "ce-specversion": "1.0",
        "ce-source": "//firestore.googleapis.com/projects/p/databases/(default)",
        "ce-type": "google.cloud.firestore.document.v1.written",
        "ce-subject": "documents/tenants/x/notes/n1",
        "ce-time": "2023-11-14T22:13:20.000000Z",
        "ce-dataschema": "https://github.com/googleapis/google-cloudevents/blob/main/proto/google/events/cloud/firestore/v1/data.proto",
        "ce-project": "p",
        "ce-location": "local",
        "ce-database": "(default)",
        "ce-namespace": "(default)",
        "ce-document": "tenants/x/notes/n1",
    }


async def test_a_path_that_no_header_can_hold_is_escaped(
    documents: SqliteDocuments, receiver: Receiver, clock: VirtualClock
) -> None:
    async with running(documents, receiver, clock) as triggers:
        await documents.commit([note("größe 100%")])
        await triggers.settled()
    assert receiver.paths == ["tenants/x/notes/gr%C3%B6%C3%9Fe%20100%25"]


async def test_creation_change_and_deletion_can_be_told_apart_in_the_body(
    documents: SqliteDocuments, receiver: Receiver, clock: VirtualClock
) -> None:
    async with running(documents, receiver, clock, concurrency=1) as triggers:
        for write in (note("n1"), note("n1", 1), Write("tenants/x/notes/n1", None)):
            await documents.commit([write])
        await triggers.settled()
    name = b"projects/p/databases/(default)/documents/tenants/x/notes/n1"
    document = bytes([10, len(name)]) + name
    value, old = bytes([10, len(document)]) + document, bytes([18, len(document)]) + document
    assert [body for _, _, body in receiver.got] == [value, value + old, old]
    assert len({headers["ce-id"] for _, headers, _ in receiver.got}) == 3


async def test_only_notes_and_only_real_changes_are_events(
    documents: SqliteDocuments, receiver: Receiver, clock: VirtualClock
) -> None:
    async with running(documents, receiver, clock) as triggers:
        await documents.commit([note("n1"), Write("tenants/x/notes/n1/trace/000001", {"a": 1})])
        await documents.commit([Write("tenants/x/search/n1", {"tokens": ["a"]}), Write("tenants/x/tasks/t", {})])
        await documents.commit([note("n1")])
        await documents.commit([Write("tenants/x/notes/none", None)])
        await documents.commit([note("n2")])
        await triggers.settled()
    assert receiver.paths == ["tenants/x/notes/n1", "tenants/x/notes/n2"]


async def test_changes_come_in_the_order_of_their_commits(
    documents: SqliteDocuments, receiver: Receiver, clock: VirtualClock
) -> None:
    await asyncio.gather(*(documents.commit([note(f"n{n:02d}")]) for n in range(40)))
    async with running(documents, receiver, clock, concurrency=1) as triggers:
        await triggers.settled()
    assert receiver.paths == [f"tenants/x/notes/n{n:02d}" for n in range(40)]


@pytest.mark.parametrize("failure", [500, 404, 301, ConnectionError("refused")])
async def test_what_fails_waits_ten_seconds_then_twice_as_long_up_to_ten_minutes(
    documents: SqliteDocuments, receiver: Receiver, clock: VirtualClock, failure: int | Exception
) -> None:
    receiver.answers["tenants/x/notes/n1"] = [failure] * 9
    async with running(documents, receiver, clock) as triggers:
        await documents.commit([note("n1")])
        await delivered_all(triggers, clock)
    times = [at for at, _, _ in receiver.got]
    waits = [later - earlier for earlier, later in pairwise(times)]
    assert waits == pytest.approx([10, 20, 40, 80, 160, 320, 600, 600, 600])
    assert len({headers["ce-id"] for _, headers, _ in receiver.got}) == 1


async def test_one_that_fails_does_not_hold_up_the_others(
    documents: SqliteDocuments, receiver: Receiver, clock: VirtualClock
) -> None:
    receiver.answers["tenants/x/notes/n00"] = [500]
    await documents.commit([note(f"n{n:02d}") for n in range(20)])
    async with running(documents, receiver, clock, concurrency=1) as triggers:
        await triggers.settled()
        assert len(receiver.paths) == 20
        await delivered_all(triggers, clock)
    assert receiver.paths[20:] == ["tenants/x/notes/n00"]


async def test_what_finds_no_taker_for_a_day_is_dropped_with_a_warning(
    documents: SqliteDocuments, receiver: Receiver, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    receiver.answers["tenants/x/notes/n1"] = [503] * 1_000
    start = clock.now()
    async with running(documents, receiver, clock) as triggers:
        await documents.commit([note("n1")])
        await delivered_all(triggers, clock)
    assert 24 * HOUR - 600 <= receiver.got[-1][0] - start <= 24 * HOUR
    assert "found no taker for a day" in caplog.text


async def test_old_changes_do_not_hide_new_ones(
    documents: SqliteDocuments, receiver: Receiver, clock: VirtualClock
) -> None:
    await documents.commit([note(f"old{n}") for n in range(10)])
    clock.advance(25 * HOUR)
    await documents.commit([note("new")])
    async with running(documents, receiver, clock) as triggers:
        await triggers.settled()
    assert receiver.paths == ["tenants/x/notes/new"]


async def test_at_most_four_are_under_way_and_people_go_first(
    documents: SqliteDocuments, receiver: Receiver, clock: VirtualClock
) -> None:
    now = most = asked = 0

    async def slow(headers: dict[str, str], body: bytes) -> int:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await clock.sleep(1)
        now -= 1
        return await receiver(headers, body)

    async def people() -> None:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0)

    await documents.commit([note(f"n{n}") for n in range(12)])
    async with running(documents, slow, clock, yield_to=people) as triggers:
        await triggers.settled()
    assert (most, asked, len(receiver.got)) == (4, 12, 12)


async def test_what_was_under_way_when_the_pump_stopped_comes_again(
    documents: SqliteDocuments, receiver: Receiver, clock: VirtualClock
) -> None:
    begun = asyncio.Event()

    async def never(headers: dict[str, str], body: bytes) -> int:
        begun.set()
        await asyncio.Event().wait()
        return 200

    async with running(documents, never, clock):
        await documents.commit([note("n1")])
        await begun.wait()
    async with running(documents, receiver, clock) as triggers:
        await triggers.settled()
    assert receiver.paths == ["tenants/x/notes/n1"]


async def test_retries_survive_a_restart(tmp_path: Path, receiver: Receiver, clock: VirtualClock) -> None:
    receiver.answers["tenants/x/notes/n1"] = [500, 500]
    with SqliteDocuments(tmp_path, now=clock.now) as documents:
        await documents.commit([note("n1")])
        async with running(documents, receiver, clock) as triggers:
            await triggers.settled()
            (change,) = triggers.waiting()
            assert change.attempts == 1
    with SqliteDocuments(tmp_path, now=clock.now) as documents:
        async with running(documents, receiver, clock) as triggers:
            await delivered_all(triggers, clock)
    assert [round(at - receiver.got[0][0]) for at, _, _ in receiver.got] == [0, 10, 30]


async def test_a_commit_is_delivered_without_any_time_passing(
    documents: SqliteDocuments, receiver: Receiver, clock: VirtualClock
) -> None:
    start = clock.now()
    async with running(documents, receiver, clock) as triggers:
        for n in range(3):
            await documents.commit([note(f"n{n}")])
            await triggers.settled()
            assert len(receiver.got) == n + 1
    assert clock.now() == start
