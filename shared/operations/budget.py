"""What an operation may use, and what tokens cost by the table of prices. Pure; whoever is about to pay asks it."""

from collections.abc import Sequence

from shared.models.operation import Usage

_MILLION = 1_000_000


def spent(
    usage: Usage,
    budget_usd: float,
    budget_tokens: int,
    *,
    estimate_usd: float = 0.0,
    estimate_tokens: int = 0,
) -> str | None:
    """Why the next step may not be paid, naming the limit; None while it may.

    The estimates are what that step is expected to add. A limit that is used up to the last token still holds: only
    a step that would add something to it, or one after it was passed, is refused.
    """
    tokens, cost = usage.tokens + estimate_tokens, usage.cost_usd + estimate_usd
    if tokens > budget_tokens:
        return (
            f"It has used {usage.tokens} tokens and the next step would bring it to {tokens}; "
            f"the limit for one operation is {budget_tokens} (MEMEX_OPERATION_BUDGET_TOKENS)."
        )
    # A sum of prices is off by less than a millionth of a cent.
    if cost > budget_usd + 1e-9:
        return (
            f"It has cost {usage.cost_usd:.4f} USD and the next step would bring it to {cost:.4f} USD; "
            f"the limit for one operation is {budget_usd:.2f} USD (MEMEX_OPERATION_BUDGET_USD)."
        )
    return None


def spent_today(spent_usd: float, estimate_usd: float, limit_usd: float) -> str | None:
    """Why the next step may not be paid on this day, naming the limit; None while it may."""
    cost = spent_usd + estimate_usd
    if cost <= limit_usd + 1e-9:
        return None
    return (
        f"{spent_usd:.4f} USD were spent today (UTC) and the next step would bring it to {cost:.4f} USD; "
        f"the limit for one day is {limit_usd:.2f} USD (MEMEX_DAILY_BUDGET_USD)."
    )


def price(prices: Sequence[str], model: str, tokens_in: int, tokens_out: int) -> float:
    """USD for so many tokens. A model that no entry names costs nothing here; its tokens are counted all the same.

    An entry is `NAME=IN/OUT`, USD per million tokens, and counts for later versions of the model (`NAME-...`) and
    below a provider's path (`models/NAME`), too: the longest name that fits wins.
    """
    named = (model, model.rpartition("/")[2])
    best = ""
    rate_in = rate_out = 0.0
    for entry in prices:
        name, in_, out = entry_of(entry)
        if len(name) > len(best) and any(one == name or one.startswith(f"{name}-") for one in named):
            best, rate_in, rate_out = name, in_, out
    return (tokens_in * rate_in + tokens_out * rate_out) / _MILLION


def entry_of(entry: str) -> tuple[str, float, float]:
    """Model, USD per million tokens in and out. ValueError for anything else."""
    name, _, rates = entry.rpartition("=")
    in_, _, out = rates.partition("/")
    if not name.strip():
        raise ValueError(entry)
    return name.strip(), float(in_), float(out)
