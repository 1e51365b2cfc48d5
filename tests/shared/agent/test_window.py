from hypothesis import given
from hypothesis import strategies as st

from shared.agent.window import SEEDED, SUMMARY, window
from shared.events.trace import TRACE_EVENT, TraceEvent

AT = "2026-01-01T00:00:00.000000Z"


def said(*texts: str, first: int = 1) -> list[TraceEvent]:
    """The person and the model in turn."""
    return [
        TRACE_EVENT.validate_python({"type": ("user", "text")[n % 2], "seq": first + n, "at": AT, "text": text})
        for n, text in enumerate(texts)
    ]


def test_a_short_conversation_is_seeded_word_for_word() -> None:
    seen = window(said("one", "two", "three"), "", 0, 1000)
    assert [(one.role, one.text) for one in seen.messages] == [("user", "one"), ("model", "two"), ("user", "three")]
    assert (seen.summary, seen.first_seq) == ("", 1)


def test_what_no_longer_fits_is_summarised_once() -> None:
    texts = [f"text {n}" for n in range(SEEDED + 4)]
    seen = window(said(*texts), "", 0, 10_000)
    assert [one.text for one in seen.messages] == texts[4:]
    assert seen.summary.splitlines() == [
        "asked: text 0",
        "answered: text 1",
        "asked: text 2",
        "answered: text 3",
    ]
    again = window(said(*texts), seen.summary, seen.summarised, 10_000)
    assert (again.summary, again.summarised) == (seen.summary, seen.summarised)


def test_an_answer_never_comes_first() -> None:
    seen = window(said("q" * 50, "a" * 50, "next"), "", 0, 60)
    assert [one.text for one in seen.messages] == ["next"]


def test_one_enormous_message_is_cut_and_seeded() -> None:
    seen = window(said("x" * 500), "", 0, 100)
    assert seen.messages[0].text == "x" * 100 + " [...]"


@given(st.lists(st.text(max_size=300), max_size=40), st.integers(10, 2000))
def test_it_is_bounded_whatever_was_said(texts: list[str], characters: int) -> None:
    seen = window(said(*texts), "asked: before", 0, characters)
    assert len(seen.messages) <= SEEDED
    assert len(seen.summary) <= SUMMARY
    assert sum(len(one.text) for one in seen.messages) <= max(characters, characters + 6)
    assert not seen.messages or seen.messages[0].role == "user"
