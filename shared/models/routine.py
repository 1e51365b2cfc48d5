"""A routine of a tenant, and its runs: what is done on a schedule, in the tenant's own time."""

from typing import Annotated, Literal

from pydantic import Field

from shared.models.base import Model, Record, Time
from shared.models.ids import Id
from shared.models.operation import Failure, RoutineName

__all__ = ["NAMES", "Paused", "Routine", "RoutineName", "RoutineRun", "RunStatus", "TimeOfDay", "default"]

NAMES: tuple[RoutineName, ...] = ("daily_review", "nightly_digest")
_DEFAULT_AT: dict[RoutineName, str] = {"daily_review": "07:00", "nightly_digest": "21:00"}
TimeOfDay = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
"""Hours and minutes by the tenant's clock, `07:00`."""
RunStatus = Literal["queued", "running", "waiting_for_input", "completed", "failed", "cancelled"]


class Paused(Model):
    """Why a routine is not run on its schedule any more."""

    reason: str
    at: Time


class Routine(Record):
    """How a tenant wants one routine, and how far it has come. Its id is its name."""

    id: RoutineName
    enabled: bool = False
    at: TimeOfDay
    subject: str = ""
    """Who switched it on; it works in that person's name."""
    since: Time | None = None
    """When it was switched on, moved or resumed: what was due before that is not caught up."""
    last_day: str | None = None
    """The local day (YYYY-MM-DD) of the last due time that was served; no day is served twice."""
    last_due_at: Time | None = None
    failures: int = Field(default=0, ge=0)
    """Failed runs in a row."""
    paused: Paused | None = None

    @property
    def active(self) -> bool:
        """Whether it is run on its schedule."""
        return self.enabled and self.paused is None


class RoutineRun(Record):
    """One run. Its id is its operation's."""

    id: Id
    routine: RoutineName
    due_at: Time
    fired_at: Time
    by: Literal["schedule", "person"] = "schedule"
    status: RunStatus = "queued"
    summary: str | None = None
    """What came of it, in a sentence; where there was nothing to say, it says so."""
    draft: str | None = None
    """What it has written, until it is proposed: it is not written, and paid for, twice. Empty: nothing to say."""
    partial: str | None = None
    """Why what it wrote is less than it could be, where it is."""
    approval_ids: list[Id] = []
    """What it proposed."""
    note_id: Id | None = None
    """The note that its proposal became, once a person approved it."""
    error: Failure | None = None


def default(name: RoutineName, now: Time) -> Routine:
    """A routine that nobody has touched: off."""
    return Routine(id=name, created_at=now, updated_at=now, revision=0, at=_DEFAULT_AT[name])
