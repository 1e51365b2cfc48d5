"""The report by rule: from a question and sources to text whose annotations name and quote them."""

import subprocess
import sys
from pathlib import Path

import pytest

from shared.research.extract.asked import focus
from shared.research.extract.report import write
from shared.research.extract.source import Source

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
