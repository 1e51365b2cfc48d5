"""One paid question to a model: only within the budget, by one step at a time, watched while it is under way."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from shared.agent.model import Answer, Delta, Model, ModelFailed, Question
from shared.agent.watch import watched
from shared.agent_task.messages import estimated
from shared.agent_task.record import Behind, Over, Record
from shared.errors import UpstreamTimeout
from shared.models.operation import Usage
from shared.operations import budget
from shared.operations.transition import Change
from shared.preferences import Preferences
from shared.services import Services
from shared.store import leases
from shared.store.days import Days, date_of
from shared.store.documents import Write
from shared.store.leases import Lease
from shared.store.operations import Operations
from shared.store.runs import Runs

T = TypeVar("T")

CALL_SECONDS = 200.0
"""How long one question may take; the workflow waits for a step for 300."""
LEASE_SECONDS = 240.0
"""How long a question counts as being asked after its process died."""
LOOK_SECONDS = 2.0
"""How often it is looked whether the operation still runs."""
STREAM_SECONDS = 1.0
"""How often a piece of the answer is stored."""
DIED = 5
"""Times that one question may be begun without ever coming to its end."""


class Refused(Exception):
    """It may not be paid; `reason` names the limit."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Away(Exception):
    """Another step is asking this very question, or died while it did."""


class Hopeless(Exception):
    """The question was begun several times, and its process died each time."""


@dataclass(frozen=True, slots=True)
class Bought(Generic[T]):
    """What a question came to, and what belongs to the commit that stores it."""

    value: T
    spent: Usage
    release: Write
    rest: str = ""
    """What of the answer's text was not stored as a piece."""


class Counted:
    """A model whose tokens are counted: as the service says, or carefully guessed where it doesn't."""

    def __init__(self, model: Model, heard: Callable[[Delta], Awaitable[None]]) -> None:
        self._model = model
        self._heard = heard
        self.tokens_in = 0
        self.tokens_out = 0

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    async def stream(self, question: Question) -> AsyncIterator[Delta | Answer]:
        """The model's pieces."""
        async for piece in self._model.stream(question):
            if isinstance(piece, Answer):
                guess_in, guess_out = estimated(question)
                counted = piece.tokens_in + piece.tokens_out > 0
                self.tokens_in += piece.tokens_in if counted else guess_in
                self.tokens_out += piece.tokens_out if counted else guess_out
            else:
                await self._heard(piece)
            yield piece


class Till:
    """Buys answers for one operation."""

    def __init__(self, services: Services, tenant: str, record: Record, model: Model, preferences: Preferences) -> None:
        self._services = services
        self._tenant = tenant
        self._record = record
        self._model = model
        self._preferences = preferences
        self._pieces: list[str] = []
        self._told = 0.0

    async def buy(
        self, question: Question, work: Callable[[Model], Coroutine[Any, Any, T]], *, streamed: bool
    ) -> Bought[T]:
        """What `work` makes of the model's answer to `question`; `streamed` stores its text piece by piece.

        Raises Refused, Away, Hopeless, Over, Behind, and what the model raised; what a failure cost is on record.
        """
        expected = self._cost(*estimated(question))
        await self._affordable(expected)
        lease = await self._leased(expected)
        lost = _times(expected, lease.attempts - 1)
        self._pieces, self._told = [], self._services.now()
        model = Counted(self._model, self._heard if streamed else _unheard)
        try:
            value = await self._watched(work(model))
        except UpstreamTimeout:
            # Nobody knows what it cost; taken for what was expected.
            await self._settle(together(expected, lost), lease)
            raise
        except ModelFailed:
            await self._settle(together(self._cost(model.tokens_in, model.tokens_out), lost), lease)
            raise
        except (Over, Behind):
            raise
        except Exception:
            await self._settle(lost, lease)
            raise
        spent = self._cost(model.tokens_in, model.tokens_out)
        return Bought(value, together(spent, lost), lease.release(), "".join(self._pieces))

    def _cost(self, tokens_in: int, tokens_out: int) -> Usage:
        cost = budget.price(self._services.settings.prices, self._model.name, tokens_in, tokens_out)
        return Usage(tokens=tokens_in + tokens_out, cost_usd=cost)

    async def _affordable(self, expected: Usage) -> None:
        operation = self._record.operation
        over = budget.spent(
            operation.usage,
            operation.budget_usd,
            operation.budget_tokens,
            estimate_usd=expected.cost_usd,
            estimate_tokens=expected.tokens,
        )
        if over:
            raise Refused(over)
        if not expected.cost_usd:
            return
        day = await Days(self._services.documents, self._tenant).get(date_of(self._services.now()))
        limit = self._preferences.daily_budget_usd
        if day.cost_usd + expected.cost_usd > limit:
            raise Refused(
                f"{day.cost_usd:.4f} USD were spent today (UTC), and the next step would bring that beyond the day's "
                f"limit of {limit:.2f} USD (MEMEX_DAILY_BUDGET_USD)."
            )

    async def _leased(self, expected: Usage) -> Lease:
        """The right to ask, alone. One that was left by a dead process counts what may have been paid for there."""
        documents, now = self._services.documents, self._services.now()
        operation_id = self._record.operation.id
        lease = await leases.take(documents, self._tenant, f"task-{operation_id}", now, LEASE_SECONDS)
        if lease is None:
            raise Away
        if lease.attempts > DIED:
            raise Hopeless
        if lease.attempts > 1:
            await self._affordable(_times(expected, lease.attempts))
        # Whoever held it before may have stored the answer since this step read the events.
        if await Runs(documents, self._tenant).next_seq(operation_id) != self._record.next_seq:
            await documents.commit([lease.release()])
            raise Behind("Another step was faster.", next="Nothing is lost; it goes on.")
        return lease

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

    async def _heard(self, delta: Delta) -> None:
        if delta.kind != "text":
            return
        self._pieces.append(delta.text)
        if self._services.now() - self._told >= STREAM_SECONDS:
            chunk, self._pieces, self._told = "".join(self._pieces), [], self._services.now()
            await self._record.add([], lambda change: change.stream(chunk))

    async def _settle(self, spent: Usage, lease: Lease) -> None:
        """Put on record what a failure cost, and let the next attempt begin at once."""
        await self._record.add([], _silently, spent=spent, also=[lease.release()])


async def _unheard(_delta: Delta) -> None:
    """Nobody reads along."""


def _silently(_change: Change) -> None:
    """Say nothing in the log."""


def _times(usage: Usage, times: int) -> Usage:
    return Usage(tokens=usage.tokens * times, cost_usd=usage.cost_usd * times)


def together(*parts: Usage) -> Usage:
    """The sum."""
    return Usage(tokens=sum(one.tokens for one in parts), cost_usd=sum(one.cost_usd for one in parts))
