"""What a run has come to, judged from what the service shows of it. Pure."""

import re
from dataclasses import dataclass
from typing import Literal

from shared.research.interaction import Interaction, short

OutcomeKind = Literal["running", "completed", "completed_empty", "incomplete", "failed", "cancelled", "needs_action"]


READY: tuple[OutcomeKind, ...] = ("completed", "incomplete")
"""Outcomes with a report."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run has come to; `message` is progress while it runs and the reason once it has not worked out."""

    kind: OutcomeKind
    message: str = ""
    code: str = ""


_ENDED_EARLY = ("incomplete", "budget_exceeded")
_WAITS_FOR_US = ("requires_action", "requires_continuation")
_HEADLINE = re.compile(r"^\s*(?:\*\*|#+\s*)(.+?)(?:\*\*)?\s*$", re.M)


def judge(interaction: Interaction) -> Outcome:
    """What the run has come to. A status nobody knows yet means that it runs: the deadline is the caller's."""
    status = interaction.status
    if status == "completed":
        if interaction.text.strip():
            return Outcome("completed")
        return Outcome("completed_empty", "The research service finished without a report.", "empty_report")
    if status in _ENDED_EARLY:
        why = "a budget was reached" if status == "budget_exceeded" else "it stopped early"
        if interaction.text.strip():
            return Outcome("incomplete", f"The report is incomplete: {why}.", status)
        return Outcome("failed", f"The research service ended the run without a report: {why}.", status)
    if status == "failed":
        problem = interaction.problem
        code = problem.code if problem and problem.code else "failed"
        said = short(problem.message) if problem else ""
        return Outcome("failed", f"The research run failed (code {code}){said}", code)
    if status == "cancelled":
        return Outcome("cancelled", "The research run was cancelled.", "cancelled")
    if status in _WAITS_FOR_US:
        return Outcome("needs_action", "The research service waits for something that we can't give.", status)
    return Outcome("running", _progress(interaction))


def _progress(interaction: Interaction) -> str:
    if interaction.status == "queued":
        return "Queued at the research service"
    thoughts = interaction.thoughts
    if not thoughts:
        return "Researching"
    headline = _HEADLINE.match(thoughts[-1].splitlines()[0])
    line = headline[1] if headline else re.split(r"(?<=[.!?])\s", thoughts[-1].splitlines()[0])[0]
    return line if len(line) <= 120 else f"{line[:119]}…"
