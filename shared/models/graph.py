"""What the agents of one run hand to each other, as it is kept between two nodes."""

from typing import Annotated, Literal

from pydantic import Field

from shared.models.base import Model
from shared.models.chat import PendingCall

VERSION = "2"
"""Of nodes, edges, board and checkpoint. A run of another can't go on, so whoever changes one of these raises it."""
MAX_ATTEMPTS = 2
"""Passes of the researcher in one run, whoever asks for the second: critic or verifier."""

CriticWord = Literal["ok", "revise", "replan"]
VerifierWord = Literal["pass", "needs_revision", "fail"]


class Shape(Model):
    """What decides which nodes a run has. It is kept with the run: settings may change while it waits."""

    sources: bool
    """There is something to gather from."""
    accurate: bool
    """A verifier judges after the critic."""
    human_gate: bool
    """A person sees the answer before it counts."""
    durable: bool
    """The run can be suspended; without that there are no gates."""
    check: bool
    """The last judge looks facts up for itself. It changes no node."""


class Plan(Model):
    """What the researcher is to do."""

    steps: list[Annotated[str, Field(min_length=1, max_length=300)]] = Field(
        min_length=1, max_length=3, description="One to three steps, a short sentence each."
    )
    query: str = Field(default="", max_length=400, description="Words to look for in the sources.")
    sources: list[str] = Field(default=[], max_length=10, description="Which of the named sources to ask.")


class Verdict(Model):
    """What the verifier found."""

    verdict: VerifierWord
    reasons: list[Annotated[str, Field(max_length=500)]] = Field(
        default=[], max_length=10, description="What is wrong or unproved, a sentence each; empty when it passes."
    )


class Pass(Model):
    """A pass of the researcher that was sent back: its draft, what the judge said, and the turn's last event in it."""

    upto: int
    draft: str
    judged: str
    judge: Literal["critic", "verifier"]


class Waiting(Model):
    """What a run is suspended for, from the moment on in which it is known."""

    id: str
    """The interrupt's; no two of a run are the same."""
    reason: Literal["approve_tool", "egress_approval", "approve_answer"]
    pending: list[PendingCall] = []


class Decided(Model):
    """A person's word on one call."""

    call_id: str
    allowed: bool
    why: str = ""
