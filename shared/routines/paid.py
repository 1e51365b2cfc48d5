"""Asking a model within the budget, by one step at a time. What a dead or failed attempt may have cost is counted."""

from dataclasses import dataclass

from shared.agent.model import Model
from shared.doors import Doors
from shared.errors import MemexError, UpstreamTimeout
from shared.models.operation import Operation, Usage
from shared.operations import budget
from shared.operations.transition import Change
from shared.preferences import Preferences
from shared.routines import ask
from shared.routines.kind import run_of
from shared.routines.material import Material
from shared.store import leases
from shared.store.days import Days, date_of
from shared.store.documents import Write
from shared.store.operations import Operations
from shared.store.records import until_settled

LEASE_SECONDS = ask.SECONDS + 30
"""How long a question counts as being asked after its process died."""
DIED = 3
"""Times that it may be begun without ever coming to its end."""


@dataclass(frozen=True, slots=True)
class Refused:
    """It may not be asked; the reason names the limit."""

    reason: str


@dataclass(frozen=True, slots=True)
class Bought:
    """What the model wrote, what that cost, and what belongs to the commit that stores it."""

    text: str
    usage: Usage
    release: Write


async def buy(
    doors: Doors, tenant: str, operation: Operation, mine: Preferences, model: Model, material: Material
) -> Bought | Refused | None:
    """The model's text, or why it may not be asked; None while another step is asking."""
    expected = _cost(doors, model, ask.tokens(ask.question(material)), ask.ANSWER_TOKENS)
    if reason := await _limit(doors, tenant, operation, mine, expected):
        return Refused(reason)
    lease = await leases.take(doors.documents, tenant, f"routine-{operation.id}", doors.now(), LEASE_SECONDS)
    if lease is None:
        return None
    if (await run_of(doors, tenant, operation)).value.draft is not None:
        # Another step wrote it while this one was about to: what it bought is there.
        await doors.documents.commit([lease.release()])
        return None
    lost = Usage(tokens=expected.tokens * (lease.attempts - 1), cost_usd=expected.cost_usd * (lease.attempts - 1))
    if lease.attempts > DIED:
        return Refused(f"The model was asked {DIED} times, and its process died each time.")
    try:
        written = await ask.ask(model, material)
    except MemexError as error:
        # Nobody knows what a timeout cost; taken for what was expected.
        failed = _sum(lost, expected) if isinstance(error, UpstreamTimeout) else lost
        await _settle(doors, tenant, operation.id, failed, lease.release())
        raise
    spent = _cost(doors, model, written.tokens_in, written.tokens_out)
    return Bought(written.text, _sum(spent, lost), lease.release())


async def charge(doors: Doors, tenant: str, change: Change, usage: Usage) -> list[Write]:
    """Count what was used in the operation's change; the write that takes it off the day's budget."""
    change.set(usage=_sum(change.operation.usage, usage))
    if not usage.cost_usd:
        return []
    days = Days(doors.documents, tenant)
    return [days.put(await days.get(date_of(doors.now())), runs=0, cost_usd=usage.cost_usd)]


async def _limit(doors: Doors, tenant: str, operation: Operation, mine: Preferences, expected: Usage) -> str | None:
    over = budget.spent(
        operation.usage,
        operation.budget_usd,
        operation.budget_tokens,
        estimate_usd=expected.cost_usd,
        estimate_tokens=expected.tokens,
    )
    if over or not expected.cost_usd:
        return over
    day = await Days(doors.documents, tenant).get(date_of(doors.now()))
    if day.cost_usd + expected.cost_usd <= mine.daily_budget_usd:
        return None
    return (
        f"{day.cost_usd:.2f} USD were spent today (UTC), and the next step would bring that beyond the day's limit "
        f"of {mine.daily_budget_usd:.2f} USD (MEMEX_DAILY_BUDGET_USD)."
    )


async def _settle(doors: Doors, tenant: str, operation_id: str, usage: Usage, release: Write) -> None:
    operations = Operations(doors.documents, tenant)

    async def attempt() -> None:
        stored = await operations.get(operation_id)
        change = Change(stored.value, doors.now())
        writes = [release, *await charge(doors, tenant, change, usage)]
        await doors.documents.commit([*writes, *operations.put(change.operation, change.events, stored.version)])

    await until_settled(attempt)


def _cost(doors: Doors, model: Model, tokens_in: int, tokens_out: int) -> Usage:
    cost = budget.price(doors.settings.prices, model.name, tokens_in, tokens_out)
    return Usage(tokens=tokens_in + tokens_out, cost_usd=cost)


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(tokens=one.tokens + other.tokens, cost_usd=one.cost_usd + other.cost_usd)
