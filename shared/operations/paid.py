"""One paid question to a model: within the limits of operation and day, by one step at a time, and always counted.

What a dead process or a failure may have cost counts as spent. What is asked, and who listens, is the caller's.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from shared.agent.model import Answer, Delta, Message, Model, ModelFailed, Question
from shared.doors import Doors
from shared.errors import Conflict, UpstreamTimeout
from shared.models.operation import Operation, Usage
from shared.operations import budget
from shared.operations.transition import Change
from shared.preferences import Preferences
from shared.store import leases
from shared.store.days import Days, date_of
from shared.store.documents import Write
from shared.store.leases import Lease
from shared.store.operations import Operations
from shared.store.records import until_settled

T = TypeVar("T")

SLACK_SECONDS = 40.0
"""How much longer than its answer may take a question counts as being asked: after that its process is dead."""
DIED = 3
"""Times that one question may be begun without ever coming to its end."""
CHARACTERS_PER_TOKEN = 3
"""A careful guess: fewer characters make a token in other scripts than in English."""
ANSWER_TOKENS = 1_500
"""What an answer is taken to have, before it is there."""


class Refused(Exception):
    """It may not be paid; `reason` names the limit."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Away(Exception):
    """Another step is asking this very question, or died while it did; `soon`: it is answered, or all is over."""

    def __init__(self, *, soon: bool = False) -> None:
        super().__init__("another step is at it")
        self.soon = soon


class Hopeless(Exception):
    """The question was begun several times, and its process died each time."""

    reason = f"The model was asked {DIED} times, and its process died each time."


@dataclass(frozen=True, slots=True)
class Bought(Generic[T]):
    """What a question came to, and what belongs to the commit that stores it."""

    value: T
    spent: Usage
    release: Write
    again: Write
    """Lets the next attempt begin at once where the answer can't be stored; it counts what was paid for this one."""
    rest: str = ""
    """What of the answer's text was not stored as a piece."""


class _Counted:
    """A model whose tokens are counted: as the service says, or carefully guessed where it doesn't."""

    def __init__(self, model: Model) -> None:
        self._model = model
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
            yield piece


@dataclass(frozen=True, slots=True)
class Purse:
    """What one operation pays its questions from."""

    doors: Doors
    tenant: str
    operation: Operation
    mine: Preferences

    async def buy(
        self,
        model: Model,
        question: Question,
        work: Callable[[Model], Coroutine[Any, Any, T]],
        *,
        seconds: float,
        stored: Callable[[], Awaitable[bool]],
    ) -> Bought[T]:
        """What `work` makes of the model's answer to `question`, for which it takes at most so many seconds.

        `stored` says whether the answer is on record already: whoever asked before may have stored it since. Raises
        Refused, Away, Hopeless, and what `work` raised; what that cost is on record.
        """
        expected = self._cost(model, *estimated(question))
        await self._affordable(expected)
        lease = await self._leased(expected, seconds + SLACK_SECONDS)
        if await self._is_over() or await stored():
            await self.doors.documents.commit([lease.release()])
            raise Away(soon=True)
        lost = times(expected, lease.attempts - 1)
        counted = _Counted(model)
        try:
            value = await work(counted)
        except Conflict:
            raise  # The operation went on without this step, which has nothing to write any more, the lease included.
        except UpstreamTimeout:
            # Nobody knows what it cost; taken for what was expected.
            await self._settle(together(expected, lost), lease)
            raise
        except ModelFailed:
            await self._settle(together(self._spent(counted), lost), lease)
            raise
        except Exception:
            await self._settle(lost, lease)
            raise
        return Bought(value, together(self._spent(counted), lost), lease.release(), lease.again())

    async def _is_over(self) -> bool:
        """Whether the operation came to its end, or to another execution, since this step read it."""
        now = (await Operations(self.doors.documents, self.tenant).get(self.operation.id)).value
        return now.status != "running" or now.execution != self.operation.execution

    def _cost(self, model: Model, tokens_in: int, tokens_out: int) -> Usage:
        cost = budget.price(self.doors.settings.prices, model.name, tokens_in, tokens_out)
        return Usage(tokens=tokens_in + tokens_out, cost_usd=cost)

    def _spent(self, counted: _Counted) -> Usage:
        return self._cost(counted, counted.tokens_in, counted.tokens_out)

    async def _affordable(self, expected: Usage) -> None:
        operation = self.operation
        over = budget.spent(
            operation.usage,
            operation.budget_usd,
            operation.budget_tokens,
            estimate_usd=expected.cost_usd,
            estimate_tokens=expected.tokens,
        )
        if not over and expected.cost_usd:
            day = await Days(self.doors.documents, self.tenant).get(date_of(self.doors.now()))
            over = budget.spent_today(day.cost_usd, expected.cost_usd, self.mine.daily_budget_usd)
        if over:
            raise Refused(over)

    async def _leased(self, expected: Usage, seconds: float) -> Lease:
        """The right to ask, alone. One that was left by a dead process counts what may have been paid for there."""
        documents, now = self.doors.documents, self.doors.now()
        lease = await leases.take(documents, self.tenant, f"task-{self.operation.id}", now, seconds)
        if lease is None:
            raise Away
        if lease.attempts > DIED:
            raise Hopeless(Hopeless.reason)
        if lease.attempts > 1:
            await self._affordable(times(expected, lease.attempts))
        return lease

    async def _settle(self, spent: Usage, lease: Lease) -> None:
        """Put on record what a failure cost, and let the next attempt begin at once."""
        operations = Operations(self.doors.documents, self.tenant)

        async def attempt() -> None:
            stored = await operations.get(self.operation.id)
            change = Change(stored.value, self.doors.now())
            writes = [lease.release(), *await charge(self.doors, self.tenant, change, spent)]
            await self.doors.documents.commit(
                [*writes, *operations.put(change.operation, change.events, stored.version)]
            )

        await until_settled(attempt)


async def charge(doors: Doors, tenant: str, change: Change, spent: Usage) -> list[Write]:
    """Count what was used in the operation's change; the write that takes it off the day's budget."""
    change.set(usage=together(change.operation.usage, spent))
    if not spent.cost_usd:
        return []
    days = Days(doors.documents, tenant)
    return [days.put(await days.get(date_of(doors.now())), runs=0, cost_usd=spent.cost_usd)]


def estimated(question: Question) -> tuple[int, int]:
    """Tokens that asking it takes, in and out, as far as can be told before."""
    characters = len(question.instruction) + sum(map(length, question.messages))
    characters += sum(len(str(tool.schema)) + len(tool.description) for tool in question.tools)
    return characters // CHARACTERS_PER_TOKEN + 1, ANSWER_TOKENS


def length(message: Message) -> int:
    """Characters of a message, its calls and their answers included."""
    calls = sum(len(str(call.arguments)) for call in message.calls)
    return len(message.text) + calls + sum(len(str(one.result)) for one in message.answers)


def times(usage: Usage, factor: int) -> Usage:
    """So many times as much."""
    return Usage(tokens=usage.tokens * factor, cost_usd=usage.cost_usd * factor)


def together(*parts: Usage) -> Usage:
    """The sum."""
    return Usage(tokens=sum(one.tokens for one in parts), cost_usd=sum(one.cost_usd for one in parts))
