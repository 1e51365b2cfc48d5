"""A task's box is turned in its note's text, one sign of it, and whatever else stands there stays."""

import pytest

from shared.enrichment.boxes import turned

TEXT = (
    "# Trip\r\n\r\n- [ ] Book the **train** 📅 2026-03-01\r\n  - [ ] ask Ann\n> 1. [ ] pay [Ben](https://x.example)\n"
)


@pytest.mark.parametrize(
    ("title", "line"),
    [
        ("Book the train 📅 2026-03-01", "- [x] Book the **train** 📅 2026-03-01\r\n"),
        ("book the train", "- [x] Book the **train** 📅 2026-03-01\r\n"),
        ("ask Ann", "  - [x] ask Ann\n"),
        ("pay Ben", "> 1. [x] pay [Ben](https://x.example)\n"),
    ],
)
def test_a_box_is_ticked_and_opened_again_and_no_other_sign_changes(title: str, line: str) -> None:
    after = turned(TEXT, title, done=True)
    assert line in after
    assert after.replace("[x]", "[ ]") == TEXT and after.count("[x]") == 1
    assert turned(after, title, done=False) == TEXT


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Remember to call Ann.", "call Ann"),
        ("- [ ] call Ann back", "call Ann"),
        ("- [x] call Ann", "call Ann"),
        ("```\n- [ ] call Ann\n```", "call Ann"),
        ("````\n```\n- [ ] call Ann\n````", "call Ann"),
        ("<!-- \n- [ ] call Ann\n-->", "call Ann"),
        ("- [ ] ...", "..."),
        ("", "call Ann"),
    ],
)
def test_a_text_without_such_a_box_stays_as_it_is(text: str, title: str) -> None:
    assert turned(text, title, done=True) == text


def test_what_is_struck_out_is_not_to_do_again_by_its_box() -> None:
    text = "- [x] ~~call Ann~~"
    assert turned(text, "call Ann", done=False) == text


def test_of_boxes_with_the_same_words_all_are_ticked_and_only_the_last_is_opened() -> None:
    weeks = "- [x] water the figs\n- [x] water the figs\n- [ ] water the figs\n"
    done = turned(weeks, "water the figs", done=True)
    assert done == weeks.replace("[ ]", "[x]")
    assert turned(done, "water the figs", done=False) == weeks


def test_a_box_with_another_sign_is_opened() -> None:
    assert turned("- [-] call Ann", "call Ann", done=False) == "- [ ] call Ann"
