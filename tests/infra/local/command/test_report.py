from infra.local.command.answers import Json, note
from infra.local.command.report import numbered, parts

NOTE = "01jzx3v3a4b5c6d7e8f9g0h1j2"
CITED: list[Json] = [
    {"number": 1, "title": "On sleep", "url": f"#/notes/{NOTE}"},
    {"number": 2, "title": "A page\x1b[2J", "url": "https://example.org/a"},
]


def _report(body: str, citations: list[Json]) -> tuple[str, list[str]]:
    return parts(note({"id": NOTE, "kind": "research", "body": body, "citations": citations}))


def test_marks_become_numbers_and_code_stays() -> None:
    assert numbered("So. [cite: 1] And [cite: 2, 3]; `[cite: 4]`.") == "So. [1] And [2, 3]; `[cite: 4]`."


def test_a_list_of_sources_in_the_text_is_told_once_with_title_and_place() -> None:
    body = f"It helps. [cite: 1]\n\n**Sources:**\n1. [On sleep](#/notes/{NOTE})\n2. [A page](https://example.org/a)\n"
    text, sources = _report(body, CITED)
    assert text == "It helps. [1]"
    assert sources[0] == f"[1] On sleep  note {NOTE}"
    assert sources[1].startswith("[2] A page") and sources[1].endswith("  https://example.org/a")
    assert "\x1b" not in sources[1]


def test_a_text_without_a_list_gets_the_citations_and_one_without_either_stays() -> None:
    assert _report("It helps. [cite: 1]", CITED[:1]) == ("It helps. [1]", [f"[1] On sleep  note {NOTE}"])
    assert _report("Nothing cited.", []) == ("Nothing cited.", [])


def test_a_note_is_named_by_where_a_browser_shows_it() -> None:
    found = note({"id": NOTE, "kind": "research", "body": "x", "citations": CITED[:1]})
    assert parts(found, lambda id: f"http://here/#/notes/{id}")[1] == [f"[1] On sleep  http://here/#/notes/{NOTE}"]
