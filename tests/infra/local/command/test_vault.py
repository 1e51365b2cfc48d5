"""Files and notes: what counts as a tag, what a title is, and that no byte is lost on the way there and back."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from infra.local.command.answers import Citation, Note, Origin
from infra.local.command.vault import dates, front_matter
from infra.local.command.vault.draft import draft, kept_tags
from infra.local.command.vault.hashtags import hashtags
from infra.local.command.vault.heading import first_heading
from infra.local.command.vault.kinship import exported, unedited
from infra.local.command.vault.names import Names, first_words, inside, safe
from infra.local.command.vault.page import BREAKS, citations, page, sources
from infra.local.command.vault.retouch import Wish, retouch
from infra.local.command.vault.text import NotText, decode, digest


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#one two #three", ["one", "three"]),
        ("#a/b and #ünï-code_x.", ["a/b", "ünï-code_x"]),
        ("# Heading\n## #inside", ["inside"]),
        ("#1984 #y1984 #12/3", ["y1984"]),
        ("no#tag (#anchor) \\#escaped &#39; ##double", []),
        ("`#code` ``#a ` #b`` #real", ["real"]),
        ("`unclosed #real", ["real"]),
        ("```\n#no\n```\n#yes", ["yes"]),
        ("~~~~py\n#no\n~~~\n#no\n~~~~~\n#yes", ["yes"]),
        ("> ```\n> #no\n> ```\n> #yes", ["yes"]),
        ("> ```\n> #no\n\n#yes", ["yes"]),
        ("- ```js\n  #no\n  ```\n- #yes", ["yes"]),
        ("```never closed\n#no", []),
        ("text\n\n    #no\n\ntext #yes", ["yes"]),
        ("text\n    #yes", ["yes"]),
        ("- item\n\n    #yes", ["yes"]),
        ("[[Note #no]] ![[x#no| #no]] [t](a #no) <a href='x #no'> <!-- #no\n#no --> #yes", ["yes"]),
        ("https://example.org/#no https://example.org/ #yes", ["yes"]),
        ("#a\r\n#b\r\n", ["a", "b"]),
        ("#same #same", ["same"]),
        ("#tag, #other; #last!", ["tag", "other", "last"]),
    ],
)
def test_hashtags(text: str, tags: list[str]) -> None:
    assert hashtags(text) == tags


@pytest.mark.parametrize(
    ("block", "title", "tags"),
    [
        ("title: A b", "A b", []),
        ("title: 2024-01-01\ntags: [2024, yes]", "2024-01-01", ["2024", "yes"]),
        ("Title: >\n  folded\n  title\nTAGS: a, b", "folded title", ["a", "b"]),
        ("title:\ntags:", "name", []),
        ("title: [list]\ntags:\n  - Reading List\n  - '#hash'\n  - a, b", "name", ["reading-list", "hash", "a", "b"]),
        ("tag: one two #c", "name", ["one", "two"]),
        ("tags: one\ntag: [two, one]", "name", ["one", "two"]),
        ("tags: {a: b}", "name", []),
    ],
)
def test_front_matter_gives_title_and_tags(block: str, title: str, tags: list[str]) -> None:
    made = draft(f"---\n{block}\n---\nbody", "v/folder/name.md")
    assert (made.title, made.tags, made.body) == (title, tags, "body")


@pytest.mark.parametrize(
    ("body", "heading"),
    [
        ("# Pears\ntext", "Pears"),
        ("\n \n# Pears on a wall ##\r\n", "Pears on a wall"),
        ("   #\tPears", "Pears"),
        ("# **Pears** on [walls](w.md), [[Garden|mine]] `x`", "Pears on walls, mine x"),
        ("# C#", "C#"),
        ("Pears\n===\ntext", "Pears"),
        ("Pears\r\n=\r\n", "Pears"),
        ("text\n# Pears", ""),
        ("## Pears", ""),
        ("#pears", ""),
        ("#\n# Pears", ""),
        ("    # code", ""),
        ("```\n# code\n```", ""),
        ("- item\n===", ""),
        ("Pears\n\n===", ""),
        ("Pears\n---", ""),
        ("", ""),
    ],
)
def test_a_heading_counts_where_the_text_begins_with_it(body: str, heading: str) -> None:
    assert first_heading(body) == heading


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Given\n---\n# Heading\n", "Given"),
        ("---\ntags: a\n---\n\n# Heading\n", "Heading"),
        ("# Heading\n", "Heading"),
        ("text\n# Heading\n", "name"),
        (f"# {'x' * 600}", "x" * 500),
    ],
)
def test_a_title_is_the_front_matters_then_the_headings_then_the_files(text: str, title: str) -> None:
    assert draft(text, "v/folder/name.md").title == title


EAST = timezone(timedelta(hours=9))


@pytest.mark.parametrize(
    ("block", "moment"),
    [
        ("created: 2024-01-05T10:30:00Z", "2024-01-05T10:30:00+00:00"),
        ("created: 2024-01-05T10:30:15.5+02:00", "2024-01-05T08:30:15.500000+00:00"),
        ("created: 2024-01-05 10:30 -0500", "2024-01-05T15:30:00+00:00"),
        ("Date: 2024-01-05 10:30", "2024-01-05T01:30:00+00:00"),
        ("created_at: '2024-01-05'", "2024-01-05T03:00:00+00:00"),
        ("date: 2020-02-02\ncreated: 2024-01-05T10:30:00Z", "2024-01-05T10:30:00+00:00"),
        ("created: long ago\ndate: 2024-01-05T10:30:00Z", "2024-01-05T10:30:00+00:00"),
        ("created: 1969-12-31T23:59:59Z", None),
        ("created: 0001-01-01T00:00:00+14:00", None),
        ("created: 9999-12-31T23:59:59-14:00", None),
        ("created: 2024-02-30", None),
        ("created: 2024-01-05T25:00", None),
        ("created: 05.01.2024", None),
        ("created: 2024", None),
        ("created: 1704450600", None),
        ("created: [2024-01-05]", None),
        ("created: ''", None),
        ("modified: 2024-01-05", None),
    ],
)
def test_a_date_counts_where_it_is_certain(block: str, moment: str | None) -> None:
    found = dates.written(front_matter.parse(block), EAST)
    assert (found.isoformat() if found else None) == moment
    assert found is None or found.tzinfo is UTC


def test_a_date_that_can_not_be_used_is_named_and_left_alone() -> None:
    made = draft("---\ndate: Jan 5th\n---\nbody", "v/name.md")
    assert (made.written, made.front_matter) == (None, "---\ndate: Jan 5th\n---\n")
    assert "'Jan 5th'" in made.complaints[0]
    assert draft("---\ndate:\n---\nbody", "v/name.md").complaints == ()


@given(st.text(max_size=40) | st.datetimes().map(str) | st.datetimes(timezones=st.timezones()).map(datetime.isoformat))
def test_no_date_fails_an_import(text: str) -> None:
    found = dates.written({"created": text})
    assert found is None or found.year >= 1970


@pytest.mark.parametrize(
    "text",
    [
        "---\na: [\n---\nx",
        "---\n- list\n---\nx",
        "---\na: {{x}}\n---\n",
        f"---\na: {'[' * 5000}\n---\nx",
        "---\na: b\n c: d\n---\n",
    ],
)
def test_malformed_front_matter_stays_in_the_text(text: str) -> None:
    made = draft(text, "v/name.md")
    assert (made.front_matter, made.body, made.title) == ("", text, "name")
    assert "can't be read" in made.complaints[0]


def test_long_front_matter_stays_in_the_text_and_still_counts() -> None:
    text = f"\ufeff---\ntitle: T\nx: {'y' * 30_000}\n---\nbody"
    made = draft(text, "v/name.md")
    assert (made.title, made.front_matter, made.front_matter + made.body) == ("T", "\ufeff", text)


@given(st.text())
def test_no_text_is_changed_by_taking_it_apart(text: str) -> None:
    for whole in (text, f"---\n{text}\n---\n{text}", f"\ufeff---\r\na: b\r\n---\r\n{text}"):
        made = draft(whole, "v/name.md")
        assert made.front_matter + made.body == whole


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"])
def test_every_encoding_comes_back(encoding: str) -> None:
    raw = ("\ufeff" if encoding.startswith("utf-16") else "").encode(encoding) + "---\r\na: ü\r\n---\r\n🍐".encode(
        encoding
    )
    if encoding == "utf-8-sig":
        raw = "---\r\na: ü\r\n---\r\n🍐".encode("utf-8-sig")
    made = draft(decode(raw), "v/n.md")
    note, origin = noted(made.body, made.title, made.tags), Origin("v/n.md", made.front_matter, digest(raw))
    assert unedited(note, origin, frozenset()) == raw == exported(note, origin, frozenset())


@pytest.mark.parametrize("raw", [b"\xff", b"a\0", "x".encode("utf-32"), b"\xff\xfe\x00", b"\xfe\xff\xd8\x00"])
def test_what_is_not_text_is_refused(raw: bytes) -> None:
    with pytest.raises(NotText):
        decode(raw)


def noted(body: str, title: str, tags: list[str], guessed: tuple[str, ...] = ()) -> Note:
    return Note(
        id="n", kind="capture", title=title, body=body, tags=[*tags, *guessed], guessed_tags=frozenset(guessed), url="",
        source="import", source_note_id="", created_at=None, deleted=False, revision=1, operation_id="",
        research_error="", citations=[], origin=None,
    )  # fmt: skip


def test_what_enrichment_added_is_no_edit_and_what_a_person_added_is() -> None:
    text = "---\ntags: [a]\n---\nbody #b"
    origin = Origin("v/T.md", "---\ntags: [a]\n---\n", digest(text.encode()))
    assert exported(noted("body #b", "T", ["a", "b"], ("guess",)), origin, frozenset()) == text.encode()
    assert exported(noted("body #b", "T", ["a", "b", "research"]), origin, frozenset({"tags"})) == text.encode()
    assert (
        exported(noted("body #b", "T", ["a", "b", "c"]), origin, frozenset()) == text.replace("[a]", "[a, c]").encode()
    )
    # An inline tag can't be taken out of the text by its list.
    assert exported(noted("body #b", "T", ["a"]), origin, frozenset()) == text.encode()


def test_after_an_edit_of_the_text_tags_change_only_where_the_trace_says_so() -> None:
    origin = Origin("v/T.md", "---\ntags: [a]\n---\n", digest(b"---\ntags: [a]\n---\nold #b"))
    note = noted("new", "T", ["a", "b"])
    assert exported(note, origin, frozenset({"body"})) == b"---\ntags: [a]\n---\nnew"
    assert exported(note, origin, frozenset({"body", "tags"})) == b"---\ntags: [a, b]\n---\nnew"


def test_a_note_called_after_its_file_before_headings_counted_comes_back_as_it_was() -> None:
    text = b"# Heading\n\nbody"
    origin, note = Origin("v/T.md", "", digest(text)), noted(text.decode(), "T", [])
    assert exported(note, origin, frozenset()) == text == unedited(note, origin, frozenset())
    # Where a person called it so, it is a title like any other.
    assert exported(note, origin, frozenset({"title"})) == b"---\ntitle: T\n---\n" + text
    assert unedited(note, origin, frozenset({"title"})) is None


def test_a_heading_changed_in_memex_is_no_new_title() -> None:
    origin = Origin("v/T.md", "", digest(b"# Old\n"))
    assert exported(noted("# New\n", "Old", []), origin, frozenset({"body"})) == b"# New\n"
    renamed = exported(noted("# New\n", "Mine", []), origin, frozenset({"body", "title"}))
    assert renamed == b"---\ntitle: Mine\n---\n# New\n"


CITED = [
    Citation(2, "Walls: a [study]", "https://example.org/?a=1&b=2", "Stone keeps\n the warmth, 'all' night."),
    Citation(1, "Pears", "#/notes/01hzz0000000000000000000aa", ""),
]


def report(body: str, cited: list[Citation]) -> Note:
    return replace(
        noted(body, "Why?", []), kind="research", citations=cited, source_note_id="01hzz0000000000000000000ab"
    )


def test_a_report_keeps_what_it_is_made_of_in_its_front_matter() -> None:
    front = front_matter.split(page(report("Warm [1][2].", CITED), "[[Why]]"))
    assert yaml.safe_load(front.inside) == {
        "id": "n",
        "kind": "research",
        "title": "Why?",
        "source_note": "[[Why]]",
        "source_note_id": "01hzz0000000000000000000ab",
        "citations": [
            {"number": 1, "title": CITED[1].title, "url": CITED[1].url},
            {"number": 2, "title": CITED[0].title, "url": CITED[0].url, "quote": CITED[0].quote},
        ],
    }


@given(st.lists(st.builds(Citation, st.integers(1, 999), st.text(), st.text(), st.text()), max_size=5))
def test_any_citation_can_be_read_from_the_front_matter(cited: list[Citation]) -> None:
    pieces = front_matter.split(page(report("body", cited), ""))
    listed = (yaml.safe_load(pieces.inside) or {}).get("citations", [])
    assert [(one["number"], one["title"], one["url"], one.get("quote", "")) for one in listed] == [
        (one.number, *(text.translate(BREAKS) for text in (one.title, one.url, one.quote)))
        for one in sorted(cited, key=lambda one: one.number)
    ]
    assert pieces.body.startswith("body")


def test_citations_never_make_the_front_matter_too_long_to_be_kept_beside_the_text() -> None:
    many = [Citation(n, "title", f"https://example.org/{n}", "q" * 600) for n in range(1, 101)]
    assert not any("quote" in line for line in citations(report("", many)))
    more = [replace(one, title="t" * 300) for one in many]
    assert citations(report("", more)) == []
    for cited in (many, more):
        made = draft(page(report("body", cited), ""), "v/r.md")
        assert made.body.startswith("body\n\n## Sources") and not made.complaints


def test_sources_are_listed_where_the_text_does_not_list_them_all() -> None:
    listed = "Warm [1].\n\n## Sources\n\n1. Pears <#/notes/01hzz0000000000000000000aa>\n"
    assert sources(report(listed, CITED[1:])) == []
    assert len(sources(report(listed, CITED))) == 2
    assert len(sources(report("## References\n\nNone are needed.", CITED))) == 2
    assert sources(report("No sources.", [])) == []


BLOCKS = [
    "# c1\ntitle: Old # why\ntags:\n  - a b\n  # inner\n  - keep\n\n# after\naliases: [x, y]\n",
    "tags:\n- a\n- keep\nother: 1 # x\n",
    "tags: [a, 'keep me', \"z\"]\nt: 2024-01-01\n",
    "tags: a, keep, z # c\nx: y\n",
    "tag: a keep\n",
    "title: 'Old'\r\ntags:\r\n  - a\r\nx: |\r\n  multi\r\n  line\r\n",
    "tags:\nx: 1\n",
    "x: 1\ntags:\n",
    "{title: Old, x: [1,2]}\n",
    "",
    "# only a remark\n",
    "title: |\n  Long\n  one\nx: 1\n",
    "title: Long\n  folded plain\ntags: a,\n  keep\nx: 1\n",
    "tags: [a]\ntag: keep, a\n",
    "  title: a\n  tags: [a]\n",
    "x: 1 # remark\n",
    "x: |+\n  a\n\n\n",
    "tags: &t [a, keep]\nlike: *t\n",
    "\"title\": Old\n'tags': [a]\n",
    "? title\n: Old\n? tags\n: - a\n  - b\n",
]
WISHES = [
    Wish("New: title"),
    Wish(drop=frozenset({"a", "a-b"})),
    Wish(add=("n/x", "yes")),
    Wish("T", frozenset({"a"}), ("b",)),
    Wish(drop=frozenset({"a", "keep", "keep-me", "z", "a-b", "b"})),
]


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("wish", WISHES)
def test_a_block_says_what_was_wished_and_nothing_else_changes(block: str, wish: Wish) -> None:
    end = "\r\n" if "\r\n" in block else "\n"
    text = f"---{end}{block}---{end}body"
    pieces = front_matter.split(retouch(text, wish))
    before, after = front_matter.split(text).fields or {}, pieces.fields or {}
    had, have = (set(kept_tags(front_matter.tags(fields))[0]) for fields in (before, after))
    assert have == (had - wish.drop) | set(wish.add)
    assert front_matter.title(after) == (front_matter.title(before) if wish.title is None else wish.title)
    ours = ("title", "tags", "tag")
    assert {k: v for k, v in after.items() if k not in ours} == {k: v for k, v in before.items() if k not in ours}
    assert pieces.body == "body"
    assert isinstance(yaml.safe_load(pieces.inside), dict | None)


def test_what_is_not_wished_keeps_its_remarks() -> None:
    text = f"---\n{BLOCKS[0]}---\n"
    assert retouch(text, Wish("T")) == text.replace("title: Old", "title: T")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('a<b>:"/\\|?*c', "a b c"),
        ("  dots... ", "dots"),
        ("con", "_con"),
        ("NUL.txt", "_NUL.txt"),
        ("", "Untitled"),
        ("..", "Untitled"),
        ("[[x]] #y ^z", "x y z"),
        ("e\u0301", "é"),
    ],
)
def test_names_are_safe_everywhere(text: str, name: str) -> None:
    assert safe(text) == name


@given(st.text(min_size=1))
def test_any_text_gives_a_name_that_fits(text: str) -> None:
    name = safe(text)
    assert name and len(name.encode()) <= 181 and not set(name) & set('<>:"/\\|?*\n\0') and name == name.strip(". ")


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("v/a.md", "v/a.md"),
        ("v/What: why?.md", "v/What: why?.md"),
        ("/etc/x.md", "etc/x.md"),
        ("../x.md", "_../x.md"),
        ("v/./a//b.md", "v/a/b.md"),
        ("v/.git/config", "v/_.git/config.md"),
        ("", "Untitled.md"),
    ],
)
def test_an_imported_path_stays_inside(path: str, place: str) -> None:
    assert inside(path, windows=False) == place


def test_a_path_is_made_safe_on_windows() -> None:
    assert inside("v/What: why?.md", windows=True) == "v/What why .md"


def test_two_notes_never_share_a_name() -> None:
    names = Names()
    assert [names.choose("Pears", "1"), names.choose("pears", "2"), names.choose("Pears", "1")] == [
        "Pears.md",
        "pears (2).md",
        "Pears.md",
    ]


def test_the_first_words_are_found_behind_the_marks() -> None:
    assert first_words("\n\n## **Pears** on `walls`\nmore") == "Pears on walls"


@pytest.mark.parametrize(
    ("modified", "told"),
    [
        (1_577_836_800.9, datetime(2020, 1, 1, tzinfo=UTC)),
        (0.0, None),
        (-1e12, None),
        (4e9, None),
        (1e300, None),
        (float("nan"), None),
    ],
)
def test_a_files_own_date_counts_where_it_can_be(modified: float, told: datetime | None) -> None:
    assert dates.changed(modified, datetime(2026, 1, 1, tzinfo=UTC)) == told
