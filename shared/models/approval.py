"""Something that an agent would do, waiting for a person's word. Nothing of it is done before that."""

from typing import Annotated, Literal

from pydantic import Field

from shared.models.arguments import (
    CreateNote,
    CreateTasks,
    DeleteNote,
    StartResearch,
    UpdateNote,
    UpdateTask,
)
from shared.models.base import JsonDict, Model, Record, Time

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


Action = Annotated[
    CreateNoteAction | UpdateNoteAction | CreateTasksAction | UpdateTaskAction | DeleteNoteAction | StartResearchAction,
    Field(discriminator="tool"),
]


class Approval(Record):
    """A proposed action and what became of it."""

    status: ApprovalStatus = "pending"
    action: Action
    reason: str = Field(min_length=1, max_length=REASON)
    subject: str
    """For whom the agent worked."""
    session_id: str | None = None
    run_id: str | None = None
    expires_at: Time
    """From then on it counts as refused."""
    resolved_at: Time | None = None
    resolved_by: str | None = None
    result: JsonDict | None = None
    """What the action answered once it was done."""
