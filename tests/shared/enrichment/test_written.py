"""An open box that an edit writes is a task; what stood before, or says something else, makes none."""

import pytest

from shared.enrichment.apply import apply
from shared.enrichment.extract import extract
from shared.enrichment.written import MOST, taken_out, written
from shared.models.base import moment
from shared.models.ids import ulid
from shared.models.note import Enrichment, Note, Task

THEN, NOW = 1_790_000_000.0, 1_790_000_100.0
BODY = "For the week\n\n- [ ] buy milk"


def made(body: str = BODY) -> tuple[Note, list[Task]]:
    """A note and the tasks that enrichment made of it."""
    note = Note(
        id=ulid(THEN),
        created_at=moment(THEN),
        updated_at=moment(THEN),
        kind="capture",
        body=body,
        enrichment=Enrichment(status="pending"),
    )
    return apply(note, extract(None, body), THEN)


@pytest.mark.parametrize(
    ("body", "titles"),
    [
        (BODY, []),
        (f"{BODY}\n- [ ] call the office.", ["call the office"]),
        (f"{BODY}\n- [x] call the office", []),
        (f"{BODY}\n- [ ] ~~call the office~~", []),
        (f"{BODY}\n\n```\n- [ ] call the office\n```", []),
        (f"{BODY}\n1. [ ] call the office\n- [ ] Call the office!", ["call the office"]),
        (f"{BODY}\n- [ ] Buy milk", []),
        (f"{BODY}\n- [ ]\n- [ ] ?", []),
        (f"{BODY}\nCall the office tomorrow.", []),
    ],
)
def test_a_box_that_is_written_becomes_a_task_and_nothing_else_does(body: str, titles: list[str]) -> None:
    note, tasks = made()
    assert [(one.title, one.status, one.source_note_id) for one in written(note, BODY, body, tasks, NOW)] == [
        (title, "open", note.id) for title in titles
    ]


def test_it_is_the_task_that_enrichment_would_find_there() -> None:
    note, tasks = made()
    body = f"{BODY}\n- [ ] call the office 📅 2024-01-02"
    (new,) = written(note, BODY, body, tasks, NOW)
    _, found = apply(note, extract(None, body), NOW)
    assert new.id in {one.id for one in found}


def test_a_box_that_stood_open_makes_none_and_one_that_is_opened_does() -> None:
    note, _ = made()
    assert written(note, BODY, f"{BODY}\nmore", [], NOW) == [], "its task is gone for a reason"
    ticked = BODY.replace("[ ]", "[x]")
    assert [one.title for one in written(note, ticked, BODY, [], NOW)] == ["buy milk"]


def test_a_dropped_task_that_is_written_again_is_open_again() -> None:
    note, tasks = made()
    dropped = [one.changed(THEN, status="dropped") for one in tasks]
    (again,) = written(note, "For the week", BODY, dropped, NOW)
    assert (again.id, again.status) == (dropped[0].id, "open")
    assert written(note, "For the week", BODY, tasks, NOW) == []


def test_a_list_that_is_pasted_makes_so_many_at_most() -> None:
    note, tasks = made()
    body = "\n".join(f"- [ ] thing number {n}" for n in range(MOST + 20))
    assert len(written(note, BODY, body, tasks, NOW)) == MOST


def test_what_is_taken_back_drops_the_tasks_of_its_boxes_and_no_others() -> None:
    body = f"{BODY}\n- [ ] call the office"
    note, tasks = made(body)
    assert [(one.title, one.status) for one in taken_out(note, body, BODY, tasks, NOW)] == [
        ("call the office", "dropped")
    ]
    assert taken_out(note, body, f"{BODY}\n\nRemember to call the office.", tasks, NOW) == [], "it is still said"
    assert taken_out(note, body, BODY, [one.changed(THEN, title="x") for one in tasks], NOW) == []
    assert taken_out(note, body, BODY, [one.changed(THEN, status="done") for one in tasks], NOW) == []
