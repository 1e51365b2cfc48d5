"""Our own agents' reports as texts: by rule within their limit, and what is told of pages that were not read."""

from shared.models.evidence import Passage
from shared.models.note import Citation
from shared.research.extract.source import Source
from shared.research.interaction import Interaction, Part, Step
from shared.research.report import Report, assemble
from shared.research.writing import MOST, by_rule, written

ID = "01arz3ndektsv4rrffq69g5fab"
UNREAD = ["Could not be read: https://c.test/ – c.test answered 500"]


def read_back(part: Part) -> Report:
    return assemble(Interaction("own", "completed", (Step("model_output", (part,)),)))


def long(name: str) -> Source:
    said = [f"- Pears {' '.join(f'{name}{n}x{k}' for k in range(120))}." for n in range(30)]
    text = "\n".join([f"Pears grow flat at {name} walls.", "", *said])
    return Source(f"How pears grow flat at {name}", f"https://{name}.test/", text)


def test_a_report_by_rule_keeps_within_its_limit_and_keeps_its_sources() -> None:
    found = by_rule("How do pears grow flat?", [long(name) for name in "abcdefg"])
    assert found
    assert MOST / 2 < len(found.part.text.encode()) <= MOST
    report = read_back(found.part)
    assert report.markdown.count("\n## ") >= 1 and "**Sources:**" in report.markdown
    assert [one.url for one in report.citations] == [one.url for one in found.citations]
    assert report.flags == []


def test_sources_are_numbered_as_they_are_cited_and_each_has_its_first_quote() -> None:
    note = Source("Walls", f"#/notes/{ID}", "Pears grow flat against a warm wall.")
    page = Source("Wires", "https://wires.test/", "Pears grow flat on wires. Pears like wires.")
    found = by_rule("How do pears grow flat?", [page, note], UNREAD)
    assert found
    assert [(one.number, one.source_kind) for one in found.citations] == [(1, "web"), (2, "note")]
    assert found.citations[1].note_id == ID
    assert read_back(found.part).citations == list(found.citations)
    assert f"\n\n{UNREAD[0]}\n\n" in found.part.text


def test_a_draft_s_report_tells_of_unread_pages_before_its_sources_and_claims_nothing_by_it() -> None:
    cited = [Citation(number=1, title="Walls", url=f"#/notes/{ID}", source_kind="note", note_id=ID)]
    passages = [
        Passage(title="Walls", url=f"#/notes/{ID}", text="Pears grow flat.", source_kind="note", note_id=ID),
    ]
    found = written(f"# Pears\n\nThey grow flat [so](#/notes/{ID}).", cited, passages, UNREAD)
    assert found
    assert found.part.text == (
        f"# Pears\n\nThey grow flat so [cite: 1].\n\n{UNREAD[0]}\n\n**Sources:**\n1. [Walls](#/notes/{ID})\n"
    )
    report = read_back(found.part)
    assert report.flags == [] and [one.claim for one in report.claims] == ["They grow flat so."]


def test_without_a_source_there_is_no_report() -> None:
    assert written("They grow flat.", [], [], UNREAD) is None
    assert by_rule("What do quinces weigh?", [long("a")], UNREAD) is None
