"""A box that is turned turns the task that came from it; one that stands as it stood overrules nobody's word."""

import pytest

from shared.enrichment.apply import apply
from shared.enrichment.extract import extract
from shared.enrichment.ticked import followed
from shared.models.base import moment
from shared.models.ids import ulid
from shared.models.note import Enrichment, Note, Task

THEN, NOW = 1_790_000_000.0, 1_790_000_100.0
BODY = "- [ ] buy milk 📅 2024-01-02\n- [ ] call Anna"


def made() -> tuple[Note, list[Task]]:
    """A note with two boxes, and the tasks that enrichment made of them."""
    note = Note(
        id=ulid(THEN),
        created_at=moment(THEN),
        updated_at=moment(THEN),
        kind="capture",
        body=BODY,
        enrichment=Enrichment(status="pending"),
    )
    return apply(note, extract(None, BODY), THEN)


@pytest.mark.parametrize(
    ("body", "titles"),
    [
        (BODY, []),
        ("- [x] buy milk ✅ 2024-01-03\n- [ ] call Anna", ["buy milk 📅 2024-01-02"]),
        ("- [-] buy milk\n- [X] Call Anna.", ["buy milk 📅 2024-01-02", "call Anna"]),
        ("- [ ] ~~buy milk~~", ["buy milk 📅 2024-01-02"]),
        ("- [x] buy milk\n- [ ] buy milk\n- [x] call Ben", []),
        ("nothing of it", []),
        ("I bought milk and called Anna.", []),
    ],
)
def test_a_ticked_box_closes_its_task_and_nothing_else_does(body: str, titles: list[str]) -> None:
    note, tasks = made()
    done = followed(note, BODY, body, tasks, NOW)
    assert [one.title for one in done] == titles
    assert all((one.status, one.revision, one.updated_at) == ("done", 2, moment(NOW)) for one in done)


def test_a_box_that_is_opened_again_opens_its_task_and_one_that_is_gone_does_not() -> None:
    note, tasks = made()
    done = [one.changed(THEN, status="done") for one in tasks]
    ticked = BODY.replace("[ ]", "[x]")
    assert [one.status for one in followed(note, ticked, BODY, done, NOW)] == ["open", "open"]
    assert followed(note, ticked, "nothing of it", done, NOW) == []
    assert followed(note, ticked, BODY, tasks, NOW) == [], "they are open"


def test_a_box_that_stands_as_it_stood_says_nothing_new() -> None:
    note, tasks = made()
    ticked = BODY.replace("[ ]", "[x]")
    reopened = [one.changed(THEN, status="done").changed(THEN, status="open") for one in tasks]
    assert followed(note, ticked, f"{ticked}\nMore.", reopened, NOW) == []
    by_hand = [one.changed(THEN, status="done") for one in tasks]
    assert followed(note, BODY, f"{BODY}\nMore.", by_hand, NOW) == []
    dropped = [one.changed(THEN, status="dropped") for one in tasks]
    assert followed(note, BODY, ticked, dropped, NOW) == followed(note, ticked, BODY, dropped, NOW) == []


def test_a_task_of_another_note_or_one_written_by_hand_stays() -> None:
    note, tasks = made()
    strangers = [one.model_copy(update={"id": ulid(NOW)}) for one in tasks]
    assert followed(note, BODY, BODY.replace("[ ]", "[x]"), strangers, NOW) == []
