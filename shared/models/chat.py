"""A conversation, its running or last turn, and what a suspended turn waits for."""

from typing import Literal

from pydantic import Field

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


class Spent(Model):
    """What a conversation has used."""

    tokens: int = 0
    cost_usd: float = 0.0


class ChatSession(Record):
    """A conversation; its events are documents below it."""

    title: str | None = None
    turn: Turn | None = None
    usage: Spent = Spent()
    incognito: bool = False
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


class Gate(Model):
    """Why a run is suspended; the first pending call is the one that is asked about."""

    reason: Literal["approve_tool"]
    pending: list[PendingCall] = Field(min_length=1)
    expires_at: Time


class Run(Record):
    """A turn as something that can be resumed: whose it is, where it lives, what it waits for."""

    session_id: Id
    subject: str
    gate: Gate | None = None
    calls: int = 0
    """Model calls so far, resumes included."""
