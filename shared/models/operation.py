"""An operation: long work as a state machine. The table here is the only authority on what may follow what."""

from typing import Literal

from pydantic import Field

from shared.models.base import JsonDict, Model, Record, Time
from shared.models.ids import Id

Status = Literal["created", "queued", "running", "waiting_for_input", "completed", "failed", "cancelled"]
OperationKind = Literal["deep_research", "agent_task", "memory_generation", "routine"]

TRANSITIONS: dict[Status, frozenset[Status]] = {
    "created": frozenset({"queued", "cancelled"}),
    "queued": frozenset({"running", "cancelled"}),
    "running": frozenset({"waiting_for_input", "completed", "failed", "cancelled"}),
    "waiting_for_input": frozenset({"running", "cancelled"}),
    "completed": frozenset(),
    "failed": frozenset(),
    "cancelled": frozenset(),
}
ACTIVE: tuple[Status, ...] = ("created", "queued", "running", "waiting_for_input")
TERMINAL: tuple[Status, ...] = ("completed", "failed", "cancelled")


class Failure(Model):
    """Why an operation ended without a result."""

    code: str
    message: str
    """What happened."""
    next: str = ""
    """What the user can do now."""


class Progress(Model):
    """What a running operation is doing, for one glance."""

    percent: int = Field(default=0, ge=0, le=100)
    message: str = ""
    next_look_at: Time | None = None
    """When the service is asked again; None where nothing is being waited for."""


class Usage(Model):
    """What has been used so far."""

    tokens: int = 0
    cost_usd: float = 0.0


class ResearchInput(Model):
    """What a research run set out with; later edits of the note don't reach it."""

    note_id: Id
    question: str
    """The note's text as it was, cut at 30,000 characters with a mark."""
    urls: list[str] = []
    """Pages that the note names."""


class Operation(Record):
    """Long work on record. Every change of `status` goes through shared/operations/transition.py."""

    kind: OperationKind
    status: Status
    input: ResearchInput
    source_note_id: Id | None = None
    result_note_id: Id | None = None
    events: int = 0
    """Number of the newest event in its log."""
    execution: str | None = None
    """Full name of the workflow execution that drives it."""
    intent_at: Time | None = None
    """When the create request was about to be posted; with no interaction_id beside it, the outcome is unknown."""
    interaction_id: str | None = None
    remote_open: bool = False
    """The outside run may still be going on (and costing); true until it is known to have ended."""
    attempts: int = 0
    """Looks at the outside run so far."""
    troubles: int = 0
    """Transient failures in a row; the next good answer clears them."""
    refusals: int = 0
    """Answers in a row that the outside run can't be seen (401, 403, 404)."""
    progress: Progress = Progress()
    usage: Usage = Usage()
    estimated_usd: float = 0.0
    """What the claim reserved in the day's budget; zero where the run costs nothing."""
    budget_day: str | None = None
    """Day (UTC) whose budget holds the reservation."""
    started_at: Time | None = None
    deadline_at: Time | None = None
    output: JsonDict | None = None
    partial: str | None = None
    """Why the result is incomplete, where it is."""
    error: Failure | None = None
