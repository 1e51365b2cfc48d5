"""Answers are cut to a size, and say so."""

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from shared.gateway.size import MAX_RESULT, fitted, size
from shared.models.base import JsonDict

long = st.integers(0, 30_000).map(lambda count: 'ä"\\\n' * count)
values: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.integers(-9, 9) | long,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None)
@given(st.dictionaries(st.text("abc", max_size=4), values, max_size=5))
def test_whatever_it_was_it_fits_and_says_what_is_missing(value: JsonDict) -> None:
    kept = fitted(value, 5_000)
    assert size(kept) <= 5_000
    if kept != value:
        assert str(size(value)) in str(kept["cut"])


def test_what_fits_stays_as_it_is() -> None:
    value: JsonDict = {"text": "a" * (MAX_RESULT - 20)}
    assert fitted(value) is value


def test_one_long_text_loses_its_end_and_the_rest_stays() -> None:
    kept = fitted({"title": "Pears", "body": "x" * 100_000})
    assert kept["title"] == "Pears"
    assert str(kept["body"]).startswith("x" * 8_000)
    assert "more characters]" in str(kept["body"])


def test_something_wide_is_told_as_the_beginning_of_its_text() -> None:
    kept = fitted({f"{outer}-{inner}": "y" * 90 for outer in range(100) for inner in range(40)}, 1_000)
    assert size(kept) <= 1_000
    deep: JsonValue = ["z" * 200] * 20
    for _ in range(3):
        deep = [deep] * 20
    kept = fitted({"deep": deep})
    assert set(kept) == {"cut", "text"}
    assert size(kept) <= MAX_RESULT
