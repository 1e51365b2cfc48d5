"""A conversation, its running or last turn, and what a suspended turn waits for."""

from typing import Literal, Self

from pydantic import Field, model_validator

from shared.models.base import JsonDict, Model, Record, Time
from shared.models.ids import Id

TurnStatus = Literal["running", "waiting", "done", "failed", "cancelled", "interrupted"]
"""`waiting` holds at a gate; `interrupted` means that the process died in mid-turn."""
OPEN: tuple[TurnStatus, ...] = ("running", "waiting")


class Turn(Model):
    """One question and all that follows from it; its id is the run's."""

    id: Id
    status: TurnStatus
    lease_until: Time
    """While it runs: a later time means that some process still works on it."""
    first_seq: int
    """Number of its first event."""
    stopping: bool = False
    """The person pressed stop."""
    outside: bool = False
    """It has read text that others may have written."""


EVERYONE = ""
"""In the place of a person: a conversation that has no owner, which is everyone's of its tenant."""


class Spent(Model):
    """What a conversation has used."""

    tokens: int = 0
    cost_usd: float = 0.0


class ChatSession(Record):
    """A conversation; its events are documents below it."""

    subject: str = EVERYONE
    """Whose it is, as they had signed in when it began. It never changes."""
    title: str | None = None
    turn: Turn | None = None
    usage: Spent = Spent()
    incognito: bool = False
    deleted: bool = False
    """It is being deleted: nobody sees it any more, and the sweep ends what a death left of it."""
    summary: str = Field(default="", max_length=8000)
    """What the turns before the window were about, in one line each, the oldest dropped first."""
    summarised: int = 0
    """Number of the last event that the summary covers."""
    outside_seq: int = 0
    """Last event of the last turn that read text which others may have written. While a model still sees that turn,
    what leaves the house or costs money asks first."""


class PendingCall(Model):
    """A tool call that waits for a person's word, exactly as the model asked for it."""

    call_id: str
    tool: str
    arguments: JsonDict
    shown: JsonDict
    """The arguments as a person sees them: secrets masked."""
    why: str
    blocked_host: str = ""
    """The host that it may not reach, where that is what it waits for."""


GateReason = Literal["approve_tool", "egress_approval", "approve_answer"]
Decision = Literal["approve", "reject", "egress_allow_once", "egress_allow_always", "egress_deny"]
DECISIONS: dict[GateReason, tuple[Decision, ...]] = {
    "approve_tool": ("approve", "reject"),
    "approve_answer": ("approve", "reject"),
    "egress_approval": ("egress_allow_once", "egress_allow_always", "egress_deny"),
}
"""What can be said at each gate. The gate decides which, never the request."""


class Gate(Model):
    """Why a run is suspended; the first pending call is the one that is asked about."""

    reason: GateReason
    pending: list[PendingCall] = []
    """Empty where an answer waits, and not a call."""
    expires_at: Time
    answer: str = ""
    """The answer that waits."""
    links: list[str] = []
    """All that may be drawn as a link in it."""
    critique: str = ""
    interrupt: str = ""
    """The graph's own name of the place where it waits; empty for a run of the single agent."""

    @model_validator(mode="after")
    def _asks_about_something(self) -> Self:
        if self.reason != "approve_answer" and not self.pending:
            raise ValueError("a gate of calls needs one")
        if self.reason == "egress_approval" and not self.pending[0].blocked_host:
            raise ValueError("a gate of hosts needs one")
        return self


class GraphRun(Model):
    """What a run of several agents needs to go on in another process."""

    version: str
    """Of the graph: a run of another one can't go on."""
    model: str
    """The model it began with, as the settings name it."""
    allowed_once: list[str] = []
    """Hosts that the person allowed for this run alone."""
    word: Decision | None = None
    """What the person decided, until it has been acted on."""
    gate: Gate | None = None
    """The gate that this was said at."""


class Run(Record):
    """A turn as something that can be resumed: whose it is, where it lives, what it waits for."""

    session_id: Id
    subject: str
    gate: Gate | None = None
    calls: int = 0
    """Model calls so far, resumes included."""
    graph: GraphRun | None = None
    """None for a run of the single agent."""
