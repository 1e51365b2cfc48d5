from typing import Any

import pytest
from pydantic import ValidationError

from shared import edit
from shared.errors import Conflict, NotFound, Unprocessable
from shared.models.approval import Approval
from shared.models.base import moment
from shared.store.approvals import Approvals
from shared.store.documents import Expect
from shared.store.notes import Notes
from shared.store.tasks import Tasks
from shared.task import NewTask, add
from shared.tools.approvals import KEPT
from shared.tools.catalog import built_in
from tests.fakes.desk import Desk
from tests.shared.tools.using import RUN, SESSION, TENANT, captured, everything, note_of, use

ABSENT = "01j00000000000000000000000"
TOOLS = ("create_note", "update_note", "create_tasks", "update_task", "delete_note", "start_research")


async def action(desk: Desk, tool: str, tenant: str = TENANT) -> dict[str, Any]:
    note = await captured(desk, tenant=tenant)
    task = await add(desk.store, tenant, NewTask(title="Call Ann"), desk.now(), key=None)
    arguments: dict[str, dict[str, Any]] = {
        "create_note": {"text": "a note"},
        "update_note": {"note_id": note.id, "changes": {"title": "new"}},
        "create_tasks": {"tasks": [{"title": "a"}], "source_note_id": note.id},
        "update_task": {"task_id": task.id, "changes": {"status": "done"}},
        "delete_note": {"note_id": note.id},
        "start_research": {"note_id": note.id},
    }
    return {"tool": tool, "arguments": arguments[tool]}


@pytest.mark.parametrize("tool", TOOLS)
async def test_a_proposal_is_kept_and_nothing_of_it_is_done(desk: Desk, tool: str) -> None:
    proposed = await action(desk, tool)
    before = await everything(desk)
    outcome = await use(desk, "queue_approval", {"action": proposed, "reason": "The note says so."})
    (approval,) = await Approvals(desk.store, TENANT).page(status="pending")
    assert approval.action.tool == tool
    assert approval.action.arguments.model_dump(exclude_none=True).items() >= proposed["arguments"].items()
    assert (approval.reason, approval.subject) == ("The note says so.", "me")
    assert (approval.session_id, approval.run_id) == (SESSION, RUN)
    assert approval.expires_at == moment(desk.now()) + KEPT
    assert outcome.result["approval_id"] == approval.id
    assert outcome.result["status"] == "pending"
    assert outcome.undo is None
    after = await everything(desk)
    assert {path for path in after if before.get(path) != after[path]} == {
        f"tenants/t/approvals/{approval.id}",
        "tenants/t/idempotency/c1",
    }


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool != "create_note"])
async def test_a_proposal_about_another_tenants_thing_is_refused(desk: Desk, tool: str) -> None:
    proposed = await action(desk, tool, tenant="other")
    with pytest.raises(NotFound):
        await use(desk, "queue_approval", {"action": proposed, "reason": "r"})
    assert await Approvals(desk.store, TENANT).page() == []


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("create_note", {"text": "x", "tags": ["research"]}),
        ("update_note", {"changes": {"tags": ["research"]}}),
        ("update_note", {"changes": {"add_tags": ["research-report"]}}),
        ("create_tasks", {"tasks": [{"title": "a", "tags": ["research"]}]}),
        ("update_task", {"task_id": ABSENT, "changes": {"tags": ["research"]}}),
    ],
)
async def test_a_proposal_does_not_buy_by_tagging_either(desk: Desk, tool: str, arguments: dict[str, Any]) -> None:
    if tool == "update_note":
        arguments = {**arguments, "note_id": (await captured(desk)).id}
    with pytest.raises(Unprocessable) as refused:
        await use(desk, "queue_approval", {"action": {"tool": tool, "arguments": arguments}, "reason": "r"})
    assert refused.value.code == "reserved_tag"


async def test_a_proposal_about_a_note_in_the_bin_is_refused(desk: Desk) -> None:
    note = await captured(desk)
    await edit.discard(desk.store, TENANT, note.id, desk.now())
    with pytest.raises(Conflict):
        proposed = {"tool": "delete_note", "arguments": {"note_id": note.id}}
        await use(desk, "queue_approval", {"action": proposed, "reason": "r"})


async def test_a_repeat_answers_the_proposal_even_where_it_has_become_impossible(desk: Desk) -> None:
    proposed = await action(desk, "delete_note")
    asked = {"action": proposed, "reason": "r"}
    first = await use(desk, "queue_approval", asked)
    await edit.discard(desk.store, TENANT, proposed["arguments"]["note_id"], desk.now())
    assert await use(desk, "queue_approval", asked) == first
    assert len(await Approvals(desk.store, TENANT).page()) == 1


@pytest.mark.parametrize(
    "asked",
    [
        {"action": {"tool": "http_fetch", "arguments": {"url": "https://a.example/"}}, "reason": "r"},
        {"action": {"tool": "queue_approval", "arguments": {}}, "reason": "r"},
        {"action": {"tool": "delete_note", "arguments": {"note_id": ABSENT, "forever": True}}, "reason": "r"},
        {"action": {"tool": "delete_note", "arguments": {"text": "another tool's"}}, "reason": "r"},
        {"action": {"tool": "delete_note", "arguments": {"note_id": ABSENT}}, "reason": " "},
        {"action": {"tool": "delete_note", "arguments": {"note_id": ABSENT}}, "reason": "r" * 1001},
        {"action": {"tool": "delete_note", "arguments": {"note_id": ABSENT}}},
    ],
)
def test_what_is_no_action_is_refused(asked: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        built_in()["queue_approval"].arguments.model_validate(asked)


async def test_approvals_are_paged_by_status_newest_first(desk: Desk) -> None:
    made = []
    for call in ("a", "b", "c"):
        desk.time += 1
        asked = {"action": {"tool": "create_note", "arguments": {"text": call}}, "reason": "r"}
        made.append(str((await use(desk, "queue_approval", asked, call)).result["approval_id"]))
    approvals = Approvals(desk.store, TENANT)
    found = await approvals.get(made[1])
    resolved: Approval = found.value.changed(desk.now(), status="rejected", resolved_by="me")
    await desk.store.commit([approvals.put(resolved, found.version)])
    assert [one.id for one in await approvals.page(status="pending")] == [made[2], made[0]]
    assert [one.id for one in await approvals.page(status="pending", before=made[2])] == [made[0]]
    assert [one.id for one in await approvals.page(limit=2)] == made[:0:-1]
    assert (await approvals.get(made[1])).value == resolved
    with pytest.raises(Conflict):
        await desk.store.commit([approvals.put(resolved, Expect.ABSENT)])
    assert await Approvals(desk.store, "other").page() == []
    for approval_id in (made[0], "../x"):
        with pytest.raises(NotFound):
            await Approvals(desk.store, "other").get(approval_id)


async def test_the_body_of_a_proposal_is_not_enriched_or_searched(desk: Desk) -> None:
    asked = {"action": {"tool": "create_note", "arguments": {"text": "quince"}}, "reason": "r"}
    await use(desk, "queue_approval", asked)
    assert await Notes(desk.store, TENANT).page() == [] and await Tasks(desk.store, TENANT).page() == []
    assert (await use(desk, "search_notes", {"query": "quince"})).result["notes"] == []


async def test_a_proposed_change_must_not_hold_a_part_of_a_note(desk: Desk) -> None:
    note = await captured(desk)
    changes = {"body": "beginning\n[cut: 99 more characters]"}
    proposed = {"tool": "update_note", "arguments": {"note_id": note.id, "changes": changes}}
    with pytest.raises(Unprocessable):
        await use(desk, "queue_approval", {"action": proposed, "reason": "r"})
    assert (await note_of(desk, note.id)).body == "a pear"
