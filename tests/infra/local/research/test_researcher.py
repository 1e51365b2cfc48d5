"""The research itself: what it finds, what it cites, and that it never says a word of its own."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from infra.local.research.researcher import Finding, Passage, research
from shared.errors import Forbidden
from shared.models.base import JsonDict
from shared.net.page import Page
from shared.research.extract.inert import heading
from shared.research.extract.visible import clean
from shared.research.interaction import parse_interaction
from shared.research.report import Report, assemble
from shared.research.sources import heads_sources

IDS = ["01arz3ndektsv4rrffq69g5fa" + last for last in "abcdefgh"]
EMBEDS = """---
title: ignored
---
Embedded files show their content inline in a note.

To embed a file, add an exclamation mark (`!`) in front of an [[Links|internal link]].

> [!tip]- Drag and drop
> You can also drag and drop **files** into your note to embed them.

## Embed an image

To embed an image:

```md
![[Engelbart.jpg]]
```

![[Engelbart.jpg]]

| a | b |
|---|---|
| table | row |

You can change the image size by adding `|640x480` to the link. See the picture below.

## Steps

To embed a file with the menu:

1. Open the note. It can be any note.
2. Select **Insert file**.
3. Pick the file. [cite: 99]

%% a comment about embed files %%
"""
FORMATS = "Many file types, such as images and audio, can be embedded into notes. This is said often."
COPY = "Many file types, such as images and audio, can be embedded into the notes. Embed files with care, images too."
BREAD = "Sourdough needs flour, water and time. Feed the starter every day."
NOTES = [
    Passage(IDS[0], "Embed files", EMBEDS),
    Passage(IDS[1], "File formats", FORMATS),
    Passage(IDS[2], "A [copy]", COPY),
    Passage(IDS[3], "Bread", BREAD),
]


async def found(question: str, notes: Sequence[Passage] = NOTES, **labels: str) -> tuple[Finding, Report]:
    async def retrieve(given: Mapping[str, str], query: str, limit: int) -> Sequence[Passage]:
        assert given == labels
        return notes

    finding = await research(question, labels, retrieve)
    return finding, written(finding)


def written(finding: Finding) -> Report:
    steps: list[JsonDict] = [{"type": "model_output", "content": [part]} for part in finding.parts]
    return assemble(parse_interaction({"status": "completed", "steps": list(steps)}))


async def test_a_report_answers_first_then_goes_by_topic_and_lists_its_sources() -> None:
    _, report = await found("How do I embed files and images?")
    assert report.markdown.startswith("# How do I embed files and images\n\n")
    assert report.summary
    assert "## Embed files\n\n" in report.markdown
    assert "### Embed an image\n\n" in report.markdown
    assert "To embed an image: `![[Engelbart.jpg]]` [cite: 1]" in report.markdown
    assert "**Sources:**\n1. [Embed files](#/notes/" in report.markdown
    assert r"[A \[copy\]](#/notes/" in report.markdown
    assert [one.title for one in report.citations][:2] == ["Embed files", "A [copy]"]
    assert IDS[3] not in report.markdown


async def test_every_sentence_is_cited_and_every_marker_has_its_source() -> None:
    _, report = await found("How do I embed files and images?")
    assert report.flags == []
    body = report.markdown.partition("**Sources:**")[0]
    for line in body.splitlines():
        if line and not line.startswith("#"):
            assert line.endswith("]"), line
    assert "99" not in body


async def test_every_quote_stands_in_its_note_word_for_word() -> None:
    finding, _ = await found("How do I embed files and images?")
    texts = {f"#/notes/{note.note_id}": note.text for note in NOTES}
    parts: list[Any] = list(finding.parts)
    assert sum(len(part["annotations"]) for part in parts) >= 6
    for part in parts:
        data = part["text"].encode()
        for one in part["annotations"]:
            assert one["quote"] in texts[one["url"]]
            said = data[one["start_index"] : one["end_index"]].decode()
            assert said == clean(one["quote"]) or "`![[Engelbart.jpg]]`" in said


async def test_no_word_is_its_own() -> None:
    _, report = await found("How do I embed files and images?")
    known = set(re.findall(r"[^\W\d]+", " ".join(f"{note.title} {note.text}" for note in NOTES).lower()))
    known |= set(re.findall(r"\w+", "how do i embed files and images")) | {"cite", "sources"}
    body = re.sub(r"\(#/notes/\w+\)|\[cite: \d+\]|^\d+\.", "", report.markdown, flags=re.M)
    assert set(re.findall(r"[^\W\d]+", body.lower())) <= known


async def test_steps_come_whole_with_the_sentence_that_announces_them() -> None:
    _, report = await found("embed a file with the menu")
    assert (
        "To embed a file with the menu: [cite: 1]\n\n"
        "1. Open the note. [cite: 1] It can be any note. [cite: 1]\n"
        "2. Select Insert file. [cite: 1]\n"
        "3. Pick the file. [cite: 1]\n"
    ) in report.markdown


async def test_sentences_that_say_the_same_appear_once() -> None:
    _, report = await found("embed file types images audio")
    assert report.markdown.count("Many file types") == 1


async def test_the_note_that_asks_is_no_source() -> None:
    _, report = await found("embed files", note=IDS[0])
    assert IDS[0] not in report.markdown


@pytest.mark.parametrize("question", ["Quantum gravity in neutron stars", "", "???", "https://example.org/"])
async def test_nothing_found_is_nothing_written(question: str) -> None:
    finding, report = await found(question)
    assert finding.parts == []
    assert report.markdown == ""


async def test_what_no_source_mentions_is_said() -> None:
    _, report = await found("Do embedded files and images work with Rumpelstilzchen?")
    assert "Not found in any source: Rumpelstilzchen\n" in report.markdown


async def test_pages_that_the_note_names_are_read_and_failures_are_told() -> None:
    async def retrieve(labels: Mapping[str, str], query: str, limit: int) -> Sequence[Passage]:
        return []

    async def read(url: str) -> Page:
        if "blocked" in url:
            raise Forbidden("blocked.test is not among the allowed hosts")
        return Page(url, "Bees", "# Honey\n\nBees make honey from nectar. They store it in combs.")

    text = "How do bees make honey? See https://bees.test/honey, and https://blocked.test/x."
    finding = await research(text, {}, retrieve, read)
    report = written(finding)
    assert [(page["url"], page["status"]) for page in finding.pages] == [
        ("https://bees.test/honey", "success"),
        ("https://blocked.test/x", "error"),
    ]
    assert [one.url for one in report.citations] == ["https://bees.test/honey"]
    assert "Could not be read: https://blocked.test/x" in report.markdown


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("Tell me the best way to embed images with Rumpelstilzchen", "Rumpelstilzchen"),
        ("Please compare embedded files and images, and explain the difference in detail", None),
        ("“Compare” **embedded files** and images: what’s the difference? Pros and cons?", None),
        ("What's the simplest way of embedding images? Tips, please, and the main reasons", "simplest"),
        ("Tell me: compare best way difference, embed images", None),
        ("Erkläre bitte den Unterschied zwischen embed images und embed files", None),
        ("Embed files and images and audio in the car, or the Car's", "car"),
    ],
)
async def test_only_words_that_name_something_are_said_to_be_missing(question: str, missing: str | None) -> None:
    _, report = await found(question)
    assert report.markdown
    told = re.findall(r"Not found in any source: (.*)", report.markdown)
    assert told == ([missing] if missing else [])


NOT_ALLOWED = Forbidden("blocked.test is not among the allowed hosts", code="egress_blocked")


async def asked_about_pages(question: str, *, egress: bool) -> tuple[Finding, Report]:
    async def retrieve(labels: Mapping[str, str], query: str, limit: int) -> Sequence[Passage]:
        return [Passage(IDS[0], "Honey", "Bees make honey from nectar. They store honey in combs.")]

    async def read(url: str) -> Page:
        if "blocked" in url:
            raise NOT_ALLOWED
        return Page(url, "Bees", "Bees make honey in summer.")

    finding = await research(question, {}, retrieve, read if egress else None)
    return finding, written(finding)


async def test_with_egress_off_a_report_says_that_the_pages_were_not_read_and_what_to_set() -> None:
    finding, report = await asked_about_pages(
        "How do bees make honey? https://bees.test/honey, https://www.Combs.test:8080/x?y=1", egress=False
    )
    said = (
        "Not read: https://bees.test/honey, https://www.Combs.test:8080/x?y=1 – reading pages is switched off, so"
        " nothing here comes from there; set `MEMEX_EGRESS_ENABLED=true` and"
        " `MEMEX_ALLOWED_HOSTS=bees.test,www.combs.test`, then start Memex again"
    )
    assert said in report.markdown.splitlines()
    assert report.markdown.index(said) < report.markdown.index("## ")
    assert finding.pages == []  # no page was tried
    assert report.flags == [] and len(report.citations) == 1 and "Not read" not in (report.summary or "")


async def test_a_host_that_is_not_allowed_is_named_with_what_to_set_and_others_only_with_their_reason() -> None:
    _, report = await asked_about_pages("How do bees make honey? https://blocked.test/x", egress=True)
    assert (
        "Could not be read: https://blocked.test/x – blocked.test is not among the allowed hosts;"
        " add it to `MEMEX_ALLOWED_HOSTS` and start Memex again"
    ) in report.markdown.splitlines()
    assert report.flags == []
    assert [one.title for one in report.citations] == ["Honey"]


async def test_pages_beyond_the_limit_are_told_as_unread() -> None:
    urls = " ".join(f"https://bees.test/{number}" for number in range(5))
    _, report = await asked_about_pages(f"How do bees make honey? {urls}", egress=True)
    assert (
        "Not read: https://bees.test/3, https://bees.test/4 – at most 3 pages are read for one question;"
        in report.markdown
    )


async def test_a_question_without_an_address_says_nothing_of_pages() -> None:
    _, report = await asked_about_pages("How do bees make honey?", egress=False)
    assert report.markdown and "MEMEX" not in report.markdown and "ot read" not in report.markdown


async def test_an_address_in_a_question_can_not_pass_for_structure() -> None:
    finding, report = await asked_about_pages(
        "How do bees make honey? https://a.test/`x|[cite:&#32;9] https://b`.test/&#91;1&#93;", egress=False
    )
    assert report.flags == [] and len(report.citations) == 1
    assert "`MEMEX_ALLOWED_HOSTS=a.test`" in finding.unread[0]


async def test_the_same_question_gets_the_same_report() -> None:
    assert (await found("embed files"))[1].markdown == (await found("embed files"))[1].markdown


# -- notes that look like a report -----------------------------------------------------------------------------

HONEY = "Honey bees make honey from nectar. A hive stores honey in combs."
LINKS = "1. [Other](https://evil.test/a)\n2. https://evil.test/b is about honey bees\n3. Honey bees, #/notes/" + IDS[7]
QUOTED = ("“Sources”", "“References”")
HOSTILE = [
    Passage(IDS[1], "References", f"{HONEY}\n\nHow honey bees make honey:\n\n{LINKS}\n"),
    Passage(IDS[2], "**Sources:**", f"# Honey bees\n\n{HONEY}\n\n## Sources\n\n{LINKS}\n"),
    Passage(IDS[3], "Honey\n\n**Sources:**\n1. [x](https://evil.test/t)", "Honey bees are kept for honey in a hive."),
    Passage(IDS[4], "Works&#32;cited", f"## Sour\u200bces\n\nMany honey bees live. {HONEY}\n\n{LINKS}\n"),
    Passage(
        IDS[5], "# Bees [cite: 9]", "## &#35; Sources\n\nHoney bees say &#91;cite: 9&#93; and `[cite: 8]` in honey."
    ),
    Passage(
        IDS[6],
        "x](https://evil.test/l) `",
        "# References\n\nHoney bees make honey, it says.\n\n- 1&#46; https://evil.test/c honey bees\n- # Sources honey",
    ),
]


@pytest.mark.parametrize("note", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("alone", [True, False])
async def test_no_note_can_pass_for_the_report_s_own_structure(note: Passage, alone: bool) -> None:
    finding, report = await found("How do honey bees make honey?", [note] if alone else HOSTILE)
    assert report.citations
    assert {one.url for one in report.citations} <= {f"#/notes/{one.note_id}" for one in HOSTILE}
    assert report.flags == []
    assert [line for line in report.markdown.splitlines() if heads_sources(line)] == ["**Sources:**"]
    body = report.markdown.partition("\n**Sources:**\n")[0]
    parts: list[Any] = list(finding.parts)
    assert len(re.findall(r"\[cite:", body)) == sum(len(part["annotations"]) for part in parts)
    # What a reader could take for an entry of a list of sources names no address.
    entries = [line for line in body.splitlines() if re.match(r"\s*(?:[-*] )?(?:\[\d+\]|\d+[.)])\s", line)]
    assert not any("://" in line or "#/notes/" in line for line in entries)
    headings = {line.lstrip("# ") for line in body.splitlines() if line.startswith("#")}
    assert headings <= {"How do honey bees make honey", "Honey bees", *map(heading, finding.topics), *QUOTED}


async def test_a_question_can_not_head_the_sources() -> None:
    _, report = await found("Sources?", [Passage(IDS[1], "Sources", "Sources of honey are many. Good sources cost.")])
    assert report.markdown.startswith("# “Sources”\n\n")
    assert [one.title for one in report.citations] == ["Sources"]


async def test_a_heading_that_repeats_the_note_s_title_is_left_out() -> None:
    for title in ("Honey bees", "# Honey bees", "honey  **bees**", "Honey bees:"):
        _, report = await found("honey bees", [Passage(IDS[1], title, f"# Honey bees\n\n{HONEY}\n\n{FORMATS}")])
        assert "### " not in report.markdown
        assert report.markdown.count("## ") == 1


async def test_an_odd_address_stays_one_address() -> None:
    async def retrieve(labels: Mapping[str, str], query: str, limit: int) -> Sequence[Passage]:
        return []

    async def read(url: str) -> Page:
        return Page("https://bees.test/a) [b](https://evil.test/ `x", "Bees", HONEY)

    report = written(await research("How do bees make honey? https://bees.test/", {}, retrieve, read))
    assert [one.url for one in report.citations] == ["https://bees.test/a%29%20%5Bb%5D%28https://evil.test/%20%60x"]
    assert report.flags == []


async def test_the_event_loop_is_free_while_a_question_is_read() -> None:
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    seen: list[int] = []

    async def retrieve(labels: Mapping[str, str], query: str, limit: int) -> Sequence[Passage]:
        seen.append(turns)
        return NOTES

    task = asyncio.create_task(others())
    await research("How do I embed files? " * 3000, {}, retrieve)
    task.cancel()
    assert seen[0] > 0
    assert turns > seen[0]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What did I note about sleep?", "I sleep worse when I drink coffee after 2 pm."),
        ("What do my notes say about the boiler?", "The boiler code is 4417."),
        ("What is the boiler code?", "The boiler code is 4417."),
    ],
)
async def test_items_of_a_list_answer_where_no_prose_does(question: str, answer: str) -> None:
    notes = [
        Passage(
            "01hf7yat007anzw2rd2skx39ch", "Sleep", "# Sleep log\n\n- I sleep worse when I drink coffee after 2 pm.\n"
        ),
        Passage("01hf7yat007anzw2rd2skx39cj", "House", "# House\n\n- The boiler code is 4417.\n"),
        Passage("01hf7yat007anzw2rd2skx39ck", "Rootstock", "Linked from the espalier note. It is a note of pears."),
    ]

    async def retrieve(_labels: Mapping[str, str], _question: str, _limit: int) -> list[Passage]:
        return notes

    finding = await research(question, {}, retrieve)
    text = "".join(str(part["text"]) for part in finding.parts)
    assert answer in text
    assert "espalier note" not in text
