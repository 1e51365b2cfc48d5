import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from infra.local.clock import VirtualClock
from infra.local.store.documents import SqliteDocuments
from infra.local.store.pump import Backoff
from infra.local.store.queue import SqliteBus, Subscription
from shared.models.base import JsonDict


class Receiver:
    def __init__(self, clock: VirtualClock, *answers: int | Exception) -> None:
        self.clock = clock
        self.answers = list(answers)
        self.got: list[tuple[float, JsonDict]] = []

    async def __call__(self, push: JsonDict) -> int:
        self.got.append((self.clock.now(), push))
        answer = self.answers.pop(0) if self.answers else 200
        if isinstance(answer, Exception):
            raise answer
        return answer

    @property
    def attempts(self) -> list[object]:
        return [push["deliveryAttempt"] for _, push in self.got]


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def documents(tmp_path: Path, clock: VirtualClock) -> Iterator[SqliteDocuments]:
    with SqliteDocuments(tmp_path, now=clock.now) as opened:
        yield opened


@contextlib.asynccontextmanager
async def running(bus: SqliteBus) -> AsyncIterator[SqliteBus]:
    task = asyncio.create_task(bus.run())
    try:
        yield bus
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def ended(bus: SqliteBus, clock: VirtualClock) -> None:
    async with asyncio.timeout(30):
        while bus.waiting():
            await clock.sleep(600)


async def test_retries_wait_ten_seconds_then_twice_as_long_up_to_ten_minutes(
    documents: SqliteDocuments, clock: VirtualClock
) -> None:
    receiver = Receiver(clock, *[500] * 9)
    async with running(SqliteBus(documents, [Subscription("s", "note-events", receiver)], clock=clock)) as bus:
        await bus.publish("note-events", {"a": "b"})
        await ended(bus, clock)
    times = [at for at, _ in receiver.got]
    waits = [later - earlier for earlier, later in pairwise(times)]
    assert waits == pytest.approx([10, 20, 40, 80, 160, 320, 600, 600, 600])
    assert receiver.attempts == list(range(1, 11))
    assert bus.dead_letters() == []


async def test_after_the_last_attempt_a_message_is_a_dead_letter(
    documents: SqliteDocuments, clock: VirtualClock
) -> None:
    receiver = Receiver(clock, 500, ConnectionError("refused"), 503)
    subscription = Subscription("s", "note-events", receiver, max_attempts=3, backoff=Backoff(1, 2))
    async with running(SqliteBus(documents, [subscription], clock=clock)) as bus:
        await bus.publish("note-events", {"note_id": "n1"})
        await ended(bus, clock)
        (dead,) = bus.dead_letters()
    assert (dead.delivery.subscription, dead.delivery.attributes, dead.delivery.attempts) == ("s", {"note_id": "n1"}, 3)
    assert dead.reason == "was answered 503"
    assert dead.died_at == receiver.got[-1][0]
    assert receiver.attempts == [1, 2, 3]


async def test_dead_letters_and_waiting_messages_survive_a_restart(tmp_path: Path, clock: VirtualClock) -> None:
    dying, slow = Receiver(clock, 500), Receiver(clock, 500)
    subscriptions = [
        Subscription("dying", "note-events", dying, max_attempts=1),
        Subscription("slow", "note-events", slow),
    ]
    with SqliteDocuments(tmp_path) as documents:
        async with running(SqliteBus(documents, subscriptions, clock=clock)) as bus:
            await bus.publish("note-events", {"a": "b"})
            await bus.settled()
    with SqliteDocuments(tmp_path) as documents:
        bus = SqliteBus(documents, subscriptions, clock=clock)
        assert [dead.delivery.subscription for dead in bus.dead_letters()] == ["dying"]
        assert [(one.subscription, one.attempts) for one in bus.waiting()] == [("slow", 1)]
        async with running(bus):
            await ended(bus, clock)
    assert slow.attempts == [1, 2]


async def test_a_message_that_was_under_way_comes_again_without_losing_an_attempt(
    documents: SqliteDocuments, clock: VirtualClock
) -> None:
    begun = asyncio.Event()

    async def never(push: JsonDict) -> int:
        begun.set()
        await asyncio.Event().wait()
        return 200

    async with running(SqliteBus(documents, [Subscription("s", "note-events", never)], clock=clock)) as bus:
        await bus.publish("note-events", {"a": "b"})
        await begun.wait()
    receiver = Receiver(clock)
    async with running(SqliteBus(documents, [Subscription("s", "note-events", receiver)], clock=clock)) as bus:
        await bus.settled()
    assert receiver.attempts == [1]


async def test_a_message_that_kills_the_process_every_time_is_given_up(
    documents: SqliteDocuments, clock: VirtualClock
) -> None:
    receiver = Receiver(clock)
    bus = SqliteBus(documents, [Subscription("s", "note-events", receiver, max_attempts=3)], clock=clock)
    await bus.publish("note-events", {"a": "b"})
    await documents.writer.run(lambda db: db.execute("UPDATE deliveries SET attempts = 3").rowcount)
    async with running(bus):
        await bus.settled()
    assert receiver.got == []
    assert [dead.reason for dead in bus.dead_letters()] == ["the process died during the last attempt"]


async def test_an_answer_that_never_comes_is_a_failed_attempt(documents: SqliteDocuments, clock: VirtualClock) -> None:
    calls = 0

    async def first_never(push: JsonDict) -> int:
        nonlocal calls
        calls += 1
        if calls == 1:
            await asyncio.Event().wait()
        return 200

    subscription = Subscription("s", "note-events", first_never, answer_seconds=0.01)
    async with running(SqliteBus(documents, [subscription], clock=clock)) as bus:
        await bus.publish("note-events", {"a": "b"})
        await ended(bus, clock)
    assert calls == 2


async def test_each_subscription_has_its_own_limit_of_deliveries_at_once(
    documents: SqliteDocuments, clock: VirtualClock
) -> None:
    now: dict[str, int] = {"a": 0, "b": 0}
    most = dict(now)
    asked = 0

    def slow(name: str) -> Subscription:
        async def deliver(push: JsonDict) -> int:
            now[name] += 1
            most[name] = max(most[name], now[name])
            await clock.sleep(1)
            now[name] -= 1
            return 200

        return Subscription(name, "note-events", deliver, concurrency=2 if name == "a" else 5)

    async def people() -> None:
        nonlocal asked
        asked += 1

    async with running(SqliteBus(documents, [slow("a"), slow("b")], clock=clock, yield_to=people)) as bus:
        for _ in range(12):
            await bus.publish("note-events", {"a": "b"})
        await bus.settled()
    assert most == {"a": 2, "b": 5}
    assert asked == 24


async def test_a_subscription_that_fails_does_not_touch_another(
    documents: SqliteDocuments, clock: VirtualClock
) -> None:
    bad, good = Receiver(clock, *[500] * 100), Receiver(clock)
    subscriptions = [Subscription("bad", "note-events", bad), Subscription("good", "note-events", good)]
    async with running(SqliteBus(documents, subscriptions, clock=clock)) as bus:
        for n in range(5):
            await bus.publish("note-events", {"n": str(n)})
        await bus.settled()
        assert good.attempts == [1] * 5
        assert len(bus.waiting()) == 5


async def test_publishing_is_on_disk_when_it_returns(documents: SqliteDocuments, clock: VirtualClock) -> None:
    bus = SqliteBus(documents, [Subscription("s", "note-events", Receiver(clock))], clock=clock)
    await bus.publish("note-events", {"a": "b"})
    await bus.publish("operation-events", {"a": "b"})
    assert [(one.subscription, one.attributes) for one in bus.waiting()] == [("s", {"a": "b"})]


@pytest.mark.parametrize(("answer", "told"), [(409, [9, 10]), (503, [9, 10]), (500, list(range(2, 11)))])
async def test_expected_retries_are_quiet_until_the_last_attempts(
    documents: SqliteDocuments, clock: VirtualClock, caplog: pytest.LogCaptureFixture, answer: int, told: list[int]
) -> None:
    receiver = Receiver(clock, *[answer] * 9)
    with caplog.at_level("WARNING", logger="infra.local.store.queue"):
        async with running(SqliteBus(documents, [Subscription("s", "note-events", receiver)], clock=clock)) as bus:
            await bus.publish("note-events", {"a": "b"})
            await ended(bus, clock)
    said = [record.getMessage() for record in caplog.records]
    assert [int(line.split("attempt ")[1].split()[0]) for line in said] == told
    assert all(f"was answered {answer} at s" in line for line in said)
