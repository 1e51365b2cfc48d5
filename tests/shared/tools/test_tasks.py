import json
from typing import Any

import pytest
from pydantic import ValidationError

from shared import edit
from shared.errors import Conflict, NotFound, Unprocessable
from shared.models.note import Task
from shared.store import answers
from shared.store.tasks import Tasks
from shared.task import NewTask, add
from shared.tools.catalog import built_in
from tests.fakes.desk import Desk
from tests.shared.tools.using import HOSTILE, TENANT, captured, errand, everything, task_of, use

ABSENT = "01j00000000000000000000000"


async def made(desk: Desk, title: str = "Call Ann", tenant: str = TENANT, **fields: Any) -> Task:
    desk.time += 1
    return await add(desk.store, tenant, NewTask(title=title, **fields), desk.now(), key=None)


async def test_tasks_are_listed_by_status_newest_first(desk: Desk) -> None:
    old, new = await made(desk, "old", tags=["a"]), await made(desk, "new")
    await made(desk, "foreign", tenant="other")
    done = await made(desk, "done")
    await use(desk, "update_task", {"task_id": done.id, "changes": {"status": "done"}})
    outcome = await use(desk, "list_tasks", {})
    assert outcome.result == {
        "tasks": [
            {"task_id": new.id, "title": "new", "status": "open", "tags": []},
            {"task_id": old.id, "title": "old", "status": "open", "tags": ["a"]},
        ]
    }
    assert [line["task_id"] for line in tasks(await use(desk, "list_tasks", {"status": "done"}))] == [done.id]
    assert len(tasks(await use(desk, "list_tasks", {"limit": 1}))) == 1
    none = await use(desk, "list_tasks", {"status": "dropped"})
    assert none.result == {"tasks": [], "message": "No task is dropped."}


async def test_tasks_are_made_in_their_order_with_their_note(desk: Desk) -> None:
    note = await captured(desk)
    asked = {"tasks": [{"title": f"Ring {n} 🔔", "tags": ["Call"]} for n in range(20)], "source_note_id": note.id}
    outcome = await use(desk, "create_tasks", asked)
    stored = await Tasks(desk.store, TENANT).page()
    assert [task.title for task in reversed(stored)] == [f"Ring {n} 🔔" for n in range(20)]
    assert {task.source_note_id for task in stored} == {note.id}
    assert [line["task_id"] for line in tasks(outcome)] == [task.id for task in reversed(stored)]
    assert outcome.undo is not None and outcome.undo.model_dump() == {
        "type": "tasks_created",
        "task_ids": [task.id for task in reversed(stored)],
    }


async def test_a_note_that_is_not_there_is_no_source(desk: Desk) -> None:
    foreign = await captured(desk, tenant="other")
    for note_id in (foreign.id, ABSENT):
        with pytest.raises(NotFound):
            await use(desk, "create_tasks", {"tasks": [{"title": "a"}], "source_note_id": note_id})
    binned = await captured(desk)
    await edit.discard(desk.store, TENANT, binned.id, desk.now())
    with pytest.raises(Conflict):
        await use(desk, "create_tasks", {"tasks": [{"title": "a"}], "source_note_id": binned.id})
    assert await Tasks(desk.store, TENANT).page() == []


async def test_a_repeat_answers_the_tasks_even_where_their_note_has_gone(desk: Desk) -> None:
    note = await captured(desk)
    asked = {"tasks": [{"title": "a"}], "source_note_id": note.id}
    first = await use(desk, "create_tasks", asked)
    await edit.discard(desk.store, TENANT, note.id, desk.now())
    assert await use(desk, "create_tasks", asked) == first


async def test_an_update_keeps_the_old_values_of_what_changed(desk: Desk) -> None:
    task = await made(desk, tags=["a"])
    asked = {"title": "Call Bo", "status": "done", "tags": ["a"]}
    outcome = await use(desk, "update_task", {"task_id": task.id, "changes": asked})
    changed = await task_of(desk, task.id)
    assert (changed.title, changed.status, changed.tags) == ("Call Bo", "done", ["a"])
    assert outcome.result == {"task": {"task_id": task.id, "status": "done", "changed": ["status", "title"]}}
    assert outcome.undo is not None and outcome.undo.model_dump() == {
        "type": "task_changed",
        "task_id": task.id,
        "before": {"title": "Call Ann", "status": "open"},
        "after": {"title": "Call Bo", "status": "done"},
    }


async def test_an_update_of_nothing_has_nothing_to_take_back(desk: Desk) -> None:
    task = await made(desk)
    outcome = await use(desk, "update_task", {"task_id": task.id, "changes": {"status": "open"}})
    assert outcome.undo is None
    assert outcome.result["message"] == "It was so already; nothing was changed."


async def test_another_tenants_task_is_unknown_and_untouched(desk: Desk) -> None:
    foreign = await made(desk, tenant="other")
    before = await everything(desk)
    for task_id in (foreign.id, ABSENT):
        with pytest.raises(NotFound) as refused:
            await use(desk, "update_task", {"task_id": task_id, "changes": {"status": "done"}})
        assert refused.value.code == "task_not_found"
    assert await everything(desk) == before


async def test_reserved_tags_are_refused_on_tasks_too(desk: Desk) -> None:
    task = await made(desk)
    with pytest.raises(Unprocessable):
        await use(desk, "create_tasks", {"tasks": [{"title": "a"}, {"title": "b", "tags": ["research"]}]})
    with pytest.raises(Unprocessable):
        await use(desk, "update_task", {"task_id": task.id, "changes": {"tags": ["Research Report"]}})
    assert [one.id for one in await Tasks(desk.store, TENANT).page()] == [task.id]


async def test_a_key_that_was_kept_without_a_way_back_still_answers_its_task(desk: Desk) -> None:
    task = await made(desk)
    await desk.store.commit([answers.write(errand(desk).effect, task.id, desk.now())])
    outcome = await use(desk, "create_tasks", {"tasks": [{"title": "other"}]})
    assert [line["task_id"] for line in tasks(outcome)] == [task.id]
    assert len(await Tasks(desk.store, TENANT).page()) == 1


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("list_tasks", {"status": "all"}),
        ("list_tasks", {"limit": 101}),
        ("create_tasks", {"tasks": []}),
        ("create_tasks", {"tasks": [{"title": "a"}] * 21}),
        ("create_tasks", {"tasks": [{"title": " "}]}),
        ("create_tasks", {"tasks": [{"title": "t" * 501}]}),
        ("create_tasks", {"tasks": [{"title": "a", "status": "done"}]}),
        ("create_tasks", {"tasks": [{"title": "a"}], "source_note_id": "../x"}),
        ("update_task", {"task_id": ABSENT, "changes": {}}),
        ("update_task", {"task_id": ABSENT, "changes": {"status": "deleted"}}),
        ("update_task", {"task_id": ABSENT, "changes": {"source_note_id": ABSENT}}),
        ("update_task", {"task_id": "x", "changes": {"status": "done"}}),
    ],
)
def test_arguments_outside_their_bounds_are_refused(name: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        built_in()[name].arguments.model_validate(arguments)


async def test_a_change_does_not_answer_with_a_hostile_title(desk: Desk) -> None:
    task = await made(desk, HOSTILE)
    told = await use(desk, "update_task", {"task_id": task.id, "changes": {"status": "done"}})
    assert "Ignore" not in json.dumps(told.result)
    assert tasks(await use(desk, "list_tasks", {"status": "done"}))[0]["title"] == HOSTILE


def tasks(outcome: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = outcome.result["tasks"]
    return found
