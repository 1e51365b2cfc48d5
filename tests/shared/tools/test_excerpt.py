import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.tools.excerpt import LENGTH, excerpt

FILLER = "The weather was as it often is. " * 200


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("Pears ripen in September.", "when do pears ripen?"),
        ("Äpfel wachsen überall.", "Apfel, wo wachsen sie"),
        ("Une poire mûrit lentement.", "quand mûrissent les poires"),
        ("梨は秋に熟します。", "梨はいつ熟しますか"),
        ("Груши созревают осенью.", "когда созревают груши"),
        ("Use foo_bar(x) there.", "foo_bar"),
    ],
)
def test_it_is_around_the_words_of_the_question(sentence: str, question: str) -> None:
    part = excerpt(f"{FILLER}{sentence} {FILLER}", question)
    assert sentence in part
    assert len(part) <= LENGTH and part.startswith("…") and part.endswith("…")


def test_the_place_with_most_words_wins_over_the_first() -> None:
    part = excerpt(f"A pear. {FILLER}A pear tree at the south wall. {FILLER}", "pear tree south wall")
    assert "A pear tree at the south wall." in part


@pytest.mark.parametrize("question", ["", "xylophone", "???"])
def test_without_a_place_it_is_the_beginning(question: str) -> None:
    part = excerpt(f"Beginning. {FILLER}", question)
    assert part.startswith("Beginning. The weather") and part.endswith("…")


def test_a_short_text_is_whole() -> None:
    assert excerpt("  short \n", "short") == "short"


def test_the_end_has_no_mark_behind_it() -> None:
    part = excerpt(f"{FILLER}The last word is quince", "quince")
    assert part.endswith("The last word is quince") and len(part) <= LENGTH


def test_a_large_body_and_a_long_question_take_no_time() -> None:
    began = time.perf_counter()
    excerpt("ab " * 50_000, "ab " * 300)
    excerpt("a" * 100_000, "a b c " * 150)
    excerpt("梨" * 30_000, "梨" * 900)
    assert time.perf_counter() - began < 2


@given(st.text(max_size=2000), st.text(max_size=100), st.integers(10, 700))
def test_it_is_never_longer_and_holds_nothing_but_the_text(text: str, question: str, length: int) -> None:
    part = excerpt(text, question, length)
    assert len(part) <= length
    assert part.removeprefix("…").removesuffix("…").strip() in text or part in text
