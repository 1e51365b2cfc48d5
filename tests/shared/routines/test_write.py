"""What a review or a digest by rule quotes, in which order, and what its entries are."""

from typing import Any

import pytest

from shared.agent.models.offline_reading import Note as Source
from shared.models.base import moment
from shared.models.note import Task
from shared.routines.material import Material
from shared.routines.write import BULLETS, entries, written


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("## Captured\n\n- A [note](#/notes/x)\n- B", 2),
        ("- A\n- And 54 more.", 1),
        ("- A\n- Und 3 weitere.\n\nAnd 2 older notes.", 1),
        ("- And more of the same.", 1),
    ],
)
def test_what_was_left_out_is_no_entry(text: str, count: int) -> None:
    assert entries(text) == count


def source(n: int, title: str, text: str, *tags: str) -> Source:
    return Source(f"{n:026}", title, text, tags, "capture")


def lines(material: Material) -> list[str]:
    return [line for line in written(material).splitlines() if line]


def digest(*notes: Source, **more: Any) -> Material:
    return Material("nightly_digest", 0.0, notes, **more)


def test_under_a_theme_stands_the_sentence_that_speaks_of_it() -> None:
    found = lines(
        digest(
            source(1, "Hives", "It rained all week. The bees stayed in the hive. We ate honey.", "bees"),
            source(2, "Bees before noon", "Paint dries slowly in May.", "bees"),
            source(3, "A walk", "The meadow hummed.", "bees"),
        )
    )
    assert found[:4] == [
        "## #bees",
        # Neither the title nor a sentence says why: how it begins is all there is.
        f"- “The meadow hummed.” [A walk](#/notes/{3:026})",
        f"- [Bees before noon](#/notes/{2:026})",
        f"- “The bees stayed in the hive.” [Hives](#/notes/{1:026})",
    ]


def test_a_question_in_a_note_gives_way_to_what_the_note_says() -> None:
    found = lines(digest(source(1, "Hives", "Why do hives hum? They are warm.")))
    assert found[1] == f"- “They are warm.” [Hives](#/notes/{1:026})"


def test_questions_and_reports_make_no_theme() -> None:
    questions = (source(1, "Do bees dance?", "Do bees dance?", "bees"), source(2, "Why?", "Why do bees hum?", "bees"))
    report = source(3, "Report on bees", "Bees dance in the dark.", "bees")
    found = lines(digest(source(4, "Hive", "The bees are calm.", "bees"), asked=questions, reports=(report,)))
    assert found == [
        "## Other",
        f"- “The bees are calm.” [Hive](#/notes/{4:026})",
        "## Questions",
        f"- [Why?](#/notes/{2:026})",
        f"- [Do bees dance?](#/notes/{1:026})",
        "## Research that came in",
        f"- “Bees dance in the dark.” [Report on bees](#/notes/{3:026})",
    ]


def test_where_there_is_no_room_the_newest_are_shown() -> None:
    found = lines(digest(*(source(n, f"Thought {n}", "It is so.") for n in range(BULLETS + 9))))
    assert f"{BULLETS + 8:026}" in found[1] and found[-1] == "- And 9 more."
    assert not any(f"{n:026}" in line for n in range(9) for line in found)


@pytest.mark.parametrize(
    ("title", "text", "task", "bullet"),
    [
        ("Feed the hens at dusk", "Feed the hens at dusk", "Feed the hens at dusk", "- [Feed the hens at dusk]({})"),
        ("Hens", "Feed the hens at dusk.", "feed the hens at dusk", "- feed the hens at dusk [Hens]({})"),
        ("Feed the hens…", "x", "Feed the hens at dusk", "- [Feed the hens…]({})"),
    ],
)
def test_a_task_that_its_note_is_called_by_is_told_once(title: str, text: str, task: str, bullet: str) -> None:
    note = source(1, title, text)
    made = Task(id="0" * 26, created_at=moment(9), updated_at=moment(9), title=task, source_note_id=note.id)
    found = lines(Material("daily_review", 0.0, (note,), (), (made,)))
    assert found[-1] == bullet.format(f"#/notes/{note.id}")


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Feed the hens at dusk", "feed the hens at dusk!"),
        ("Feed the hens at dusk, when…", "Feed the hens at dusk, when the fox is still asleep."),
    ],
)
def test_a_note_that_says_no_more_than_its_title_is_not_quoted(title: str, text: str) -> None:
    assert lines(digest(source(1, title, text)))[1] == f"- [{title}](#/notes/{1:026})"
