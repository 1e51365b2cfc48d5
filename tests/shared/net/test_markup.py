"""HTML to text: what a reader sees, and no complaint about odd pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.net.markup import plain

PAGE = """<!doctype html><html><head><title> A  page &amp; more </title><style>p{}</style>
<script>if (a < b) { "</p>" }</script></head><body><nav><ul><li>Home</li></ul></nav>
<h1>Head<em>ing</em></h1><p>One
two.<br>Three</p><noscript>no</noscript><ul><li>First<li>Second</ul>
<table><tr><td>a</td><td>b</td></tr></table><footer>bye</footer><p>End &lt;tag&gt;</body>"""


def test_a_page_reads_as_its_text() -> None:
    read = plain(PAGE)
    assert read.title == "A page & more"
    assert read.text == "# Heading\n\nOne two.\nThree\n\n- First\n- Second\n\na\n\nb\n\nEnd <tag>"


@pytest.mark.parametrize(
    ("odd", "text"),
    [
        ("", ""),
        ("<p>open", "open"),
        ("</p></p>x", "x"),
        ("<script>never closed", ""),
        ("<nav><nav>a</nav>b</nav>c", "c"),
        ("<![if IE]>x<![endif]>y", "xy"),
        ("<p a='<'>&#xD800;&bogus;</p>", "\ufffd&bogus;"),
        ("a<!-- b", "a"),
        ("a<!--> b <!-- c --> d", "a b d"),
        ("<a title='x > y' b = \">\">z</a>", "z"),
        ("<a b='c>d e", "d e"),
        ("<a b='><p>c", "c"),
        ("1 < 2 <", "1 < 2 <"),
        ("a</", "a</"),
        ("a <b", "a <b"),
        ("a<br/>b<svg/>c<SCRIPT>x</Script >d", "a\nbcd"),
        ("&#" + "9" * 5000 + ";a", "\ufffda"),
        ("<title>One</title><svg><title>Two</title></svg>x", "x"),
    ],
)
def test_odd_html_gives_odd_text(odd: str, text: str) -> None:
    assert plain(odd).text == text


@given(st.text(alphabet="<>/!-[]&;#='\"ab \n", max_size=200))
def test_nothing_raises(text: str) -> None:
    plain(text)
