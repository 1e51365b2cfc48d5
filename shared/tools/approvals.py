"""The tool that proposes an action for a person to approve later. It stores the proposal and does nothing of it."""

from datetime import timedelta
from typing import Any, Literal

from pydantic import Field

from shared.edit import not_reserved
from shared.gateway.tool import Errand, Outcome, Tool
from shared.models.approval import (
    REASON,
    Action,
    Approval,
    CreateNoteAction,
    CreateTasksAction,
    DeleteNoteAction,
    StartResearchAction,
    UpdateNoteAction,
    UpdateTaskAction,
)
from shared.models.base import Model, moment
from shared.models.ids import ulid
from shared.store import effects
from shared.store.approvals import Approvals
from shared.store.documents import Expect
from shared.store.records import until_settled
from shared.store.tasks import Tasks
from shared.tools.notes import alive, not_a_part
from shared.tools.shapes import plain

KEPT = timedelta(days=7)
"""How long a proposal waits for an answer."""


class QueueApproval(Model):
    """What to propose, and why."""

    action: Action = Field(description="The tool, and the arguments that it would get.")
    reason: str = Field(min_length=1, max_length=REASON, pattern=r"\S", description="For the person who decides.")


class Queued(Model):
    """The proposal."""

    approval_id: str
    tool: str
    status: Literal["pending", "approved", "rejected", "expired"]
    expires_at: str
    message: str


async def _queue(errand: Errand, asked: QueueApproval) -> Outcome:
    documents, now = errand.doors.documents, errand.doors.now()
    approvals = Approvals(documents, errand.tenant)

    async def attempt() -> Approval:
        if done := await effects.known(documents, errand.effect, now):
            return (await approvals.get(done.target_id)).value
        await _possible(errand, asked.action)
        approval = Approval(
            id=ulid(now),
            created_at=moment(now),
            updated_at=moment(now),
            action=asked.action,
            reason=asked.reason,
            subject=errand.subject,
            session_id=errand.session_id or None,
            run_id=errand.run_id or None,
            expires_at=moment(now) + KEPT,
        )
        kept = effects.write(errand.effect, approval.id, now, None)
        await documents.commit([approvals.put(approval, Expect.ABSENT), kept])
        return approval

    approval = await until_settled(attempt)
    queued = Queued(
        approval_id=approval.id,
        tool=approval.action.tool,
        status=approval.status,
        expires_at=approval.model_dump(mode="json")["expires_at"],
        message="Nothing is done yet: it waits for the person's word.",
    )
    return Outcome(plain(queued))


async def _possible(errand: Errand, action: Action) -> None:
    """Refuse now what the tool itself would refuse, so that nobody is asked about it."""
    match action:
        case CreateNoteAction(arguments=wanted):
            not_reserved(wanted.tags or ())
        case UpdateNoteAction(arguments=wanted):
            note = await alive(errand, wanted.note_id)
            named = (*(wanted.changes.tags or ()), *(wanted.changes.add_tags or ()))
            not_reserved(tag for tag in named if tag not in note.tags)
            not_a_part(wanted.changes)
        case DeleteNoteAction(arguments=wanted) | StartResearchAction(arguments=wanted):
            await alive(errand, wanted.note_id)
        case CreateTasksAction(arguments=wanted):
            not_reserved(tag for one in wanted.tasks for tag in one.tags or ())
            if wanted.source_note_id:
                await alive(errand, wanted.source_note_id)
        case UpdateTaskAction(arguments=wanted):
            not_reserved(wanted.changes.tags or ())
            await Tasks(errand.doors.documents, errand.tenant).get(wanted.task_id)


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "queue_approval",
        "Propose a change for the person to approve later, instead of making it now.",
        QueueApproval,
        _queue,
        answer=Queued,
    ),
)
