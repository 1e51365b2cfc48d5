"""A proposal of every kind, and what there is in the store to compare."""

from collections.abc import Awaitable, Callable
from typing import Any

from shared.models.activity import Activity
from shared.models.approval import Approval
from shared.models.base import JsonDict
from shared.store.activity import Activities
from shared.store.approvals import Approvals
from shared.store.documents import Query
from shared.task import NewTask, add
from tests.fakes.desk import Desk
from tests.shared.tools.using import TENANT, captured, use

Prepare = Callable[[Desk], Awaitable[JsonDict]]


async def _create_note(desk: Desk) -> JsonDict:
    return {"text": "The pears are ripe.", "title": "Pears", "tags": ["garden"], "kind": "digest"}


async def _update_note(desk: Desk) -> JsonDict:
    note = await captured(desk, "first\nsecond\nthird", title="Old", tags=["a"])
    return {"note_id": note.id, "changes": {"body": "first\nnew\nthird", "title": "New", "add_tags": ["b"]}}


async def _create_tasks(desk: Desk) -> JsonDict:
    return {"tasks": [{"title": "a"}, {"title": "b"}]}


async def _update_task(desk: Desk) -> JsonDict:
    task = await add(desk.store, TENANT, NewTask(title="Call Ann", tags=["x"]), desk.now(), key=None)
    return {"task_id": task.id, "changes": {"status": "done"}}


async def _note(desk: Desk) -> JsonDict:
    return {"note_id": (await captured(desk, "a pear")).id}


async def _create_thesis(desk: Desk) -> JsonDict:
    return {"statement": "Pears sell in August.", "tags": ["fruit"]}


async def _add_evidence(desk: Desk) -> JsonDict:
    thesis = (await use_applied(desk, "create_thesis", {"statement": "Pears sell."})).result
    note: Any = thesis["note"] if "note" in thesis else thesis["thesis"]
    source = await captured(desk, "They sold out.")
    return {"note_id": note["note_id"], "stance": "for", "text": "They sold out.", "source": source.id}


async def use_applied(desk: Desk, name: str, arguments: JsonDict) -> Any:
    from shared.tools.catalog import applied
    from tests.shared.tools.using import errand

    tool = applied()[name]
    return await tool.run(errand(desk, f"prepare-{name}"), tool.arguments.model_validate(arguments))


PROPOSALS: dict[str, tuple[Prepare, bool]] = {
    "create_note": (_create_note, True),
    "update_note": (_update_note, True),
    "create_tasks": (_create_tasks, True),
    "update_task": (_update_task, True),
    "delete_note": (_note, True),
    "start_research": (_note, False),
    "create_thesis": (_create_thesis, True),
    "add_evidence": (_add_evidence, True),
}
"""Each action, and whether it can be taken back."""


async def proposal(desk: Desk, tool: str, arguments: JsonDict | None = None) -> str:
    """The id of a proposal of that tool that waits."""
    given = arguments if arguments is not None else await PROPOSALS[tool][0](desk)
    desk.time += 1
    asked = {"action": {"tool": tool, "arguments": given}, "reason": "It would be good."}
    return str((await use(desk, "queue_approval", asked, call=f"propose-{tool}")).result["approval_id"])


async def approval_of(desk: Desk, approval_id: str) -> Approval:
    return (await Approvals(desk.store, TENANT).get(approval_id)).value


async def entries(desk: Desk) -> list[Activity]:
    found = await Activities(desk.store, TENANT).page(limit=100)
    return [one for one in found if isinstance(one, Activity)]


EFFECTS = ("notes", "body", "trace", "tasks", "operations", "days")


async def effects_of(desk: Desk) -> dict[str, int]:
    """How many documents there are of each kind that an action changes, and how often they were changed in all."""
    counts: dict[str, int] = {}
    for name in EFFECTS:
        found = await desk.store.query(Query(name, None, limit=1000))
        counts[name] = len(found)
        counts[f"{name} revisions"] = sum(int(str(one.data.get("revision", 0))) for one in found)
        counts["paid runs"] = counts.get("paid runs", 0) + sum(int(str(one.data.get("paid_runs", 0))) for one in found)
    return counts


async def snapshot(desk: Desk, *more: str) -> dict[str, str]:
    """Those documents with their versions: equal only where nothing was written."""
    found = [await desk.store.query(Query(name, None, limit=1000)) for name in (*EFFECTS, *more)]
    return {document.path: document.version for documents in found for document in documents}
