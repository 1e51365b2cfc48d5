"""The change log of notes, delivered as Firestore's triggers deliver: at least once, in Eventarc's headers."""

import json
import logging
import sqlite3
import uuid
from collections.abc import Awaitable, Callable, Sequence
from typing import Literal, NamedTuple
from urllib.parse import quote

from infra.local.clock import Clock, RealClock
from infra.local.store.documents import SqliteDocuments
from infra.local.store.pump import Backoff, Pump
from infra.local.store.writer import derived
from shared.models.base import moment, rfc3339

Deliver = Callable[[dict[str, str], bytes], Awaitable[int]]
"""Posts one event (headers, body) and says with which status it was answered."""

TYPE = "google.cloud.firestore.document.v1.written"
_SCHEMA = "https://github.com/googleapis/google-cloudevents/blob/main/proto/google/events/cloud/firestore/v1/data.proto"
_DATABASE = "(default)"
_KEPT_SECONDS = 24 * 3600.0
# What CloudEvents leaves as it is in a header: https://github.com/cloudevents/spec HTTP binding, section 3.1.3.2
_PLAIN = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) not in '"%')

log = logging.getLogger(__name__)


class Change(NamedTuple):
    """One committed write or deletion of a note."""

    n: int
    path: str
    kind: Literal["created", "updated", "deleted"]
    at: float
    attempts: int


class Triggers:
    """Delivers changes in the order of their commits. `run` is the work; what it had under way is never lost."""

    def __init__(
        self,
        documents: SqliteDocuments,
        deliver: Deliver,
        *,
        clock: Clock | None = None,
        project: str = "memex",
        location: str = "local",
        backoff: Backoff | None = None,
        concurrency: int = 4,
        yield_to: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._documents = documents
        self._deliver = deliver
        self._clock = clock or RealClock()
        self._project = project
        self._location = location
        self._backoff = backoff or Backoff()
        self._pump = Pump("triggers", self, clock=self._clock, concurrency=concurrency, yield_to=yield_to)

    async def run(self) -> None:
        """Deliver until cancelled."""
        unwatch = self._documents.watch(self._pump.wake)
        try:
            await self._pump.run()
        finally:
            unwatch()

    async def settled(self) -> None:
        """Return once every change so far is delivered or waits for its next attempt."""
        await self._pump.settled()

    def waiting(self) -> list[Change]:
        """Changes that are not delivered yet, oldest first."""
        return _changes(self._documents, "ORDER BY n")

    async def due(self, now: float, limit: int, busy: Sequence[int]) -> list[Change]:
        """Changes whose time has come; those too old are dropped on the way."""
        while True:
            found = _changes(
                self._documents,
                "WHERE due_at <= ? AND n NOT IN (SELECT value FROM json_each(?)) ORDER BY due_at, n LIMIT ?",
                (now, json.dumps(busy), limit),
            )
            stale = [change for change in found if now - change.at > _KEPT_SECONDS]
            if not stale:
                return found
            for change in stale:
                log.warning("a change of %s found no taker for a day and is dropped", change.path)
            await self._forget([change.n for change in stale])

    def next_due(self, now: float) -> float | None:
        """When the next retry falls due."""
        ((due,),) = self._documents.read_inline("SELECT min(due_at) FROM changes WHERE due_at > ?", (now,))
        return due if isinstance(due, float) else None

    async def work(self, item: Change) -> None:
        """Deliver one change; any answer but 2xx brings it back later."""
        try:
            # A trigger's function only publishes, and nobody waits for that.
            with derived():
                status = await self._deliver(headers(item, self._project, self._location), body(item, self._project))
            reason = f"was answered {status}"
            done = 200 <= status < 300
        except Exception as error:
            reason, done = f"failed with {type(error).__name__}", False
        if done:
            await self._forget([item.n])
            return
        attempts = item.attempts + 1
        wait = self._backoff.after(attempts)
        log.warning("a change of %s %s; attempt %d follows in %g s", item.path, reason, attempts + 1, wait)
        due = self._clock.now() + wait

        def postpone(db: sqlite3.Connection) -> None:
            db.execute("UPDATE changes SET attempts = ?, due_at = ? WHERE n = ?", (attempts, due, item.n))

        await self._documents.writer.run(postpone, durable=False)

    async def _forget(self, numbers: Sequence[int]) -> None:
        def forget(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM changes WHERE n IN (SELECT value FROM json_each(?))", (json.dumps(numbers),))

        # Not durable: losing it with the power means one delivery too many, which is allowed.
        await self._documents.writer.run(forget, durable=False)


def headers(change: Change, project: str, location: str) -> dict[str, str]:
    """The event's headers, as Eventarc's HTTP binary mode has them."""
    path = quote(change.path, safe=_PLAIN)
    return {
        "content-type": "application/protobuf",
        "ce-specversion": "1.0",
        "ce-id": str(uuid.UUID(int=change.n)),
        "ce-source": f"//firestore.googleapis.com/projects/{project}/databases/{_DATABASE}",
        "ce-type": TYPE,
        "ce-subject": f"documents/{path}",
        "ce-time": rfc3339(moment(change.at)),
        "ce-dataschema": _SCHEMA,
        "ce-project": project,
        "ce-location": location,
        "ce-database": _DATABASE,
        "ce-namespace": _DATABASE,
        "ce-document": path,
    }


def body(change: Change, project: str) -> bytes:
    """A DocumentEventData whose documents hold only their name: created, updated and deleted can be told apart."""
    name = f"projects/{project}/databases/{_DATABASE}/documents/{change.path}"
    document = _field(1, name.encode())
    old = b"" if change.kind == "created" else _field(2, document)
    return (b"" if change.kind == "deleted" else _field(1, document)) + old


def _field(number: int, content: bytes) -> bytes:
    size, length = len(content), b""
    while size > 0x7F:
        length += bytes([size & 0x7F | 0x80])
        size >>= 7
    return bytes([number << 3 | 2]) + length + bytes([size]) + content


def _changes(documents: SqliteDocuments, rest: str, parameters: Sequence[str | int | float] = ()) -> list[Change]:
    sql = f"SELECT n, path, kind, at, attempts FROM changes {rest}"  # noqa: S608  # `rest` is written in this file
    return [Change(*row) for row in documents.read_inline(sql, parameters)]  # type: ignore[arg-type]  # the table's types
