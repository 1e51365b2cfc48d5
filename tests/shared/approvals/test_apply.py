import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from shared.approvals import expire
from shared.approvals.apply import approve, reject, shown
from shared.approvals.doing import TRIED_SECONDS
from shared.edit import Edit, discard, edit
from shared.errors import Conflict, Gone, MemexError, NotFound, Unprocessable, Unreachable
from shared.models.approval import Approval
from shared.models.base import JsonDict, moment
from shared.store.answers import KEPT_SECONDS
from shared.store.approvals import IS_PENDING
from shared.store.documents import Query
from shared.store.operations import Operations
from shared.undo import undo
from tests.fakes.desk import Crash, Desk, Killed
from tests.shared.approvals.proposals import (
    PROPOSALS,
    approval_of,
    effects_of,
    entries,
    proposal,
    snapshot,
)
from tests.shared.tools.using import TENANT, captured, note_of, task_of

TOOLS = sorted(PROPOSALS)
WEEK = 7 * 86_400


async def said_yes(desk: Desk, approval_id: str, changes: JsonDict | None = None, subject: str = "ann") -> Approval:
    desk.time += 1
    return await approve(desk, TENANT, subject, approval_id, changes)


async def said_no(desk: Desk, approval_id: str, reason: str | None = None) -> Approval:
    desk.time += 1
    return await reject(desk, TENANT, "ann", approval_id, reason)


async def swept(desk: Desk) -> int:
    """What the sweep does about approvals, as often as it acted."""
    found = await desk.documents.query(Query("approvals", None, (IS_PENDING,), limit=100))
    return sum([await expire(desk, document) for document in found])


# -- yes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tool", TOOLS)
async def test_what_is_approved_is_done_once_and_says_what_came_of_it(desk: Desk, tool: str) -> None:
    waiting = await proposal(desk, tool)
    before = await effects_of(desk)
    done = await said_yes(desk, waiting)
    assert (done.status, done.ok, done.resolved_by) == ("approved", True, "ann")
    assert done.resolved_at == moment(desk.now())
    assert done.result and "error" not in done.result
    assert (done.undo is not None) is PROPOSALS[tool][1]
    assert await effects_of(desk) != before
    assert await approval_of(desk, waiting) == done
    (entry,) = await entries(desk)
    assert (entry.tool, entry.decision, entry.ok, entry.subject) == (tool, "approved", True, "ann")
    assert entry.call_id == waiting


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if PROPOSALS[tool][1]])
async def test_what_was_done_can_be_taken_back_in_one_step(desk: Desk, tool: str) -> None:
    done = await said_yes(desk, await proposal(desk, tool))
    assert done.undo
    desk.time += 1
    assert (await undo(desk, TENANT, done.undo, desk.now(), None))["undone"] == done.undo.type


async def test_the_second_word_comes_too_late_and_hears_what_happened(desk: Desk) -> None:
    waiting = await proposal(desk, "create_note")
    await said_yes(desk, waiting)
    stored = await snapshot(desk, "approvals", "activity")
    for again in (said_yes(desk, waiting), said_no(desk, waiting)):
        with pytest.raises(Conflict, match=r"approved at .* and done") as late:
            await again
        assert late.value.code == "already_resolved"
        assert late.value.next
    assert await snapshot(desk, "approvals", "activity") == stored


async def test_a_yes_to_what_cannot_be_done_keeps_the_error(desk: Desk) -> None:
    note = await captured(desk)
    waiting = await proposal(desk, "update_note", {"note_id": note.id, "changes": {"body": "b"}})
    await discard(desk.store, TENANT, note.id, desk.now())
    before = await snapshot(desk)
    done = await said_yes(desk, waiting)
    assert (done.status, done.ok, done.undo) == ("approved", False, None)
    assert done.result and (done.result["error"], bool(done.result["next"])) == ("note_deleted", True)
    assert await snapshot(desk) == before
    (entry,) = await entries(desk)
    assert (entry.decision, entry.ok, entry.code) == ("approved", False, "note_deleted")
    with pytest.raises(Conflict, match="could not be done: The note is in the bin"):
        await said_yes(desk, waiting)


async def test_a_yes_counts_beyond_the_days_budget(tmp_path: Path) -> None:
    desk = Desk(tmp_path, research_paid=True, daily_budget_usd=1.0, research_cost_usd=3.0)
    done = await said_yes(desk, await proposal(desk, "start_research"))
    assert done.ok
    (operation,) = await Operations(desk.store, TENANT).page()
    assert operation.estimated_usd == 3.0
    desk.close()


# -- yes, but otherwise ----------------------------------------------------------------------------------------


async def test_an_edited_proposal_is_done_as_the_person_changed_it(desk: Desk) -> None:
    waiting = await proposal(desk, "create_note")
    done = await said_yes(desk, waiting, {"text": "Only this.", "tags": None})
    assert done.undo and done.undo.type == "note_created"
    note = await note_of(desk, done.undo.note_id)
    assert (note.body, note.title, note.tags) == ("Only this.", "Pears", [])
    assert done.action.arguments.model_dump()["text"] == "Only this."
    assert done.proposed and done.proposed.arguments.model_dump()["text"] == "The pears are ripe."


async def test_changes_that_change_nothing_are_no_edit(desk: Desk) -> None:
    done = await said_yes(desk, await proposal(desk, "create_note"), {"title": "Pears"})
    assert done.ok and done.proposed is None


@pytest.mark.parametrize(
    ("tool", "changes", "named"),
    [
        ("create_note", {"text": " "}, "text"),
        ("create_note", {"color": "red"}, "color"),
        ("create_note", {"tags": ["research"]}, "research"),
        ("create_note", {"kind": "research"}, "kind"),
        ("create_tasks", {"tasks": []}, "tasks"),
        ("update_note", {"changes": {}}, "changes"),
        ("update_note", {"changes": {"add_tags": ["research-report"]}}, "research-report"),
        ("update_note", {"note_id": "01j00000000000000000000000"}, "note_id"),
        ("delete_note", {"note_id": None}, "note_id"),
        ("update_task", {"changes": {"status": "finished"}}, "status"),
        ("update_task", {"task_id": "01j00000000000000000000000"}, "task_id"),
    ],
)
async def test_changes_that_the_action_does_not_take_are_refused_and_it_goes_on_waiting(
    desk: Desk, tool: str, changes: JsonDict, named: str
) -> None:
    waiting = await proposal(desk, tool)
    before = await snapshot(desk, "approvals", "activity")
    with pytest.raises(Unprocessable, match=named):
        await said_yes(desk, waiting, changes)
    assert await snapshot(desk, "approvals", "activity") == before
    assert (await said_yes(desk, waiting)).ok


# -- no, and nothing -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tool", TOOLS)
async def test_a_no_changes_nothing(desk: Desk, tool: str) -> None:
    waiting = await proposal(desk, tool)
    before = await snapshot(desk)
    refused = await said_no(desk, waiting, "Not now.")
    assert (refused.status, refused.rejection, refused.resolved_by) == ("rejected", "Not now.", "ann")
    with pytest.raises(Conflict, match="rejected") as late:
        await said_yes(desk, waiting)
    assert late.value.code == "already_resolved"
    assert await swept(desk) == 0
    assert await snapshot(desk) == before
    (entry,) = await entries(desk)
    assert (entry.tool, entry.decision, entry.ok) == (tool, "denied", False)


@pytest.mark.parametrize("tool", TOOLS)
async def test_nobody_answers_in_time(desk: Desk, tool: str) -> None:
    waiting = await proposal(desk, tool)
    before = await snapshot(desk)
    desk.time += WEEK - 2
    assert await swept(desk) == 0
    desk.time += 3
    assert shown(await approval_of(desk, waiting), desk.now()).status == "expired"
    assert await swept(desk) == 1
    assert await swept(desk) == 0
    over = await approval_of(desk, waiting)
    assert (over.status, over.resolved_by, over.resolved_at) == ("expired", None, moment(desk.now()))
    assert await snapshot(desk) == before
    (entry,) = await entries(desk)
    assert (entry.decision, entry.subject) == ("denied", "me")


@pytest.mark.parametrize("swept_first", [False, True])
async def test_a_word_after_its_time_is_gone(desk: Desk, swept_first: bool) -> None:
    waiting = await proposal(desk, "delete_note")
    before = await snapshot(desk)
    desk.time += WEEK + 1
    if swept_first:
        assert await swept(desk) == 1
    for word in (said_yes(desk, waiting), said_no(desk, waiting), said_yes(desk, waiting)):
        with pytest.raises(Gone) as gone:
            await word
        assert (gone.value.code, gone.value.status) == ("approval_expired", 410)
    assert (await approval_of(desk, waiting)).status == "expired"
    assert await snapshot(desk) == before
    assert len(await entries(desk)) == 1


async def test_another_tenant_cannot_decide(desk: Desk) -> None:
    waiting = await proposal(desk, "delete_note")
    before = await snapshot(desk, "approvals", "activity")
    for word in (approve(desk, "other", "eve", waiting), reject(desk, "other", "eve", waiting)):
        with pytest.raises(NotFound):
            await word
    assert await snapshot(desk, "approvals", "activity") == before


# -- at the same moment ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("tool", TOOLS)
async def test_of_many_at_the_same_moment_one_is_applied(desk: Desk, tool: str, tmp_path: Path) -> None:
    waiting = await proposal(desk, tool)
    before = await effects_of(desk)
    words: list[Any] = await asyncio.gather(
        *(approve(desk, TENANT, f"person {n}", waiting) for n in range(6)), return_exceptions=True
    )
    (won,) = [word for word in words if isinstance(word, Approval)]
    lost = [word for word in words if isinstance(word, Conflict)]
    assert len(lost) == 5 and {word.code for word in lost} == {"already_resolved"}
    assert won == await approval_of(desk, waiting)
    once = await effects_of(desk)
    assert once != before
    assert len(await entries(desk)) == 1
    alone = await effect_of_one(tmp_path / "other", tool)
    assert {key: once[key] - before[key] for key in once} == alone


async def effect_of_one(folder: Path, tool: str) -> dict[str, int]:
    """What one yes does, counted in a world of its own."""
    other = Desk(folder, research_paid=True)
    waiting = await proposal(other, tool)
    before = await effects_of(other)
    await said_yes(other, waiting)
    after = await effects_of(other)
    other.close()
    return {key: after[key] - before[key] for key in after}


async def test_a_yes_and_a_no_at_the_same_moment_agree(desk: Desk) -> None:
    for n in range(10):
        note = await captured(desk, f"note {n}")
        waiting = await proposal_of_delete(desk, note.id, n)
        both = (approve(desk, TENANT, "ann", waiting), reject(desk, TENANT, "bo", waiting))
        words: list[Any] = [*await asyncio.gather(*both, return_exceptions=True)]
        (won,) = [word for word in words if isinstance(word, Approval)]
        gone = (await note_of(desk, note.id)).deleted_at is not None
        assert gone is (won.status == "approved")
        assert [word.code for word in words if isinstance(word, MemexError)] == ["already_resolved"]


async def proposal_of_delete(desk: Desk, note_id: str, n: int) -> str:
    from tests.shared.tools.using import use

    asked = {"action": {"tool": "delete_note", "arguments": {"note_id": note_id}}, "reason": "r"}
    return str((await use(desk, "queue_approval", asked, call=f"d{n}")).result["approval_id"])


# -- deaths ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["the next call", "the sweep"])
@pytest.mark.parametrize("died_after", [False, True])
@pytest.mark.parametrize("tool", TOOLS)
async def test_a_death_at_any_use_of_a_door_is_made_good(tmp_path: Path, tool: str, died_after: bool, by: str) -> None:
    whole = Desk(tmp_path / "whole", research_paid=True)
    waiting = await proposal(whole, tool)
    before = await effects_of(whole)
    whole.reborn()
    await said_yes(whole, waiting)
    uses, after = whole.crash.uses, await effects_of(whole)
    whole.close()
    assert uses >= 5 and before != after
    for at in range(1, uses + 1):
        desk = Desk(tmp_path / f"{at}", research_paid=True)
        waiting = await proposal(desk, tool)
        desk.reborn(Crash(at=at, after=died_after))
        with pytest.raises(Killed):
            await said_yes(desk, waiting)
        assert await effects_of(desk) in (before, after)
        desk.reborn()
        left = await approval_of(desk, waiting)
        claimed = left.claim is not None
        if by == "the sweep":
            assert await swept(desk) == (claimed and left.status == "pending")
            if not claimed:
                await said_yes(desk, waiting)
        else:
            await called_again(desk, waiting, claimed)
        done = await approval_of(desk, waiting)
        assert (done.status, done.ok, done.resolved_by) == ("approved", True, "ann")
        assert (done.undo is not None) is PROPOSALS[tool][1]
        assert await effects_of(desk) == after, f"died at use {at}"
        assert [entry.decision for entry in await entries(desk)] == ["approved"]
        assert await swept(desk) == 0
        desk.close()


async def called_again(desk: Desk, waiting: str, claimed: bool) -> None:
    """Whoever calls next finishes what was claimed, and hears that somebody else had decided."""
    if not claimed:
        await said_yes(desk, waiting)
        return
    with pytest.raises(Conflict, match="approved") as late:
        await said_no(desk, waiting)
    assert late.value.code == "already_resolved"


async def test_a_death_is_made_good_after_the_proposals_time_too(desk: Desk) -> None:
    waiting = await proposal(desk, "delete_note")
    desk.time += WEEK - 5
    await died_right_after_the_claim(desk, waiting)
    desk.time += 3600
    assert await swept(desk) == 1
    assert (await approval_of(desk, waiting)).status == "approved"


async def died_right_after_the_claim(desk: Desk, waiting: str) -> None:
    for at in range(1, 50):
        desk.reborn(Crash(at=at, after=True))
        with pytest.raises(Killed):
            await said_yes(desk, waiting)
        if (await approval_of(desk, waiting)).claim:
            break
    desk.reborn()


@pytest.mark.parametrize("uses", range(3, 20))
async def test_a_claim_that_is_older_than_the_ledgers_memory_is_not_done_twice(tmp_path: Path, uses: int) -> None:
    desk = Desk(tmp_path)
    waiting = await proposal(desk, "create_note")
    desk.reborn(Crash(at=uses, after=True))
    try:
        await said_yes(desk, waiting)
    except Killed:
        pass
    desk.reborn()
    if (await approval_of(desk, waiting)).claim is None:
        desk.close()
        return
    desk.time += KEPT_SECONDS + 10
    await swept(desk)
    done = await approval_of(desk, waiting)
    assert (done.status, done.ok) == ("approved", True)
    assert (await effects_of(desk))["notes"] == 1
    desk.close()


# -- what may pass ---------------------------------------------------------------------------------------------


class Down:
    """A store that is not there for whoever commits a note."""

    def __init__(self, store: Any) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def commit(self, writes: Any) -> None:
        if any("/notes/" in write.path for write in writes):
            raise Unreachable("The store is away.")
        await self._store.commit(writes)


async def test_what_fails_for_the_moment_stays_claimed_and_is_tried_again(desk: Desk) -> None:
    waiting = await proposal(desk, "create_note")
    there, desk.documents = desk.documents, Down(desk.store)
    with pytest.raises(Unreachable, match="could not be done yet") as pending:
        await said_yes(desk, waiting)
    assert pending.value.code == "apply_pending"
    claimed = await approval_of(desk, waiting)
    assert (claimed.status, claimed.claim is not None, claimed.ok) == ("pending", True, None)
    with pytest.raises(Unreachable):
        await swept(desk)
    desk.documents = there
    assert await swept(desk) == 1
    assert ((await approval_of(desk, waiting)).ok, (await effects_of(desk))["notes"]) == (True, 1)


async def test_what_fails_for_too_long_ends_with_its_error(desk: Desk) -> None:
    waiting = await proposal(desk, "create_note")
    desk.documents = Down(desk.store)
    with pytest.raises(Unreachable):
        await said_yes(desk, waiting)
    desk.time += TRIED_SECONDS
    assert await swept(desk) == 1
    done = await approval_of(desk, waiting)
    assert (done.status, done.ok, done.result and done.result["error"]) == ("approved", False, "unreachable")


async def test_the_time_of_a_proposal_is_a_week(desk: Desk) -> None:
    found = await approval_of(desk, await proposal(desk, "create_note"))
    assert found.expires_at - found.created_at == timedelta(days=7)


async def test_a_task_that_was_changed_since_is_changed_all_the_same_by_a_persons_word(desk: Desk) -> None:
    waiting = await proposal(desk, "update_task")
    approval = await approval_of(desk, waiting)
    task_id = str(approval.action.arguments.model_dump()["task_id"])
    await said_yes(desk, waiting)
    assert (await task_of(desk, task_id)).status == "done"


async def test_edits_in_the_meantime_stay(desk: Desk) -> None:
    note = await captured(desk, "a", title="T")
    waiting = await proposal(desk, "update_note", {"note_id": note.id, "changes": {"title": "New"}})
    await edit(desk.store, TENANT, note.id, Edit(body="mine"), desk.now())
    await said_yes(desk, waiting)
    assert ((await note_of(desk, note.id)).title, (await note_of(desk, note.id)).body) == ("New", "mine")
