"""Approvals: what agents propose, what it would change, and the person's word on it."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import Field

from shared import services
from shared.approvals import apply
from shared.approvals.diff import Diff, compare
from shared.approvals.revise import shortened
from shared.chat.turns import Speaker
from shared.chat.waiting import WaitingRun, waiting
from shared.errors import Conflict
from shared.http import Person
from shared.models.approval import REASON, Approval, ApprovalStatus
from shared.models.base import JsonDict, Model
from shared.paging import Cursor, Limit, answer, before, cursor_after
from shared.store import answers
from shared.store.approvals import Approvals
from shared.undo import undo as take_back

router = APIRouter(prefix="/api/v1/approvals")


class ApprovalsAnswer(Model):
    """A page of approvals; long texts in them are cut to their first lines."""

    approvals: list[Approval]
    waiting: list[WaitingRun] | None
    """My own turns of chat that wait for my word, where the page is the first one of those that wait; else null."""
    next_cursor: str | None


class ApprovalAnswer(Model):
    """An approval."""

    approval: Approval


class ApprovalWithDiff(Model):
    """An approval, whole, with what it would change now; null once it is decided."""

    approval: Approval
    diff: Diff | None
    stale: bool
    """Somebody has changed what it is about since it was proposed."""


class Approved(Model):
    """A yes; `changes` are arguments in place of the proposed ones, null leaves one out."""

    changes: JsonDict | None = None


class Rejected(Model):
    """A no."""

    reason: Annotated[str, Field(max_length=REASON)] | None = None


class UndoneAnswer(Model):
    """What became of what was taken back."""

    undone: JsonDict


@router.get("", response_model=ApprovalsAnswer)
async def page(
    request: Request,
    person: Person,
    limit: Limit = 50,
    cursor: Cursor = None,
    status: ApprovalStatus | None = None,
) -> Response:
    """Approvals, newest first, and what waits in my conversations."""
    current = services.current()
    found = await Approvals(current.documents, person.tenant).page(status=status, before=before(cursor), limit=limit)
    seen = [apply.shown(approval, current.now()) for approval in found]
    # One whose time is over says so before it is swept, and is not among those that wait.
    listed = [shortened(approval) for approval in seen if status is None or approval.status == status]
    following = cursor_after([approval.id for approval in found], limit)
    mine = None
    if cursor is None and status in (None, "pending"):
        mine = await waiting(Speaker(current.documents, person.tenant, person.subject), current.now())
    return answer(request, ApprovalsAnswer(approvals=listed, waiting=mine, next_cursor=following))


@router.get("/{approval_id}", response_model=ApprovalWithDiff)
async def one(approval_id: str, request: Request, person: Person) -> Response:
    """One approval, with the difference that it would make as things are."""
    current = services.current()
    stored = (await Approvals(current.documents, person.tenant).get(approval_id)).value
    approval = apply.shown(stored, current.now())
    if approval.status != "pending" or approval.claim:
        return answer(request, ApprovalWithDiff(approval=approval, diff=None, stale=False))
    compared = await compare(current.documents, person.tenant, approval)
    return answer(request, ApprovalWithDiff(approval=approval, diff=compared.diff, stale=compared.stale))


@router.post("/{approval_id}/approve")
async def approve(approval_id: str, person: Person, wanted: Approved | None = None) -> ApprovalAnswer:
    """Do it, as proposed or with changed arguments; the answer says what came of it."""
    changes = wanted.changes if wanted else None
    approval = await apply.approve(services.current(), person.tenant, person.subject, approval_id, changes)
    return ApprovalAnswer(approval=approval)


@router.post("/{approval_id}/reject")
async def reject(approval_id: str, person: Person, wanted: Rejected | None = None) -> ApprovalAnswer:
    """Don't do it."""
    reason = wanted.reason if wanted else None
    approval = await apply.reject(services.current(), person.tenant, person.subject, approval_id, reason)
    return ApprovalAnswer(approval=approval)


@router.post("/{approval_id}/undo")
async def undo(approval_id: str, person: Person) -> UndoneAnswer:
    """Take back what was approved and done."""
    current = services.current()
    approval = (await Approvals(current.documents, person.tenant).get(approval_id)).value
    if approval.undo is None:
        raise Conflict(
            "There is nothing of it that could be taken back.",
            code="nothing_to_undo",
            next="Open the approval to see what came of it.",
        )
    kept = answers.key(person.tenant, f"approvals/{approval_id}/undo", "once", b"")
    return UndoneAnswer(undone=await take_back(current, person.tenant, approval.undo, current.now(), kept))
