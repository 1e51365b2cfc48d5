"""A task's paid questions: watched while they are under way, and read along. It counts nothing itself."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

from shared.agent.model import Answer, Delta, Model, Question
from shared.agent.watch import watched
from shared.agent_task.record import Over, Record
from shared.errors import Conflict, UpstreamTimeout
from shared.log import described
from shared.operations.paid import Away, Bought, Hopeless, Purse, Refused
from shared.preferences import Preferences
from shared.services import Services
from shared.store.operations import Operations
from shared.store.runs import Runs

__all__ = ["Away", "Bought", "Hopeless", "Refused", "Till"]
T = TypeVar("T")

CALL_SECONDS = 200.0
"""How long one question may take; the workflow waits for a step for 300."""
LOOK_SECONDS = 2.0
"""How often it is looked whether the operation still runs."""
STREAM_SECONDS = 1.0
"""How often a piece of the answer is stored."""
PAUSES = (0.5, 3.0, 7.0)
"""Seconds between the tries of a commit without which an answer is lost that was paid for."""

log = logging.getLogger("memex.operations")


class Till:
    """Buys answers for one operation."""

    def __init__(self, services: Services, tenant: str, record: Record, model: Model, preferences: Preferences) -> None:
        self._services = services
        self._tenant = tenant
        self._record = record
        self._model = model
        self._preferences = preferences

    async def buy(
        self, question: Question, work: Callable[[Model], Coroutine[Any, Any, T]], *, streamed: bool
    ) -> Bought[T]:
        """What `work` makes of the model's answer to `question`; `streamed` stores its text piece by piece.

        Raises what Purse.buy raises, Over and Behind.
        """
        read = _ReadAlong(self._services, self._record) if streamed else None

        async def watched_work(model: Model) -> T:
            return await self._watched(work(read.listening(model) if read else model))

        purse = Purse(self._services, self._tenant, self._record.operation, self._preferences)
        bought = await purse.buy(self._model, question, watched_work, seconds=CALL_SECONDS, stored=self._stored)
        return replace(bought, rest=read.rest) if read else bought

    async def keep(self, bought: Bought[T], store: Callable[[], Awaitable[None]]) -> None:
        """Have what was bought stored. Where that fails for good, the question may be asked again at once."""
        try:
            await self.insist(store)
        except Conflict:
            raise  # Another step wrote it, or the operation is over: the lease is not this step's any more.
        except Exception:
            with suppress(Exception):  # What keeps one commit from being made mostly keeps this one, too.
                await self._services.documents.commit([bought.again])
            raise

    async def insist(self, store: Callable[[], Awaitable[None]]) -> None:
        """Run a commit several times where it fails; a conflict is an answer, and raised at once."""
        for pause in PAUSES:
            try:
                return await store()
            except Conflict:
                raise
            except Exception as error:
                log.warning("a paid answer could not be stored, next try in %s s: %s", pause, described(error))
                await self._services.sleep(pause)
        return await store()

    async def _stored(self) -> bool:
        seq = await Runs(self._services.documents, self._tenant).next_seq(self._record.operation.id)
        return seq != self._record.next_seq

    async def _watched(self, work: Coroutine[Any, Any, T]) -> T:
        answer: list[T] = []

        async def busy() -> None:
            with self._services.busy():
                answer.append(await work)

        how = await watched(
            busy(),
            stopped=self._ended(),
            late=self._services.sleep(self._seconds()),
            keeping=asyncio.Event().wait(),
        )
        if how == "stopped":
            raise Over("The operation ended while its model was at work.", next="Look at how it ended.")
        if how == "late":
            raise UpstreamTimeout("The model did not answer in time.", next="It is asked again.")
        return answer[0]

    async def _ended(self) -> None:
        """Returns once the operation no longer runs here."""
        operations, mine = Operations(self._services.documents, self._tenant), self._record.operation
        while True:
            await self._services.sleep(LOOK_SECONDS)
            now = (await operations.get(mine.id)).value
            if now.status != "running" or now.execution != mine.execution:
                return

    def _seconds(self) -> float:
        deadline = self._record.operation.deadline_at
        left = deadline.timestamp() - self._services.now() if deadline else CALL_SECONDS
        return max(0.0, min(CALL_SECONDS, left))


class _ReadAlong:
    """Stores the text of an answer in pieces, while it comes."""

    def __init__(self, services: Services, record: Record) -> None:
        self._services = services
        self._record = record
        self._pieces: list[str] = []
        self._told = services.now()

    @property
    def rest(self) -> str:
        """What was not stored as a piece."""
        return "".join(self._pieces)

    def listening(self, model: Model) -> Model:
        """The model, with an ear on it."""
        return _Heard(model, self)

    async def hear(self, delta: Delta) -> None:
        """A piece of the answer."""
        if delta.kind != "text":
            return
        self._pieces.append(delta.text)
        if self._services.now() - self._told >= STREAM_SECONDS:
            chunk, self._pieces, self._told = self.rest, [], self._services.now()
            await self._record.add([], lambda change: change.stream(chunk))


class _Heard:
    def __init__(self, model: Model, along: _ReadAlong) -> None:
        self.name = model.name
        self._model = model
        self._along = along

    async def stream(self, question: Question) -> AsyncIterator[Delta | Answer]:
        async for piece in self._model.stream(question):
            if not isinstance(piece, Answer):
                await self._along.hear(piece)
            yield piece
