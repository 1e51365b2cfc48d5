"""The report by rule: from a question and sources to text whose annotations name and quote them."""

import subprocess
import sys
from pathlib import Path

import pytest

from shared.research.extract.asked import focus
from shared.research.extract.report import NO_ANSWER, write
from shared.research.extract.source import Source
from shared.research.interaction import Interaction, Step
from shared.research.report import assemble

ROOT = Path(__file__).parents[4]
HIVES = Source(
    "Hives",
    "#/notes/01arz3ndektsv4rrffq69g5fab",
    "# Hives\n\nBees store **honey** in combs of the hive.\n\n## Honey\n\n- Bees eat honey.",
)
PAGE = Source("Honey", "https://bees.test/", "Bees make honey from nectar of many flowers. It rains.")


def test_each_sentence_is_annotated_where_it_stands_with_its_source_and_its_words() -> None:
    report = write(focus("How do bees make honey?"), [HIVES, PAGE])
    found = [(note, part.text.encode()) for part in report.parts for note in part.annotations]
    assert {note.url for note, _ in found} == {HIVES.url, PAGE.url}
    for note, text in found:
        source = HIVES if note.url == HIVES.url else PAGE
        assert note.title == source.title and note.quote in source.text
        assert text[note.start : note.end].decode() == note.quote.replace("**", "")


def test_what_was_not_read_is_told_before_the_topics() -> None:
    report = write(focus("How do bees make honey?"), [HIVES, PAGE], ["Not read: https://c.test/ – so"])
    assert report.parts[0].text.endswith("\n\nNot read: https://c.test/ – so\n\n")
    assert report.topics


def test_where_nothing_answers_there_is_no_report_whatever_was_not_read() -> None:
    assert write(focus("What do quinces weigh?"), [HIVES], ["Not read: https://c.test/ – so"]).parts == []


@pytest.mark.parametrize("module", ["infra.local.product", "shared.research.own"])
def test_the_writer_is_loaded_only_when_a_report_is_written(module: str) -> None:
    code = f"import {module}, sys; print(*(one for one in sys.modules if one.startswith('shared.research.extract.')))"
    environ = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    done = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"shared.research.extract.source"}


# -- where nothing answers directly, and what stands in lists and tables

ID = "#/notes/01arz3ndektsv4rrffq69g5fa"
SLEEP = Source("Sleep: I wake at 3am", f"{ID}c", "Sleep: I wake at 3am whenever I drink coffee after 2pm")
LUHMANN = Source("Luhmann", f"{ID}d", "Luhmann kept a box of slips. He numbered each slip and let them branch.")
OTLET = Source("Otlet", f"{ID}e", "Paul Otlet filed index cards by subject in a universal classification.")
BREAD = Source("Bread", f"{ID}f", "Bread wants time and patience, says the baker. Weigh the flour.")
CURVE = Source(
    "The forgetting curve",
    f"{ID}g",
    "# The forgetting curve\n\nHermann Ebbinghaus measured how fast nonsense syllables fade. He tested himself.\n\n"
    "## Why it happens\n\nMemory traces compete, and what is never used gives way.\n\n"
    "## What helps\n\n| Method | Effect |\n|:--|---|\n"
    "| Spaced *repetition* | strong |\n| Retrieval \\| practice | strong |\n\n"
    "- Test yourself before you look it up.\n- Come back to what you read after a week.\n\n## Data\n\nOf 1885.\n",
)
ALL = [SLEEP, LUHMANN, OTLET, BREAD, CURVE]


def text_of(question: str, sources: list[Source]) -> str:
    return "".join(part.text for part in write(focus(question), sources).parts)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Does coffee in the afternoon harm my sleep?", ["whenever I drink coffee after 2pm"]),
        ("What did Luhmann do differently from Otlet?", ["box of slips", "filed index cards"]),
        (
            "What helps against forgetting?",
            ["Spaced repetition – strong", "Retrieval | practice – strong", "Test yourself before", "after a week"],
        ),
    ],
)
def test_words_that_shape_a_question_keep_no_answer_away(question: str, answers: list[str]) -> None:
    text = text_of(question, ALL)
    assert all(one in text for one in answers), text
    assert NO_ANSWER not in text and "Method – Effect" not in text and "Bread" not in text


def test_a_row_of_a_table_is_quoted_as_it_stands() -> None:
    report = write(focus("What helps against forgetting?"), [CURVE])
    found = {
        part.text.encode()[note.start : note.end].decode(): note.quote
        for part in report.parts
        for note in part.annotations
    }
    assert found["Spaced repetition – strong"] == "| Spaced *repetition* | strong |"
    assert all(quote in CURVE.text for quote in found.values())


def test_where_nothing_answers_the_closest_passages_are_shown_and_said_to_be_no_answer() -> None:
    report = write(focus("How do I remember more of what I read?"), ALL, ["Not read: https://c.test/ – so"])
    text = "".join(part.text for part in report.parts)
    assert text == (
        f"# How do I remember more of what I read\n\n{NO_ANSWER}\n\nNot read: https://c.test/ – so\n\n"
        "- Come back to what you read after a week. [cite: 1]\n\nNot found in any source: remember\n\n"
        f"**Sources:**\n1. [The forgetting curve]({CURVE.url})\n"
    )
    read = assemble(Interaction("x", "completed", (Step("model_output", tuple(report.parts)),)))
    assert read.summary == NO_ANSWER and read.flags == []
    assert [one.claim for one in read.claims] == ["Come back to what you read after a week."]
    assert [one.quote for one in read.citations] == ["Come back to what you read after a week."]


@pytest.mark.parametrize(
    "question",
    [
        "What do quinces cost?",
        "What helps against colds?",
        "Which submarine cable connects Lisbon with Fortaleza?",
        "Why does the subject of quantum gravity matter so much?",
    ],
)
def test_what_is_not_named_anywhere_is_not_near(question: str) -> None:
    assert write(focus(question), ALL).parts == []
