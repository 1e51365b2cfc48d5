"""Doing what a person approved: by its tool, through the gateway, once. It decides nothing.

The effect is stored under one key of the ledger, so that it may be begun again after a death without happening twice.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from shared.agent.model import ToolCall
from shared.approvals.revise import arguments_of
from shared.doors import Doors
from shared.errors import Unreachable
from shared.events.trace import NoteChanged
from shared.gateway.gateway import Done, Gateway
from shared.gateway.policy import Policy
from shared.gateway.tool import Errand, Tool
from shared.models.activity import Activity
from shared.models.approval import Approval
from shared.models.base import JsonDict
from shared.preferences import preferences
from shared.store import ledger
from shared.store.activity import Activities
from shared.store.answers import KEPT_SECONDS
from shared.store.approvals import Approvals
from shared.store.days import Days, date_of
from shared.store.documents import Write
from shared.store.records import until_settled
from shared.store.routines import RoutineRuns

PASSING = frozenset({"conflict", "timeout", "unreachable", "upstream", "upstream_timeout"})
"""Errors that may be gone at the next attempt."""
TRIED_SECONDS = 3_600.0
"""How long something that fails with one of them is begun again."""
_EFFECT = "apply"
_SLACK = 600.0


async def finish(doors: Doors, tenant: str, claimed: Approval) -> Approval:
    """Do what was approved, and put on record what came of it; the approval as it is after that.

    Unreachable `apply_pending` where it can't be done right now: the claim stays, and the sweep comes back to it.
    """
    assert claimed.claim
    age = doors.now() - claimed.claim.at.timestamp()
    done = await _long_done(doors, tenant, claimed, age) or await _do(doors, tenant, claimed)
    if not done.ok and done.result.get("error") in PASSING and age < TRIED_SECONDS:
        raise Unreachable(
            f"It was approved, and could not be done yet: {done.result.get('message')}",
            code="apply_pending",
            next="Nothing has to be done: it is tried again by itself within 15 minutes.",
        )
    approvals, activities = Approvals(doors.documents, tenant), Activities(doors.documents, tenant)

    async def attempt() -> Approval:
        stored = await approvals.get(claimed.id)
        if stored.value.status != "pending" or stored.value.claim is None:
            return stored.value  # Somebody else came upon the claim and was faster; the effect is one and the same.
        ended = stored.value.changed(
            doors.now(),
            status="approved",
            resolved_at=stored.value.claim.at,
            resolved_by=stored.value.claim.subject,
            ok=done.ok,
            result=done.result,
            undo=done.outcome.undo if done.outcome else None,
        )
        writes = [approvals.put(ended, stored.version), activities.put(done.entry)]
        await doors.documents.commit([*writes, *await _told_to_its_run(doors, tenant, ended)])
        return ended

    return await until_settled(attempt)


def denied(doors: Doors, tenant: str, approval: Approval, subject: str, why: str) -> Write:
    """The entry of activity that says that it was not done."""
    errand = _errand(doors, tenant, approval, subject)
    entry = Gateway({}, _policy(approval), doors.now).denied(errand, _call(approval), why).entry
    return Activities(doors.documents, tenant).put(entry)


async def _do(doors: Doors, tenant: str, claimed: Approval) -> Done:
    """The action, as every tool call. That a person said yes counts for the day's budget, too."""
    from shared.tools.catalog import applied

    assert claimed.claim
    tools: dict[str, Tool[Any]] = {name: tool for name, tool in applied().items() if name == claimed.action.tool}
    mine = await preferences(doors.documents, doors.settings, tenant)

    async def budget_left() -> float:
        return mine.daily_budget_usd - (await Days(doors.documents, tenant).get(date_of(doors.now()))).cost_usd

    gateway = Gateway(tools, _policy(claimed, budget_left), doors.now)
    errand = _errand(doors, tenant, claimed, claimed.claim.subject)
    done = await gateway.call(errand, _call(claimed), outside=False, approved=True)
    assert isinstance(done, Done), "what a person approved asks nobody"
    return done


async def _long_done(doors: Doors, tenant: str, claimed: Approval, age: float) -> Done | None:
    """What a dead process did before the ledger forgets its answer; None where nothing was done, or it still knows."""
    assert claimed.claim
    if age < KEPT_SECONDS - _SLACK:
        return None
    target = await ledger.target(doors.documents, tenant, claimed.id, _EFFECT)
    if target is None:
        return None
    errand = _errand(doors, tenant, claimed, claimed.claim.subject)
    refused = Gateway({}, _policy(claimed), doors.now).denied(errand, _call(claimed), "")
    entry: Activity = refused.entry.model_copy(update={"decision": "approved", "ok": True, "code": ""})
    result: JsonDict = {"target_id": target, "message": "It was done; what it answered then was lost."}
    return Done(result, ok=True, outcome=None, outside=False, entry=entry)


def _policy(approval: Approval, budget_left: Callable[[], Awaitable[float]] | None = None) -> Policy:
    """One tool, and nothing outside the house."""
    tools = frozenset({approval.action.tool})
    return Policy(tools, approve_tools=True, egress_enabled=False, allowed_hosts=(), budget_left=budget_left)


def _call(approval: Approval) -> ToolCall:
    return ToolCall(approval.id, approval.action.tool, arguments_of(approval.action))


def _errand(doors: Doors, tenant: str, approval: Approval, subject: str) -> Errand:
    call = _call(approval)
    return Errand(
        doors=doors,
        tenant=tenant,
        subject=subject,
        session_id=approval.session_id or "",
        run_id=approval.run_id or approval.id,
        effect=ledger.key(tenant, approval.id, _EFFECT, call.tool, call.arguments),
    )


async def _told_to_its_run(doors: Doors, tenant: str, ended: Approval) -> list[Write]:
    """The run of the routine that proposed the note learns which one it became."""
    made = ended.undo.note_id if isinstance(ended.undo, NoteChanged) else None
    if made is None or ended.run_id is None:
        return []
    runs = RoutineRuns(doors.documents, tenant)
    run = await runs.find(ended.run_id)
    return [runs.put(run.value.changed(doors.now(), note_id=made), run.version)] if run else []
