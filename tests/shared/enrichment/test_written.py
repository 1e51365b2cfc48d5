"""An open box that an edit writes is a task, and goes with it; other words make, drop and rename none."""

import pytest

from shared.enrichment.apply import apply
from shared.enrichment.extract import extract
from shared.enrichment.text import LIMIT
from shared.enrichment.written import MOST, id_of, reworded, taken_out, written
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


def test_boxes_that_are_taken_out_drop_their_tasks_and_no_others() -> None:
    body = f"{BODY}\n- [ ] call the office"
    note, tasks = made(body)
    assert [(one.title, one.status) for one in taken_out(note, body, BODY, tasks, NOW)] == [
        ("call the office", "dropped")
    ]
    assert taken_out(note, body, f"{BODY}\n\nRemember to call the office.", tasks, NOW) == [], "it is still said"
    assert taken_out(note, body, BODY, [one.changed(THEN, title="x") for one in tasks], NOW) == []
    assert taken_out(note, body, BODY, [one.changed(THEN, status="done") for one in tasks], NOW) == []


def names(tasks: list[Task]) -> list[tuple[str, str]]:
    return [(one.title, one.status) for one in tasks]


@pytest.mark.parametrize(
    "body",
    [
        "- [x] buy milk",
        "- [-] buy milk",
        "- [ ] ~~buy milk~~",
        "- [x] buy milk\n- [ ] buy milk",
        "Some milk.\n\n> 1. [ ] Buy milk! 📅 2024-01-02",
        "To do:\n- buy milk",
        "Don't forget to buy milk.",
        "\n".join([*(f"- [ ] thing number {n}" for n in range(30)), "", "Remember to buy milk."]),
        f"{'words and more ' * (LIMIT // 10)}\n\n- [ ] buy milk",
        "- [ ] buy milk\nconst milk = buy();\nreturn milk.price();",
    ],
)
def test_a_task_for_which_the_text_still_asks_or_says_that_it_is_done_is_not_dropped(body: str) -> None:
    note, tasks = made()
    assert taken_out(note, BODY, body, tasks, NOW) == []


@pytest.mark.parametrize("body", ["", "For the week\n\nmilk", "```\n- [ ] buy milk\n```", "- [ ] sell milk\n- [ ] x"])
def test_a_box_that_is_gone_drops_its_task(body: str) -> None:
    note, tasks = made()
    (gone,) = taken_out(note, BODY, body, tasks, NOW)
    assert (gone.id, gone.status, gone.revision) == (tasks[0].id, "dropped", 2)


def test_of_several_boxes_with_the_same_words_the_last_one_counts() -> None:
    note, tasks = made()
    twice = f"{BODY}\n- [ ] call the office\n- [x] Buy milk.\n- [ ] buy milk"
    once = f"{BODY}\n- [ ] call the office\n- [x] Buy milk."
    assert taken_out(note, twice, once, tasks, NOW) == []
    assert names(taken_out(note, once, "- [ ] call the office", tasks, NOW)) == [("buy milk", "dropped")]
    assert reworded(note, twice, twice.replace("week\n\n- [ ] buy milk", "week\n\n- [ ] buy oats"), tasks, NOW) == []


def test_a_task_that_its_box_alone_has_turned_goes_with_it_and_one_that_was_changed_by_hand_stays() -> None:
    note, (task,) = made()
    turned = task.changed(THEN, status="done").changed(THEN, status="open")
    assert names(taken_out(note, BODY, "", [turned], NOW)) == [("buy milk", "dropped")]
    for change in ({"tags": ["shop"]}, {"title": "buy the milk"}, {"title": "buy oats"}, {"status": "dropped"}):
        assert taken_out(note, BODY, "", [task.changed(THEN, **change)], NOW) == [], change
    assert taken_out(note, BODY, "", [task.model_copy(update={"id": ulid(NOW)})], NOW) == [], "it was not found here"


LIST = "- [ ] buy milk\n- [x] sleep\n- [ ] call the office"


@pytest.mark.parametrize(
    ("body", "title"),
    [
        (LIST.replace("buy milk", "buy oat milk."), "buy oat milk"),
        (LIST.replace("buy milk", "~~buy oat milk~~"), "buy oat milk"),
        (LIST.replace("[ ] buy milk", "[x] bought milk"), "bought milk"),
        ("Words.\n\n" + LIST.replace("buy milk", "sell milk").replace("[ ] call", "[x] call"), "sell milk"),
        (LIST.replace("buy milk", "Buy milk!"), None),
        (LIST.replace("buy milk", "rest"), "rest"),
        (LIST.replace("buy milk", "call the office"), None),
        (LIST.replace("buy milk", "sleep"), None),
        (LIST.replace("buy milk", ""), None),
        (LIST.replace("buy milk", "sell milk").replace("sleep", "rest"), None),
        ("- [x] sleep\n- [ ] call the office\n- [ ] sell milk", None),
        (LIST.replace("buy milk", "sell milk") + "\n- [ ] pay Ben", None),
        (LIST.replace("buy milk", "sell milk") + "\n\nRemember to buy milk.", None),
        (LIST.replace("- [ ] buy milk\n", ""), None),
    ],
)
def test_one_box_that_is_reworded_in_its_place_renames_its_task(body: str, title: str | None) -> None:
    note, tasks = made(LIST)
    renamed = reworded(note, LIST, body, tasks, NOW)
    assert [(one.id, one.title, one.status, one.revision) for one in renamed] == (
        [(tasks[0].id, title, "open", 2)] if title else []
    )
    after = [*renamed, *(one for one in tasks if not renamed or one.id != renamed[0].id)]
    if title:
        assert taken_out(note, LIST, body, after, NOW) == written(note, LIST, body, after, NOW) == []


def test_a_line_with_which_a_ticked_box_goes_on_is_no_box() -> None:
    body = "- [x] sleep\n  well and long\n- [ ] buy milk"
    note, tasks = made(body)
    after = "- [x] sleep\n- [ ] sell milk"
    assert names(reworded(note, body, after, tasks, NOW)) == [("sell milk", "open")]


def test_words_that_another_task_has_already_rename_none() -> None:
    note, tasks = made(LIST)
    other = tasks[0].model_copy(update={"id": ulid(NOW), "title": "sell milk", "status": "dropped"})
    body = LIST.replace("buy milk", "sell milk")
    assert reworded(note, LIST, body, [*tasks, other], NOW) == []
    assert names(taken_out(note, LIST, body, [*tasks, other], NOW)) == [("buy milk", "dropped")]
    assert names(written(note, LIST, body, [*tasks, other], NOW)) == [("sell milk", "open")]
    done = [one.changed(THEN, status="done") for one in tasks]
    assert reworded(note, LIST, body, done, NOW) == []


def test_a_renamed_task_keeps_its_tags_goes_back_and_leaves_its_old_words_free() -> None:
    note, (task,) = made()
    body = BODY.replace("milk", "oat milk")
    (renamed,) = reworded(note, BODY, body, [task.changed(THEN, tags=["shop"])], NOW)
    assert renamed.tags == ["shop"]
    (renamed,) = reworded(note, BODY, body, [task], NOW)
    after = note.model_copy(update={"task_ids": [*note.task_ids, id_of(note, renamed.title)]})
    assert [one.title for one in reworded(after, body, BODY, [renamed], NOW)] == ["buy milk"]
    assert names(taken_out(after, body, "", [renamed], NOW)) == [("buy oat milk", "dropped")]
    (fresh,) = written(after, body, f"{body}\n- [ ] buy milk", [renamed], NOW)
    assert (fresh.title, fresh.status, fresh.revision) == ("buy milk", "open", 1) and fresh.id != renamed.id
    assert apply(after, extract(None, body), NOW)[1] == [], "reading the note again makes no second one"


def test_a_box_that_is_written_again_leaves_the_name_that_its_task_was_given_by_hand() -> None:
    note, (task,) = made()
    by_hand = task.changed(THEN, title="buy oats")
    assert written(note, "", BODY, [by_hand], NOW) == []
    (again,) = written(note, "", BODY, [by_hand.changed(THEN, status="dropped")], NOW)
    assert (again.id, again.title, again.status) == (task.id, "buy oats", "open")


def test_a_long_list_that_was_taken_out_comes_back_whole() -> None:
    note, _ = made()
    body = "\n".join(f"- [ ] thing number {n}" for n in range(MOST + 20))
    tasks = [
        one.model_copy(update={"id": id_of(note, one.title), "title": one.title})
        for n in range(MOST + 20)
        for one in written(note, "", f"- [ ] thing number {n}", [], NOW)
    ]
    note = note.model_copy(update={"task_ids": [one.id for one in tasks]})
    dropped = taken_out(note, body, "", tasks, NOW)
    assert len(dropped) == len(written(note, "", body, dropped, NOW)) == MOST + 20
