"""The bus port on SQLite: what publish took is delivered at least once, or ends where it can be listed."""

import asyncio
import json
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from infra.local.clock import Clock, RealClock
from infra.local.store import courtesy
from infra.local.store.documents import SqliteDocuments
from infra.local.store.pump import Backoff, Pump
from shared.dead_letter import record
from shared.events.bus import Topic
from shared.models.base import JsonDict, moment, rfc3339

Deliver = Callable[[JsonDict], Awaitable[int]]
"""Posts one Pub/Sub push and says with which status it was answered."""

log = logging.getLogger(__name__)

_EXPECTED = frozenset({409, 429, 502, 503, 504})
"""Answers that ask for another attempt: somebody else is at it (or died at it), or a service can't be had just now."""
_LAST = 2
"""Attempts before the message is given up, from which on even these are told."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """Who wants which messages, and how patiently they are offered."""

    name: str
    topic: Topic
    deliver: Deliver
    filter: Mapping[str, str] = field(default_factory=dict)
    """Attributes that a message must have, with these values."""
    concurrency: int = 4
    max_attempts: int = 10
    backoff: Backoff = field(default_factory=Backoff)
    answer_seconds: float = 600.0
    """How long an answer may take; after that the attempt has failed."""

    def wants(self, topic: Topic, attributes: Mapping[str, str]) -> bool:
        """Whether a message is for this subscription."""
        return topic == self.topic and all(attributes.get(key) == value for key, value in self.filter.items())


class Delivery(NamedTuple):
    """One message on its way to one subscription."""

    n: int
    subscription: str
    message_id: str
    attributes: dict[str, str]
    published_at: float
    attempts: int


class DeadLetter(NamedTuple):
    """A delivery that was given up."""

    delivery: Delivery
    died_at: float
    reason: str


class SqliteBus:
    """Queues live in the documents' file: one lock, one disk write for what happens at once, one state to copy.

    There is no lease in the table. The folder has one owner, so the lease is that owner's life: whatever a dead
    process had taken is due again for the next.
    """

    def __init__(
        self,
        documents: SqliteDocuments,
        subscriptions: Sequence[Subscription],
        *,
        clock: Clock | None = None,
        project: str = "memex",
        yield_to: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._documents = documents
        self._clock = clock or RealClock()
        self._queues = [_Queue(documents, one, self._clock, project, yield_to) for one in subscriptions]

    async def publish(self, topic: Topic, attributes: dict[str, str]) -> None:
        """Hand one message over; once this returns, it outlives a crash and a power cut, or its trigger comes again."""
        queues = [queue for queue in self._queues if queue.subscription.wants(topic, attributes)]
        if not queues:
            return
        text, at = json.dumps(attributes, ensure_ascii=False), self._clock.now()

        def insert(db: sqlite3.Connection) -> None:
            message_id = str(self._documents.number())
            for queue in queues:
                db.execute(
                    "INSERT INTO deliveries (subscription, message_id, attributes, published_at) VALUES (?, ?, ?, ?)",
                    (queue.subscription.name, message_id, text, at),
                )

        def wake(_: None) -> None:
            for queue in queues:
                queue.pump.wake()

        await courtesy.step()
        await self._documents.writer.run(insert, then=wake)

    async def run(self) -> None:
        """Deliver to all subscriptions until cancelled."""
        async with asyncio.TaskGroup() as group:
            for queue in self._queues:
                group.create_task(queue.pump.run(), name=f"bus-{queue.subscription.name}")

    async def settled(self) -> None:
        """Return once every message so far is delivered, dead, or waits for its next attempt."""
        for queue in self._queues:
            await queue.pump.settled()

    def waiting(self) -> list[Delivery]:
        """Messages that are not delivered yet, oldest first."""
        rows = self._documents.read_inline(f"SELECT {_COLUMNS} FROM deliveries ORDER BY n")  # noqa: S608  # fixed
        return [_delivery(row) for row in rows]

    def dead_letters(self) -> list[DeadLetter]:
        """Messages that were given up, oldest first."""
        rows = self._documents.read_inline(
            f"SELECT {_COLUMNS}, died_at, reason FROM dead_letters ORDER BY n"  # noqa: S608  # fixed
        )
        return [DeadLetter(_delivery(row[:6]), float(str(row[6])), str(row[7])) for row in rows]


class _Queue:
    """One subscription's deliveries, as the pump takes them."""

    def __init__(
        self,
        documents: SqliteDocuments,
        subscription: Subscription,
        clock: Clock,
        project: str,
        yield_to: Callable[[], Awaitable[None]] | None,
    ) -> None:
        self.subscription = subscription
        self._documents = documents
        self._clock = clock
        self._name = f"projects/{project}/subscriptions/{subscription.name}"
        self.pump = Pump(
            f"bus-{subscription.name}",
            self,
            clock=clock,
            concurrency=subscription.concurrency,
            yield_to=yield_to,
        )

    async def due(self, now: float, limit: int, busy: Sequence[int]) -> list[Delivery]:
        """Deliveries whose time has come, this attempt counted."""
        while True:
            rows = self._documents.read_inline(
                f"SELECT {_COLUMNS} FROM deliveries WHERE subscription = ? AND due_at <= ?"  # noqa: S608  # fixed
                " AND n NOT IN (SELECT value FROM json_each(?)) ORDER BY due_at, n LIMIT ?",
                (self.subscription.name, now, json.dumps(busy), limit),
            )
            found = [_delivery(row) for row in rows]
            spent = [one for one in found if one.attempts >= self.subscription.max_attempts]
            for one in spent:
                await self._bury(one, "the process died during the last attempt")
            if not spent:
                break
        if not found:
            return []

        def count(db: sqlite3.Connection) -> dict[int, int]:
            return dict(
                db.execute(
                    "UPDATE deliveries SET attempts = attempts + 1"
                    " WHERE n IN (SELECT value FROM json_each(?)) RETURNING n, attempts",
                    (json.dumps([one.n for one in found]),),
                ).fetchall()
            )

        # Counted before the attempt, or a message that kills the process would come back for ever.
        attempts = await self._documents.writer.run(count, durable=False)
        return [one._replace(attempts=attempts[one.n]) for one in found if one.n in attempts]

    def next_due(self, now: float) -> float | None:
        """When the next retry falls due."""
        ((due,),) = self._documents.read_inline(
            "SELECT min(due_at) FROM deliveries WHERE subscription = ? AND due_at > ?",
            (self.subscription.name, now),
        )
        return due if isinstance(due, float) else None

    async def work(self, item: Delivery) -> None:
        """Deliver one message; any answer but 2xx brings it back later, or buries it."""
        status = 0
        try:
            async with asyncio.timeout(self.subscription.answer_seconds):
                status = await self.subscription.deliver(push(item, self._name))
            reason = f"was answered {status}"
            done = 200 <= status < 300
        except TimeoutError:
            reason, done = "got no answer in time", False
        except asyncio.CancelledError:
            # The process is being stopped: that is no failure of the message.
            self._documents.writer.send(lambda db: _uncount(db, item.n))
            raise
        except Exception as error:
            reason, done = f"failed with {type(error).__name__}", False
        if done:
            await self._documents.writer.run(lambda db: _remove(db, item.n), durable=False)
        elif item.attempts >= self.subscription.max_attempts:
            await self._bury(item, reason)
        else:
            wait = self.subscription.backoff.after(item.attempts)
            quiet = status in _EXPECTED and item.attempts + _LAST < self.subscription.max_attempts
            log.log(
                logging.DEBUG if quiet else logging.WARNING,
                "message %s %s at %s; attempt %d follows in %g s",
                item.message_id,
                reason,
                self.subscription.name,
                item.attempts + 1,
                wait,
            )
            due = self._clock.now() + wait
            await self._documents.writer.run(lambda db: _postpone(db, item.n, due), durable=False)

    async def _bury(self, item: Delivery, reason: str) -> None:
        log.error(
            "message %s %s at %s and is given up after %d attempts",
            item.message_id,
            reason,
            self.subscription.name,
            item.attempts,
        )
        at = self._clock.now()
        await self._tell(item, at, reason)
        await self._documents.writer.run(lambda db: _entomb(db, item.n, at, reason), durable=False)

    async def _tell(self, item: Delivery, at: float, reason: str) -> None:
        """Show it among the tenant's activity. Before the burial: a process that dies between the two tells it again.

        What can't be told is buried all the same; it is listed among the dead letters.
        """
        try:
            await record(
                self._documents,
                subscription=item.subscription,
                message_id=item.message_id,
                attributes=item.attributes,
                attempts=item.attempts,
                published_at=item.published_at,
                died_at=at,
                reason=reason,
            )
        except Exception as error:
            log.error("message %s can't be shown as given up: %s", item.message_id, type(error).__name__)


_COLUMNS = "n, subscription, message_id, attributes, published_at, attempts"


def push(item: Delivery, subscription: str) -> JsonDict:
    """The body of a Pub/Sub push request."""
    at = rfc3339(moment(item.published_at))
    return {
        "message": {
            "attributes": dict(item.attributes),
            "messageId": item.message_id,
            "message_id": item.message_id,
            "publishTime": at,
            "publish_time": at,
        },
        "subscription": subscription,
        "deliveryAttempt": item.attempts,
    }


def _delivery(row: tuple[object, ...]) -> Delivery:
    n, subscription, message_id, attributes, published_at, attempts = row
    return Delivery(n, subscription, message_id, json.loads(str(attributes)), published_at, attempts)  # type: ignore[arg-type]  # the table's types


def _remove(db: sqlite3.Connection, n: int) -> None:
    db.execute("DELETE FROM deliveries WHERE n = ?", (n,))


def _uncount(db: sqlite3.Connection, n: int) -> None:
    db.execute("UPDATE deliveries SET attempts = attempts - 1 WHERE n = ?", (n,))


def _postpone(db: sqlite3.Connection, n: int, due: float) -> None:
    db.execute("UPDATE deliveries SET due_at = ? WHERE n = ?", (due, n))


def _entomb(db: sqlite3.Connection, n: int, at: float, reason: str) -> None:
    db.execute(
        "INSERT INTO dead_letters (n, subscription, message_id, attributes, published_at, attempts, died_at,"
        " reason) SELECT n, subscription, message_id, attributes, published_at, attempts, ?, ? FROM deliveries"
        " WHERE n = ?",
        (at, reason, n),
    )
    _remove(db, n)
