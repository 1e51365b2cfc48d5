import pytest

from shared.config import Settings
from shared.errors import NotConfigured
from shared.models.operation import Usage
from shared.operations.budget import price, spent

TABLE = ("small=0.10/0.40", "small-pro=1/2", "org/big=3/15")


@pytest.mark.parametrize(
    ("tokens", "cost", "more_tokens", "more_cost", "named"),
    [
        (0, 0.0, 0, 0.0, None),
        (1000, 1.0, 0, 0.0, None),
        (999, 0.9, 1, 0.1, None),
        (1000, 0.0, 1, 0.0, "MEMEX_OPERATION_BUDGET_TOKENS"),
        (1001, 0.0, 0, 0.0, "MEMEX_OPERATION_BUDGET_TOKENS"),
        (0, 1.0, 0, 0.01, "MEMEX_OPERATION_BUDGET_USD"),
        (0, 1.2, 0, 0.0, "MEMEX_OPERATION_BUDGET_USD"),
    ],
)
def test_a_step_beyond_a_limit_is_refused_with_the_limits_name(
    tokens: int, cost: float, more_tokens: int, more_cost: float, named: str | None
) -> None:
    usage = Usage(tokens=tokens, cost_usd=cost)
    reason = spent(usage, 1.0, 1000, estimate_usd=more_cost, estimate_tokens=more_tokens)
    assert reason is None if named is None else reason is not None and named in reason


@pytest.mark.parametrize(
    ("model", "usd"),
    [
        ("small", 0.10 + 2 * 0.40),
        ("small-002", 0.10 + 2 * 0.40),
        ("small-pro", 1 + 2 * 2),
        ("small-pro-preview", 1 + 2 * 2),
        ("models/small-pro", 1 + 2 * 2),
        ("org/big", 3 + 2 * 15),
        ("smaller", 0.0),
        ("offline", 0.0),
        ("", 0.0),
    ],
)
def test_the_longest_name_that_fits_gives_the_price(model: str, usd: float) -> None:
    assert price(TABLE, model, 1_000_000, 2_000_000) == pytest.approx(usd)


REQUIRED = {"MEMEX_PROJECT": "p", "MEMEX_REGION": "l", "MEMEX_DEVICE_KEYS_FILE": "f"}


def test_prices_come_from_the_environment() -> None:
    settings = Settings.from_env({**REQUIRED, "MEMEX_PRICES": "a=1/2, b=0.5/10"})
    assert price(settings.prices, "b", 2_000_000, 0) == 1.0
    assert price(Settings.from_env(REQUIRED).prices, "gemini-2.5-flash", 0, 1_000_000) == 2.5


@pytest.mark.parametrize("text", ["a", "a=1", "=1/2", "a=1/x", "a=-1/2", "a=nan/1"])
def test_a_bad_price_stops_the_start_with_its_name(text: str) -> None:
    with pytest.raises(NotConfigured, match="MEMEX_PRICES"):
        Settings.from_env({**REQUIRED, "MEMEX_PRICES": text})
