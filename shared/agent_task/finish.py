"""How a task ends: its result from what is on record, whole or in part, in one commit. Nothing is paid here."""

from collections.abc import Sequence

from pydantic import ValidationError

from shared.agent_task.failure import failure
from shared.agent_task.standing import Standing, standing
from shared.doors import Doors
from shared.events.trace import TraceEvent
from shared.models.operation import Failure, Operation
from shared.models.result import Form, Result
from shared.operations.ending import Ended, end, fail
from shared.operations.transition import Change
from shared.store.documents import Write
from shared.store.runs import Runs

UNBORNE = "No claim of it names a source that was read, so take it with care."


async def finish(
    doors: Doors,
    tenant: str,
    operation: Operation,
    events: Sequence[TraceEvent],
    *,
    partial: str | None = None,
    otherwise: Failure | None = None,
) -> Ended:
    """Complete it with what it found; with nothing found, fail it with `otherwise` (else `no_sources`).

    `partial` says why it is not all that was asked for.
    """
    from shared.agent_task.assemble import used  # It reads texts by the sentence, which no step but the last needs.

    stand = standing(events, operation.id)
    result = _result(stand)
    if not result.claims:
        return await fail(doors, tenant, operation.id, otherwise or failure("no_sources"))
    unborne = None if used(result) else UNBORNE
    reasons = [one for one in (partial, stand.partial, unborne) if one]
    output = result.model_dump(mode="json", by_alias=True)

    def decide(change: Change) -> list[Write] | None:
        if change.operation.status != "running" or change.operation.execution != operation.execution:
            return None
        change.complete(output, partial=" ".join(dict.fromkeys(reasons)) or None)
        return []

    return await end(doors, tenant, operation.id, decide)


def _result(stand: Standing) -> Result:
    from shared.agent_task.assemble import by_rule, from_form

    if stand.form is None or not stand.sources:
        return by_rule(stand)
    try:
        return from_form(stand, Form.model_validate(stand.form))
    except ValidationError:
        return by_rule(stand)  # of an earlier version of the form


async def out_of_time(doors: Doors, tenant: str, operation: Operation) -> bool:
    """End one whose time is over with what it found; whether there was something."""
    events = await Runs(doors.documents, tenant).events(operation.id)
    if not _result(standing(events, operation.id)).claims:
        return False
    began = operation.started_at
    limit = operation.deadline_at.timestamp() - began.timestamp() if operation.deadline_at and began else 0.0
    reason = f"It reached its time limit (task_timeout_seconds, {limit:.0f} seconds with what it waited for you)."
    ended = await finish(doors, tenant, operation, events, partial=reason)
    return ended.operation.status == "completed"
