"""What a note asks: its title, and the words to look for."""

import pytest

from shared.research.extract.asked import addresses, focus


@pytest.mark.parametrize(
    ("text", "title", "words"),
    [
        ("Why do cats purr?", "Why do cats purr?", "Why do cats purr?"),
        ("# Cats\n\nThey are nice. Why do cats purr? #research", "Why do cats purr?", "Cats Why do cats purr?"),
        ("Sync vs backups\n\nsome thoughts", "Sync vs backups", "Sync vs backups"),
        ("#research bees https://a.test/x", "bees", "bees"),
        ("", "", ""),
    ],
)
def test_a_note_asks_its_questions_or_its_first_line(text: str, title: str, words: str) -> None:
    assert focus(text) == (title, words)


def test_an_address_ends_before_the_mark_that_ends_its_sentence() -> None:
    text = "See https://a.test/x, https://b.test/y. (https://c.test/z) and https://a.test/x?"
    assert addresses(text) == ["https://a.test/x", "https://b.test/y", "https://c.test/z"]
