import time

import pytest

from shared.passage import LENGTH, Piece, heading, marked, passage


def _shown(pieces: list[Piece]) -> str:
    return "".join(f"[{piece.text}]" if piece.hit else piece.text for piece in pieces)


@pytest.mark.parametrize(
    ("text", "question", "shown"),
    [
        (
            "She publishes; publishing is fun. Published!",
            "publish",
            "She [publishes]; [publishing] is fun. [Published]!",
        ),
        ("the happy tries", "happiness try", "the [happy] [tries]"),
        ("Wir haben grüne Häuser", "haus grun", "Wir haben [grüne] [Häuser]"),
        ("L'été à Montréal, cafe\u0301", "ete montreal café", "L'[été] à [Montréal], [café]"),
        ("an æble a day", "aeble", "an [æble] a day"),
        ("I love C++ and 1,000 things, don't you", "c++ 1000", "I love [C++] and [1,000] things, don't you"),
        ("Anna's book-shelf", "anna shelf", "[Anna]'s book-[shelf]"),
        ("学习中文很有意思", "中文", "学习[中文]很有意思"),
        ("東京は日本の首都", "東京 日本", "[東京]は[日本]の首都"),
        ("서울에서 만나요", "서울", "[서울]에서 만나요"),
        ("[x](https://obsidian.md/a) and Obsidian", "obsidian", "[x](https://obsidian.md/a) and [Obsidian]"),
        ("<b>bold</b> sleep", "sleep", "<b>bold</b> [sleep]"),
        ("The landlord's land, Landlords", "rent landlo", "The [landlord]'s land, [Landlords]"),
        ("The landlord", "landlo ", "The landlord"),
        ("my_zettelkasten and #ideas", "#idea", "my_zettelkasten and #[ideas]"),
        ("Die Mietpreisbremse", "Mietpreisbr", "Die [Mietpreisbremse]"),
        ("a Müllabfuhr, a mule", "mull", "a [Müllabfuhr], a mule"),
        ("nothing of that", "sleep", "nothing of that"),
        ("", "sleep", ""),
    ],
)
def test_a_word_is_marked_however_it_is_written(text: str, question: str, shown: str) -> None:
    assert _shown(marked(text, question)) == shown


def test_a_passage_is_where_most_words_stand_together() -> None:
    body = "Sleep is one thing.\n" + "filler " * 100 + "\nAnd memory needs sleep, they say.\n" + "more " * 100
    found = _shown(passage(body, "sleep memory"))
    assert found.startswith("And [memory] needs [sleep], they say.")
    assert found.endswith("more…")
    assert len("".join(piece.text for piece in passage(body, "sleep memory"))) <= LENGTH + 2


def test_a_passage_begins_with_a_word_and_says_that_something_is_left_out() -> None:
    assert _shown(passage("filler " * 30 + "sleep well", "sleep")) == "…" + "filler " * 5 + "[sleep] well"


def test_a_passage_does_not_repeat_the_name() -> None:
    body = "# Trip to Lisbon\n\nBook the train to Lisbon."
    assert _shown(passage(body, "lisbon", name="Trip to Lisbon")).strip() == "Book the train to [Lisbon]."
    assert passage("# Lisbon\n\nBook the train.", "lisbon", name="Lisbon") == []


def test_no_passage_where_only_the_title_holds_the_word() -> None:
    assert passage("Nothing of that.", "sleep") == []


def test_a_note_is_called_by_its_title_or_its_first_line() -> None:
    assert heading("Named", "body") == "Named"
    assert heading(None, "\n  first line \nsecond") == "first line"
    assert heading(None, "") == ""


@pytest.mark.parametrize("body", ["sleep " * 20_000, "中文" * 40_000, "](" * 40_000, "a" * 90_000])
def test_a_long_text_costs_little(body: str) -> None:
    passage("sleep", "sleep 中文 a")
    began = time.perf_counter()
    passage(body, "sleep 中文 a")
    assert time.perf_counter() - began < 1.0
