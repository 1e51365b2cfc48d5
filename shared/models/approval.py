"""Something that an agent would do, waiting for a person's word. Nothing of it is done before that."""

from typing import Annotated, Literal

from pydantic import Field

from shared.events.trace import Undo
from shared.models.arguments import (
    CreateNote,
    CreateTasks,
    DeleteNote,
    StartResearch,
    UpdateNote,
    UpdateTask,
)
from shared.models.base import JsonDict, Model, Record, Time
from shared.models.thesis import AddEvidence, CreateThesis

ApprovalStatus = Literal["pending", "approved", "rejected", "expired"]
REASON = 1_000
"""Characters of a reason."""


class CreateNoteAction(Model):
    """Make a note."""

    tool: Literal["create_note"]
    arguments: CreateNote


class UpdateNoteAction(Model):
    """Change a note."""

    tool: Literal["update_note"]
    arguments: UpdateNote


class CreateTasksAction(Model):
    """Make tasks."""

    tool: Literal["create_tasks"]
    arguments: CreateTasks


class UpdateTaskAction(Model):
    """Change a task."""

    tool: Literal["update_task"]
    arguments: UpdateTask


class DeleteNoteAction(Model):
    """Move a note to the bin."""

    tool: Literal["delete_note"]
    arguments: DeleteNote


class StartResearchAction(Model):
    """Research a note."""

    tool: Literal["start_research"]
    arguments: StartResearch


class CreateThesisAction(Model):
    """Write a thesis down."""

    tool: Literal["create_thesis"]
    arguments: CreateThesis


class AddEvidenceAction(Model):
    """Add evidence to a thesis."""

    tool: Literal["add_evidence"]
    arguments: AddEvidence


Action = Annotated[
    CreateNoteAction
    | UpdateNoteAction
    | CreateTasksAction
    | UpdateTaskAction
    | DeleteNoteAction
    | StartResearchAction
    | CreateThesisAction
    | AddEvidenceAction,
    Field(discriminator="tool"),
]


class Claim(Model):
    """A person's yes: from then on the action is being done, and nobody can decide otherwise."""

    subject: str
    at: Time


class Approval(Record):
    """A proposed action and what became of it. It stays `pending` until what was approved is done."""

    status: ApprovalStatus = "pending"
    action: Action
    """What is done; as the person changed it, where they did."""
    proposed: Action | None = None
    """What the agent had asked for, where the person changed that."""
    reason: str = Field(min_length=1, max_length=REASON)
    subject: str
    """For whom the agent worked."""
    session_id: str | None = None
    run_id: str | None = None
    expires_at: Time
    """From then on it counts as refused."""
    claim: Claim | None = None
    resolved_at: Time | None = None
    resolved_by: str | None = None
    """None where nobody said anything in time."""
    rejection: str | None = Field(default=None, max_length=REASON)
    """Why the person said no, where they gave a reason."""
    ok: bool | None = None
    """Whether what was approved could be done."""
    result: JsonDict | None = None
    """What the action answered once it was done, or the error (`error`, `message`, `next`) of doing it."""
    undo: Undo | None = None
    """How it is taken back in one step, where it was a change."""
