"""Marks of citation in a draft: the statement is the claim, and no link's words pass a source off as another one."""

import pytest

from shared.agent.citing import cited
from shared.models.evidence import Passage
from shared.research.interaction import Interaction, Part, Step
from shared.research.report import Report, assemble
from shared.research.writing import written

DIARY, WALLS = (f"#/notes/01arz3ndektsv4rrffq69g5fa{last}" for last in "ab")
PASSAGES = [
    Passage(
        title="Garden diary 2024",
        url=DIARY,
        text="In our garden quinces ripen late.",
        source_kind="note",
        note_id=DIARY.rpartition("/")[2],
    ),
    Passage(
        title="Walls",
        url=WALLS,
        text="Pears grow flat against a warm wall.",
        source_kind="note",
        note_id=WALLS.rpartition("/")[2],
    ),
]
LATE, D, W = "In our garden quinces ripen late", f"[Garden diary 2024]({DIARY})", f"[Walls]({WALLS})"


def report_of(draft: str) -> Report | None:
    checked = cited(draft, {one.url: one.citation() for one in PASSAGES})
    found = written(checked.text, checked.citations, PASSAGES)
    if found is None:
        return None
    part: Part = found.part
    return assemble(Interaction("own", "completed", (Step("model_output", (part,)),)))


def body(report: Report | None) -> str:
    assert report
    return report.markdown.partition("\n\n**Sources:**\n")[0]


@pytest.mark.parametrize(
    "draft",
    [
        f"{LATE}. {D}",
        f"{LATE}.\n{D}",
        f"{LATE}.\n\n{D}",
        f"{LATE}.\n\n- {D}",
        f"{LATE}. ({D})",
        f"{LATE}. — {D}",
        f"{LATE}. {D}.",
        f"{LATE}.\nSource: {D}",
        f"{LATE}. [your diary of the garden]({DIARY})",
        f"{LATE} {D}.",
        f"{LATE} ({D}).",
        f"{LATE} (see {D}).",
        f"{LATE} – {D}.",
        f"{LATE} [1]({DIARY}).",
        f"{LATE} [note]({DIARY}).",
        f"{LATE}. {DIARY}",
        f"{LATE} [1].\n\n[1]: {DIARY}",
        f"{LATE}. {D}\n\n## Sources\n\n1. {D}",
    ],
)
def test_the_statement_is_the_claim_and_not_the_title_of_its_source(draft: str) -> None:
    report = report_of(draft)
    assert report
    (claim,) = report.claims
    assert (claim.claim, claim.evidence, claim.sources) == (f"{LATE}.", [PASSAGES[0].text], ["1"])
    assert report.flags == [] and [one.title for one in report.citations] == ["Garden diary 2024"]


@pytest.mark.parametrize(
    ("draft", "said"),
    [
        (f"They are [tied to wires]({WALLS}).", "They are tied to wires [cite: 1]."),
        (f"{W} says that pears grow flat.", "Walls [cite: 1] says that pears grow flat."),
        (f"As told in {W}.", "As told in Walls [cite: 1]."),
        (f"{LATE}. {W} says more.", f"{LATE}. Walls [cite: 1] says more."),
        (f"{LATE}. {D} {W} Pears are flat. {W}", f"{LATE}. [cite: 1, 2] Pears are flat. [cite: 2]"),
        (f"{LATE}. {D} {W} says more.", f"{LATE}. [cite: 1] Walls [cite: 2] says more."),
        (f"{LATE}. ({D}, {W}).", f"{LATE}. [cite: 1, 2]"),
        (f"- {LATE}. {D}\n- Pears are flat. {W}", f"- {LATE}. [cite: 1]\n- Pears are flat. [cite: 2]"),
        (f"1. {W} grow.", "1. Walls [cite: 1] grow."),
        (f"`a[1]` {LATE}. {D}", f"`a[1]` {LATE}. [cite: 1]"),
    ],
)
def test_words_that_belong_to_the_sentence_stay(draft: str, said: str) -> None:
    assert body(report_of(draft)) == said


INVENTED = "Reuters agrees [1] and so does the WHO [2]."
FORMS = {
    "numbered": f"**Sources:**\n1. [Reuters: pears poison]({DIARY})\n2. [WHO report]({WALLS})",
    "heading": f"## Quellen\n\n1. [Reuters: pears poison]({DIARY})\n2. [WHO report]({WALLS})",
    "bullets": f"References\n\n- [Reuters: pears poison]({DIARY})\n- [WHO report]({WALLS})",
    "brackets": f"### Literatur\n[1] Reuters: pears poison, {DIARY}\n[2] WHO report, {WALLS}",
    "one line": f"**Sources:** [Reuters: pears poison]({DIARY}), [WHO report]({WALLS})",
    "table": f"Sources:\n\n| # | Source |\n|---|---|\n| 1 | [Reuters]({DIARY}) |\n| 2 | [WHO report]({WALLS}) |",
    "no heading": f"---\n\n1. [Reuters: pears poison]({DIARY})\n2. [WHO report]({WALLS})",
    "no heading, brackets": f"[1] Reuters: pears poison, {DIARY}\n[2] WHO report, {WALLS}",
    "no links": "## Sources\n\n1. Reuters: pears poison\n2. WHO report",
    "quoted": f"> **Sources:**\n> 1. [Reuters: pears poison]({DIARY})\n> 2. [WHO report]({WALLS})",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_list_that_the_draft_makes_up_is_no_source_of_anything(form: str) -> None:
    assert report_of(f"{INVENTED}\n\n{FORMS[form]}") is None
    report = report_of(f"# Pears\n\n{INVENTED} {LATE}. {D}\n\n{FORMS[form]}")
    assert body(report) == f"# Pears\n\nReuters agrees and so does the WHO. {LATE}. [cite: 1]"
    assert report
    assert report.markdown.count("ources:**") == 1
    assert [one.title for one in report.citations] == ["Garden diary 2024"]
    assert [(one.claim, one.evidence) for one in report.claims] == [(f"{LATE}.", [PASSAGES[0].text])]


def test_an_entry_that_names_its_source_by_its_name_is_believed() -> None:
    report = report_of(
        f"{LATE} [1]. Pears are flat.[2] The WHO agrees [3].\n\nSources:\n1. {D}\n2. {W}\n3. [WHO]({WALLS})"
    )
    assert body(report) == f"{LATE} [cite: 1]. Pears are flat. [cite: 2] The WHO agrees."


@pytest.mark.parametrize(
    ("draft", "said"),
    [
        (f"[WHO]({WALLS}) says that pears poison.", "WHO says that pears poison."),
        (f"Pears poison. [Reuters report]({WALLS})", "Pears poison."),
        (f"Pears poison [WHO report]({WALLS}).", "Pears poison."),
        (f"Pears poison, says [Reuters]({WALLS}).", "Pears poison, says Reuters."),
        # It knows pears, and not that other name.
        (f"Pears grow flat. [Reuters on pears]({WALLS})", "Pears grow flat. [cite: 2]"),
    ],
)
def test_a_link_that_is_named_after_somebody_else_lends_nothing_to_its_source(draft: str, said: str) -> None:
    assert body(report_of(f"{LATE}. {D}\n\n{draft}")) == f"{LATE}. [cite: 1]\n\n{said}"


def test_a_section_under_such_a_heading_that_is_no_list_stays() -> None:
    draft = f"# Pears\n\n## References\n\nThe word for that is espalier, and it is an old one. {W}"
    assert "## References\n\nThe word for that is espalier" in body(report_of(draft))
    fenced = f"Set it so. {W}\n\n```\nSources:\n1. {D}\n```"
    assert "```\nSources:" in body(report_of(fenced))


@pytest.mark.parametrize("title", ["C:\\notes\\", "a [b] \\", "`x", "Pears ](https://evil.test/) "])
def test_no_title_breaks_the_link_of_its_source(title: str) -> None:
    one = PASSAGES[0].model_copy(update={"title": title})
    found = written(f"{LATE} [there]({DIARY}).", [one.citation()], [one])
    assert found
    listed = found.part.text.rpartition("](")[0]
    # A sign before the bracket would make it text, unless it is one itself.
    assert (len(listed) - len(listed.rstrip("\\"))) % 2 == 0
    report = assemble(Interaction("own", "completed", (Step("model_output", (found.part,)),)))
    assert [(source.url, source.title) for source in report.citations] == [(DIARY, title.strip())]
    assert report.flags == []


@pytest.mark.parametrize(
    "piece", ["[a](", "[1]", "[x](#/notes/", "](", "(see ", "—  ", "[1]: x\n", "- [", "Sources:\n"]
)
def test_no_draft_takes_long(piece: str) -> None:
    from time import process_time

    draft = f"{LATE}. {D}\n" + piece * (40_000 // len(piece))
    begun = process_time()
    written(draft, [PASSAGES[0].citation()], PASSAGES)
    assert process_time() - begun < 3
