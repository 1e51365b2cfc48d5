"""Which text is a link, and what an address says by itself."""

import pytest

from shared.capture import Capture, new_note
from shared.enrichment.address import BESIDE, linked, name


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("a fine piece on looms https://cloth.example/looms", "https://cloth.example/looms"),
        ("https://cloth.example/looms.", "https://cloth.example/looms"),
        ("[Looms](https://cloth.example/looms_(hand)) #weaving", "https://cloth.example/looms_(hand)"),
        ("(https://cloth.example/a), says Ida\n\nfor the attic", "https://cloth.example/a"),
        ("word " * BESIDE + "https://cloth.example/a", "https://cloth.example/a"),
        ("word " * (BESIDE + 1) + "https://cloth.example/a", None),
        ("Does https://cloth.example/a say how looms work?", None),
        ("- [ ] read https://cloth.example/a", None),
        ("https://cloth.example/a or https://cloth.example/b", None),
        ("```\ncurl https://cloth.example/a\n```", None),
        ("https://ida:secret@cloth.example/", None),
        ("https://...", None),
        ("looms need warmth", None),
    ],
)
def test_a_link_with_a_few_words_around_it_is_a_link(text: str, url: str | None) -> None:
    assert linked(text) == url
    note = new_note(Capture(text=text), 1_800_000_000.0)
    assert (note.kind, note.url, note.body) == ("link" if url else "capture", url, text)


def test_what_is_imported_is_what_its_file_says() -> None:
    note = new_note(Capture(text="see https://cloth.example/a", source="import"), 1_800_000_000.0)
    assert (note.kind, note.url) == ("capture", None)


@pytest.mark.parametrize(
    ("url", "title"),
    [
        ("https://cloth.example/2023/the-odd-life-of-crts/", "The odd life of crts - cloth.example"),
        ("https://cloth.example/weaving-with-XLR-leads", "Weaving with XLR leads - cloth.example"),
        ("https://cloth.example/a-history-of-4c1d9e7f3a", "cloth.example/a-history-of-4c1d9e7f3a"),
        ("https://cloth.example/what-nobody-says-about", "cloth.example/what-nobody-says-about"),
        ("https://cloth.example/story/looms-9e8d7c6b-linen", "cloth.example/story/looms-9e8d7c6b-linen"),
        ("https://cloth.example/p/xkcd", "cloth.example/p"),
    ],
)
def test_an_address_whose_words_break_off_is_said_plainly(url: str, title: str) -> None:
    assert name(url) == title
