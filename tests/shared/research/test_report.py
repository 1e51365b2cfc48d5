"""The report of a run: every text part, sources from the text first, bytes not characters, nothing invented."""

from datetime import UTC, datetime

import pytest

from shared.events.trace import TRACE_EVENT
from shared.models.base import JsonDict
from shared.research.interaction import parse_interaction, short
from shared.research.report import Output, Report, assemble

NOTE = "01arz3ndektsv4rrffq69g5fav"
SAMPLE: JsonDict = {
    "id": "v1_abc",
    "status": "completed",
    "steps": [
        {"type": "user_input", "content": [{"type": "text", "text": "question"}]},
        {"type": "thought", "signature": "c2ln", "summary": [{"type": "text", "text": "**Scoping**\n\nLooking."}]},
        {"type": "google_search_call", "id": "c1", "arguments": {"queries": ["zettelkasten origin"]}},
        {"type": "google_search_result", "call_id": "c1", "result": [{"search_suggestions": "<div/>"}]},
        {"type": "model_output", "content": [{"type": "text", "text": "# Report\n\nPart one. [cite: 1]\n\n"}]},
        {"type": "thought", "summary": []},
        {
            "type": "model_output",
            "content": [
                {
                    "type": "text",
                    "text": "## Middle\n\nPart two. [cite: 2]\n\n",
                    "annotations": [
                        {
                            "type": "url_citation",
                            "url": "https://redirect.example.test/x",
                            "start_index": 0,
                            "end_index": 9,
                        }
                    ],
                }
            ],
        },
        {"type": "model_output", "content": [{"type": "image", "mime_type": "image/png", "data": "iVBORw0KGgo="}]},
        {
            "type": "model_output",
            "content": [
                {
                    "type": "text",
                    "text": "**Sources:**\n1. [example.test](https://example.test/a)\n2. [example.org](https://example.org/b)\n",
                }
            ],
        },
    ],
    "usage": {"total_input_tokens": 250000, "total_output_tokens": 60000, "total_tokens": 310000},
}


def report(text: str, *annotations: JsonDict) -> Report:
    part: JsonDict = {"type": "text", "text": text, "annotations": list(annotations)}
    return assemble(parse_interaction({"status": "completed", "steps": [{"type": "model_output", "content": [part]}]}))


def sourced(text: str, sources: str = "1. [A](https://a.test/)\n2. [B](https://b.test/)") -> Report:
    return report(f"{text}\n\n**Sources:**\n{sources}\n")


def test_the_documented_sample_becomes_a_whole_report() -> None:
    made = assemble(parse_interaction(SAMPLE))
    assert made.markdown == (
        "# Report\n\nPart one. [cite: 1]\n\n## Middle\n\nPart two. [cite: 2]\n\n"
        "**Sources:**\n1. [example.test](https://example.test/a)\n2. [example.org](https://example.org/b)\n"
    )
    assert made.summary == "Part one."
    assert [(one.number, one.title, one.url) for one in made.citations] == [
        (1, "example.test", "https://example.test/a"),
        (2, "example.org", "https://example.org/b"),
    ]
    assert [(one.claim, one.sources) for one in made.claims] == [("Part one.", ["1"]), ("Part two.", ["2"])]
    assert made.usage.tokens == 310000
    assert made.flags == []


def test_the_trace_holds_thoughts_tools_citations_and_usage_and_fits_the_schema() -> None:
    made = assemble(parse_interaction(SAMPLE))
    kinds = [event["type"] for event in made.trace]
    assert kinds == ["thinking", "tool_call", "tool_result", "citations", "usage"]
    for number, event in enumerate(made.trace, start=1):
        TRACE_EVENT.validate_python(event | {"seq": number, "at": datetime.now(UTC)})
    assert made.trace[1] == {
        "type": "tool_call",
        "tool": "google_search",
        "arguments": {"queries": ["zettelkasten origin"]},
        "call_id": "c1",
    }
    assert "div" not in str(made.trace[2])


def test_the_structured_result_validates_and_names_its_schema() -> None:
    output = assemble(parse_interaction(SAMPLE)).output()
    Output.model_validate(output)
    assert (output["schema_id"], output["schema_version"]) == ("memex.research-report", 1)
    assert output["confidence"] is None
    assert output["sources"] == [
        {"id": "1", "title": "example.test", "url": "https://example.test/a"},
        {"id": "2", "title": "example.org", "url": "https://example.org/b"},
    ]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("One. [cite: 1] Two. [cite: 1, 2]", [("One.", ["1"]), ("Two.", ["1", "2"])]),
        ("One [cite: 1]. Two [cite: 2][cite: 1].", [("One.", ["1"]), ("Two.", ["2", "1"])]),
        ("One. [cite: 1-2]", [("One.", ["1", "2"])]),
        ("One.[1] Two [2].", [("One.", ["1"]), ("Two.", ["2"])]),
        ("One, e.g. this or i.e. That. [cite: 1]", [("One, e.g. this or i.e. That.", ["1"])]),
        ("Uncited. Cited. [cite: 2]", [("Cited.", ["2"])]),
        ("- item [cite: 1]\n- other [cite: 2]", [("item", ["1"]), ("other", ["2"])]),
        ("1. **Bold** and `code`. [cite: 1]", [("Bold and code.", ["1"])]),
        ("Two\nlines. [cite: 1]", [("Two lines.", ["1"])]),
        ("日本語の文。 [cite: 1]", [("日本語の文。", ["1"])]),
        ("# Heading [cite: 1]\n\n```\ncode [cite: 1]\n```", []),
        (
            "A [1](https://x.test) link, an a[1][2] index. [cite: 1]",
            [("A [1](https://x.test) link, an a[1][2] index.", ["1"])],
        ),
        ("Nothing cited.", []),
        ("Code `[cite: 2]` and ``a ` [cite: 2]``. [cite: 1]", [("Code [cite: 2] and a ` [cite: 2].", ["1"])]),
        (r"Not \`code [cite: 1]\`. [cite: 2]", [("Not `code`.", ["1", "2"])]),
        (
            "A `x. Y` stays. [cite: 1] Or **b** and 2 ** 3. [cite: 2]",
            [("A x. Y stays.", ["1"]), ("Or b and 2 ** 3.", ["2"])],
        ),
        ("One. [cite: 1] [cite: 2] goes on. [cite: 1]", [("One. goes on.", ["1", "2"])]),
        ("One [cite: 99999]. [cite: 1]", [("One [cite: 99999].", ["1"])]),
    ],
)
def test_claims_are_the_cited_sentences(text: str, claims: list[tuple[str, list[str]]]) -> None:
    assert [(one.claim, one.sources) for one in sourced(text).claims] == claims


@pytest.mark.parametrize(
    ("entry", "title", "url"),
    [
        ("1. [A title](https://a.test/x)", "A title", "https://a.test/x"),
        ("1. [A [nested] title](https://a.test/x_(y))", "A [nested] title", "https://a.test/x_(y)"),
        ("1. [A \\[b\\]](https://a.test/)", "A [b]", "https://a.test/"),
        ("[1] A title https://a.test/x", "A title", "https://a.test/x"),
        ("- [1] https://a.test/x.", "https://a.test/x", "https://a.test/x"),
        ("1) <https://a.test/x>", "https://a.test/x", "https://a.test/x"),
        ("1. A title — https://a.test/x", "A title", "https://a.test/x"),
        (f"1. [My note](#/notes/{NOTE})", "My note", f"#/notes/{NOTE}"),
    ],
)
def test_source_lists_are_read_in_their_usual_forms(entry: str, title: str, url: str) -> None:
    (source,) = sourced("One. [cite: 1]", entry).citations
    assert (source.number, source.title, source.url) == (1, title, url)


@pytest.mark.parametrize(
    "heading", ["**Sources:**", "**Sources**:", "## Sources", "Sources:", "### References", "**Works cited**"]
)
def test_source_lists_are_found_under_their_usual_headings(heading: str) -> None:
    made = report(f"One. [cite: 1]\n\n{heading}\n\n1. [A](https://a.test/)\n\n2. [B](https://b.test/)\n")
    assert [one.number for one in made.citations] == [1, 2]
    assert made.summary == "One."


def test_only_the_last_source_list_counts() -> None:
    text = (
        "One. [cite: 1]\n\n## References\n\n1. [Evil](https://evil.test/)\n2. [Worse](https://worse.test/)\n\n"
        "Two. [cite: 2]\n\n**Sources:**\n1. [A](https://a.test/)\n2. [B](https://b.test/)\n\n## Sources\n\nNo list."
    )
    made = report(text)
    assert [one.url for one in made.citations] == ["https://a.test/", "https://b.test/"]
    assert [(one.claim, one.sources) for one in made.claims] == [("One.", ["1"]), ("Two.", ["2"])]


@pytest.mark.survival(3)
def test_a_listed_source_that_was_not_read_is_left_out_and_flagged() -> None:
    made = report(
        "One. [cite: 1] Two. [cite: 2]\n\n**Sources:**\n1. [A](https://a.test/)\n2. [B](https://b.test/)\n",
        {"url": "https://a.test/", "start_index": 0, "end_index": 4},
    )
    assert [one.url for one in made.citations] == ["https://a.test/"]
    assert made.flags == [
        "Source 2 was listed but not read",
        "[cite: 2] points to no source",
        "1 of 2 sentences name no source",
    ]


def test_opaque_redirects_can_not_tell_what_was_read() -> None:
    redirect: JsonDict = {"url": "https://redirect.test/x", "start_index": 0, "end_index": 4}
    made = report("One. [cite: 2]\n\n## Sources\n1. [A](https://a.test/)\n2. [B](https://b.test/)\n", redirect)
    assert [one.url for one in made.citations] == ["https://a.test/", "https://b.test/"]
    assert made.flags == []


def test_a_note_as_source_is_known_as_one() -> None:
    (source,) = sourced("One. [cite: 1]", f"1. [N](#/notes/{NOTE})").citations
    assert (source.source_kind, source.note_id) == ("note", NOTE)


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "ftp://a.test/",
        "#/notes/../x",
        "#/tasks/1",
        "/etc/passwd",
        "https://",
    ],
)
def test_a_source_with_an_unusable_address_is_left_out_and_flagged(url: str) -> None:
    made = sourced("One. [cite: 1]", f"1. [x]({url})")
    assert made.citations == []
    assert made.claims == []
    assert any("Source 1" in flag for flag in made.flags)


@pytest.mark.survival(3)
def test_a_marker_without_source_is_flagged_and_never_filled_in() -> None:
    made = sourced("One. [cite: 1, 7] Two. [cite: 9]")
    assert [(one.claim, one.sources) for one in made.claims] == [("One.", ["1"])]
    assert made.flags == [
        "[cite: 7] points to no source",
        "[cite: 9] points to no source",
        "1 of 2 sentences name no source",
    ]
    assert [one.number for one in made.citations] == [1, 2]


def test_sentences_without_source_are_counted_and_labels_are_not() -> None:
    assert sourced("One. [cite: 1] Two. Is it so? Three.\n\nNot found: x").flags == ["2 of 5 sentences name no source"]


def test_brackets_in_a_text_without_sources_are_just_brackets() -> None:
    assert report("The array a[1] and [2] are fine.").flags == []


def test_offsets_count_bytes() -> None:
    said = "Zettelkästen wären älter – 知識."
    text = f"# Über\n\n{said} Ende."
    start = len("# Über\n\n".encode())
    note: JsonDict = {
        "type": "url_citation",
        "url": "https://b.test/",
        "title": "B",
        "start_index": start,
        "end_index": start + len(said.encode()),
    }
    made = report(text, note)
    assert [(one.claim, one.sources) for one in made.claims] == [(said, ["1"])]
    assert [(one.number, one.title) for one in made.citations] == [(1, "B")]


def test_offsets_that_fall_inside_a_character_raise_nothing() -> None:
    note: JsonDict = {"url": "https://b.test/", "start_index": 1, "end_index": 999}
    assert report("äöü", note).claims[0].claim == "öü"


def test_a_quote_travels_with_its_source() -> None:
    note: JsonDict = {"url": "https://a.test/", "quote": "word for word", "start_index": 0, "end_index": 4}
    made = report("One. [cite: 1]\n\n**Sources:**\n1. [A](https://a.test/)\n", note)
    assert made.citations[0].quote == "word for word"
    assert made.claims[0].evidence == ["word for word"]


def test_the_text_s_own_list_wins_over_annotations() -> None:
    made = report("One. [cite: 1]\n\n**Sources:**\n1. [A](https://a.test/)\n", {"url": "https://redirect.test/"})
    assert [one.url for one in made.citations] == ["https://a.test/"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"status": 3, "steps": "x", "errors": 7, "usage": []},
        {"status": "completed", "steps": [None, 1, "x", {"type": None, "content": {"type": "text", "text": "t"}}]},
        {"status": "completed", "steps": [{"type": "model_output", "content": [{"type": "text", "text": None}, "x"]}]},
        {"status": "completed", "steps": [{"type": "model_output", "content": None, "error": []}]},
        {"status": "completed", "steps": [{"type": "hologram_result", "result": {"deep": [[["x" * 9000]]]}}]},
        {"status": "completed", "usage": {"total_tokens": "many", "total_input_tokens": 5}},
    ],
)
def test_drifted_types_raise_nothing(body: JsonDict) -> None:
    for number, event in enumerate(assemble(parse_interaction(body)).trace, start=1):
        TRACE_EVENT.validate_python(event | {"seq": number, "at": datetime.now(UTC)})


def test_content_that_is_one_object_is_read_like_a_list_of_one() -> None:
    body: JsonDict = {
        "status": "completed",
        "steps": [{"type": "model_output", "content": {"type": "text", "text": "t"}}],
    }
    assert assemble(parse_interaction(body)).markdown == "t"


def test_an_error_s_message_never_shows_the_secret_that_begins_where_it_is_cut() -> None:
    secret = "the user's own and very private words, at some length"
    assert short("x " * 90 + secret, secret) == ""
    assert short("Internal  error", secret) == ": Internal error"
    assert short("y" * 500, secret) == f": {'y' * 199}…"


def test_the_summary_is_the_first_paragraph_and_no_source_list() -> None:
    assert sourced("# T\n\n**First** par [cite: 1].\nGoes on.\n\nSecond.").summary == "First par. Goes on."
    assert report("**Sources:**\n1. [A](https://a.test/)\n").summary == ""
