import time

import pytest

from shared.agent.addresses import addresses
from shared.agent.citing import Checked, cited
from shared.models.note import Citation

NOTE, OTHER = "01" + "a" * 24, "01" + "b" * 24
SOURCES = {
    f"#/notes/{NOTE}": Citation(number=9, title="Pears", url=f"#/notes/{NOTE}", source_kind="note", note_id=NOTE)
}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"[Pears](#/notes/{NOTE})", f"[Pears](#/notes/{NOTE})"),
        (f"[Bread](#/notes/{OTHER})", "Bread"),
        (f"see #/notes/{OTHER} there", "see (a note that was not read) there"),
        (f"see #/notes/{NOTE} there", f"see #/notes/{NOTE} there"),
        ("[x](https://unread.example/a_(b))", "x"),
        ("[x](<https://unread.example/a b>)", "x"),
        ('[x](https://unread.example "title")', "x"),
        ("[x](https://unread.example 'title')", "x"),
        ("[a [b] c](https://unread.example)", "[a [b] c]((an address that was not read))"),
        ("[ref][1]\n\n[1]: https://unread.example", "[ref][1]\n\n"),
        ("[ref][1]\n\n[1]: https://known.example/", "[ref][1]\n\n[1]: https://known.example/"),
        ("<https://unread.example>", "<(an address that was not read)>"),
        ("See https://unread.example/x, please.", "See (an address that was not read), please."),
        ("See https://known.example/.", "See https://known.example/."),
        ("`https://unread.example`", "`https://unread.example`"),
        ("```\nhttps://unread.example [a](b)\n```", "```\nhttps://unread.example [a](b)\n```"),
        (f"![x](#/notes/{NOTE})", "x"),
        ("![x](https://known.example/)", "x"),
        ("[k](https://known.example/)", "[k](https://known.example/)"),
        (f"[n](#/notes/{OTHER}x)", "n"),
        ("[js](javascript:alert(1))", "js"),
    ],
)
def test_only_what_was_read_stays_linked(text: str, kept: str) -> None:
    assert cited(text, SOURCES, {"https://known.example/"}).text == kept


def test_sources_are_numbered_by_appearance_and_once() -> None:
    text = f"[a](#/notes/{NOTE}) and again #/notes/{NOTE}"
    assert [(one.number, one.note_id) for one in cited(text, SOURCES).citations] == [(1, NOTE)]
    assert cited("nothing", SOURCES) == Checked("nothing", [], [])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("read https://a.example/x, please.", {"https://a.example/x"}),
        ("(https://a.example/x_(y))", {"https://a.example/x_(y)"}),
        ("[https://a.example/] and HTTP://B.example?", {"https://a.example/", "HTTP://B.example"}),
        ("<https://a.example/b>", {"https://a.example/b"}),
        ("ftp://a.example and a.example", set()),
    ],
)
def test_addresses_in_what_people_type(text: str, found: set[str]) -> None:
    assert addresses(text) == found


@pytest.mark.parametrize("piece", ["[a](<", "[", "![", "[a](", "`", "```", "[a]: ", "https://", "(((", "[a](b(", "<"])
def test_its_cost_grows_with_the_text_alone(piece: str) -> None:
    """Ten times the text may take no more than thirty times as long, where a square would take a hundred."""
    short, long = (min(_seconds(piece * (size // len(piece))) for _ in range(3)) for size in (20_000, 200_000))
    assert long < 30 * short + 0.05


def _seconds(text: str) -> float:
    began = time.process_time()
    cited(text, SOURCES)
    return time.process_time() - began


def test_links_name_all_that_may_be_drawn() -> None:
    text = f"[a](#/notes/{NOTE}) https://known.example/ [b](https://unread.example) [1]: x"
    assert cited(text, SOURCES, {"https://known.example/"}).links == [f"#/notes/{NOTE}", "https://known.example/"]
