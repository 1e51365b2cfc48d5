"""What is remembered of executions and their steps, as the API shows it. It holds no live state."""

from dataclasses import dataclass, field
from typing import Literal

State = Literal["ACTIVE", "SUCCEEDED", "FAILED", "CANCELLED"]
EntryState = Literal["STATE_IN_PROGRESS", "STATE_SUCCEEDED", "STATE_FAILED", "STATE_CANCELLED"]


@dataclass(slots=True)
class StepEntry:
    """One step that was run."""

    id: int
    routine: str
    step: str
    type: str
    created: float
    parent: int | None = None
    state: EntryState = "STATE_IN_PROGRESS"
    updated: float = 0.0
    exception: str | None = None
    note: str | None = None
    """An HTTP call's method, address and status, or what sys.log was given; nothing of any body."""


@dataclass(frozen=True, slots=True)
class Position:
    """A step that is being run, and when it wakes if it sleeps."""

    routine: str
    step: str
    wake: float | None = None


@dataclass(frozen=True, slots=True)
class StackElement:
    """One line of a stack trace, the innermost first."""

    routine: str
    step: str
    line: int


@dataclass(frozen=True, slots=True)
class ExecutionError:
    """Why an execution failed."""

    payload: str
    """The error value as JSON."""
    context: str
    trace: tuple[StackElement, ...] = ()


@dataclass(frozen=True, slots=True)
class Execution:
    """An execution as it was when it was asked for."""

    id: str
    name: str
    """The full resource name."""
    workflow: str
    revision: str
    state: State
    argument: str
    created: float
    ended: float | None = None
    result: str | None = None
    error: ExecutionError | None = None
    positions: tuple[Position, ...] = ()
    billed_steps: int = 0
    call_log_level: str = "CALL_LOG_LEVEL_UNSPECIFIED"
    labels: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Deployment:
    """A workflow that can be executed."""

    name: str
    workflow: str
    revision: str
    source: str
    created: float


@dataclass(frozen=True, slots=True)
class Page:
    """Some executions, newest first, and where the next ones begin."""

    executions: tuple[Execution, ...]
    next_token: str = ""
