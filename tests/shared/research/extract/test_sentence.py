"""Sentences of a note: where each begins and ends, and under which headings."""

from shared.research.extract.sentence import sentences


def test_a_line_without_end_is_read_in_pieces_and_ends_with_sentences() -> None:
    said = [f"Bee number {number} makes honey." for number in range(1000)]
    assert [one.text for one in sentences(" ".join(said))] == said
    assert sentences("honey " * 5000) == []


def test_sentences_keep_their_headings_and_places() -> None:
    text = (
        "# A\nOne here now, e.g. this. Two: see `x. Y`.\n## B\n- item one\n- item two. More.\n\n知識は力。経験も力。\n"
    )
    assert [(one.headings, one.marker, one.text) for one in sentences(text)] == [
        (("A",), "", "One here now, e.g. this."),
        (("A",), "", "Two: see `x. Y`."),
        (("A", "B"), "-", "item one"),
        (("A", "B"), "-", "item two."),
        (("A", "B"), "-", "More."),
        (("A", "B"), "", "知識は力。"),
        (("A", "B"), "", "経験も力。"),
    ]
