"""A death between any two uses of a door: the effect happens once or not at all, and a repeat repeats nothing."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from shared.gateway.tool import Outcome
from shared.store.documents import Query
from shared.task import NewTask, add
from tests.fakes.desk import Crash, Desk, Killed
from tests.shared.tools.using import captured, everything, use

Prepare = Callable[[Desk], Awaitable[dict[str, Any]]]


async def _create_note(desk: Desk) -> dict[str, Any]:
    return {"text": "ä" * 80_000, "tags": ["a"]}


async def _update_note(desk: Desk) -> dict[str, Any]:
    note = await captured(desk, "x" * 130_000, tags=["a"])
    return {"note_id": note.id, "changes": {"body": "after", "add_tags": ["b"]}}


async def _create_tasks(desk: Desk) -> dict[str, Any]:
    return {"tasks": [{"title": "a"}, {"title": "b"}], "source_note_id": (await captured(desk)).id}


async def _update_task(desk: Desk) -> dict[str, Any]:
    task = await add(desk.store, "t", NewTask(title="a", tags=["x"]), desk.now(), key=None)
    return {"task_id": task.id, "changes": {"status": "done", "tags": ["y"]}}


async def _note(desk: Desk) -> dict[str, Any]:
    return {"note_id": (await captured(desk)).id}


async def _queue(desk: Desk) -> dict[str, Any]:
    return {"action": {"tool": "delete_note", "arguments": await _note(desk)}, "reason": "r"}


CHANGES: dict[str, tuple[Prepare, bool]] = {
    "create_note": (_create_note, True),
    "update_note": (_update_note, True),
    "create_tasks": (_create_tasks, True),
    "update_task": (_update_task, True),
    "delete_note": (_note, True),
    "start_research": (_note, False),
    "queue_approval": (_queue, False),
}
"""Each tool that changes something, and whether that can be taken back."""


async def content(desk: Desk) -> dict[str, int]:
    """How many documents of each kind, and how often they were changed in all."""
    counts: dict[str, int] = {}
    for name in ("notes", "body", "trace", "tasks", "operations", "approvals", "idempotency"):
        found = await desk.store.query(Query(name, None, limit=1000))
        counts[name] = len(found)
        counts[f"{name} revisions"] = sum(int(str(one.data.get("revision", 0))) for one in found)
    days = await desk.store.query(Query("days", None))
    counts["paid runs"] = sum(int(str(day.data["paid_runs"])) for day in days)
    return counts


async def whole(tmp_path: Path, name: str) -> tuple[dict[str, int], dict[str, int], int]:
    """What is there before, what after a call without a death, and how many uses of a door it took."""
    desk = Desk(tmp_path / "whole")
    arguments = await CHANGES[name][0](desk)
    before = await content(desk)
    desk.reborn()
    await use(desk, name, arguments)
    after = await content(desk)
    desk.close()
    return before, after, desk.crash.uses


@pytest.mark.parametrize("died_after", [False, True])
@pytest.mark.parametrize("name", sorted(CHANGES))
async def test_a_death_at_any_use_of_a_door_leaves_the_effect_once_or_not_at_all(
    tmp_path: Path, name: str, died_after: bool
) -> None:
    before, after, uses = await whole(tmp_path, name)
    assert before != after and uses >= 2
    prepare, undoable = CHANGES[name]
    for at in range(1, uses + 1):
        desk = Desk(tmp_path / f"{at}")
        arguments = await prepare(desk)
        desk.reborn(Crash(at=at, after=died_after))
        with pytest.raises(Killed):
            await use(desk, name, arguments)
        assert await content(desk) in (before, after)
        desk.reborn()
        desk.time += 5
        repeated = await use(desk, name, arguments)
        assert await content(desk) == after
        stored = await everything(desk)
        assert await use(desk, name, arguments) == repeated
        assert await everything(desk) == stored
        assert (repeated.undo is not None) is undoable
        if name == "start_research":
            assert ("operation-events", {"tenant": "t"}) in desk.world[1].heard
        desk.close()


@pytest.mark.parametrize("name", sorted(CHANGES))
async def test_the_same_call_at_the_same_moment_has_one_effect(tmp_path: Path, name: str) -> None:
    _, after, _ = await whole(tmp_path, name)
    for at in range(1, 100):
        desk = Desk(tmp_path / f"{at}", daily_paid_runs=1)
        arguments = await CHANGES[name][0](desk)
        mine, other = await overtaken(desk, name, arguments, at)
        assert await content(desk) == after
        desk.close()
        if other is None:
            assert at > 2
            return
        assert mine == other


async def overtaken(desk: Desk, name: str, arguments: dict[str, Any], at: int) -> tuple[Outcome, Outcome | None]:
    """A call, and the same one that another process does right after the n-th use of a door."""
    desk.reborn()
    ours, others = desk.crash, list[Outcome]()
    around = ours.around

    async def passed(act: Callable[[], Awaitable[Any]]) -> Any:
        answer = await around(act)
        if ours.uses == at and not others:
            desk.reborn()
            others.append(await use(desk, name, arguments))
        return answer

    ours.around = passed  # type: ignore[method-assign]  # the moment between two uses
    mine = await use(desk, name, arguments)
    return mine, others[0] if others else None


@pytest.mark.parametrize("name", ["update_note", "update_task", "delete_note"])
async def test_a_repeat_does_not_undo_what_a_person_did_since(desk: Desk, name: str) -> None:
    from shared import edit, task

    arguments = await CHANGES[name][0](desk)
    first: Outcome = await use(desk, name, arguments)
    if name == "update_task":
        wanted = task.TaskChange(status="open", title="mine")
        await task.change(desk.store, "t", arguments["task_id"], wanted, desk.now(), expected=None)
    else:
        await edit.restore(desk.store, "t", arguments["note_id"], desk.now())
        await edit.edit(desk.store, "t", arguments["note_id"], edit.Edit(body="mine"), desk.now())
    stored = await everything(desk)
    again = await use(desk, name, arguments)
    assert await everything(desk) == stored
    assert again.undo == first.undo
