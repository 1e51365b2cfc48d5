"""Markdown as a reader sees it: what goes, and what stays."""

import pytest

from shared.research.extract.visible import clean


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("a [[Note]] and [[Note|name]] and [[Note#Part]]", "a Note and name and Note#Part"),
        ("an ![[embed]] and ![alt](x.png) gone", "an and gone"),
        ("a [link](https://x.test/a_(b)) and `[[code]]`", "a link and `[[code]]`"),
        ("**bold** _it_ *it* ~~no~~ ==hi== snake_case_name", "bold it it no hi snake_case_name"),
        ("fake [cite: 3] and [1, 2] and[^4] markers ^block-1", "fake and and markers"),
        ("<b>tag</b> &amp; %%hidden%% 2 < 3", "tag & 2 < 3"),
    ],
)
def test_markdown_is_cleaned_to_what_a_reader_sees(markdown: str, text: str) -> None:
    assert clean(markdown) == text


@pytest.mark.parametrize(
    "marker",
    [
        "&#91;cite: 2&#93;",
        "&lbrack;cite: 2&rbrack;",
        "[ci<b></b>te: 2]",
        "[ci<!-- x -->te: 2]",
        "[ci%%x%%te: 2]",
        "[ci**t**e: 2]",
        "[ci[[t]]e: 2]",
        "[ci\u200bte: 2]",
        "[ci\u2060\u00adte\ufeff: 2]",
        "[ci\u200dte: 2]",
        r"\[cite: 2\]",
        r"[cite\: 2]",
        "[CITE: 2]",
        "[1]",
        "&#91;1, 2&#93;",
    ],
)
def test_marks_of_citation_go_however_they_are_hidden(marker: str) -> None:
    assert clean(f"Bees make honey {marker} here.") == "Bees make honey here."


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("Write `[cite: 2]` here.", "Write `(cite: 2)` here."),
        ("Take `a[1]` here.", "Take `a[1]` here."),
        ("So [ci[cite: 1]te: 2] it is.", "So (cite: 2) it is."),
        ("می\u200cروم و 👨\u200d👩\u200d👧", "می\u200cروم و 👨\u200d👩\u200d👧"),
        ("&#" + "9" * 5000 + "; bees", "\ufffd bees"),
        ("C# and a==b, c==d, __init__ and foo__bar__baz", "C# and a==b, c==d, init and foo__bar__baz"),
        ("**One sentence.", "One sentence."),
    ],
)
def test_what_is_no_mark_stays(markdown: str, text: str) -> None:
    assert clean(markdown) == text
