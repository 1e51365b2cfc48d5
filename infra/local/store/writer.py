"""The one thread that writes: it puts all jobs waiting at a moment into one transaction. It reads for nobody."""

import asyncio
import logging
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from shared.errors import MemexError

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], T]

_LARGEST_GROUP = 256
_DERIVED: ContextVar[bool] = ContextVar("derived", default=False)
log = logging.getLogger(__name__)


@contextmanager
def derived() -> Iterator[None]:
    """What is written inside only follows from an entry of a queue in the same file, so it is not durable by itself.

    The file keeps its writes in order: a power cut that takes such a write takes the entry's removal, too, and the
    entry comes again. Nothing that is told to a person or to another service may be written so.
    """
    before = _DERIVED.set(True)
    try:
        yield
    finally:
        _DERIVED.reset(before)


@dataclass(slots=True, eq=False)
class _Task(Generic[T]):
    job: Job[T]
    durable: bool
    then: Callable[[T], None] | None
    future: asyncio.Future[T] | None = None
    loop: asyncio.AbstractEventLoop | None = None
    result: T | None = None
    error: Exception | None = None

    def finish(self) -> None:
        if self.error is None and self.then is not None:
            self.then(self.result)  # type: ignore[arg-type]  # no error: the job's own result is there
        if self.future is None or self.future.done():
            return  # the caller went away; what it asked for has happened
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)  # type: ignore[arg-type]  # as above


class Writer:
    """Runs jobs in the order they came. A job may run again if a neighbour in its group broke the transaction."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._synced = True
        self._closed = False
        self._tasks: SimpleQueue[_Task[object] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="memex-writer", daemon=True)
        self._thread.start()

    async def run(self, job: Job[T], *, durable: bool = True, then: Callable[[T], None] | None = None) -> T:
        """The job's result once it is committed; `then` is called in the loop even if the caller is cancelled.

        What is not durable survives the death of the process, and may be lost with the power.
        """
        if self._closed:
            raise MemexError("the store is closed", code="store_closed", next="Start Memex again.")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        task = _Task(job, durable and not _DERIVED.get(), then, future, loop)
        self._tasks.put(task)  # type: ignore[arg-type]  # the queue holds tasks of all types
        return await future

    def send(self, job: Job[None]) -> None:
        """Have a job done without waiting for it; it is not durable, and a closed store ignores it."""
        if not self._closed:
            self._tasks.put(_Task(job, False, None))

    def close(self) -> None:
        """Finish what waits, then stop the thread and close the connection."""
        if not self._closed:
            self._closed = True
            self._tasks.put(None)
            self._thread.join()
            self._db.close()

    def _work(self) -> None:
        open_ = True
        while open_:
            group: list[_Task[object]] = []
            task = self._tasks.get()
            while True:
                if task is None:
                    open_ = False
                    break
                group.append(task)
                if len(group) >= _LARGEST_GROUP:
                    break
                try:
                    task = self._tasks.get_nowait()
                except Empty:
                    break
            if group:
                try:
                    self._run_group(group)
                except Exception as error:  # even the rollback failed: say so, and live on
                    for task in group:
                        task.error = _translated(error)
                _hand_back(group)
            del group, task

    def _run_group(self, group: list[_Task[object]]) -> None:
        try:
            self._transaction(group)
        except Exception as error:
            self._roll_back()
            if len(group) == 1:
                group[0].error = _translated(error)
                return
            # One of them broke the transaction: alone, each gets its own answer.
            for task in group:
                self._run_group([task])

    def _transaction(self, group: list[_Task[object]]) -> None:
        db = self._db
        durable = any(task.durable for task in group)
        if durable != self._synced:
            db.execute("PRAGMA synchronous = FULL" if durable else "PRAGMA synchronous = NORMAL")
            self._synced = durable
        db.execute("BEGIN IMMEDIATE")
        for task in group:
            task.error = None
            before = db.total_changes
            try:
                task.result = task.job(db)
            except Exception as error:
                # A job that has changed nothing (a conflict is found before the first change) fails alone.
                if db.total_changes != before or not db.in_transaction:
                    raise
                task.error = _translated(error)
        db.execute("COMMIT")

    def _roll_back(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")


def _translated(error: Exception) -> Exception:
    if isinstance(error, sqlite3.Error):
        log.error("the store refused a write: %s", error.sqlite_errorname)
        failure = MemexError(
            f"the store could not write: {error}",
            code="store_failed",
            next="Check that the disk of the data folder has room and is writable.",
        )
        failure.__cause__ = error
        return failure
    return error


def _hand_back(group: list[_Task[object]]) -> None:
    by_loop: defaultdict[asyncio.AbstractEventLoop, list[_Task[object]]] = defaultdict(list)
    for task in group:
        if task.loop is not None:
            by_loop[task.loop].append(task)
    for loop, tasks in by_loop.items():
        try:
            loop.call_soon_threadsafe(_finish, tasks)
        except RuntimeError:
            log.debug("the loop that asked for %d writes has ended", len(tasks))


def _finish(tasks: list[_Task[object]]) -> None:
    for task in tasks:
        task.finish()
