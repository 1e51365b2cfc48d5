"""A run of a routine as a kind of operation: its run keeps up with it, and failures in a row pause the routine."""

from shared.doors import Doors
from shared.models.base import moment
from shared.models.operation import TERMINAL, Failure, Operation, RoutineInput
from shared.models.routine import Paused, Routine, RoutineRun
from shared.operations.kinds import Kind
from shared.preferences import preferences
from shared.store.documents import Write
from shared.store.records import Stored
from shared.store.routines import ABSENT, RoutineRuns, Routines

MOST_FAILURES = 3
"""Failed runs in a row after which a routine is paused."""


async def run_of(doors: Doors, tenant: str, operation: Operation) -> Stored[RoutineRun]:
    """The run that an operation is; one that was not stored yet has the version `ABSENT`."""
    assert isinstance(operation.input, RoutineInput)
    if found := await RoutineRuns(doors.documents, tenant).find(operation.id):
        return found
    return Stored(new_run(operation), ABSENT)


def new_run(operation: Operation) -> RoutineRun:
    """The run of an operation that was just submitted."""
    assert isinstance(operation.input, RoutineInput)
    return RoutineRun(
        id=operation.id,
        created_at=operation.created_at,
        updated_at=operation.created_at,
        revision=0,
        routine=operation.input.routine,
        due_at=operation.input.due_at,
        fired_at=operation.created_at,
    )


async def began(doors: Doors, tenant: str, operation: Operation) -> list[Write]:
    """The run shows that it runs."""
    run = await run_of(doors, tenant, operation)
    changed = run.value.changed(doors.now(), status="running")
    return [RoutineRuns(doors.documents, tenant).put(changed, run.version)]


async def ended(doors: Doors, tenant: str, operation: Operation) -> list[Write]:
    """The run says what came of it, and the routine counts it."""
    assert operation.status in TERMINAL
    run, output = await run_of(doors, tenant, operation), operation.output or {}
    changed = run.value.changed(
        doors.now(),
        status=operation.status,
        summary=output.get("summary"),
        approval_ids=output.get("approval_ids", []),
        partial=operation.partial,
        draft=None,
        error=operation.error,
    )
    writes = [RoutineRuns(doors.documents, tenant).put(changed, run.version)]
    routines = Routines(doors.documents, tenant)
    routine = await routines.get(run.value.routine, doors.now())
    counted = _counted(routine.value, operation, doors.now())
    return [*writes, routines.put(counted, routine.version)] if counted is not routine.value else writes


def _counted(routine: Routine, operation: Operation, now: float) -> Routine:
    if operation.status == "completed":
        return routine.changed(now, failures=0) if routine.failures else routine
    if operation.status != "failed":
        return routine
    failures, error = routine.failures + 1, operation.error
    paused = routine.paused
    if failures >= MOST_FAILURES and paused is None and routine.enabled:
        last = f" The last time: {error.message} {error.next}".rstrip() if error else ""
        paused = Paused(reason=f"It failed {failures} times in a row.{last}", at=moment(now))
    return routine.changed(now, failures=failures, paused=paused)


async def _seconds(doors: Doors, tenant: str) -> float:
    return float((await preferences(doors.documents, doors.settings, tenant)).task_timeout_seconds)


async def _close(doors: Doors, tenant: str, operation: Operation) -> None:
    # Loaded only where a run did not come to its end: approvals bring the gateway along.
    from shared.routines.withdraw import withdraw

    await withdraw(doors, tenant, operation)


ROUTINE = Kind(
    workflow="agent_task",
    seconds=_seconds,
    late=Failure(
        code="deadline_exceeded",
        message="It took longer than a task may, and was ended; nothing was proposed.",
        next="Run it again, or allow more time in Settings (task_timeout_seconds).",
    ),
    tools=frozenset({"create_note"}),
    began=began,
    ended=ended,
    close=_close,
)
