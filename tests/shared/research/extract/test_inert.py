"""Text of others in a report, whatever it is: it stays one line, and looks like nothing that a report is read by."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.research.citing import code_apart
from shared.research.extract.inert import address, heading, label, sentence, uncited
from shared.research.sources import heads_sources, listed_sources

TEXT = st.lists(
    st.sampled_from(
        [
            *"#*_`[]()<>&;:.-1 \\",
            "cite",
            "[cite: 2]",
            "Sources",
            "References:",
            "\n",
            "\u2028",
            "\u200b",
            "&#91;",
            "://",
            "``",
        ]
    ),
    max_size=30,
).map("".join)
MARKER = re.compile(r"\[cite:\s*\d+\s*\]|\[\d+\](?![(\[:\w])")


@given(TEXT)
def test_nothing_forms_a_mark_a_heading_or_an_entry(text: str) -> None:
    said, titled = sentence(text), heading(text)
    for one in (said, titled):
        assert len(one.splitlines()) <= 1
        assert not any(MARKER.search(piece) for piece, code in code_apart(one) if not code)
        assert "[cite: 2]" not in one
    assert sentence(said) == said
    assert not re.match(r"#|>|\||[-+*]\s|\d+[.)]\s|~~~|```\s*$", said)
    assert not heads_sources(f"## {titled}")
    assert not heads_sources(f"{said} [cite: 1]")


@given(TEXT)
def test_a_tick_that_nothing_closes_hides_no_mark_that_follows(text: str) -> None:
    after = f"{sentence(text)} [cite: 1] ` `` ```"
    assert any("[cite: 1]" in piece for piece, code in code_apart(after) if not code)


@given(TEXT, st.text(alphabet='ab()[]<> `"\\\n', max_size=12))
def test_an_entry_has_the_address_it_was_given(title: str, path: str) -> None:
    url = address(f"https://a.test/{path}")
    _, (one,), flags = listed_sources(f"**Sources:**\n1. [{label(title) or url}]({url})\n")
    assert (one.number, one.url, flags) == (1, url, [])
    assert one.title == (uncited(title).lstrip("# ").strip() or url)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Open it. Then 5 < 6 & so on.", "Open it. Then 5 < 6 & so on."),
        ("1. Open it", r"1\. Open it"),
        ("1.5 litres", "1.5 litres"),
        ("#tag it", r"\#tag it"),
        ("- so", r"\- so"),
        ("-5 degrees", "-5 degrees"),
        ("a <b> `<b>` and `", r"a \<b> `<b>` and \`"),
        ("&amp; [x](https://a.test)", r"\&amp; [x\](https://a.test)"),
    ],
)
def test_a_sentence_reads_as_it_did(text: str, shown: str) -> None:
    assert sentence(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Sources", "“Sources”"),
        ("# **References:**", "“References”"),
        ("Works \u200b cited", "“Works cited”"),
        ("Sources of honey", "Sources of honey"),
        ("# Honey", "Honey"),
        ("[cite: 2]", "Untitled"),
    ],
)
def test_a_heading_that_would_announce_sources_is_quoted(text: str, shown: str) -> None:
    assert heading(text) == shown
