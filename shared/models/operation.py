"""An operation: long work as a state machine. The table here is the only authority on what may follow what."""

from typing import Literal

from pydantic import Field

from shared.models.base import JsonDict, Model, Record, Time
from shared.models.ids import Id

Status = Literal["created", "queued", "running", "waiting_for_input", "completed", "failed", "cancelled"]
OperationKind = Literal["deep_research", "agent_task", "memory_generation", "routine"]
UPKEEP: tuple[OperationKind, ...] = ("memory_generation",)
"""What nobody asked for: it goes on beside every turn, and lists of work leave it out."""
RoutineName = Literal["daily_review", "nightly_digest"]

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


class AgentInput(Model):
    """What an agent task set out with."""

    question: str
    note_ids: list[Id] = []
    """Notes that the person picked for it."""


class RoutineInput(Model):
    """Which routine, and for which moment."""

    routine: RoutineName
    due_at: Time


class MemoryInput(Model):
    """What a person said in one turn, and where: the words themselves stay in the conversation."""

    session_id: Id
    turn: Id


Input = ResearchInput | AgentInput | RoutineInput | MemoryInput


class Asked(Model):
    """What an operation waits to be told by a person."""

    text: str
    """The question."""
    asked_at: Time
    expires_at: Time
    """From then on the wait is over, and the operation with it."""
    options: list[str] = []
    """Answers to choose from; an answer of one's own is taken, too."""


class Operation(Record):
    """Long work on record. Every change of `status` goes through shared/operations/transition.py."""

    kind: OperationKind
    status: Status
    input: Input
    source_note_id: Id | None = None
    result_note_id: Id | None = None
    events: int = 0
    """Number of the newest event in its log."""
    execution: str | None = None
    """Full name of the workflow execution that drives it."""
    former_execution: str | None = None
    """The one that drove it last and ended: a late step of it may not take the operation over again."""
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
    asked: Asked | None = None
    """What it waits for, or waited for last."""
    answer: str | None = None
    """What the person said to that; None while nothing was said."""
    answered: bool = False
    """It waits for input, the input is here, and all it needs is a slot."""
    left_seconds: float | None = None
    """What was left of its time limit when it began to wait: waiting does not count."""
    usage: Usage = Usage()
    budget_usd: float = 0.0
    """What it may cost, as it was when it was submitted."""
    budget_tokens: int = 0
    """Tokens that it may use, as it was when it was submitted."""
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

    @property
    def ready(self) -> bool:
        """Whether a slot is all that it needs."""
        return self.status == "queued" or (self.status == "waiting_for_input" and self.answered)
