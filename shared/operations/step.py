"""A step of a workflow: what comes with the call, and what is answered. A workflow knows ids and when, nothing else."""

from typing import Literal

from shared.doors import Doors
from shared.models.base import Model
from shared.models.operation import Operation
from shared.operations import drive


class Request(Model):
    """What a workflow sends."""

    tenant: str
    operation_id: str
    execution_id: str


class Polling(Request):
    """The same of a workflow that polls."""

    poll_seconds: int
    """The base interval of its polls."""


class Answer(Model):
    """What comes next: `running` (sleep, then the next step), `ready` (the last step), anything else (it is over)."""

    status: Literal["running", "ready", "waiting", "completed", "failed", "cancelled", "superseded", "deduped"]
    wait_seconds: int = 0


async def enter(doors: Doors, request: Request, workflow: str) -> Operation | Answer:
    """The operation that this execution of a workflow drives; an answer where it drives none."""
    execution = doors.executions.name(workflow, request.execution_id)
    entered = await drive.enter(doors, request.tenant, request.operation_id, execution)
    return entered if isinstance(entered, Operation) else Answer(status=entered)
