"""A tenant with routines, and a stand-in for the workflow that steps their runs."""

from pathlib import Path
from typing import Any

from shared.agent.model import Model
from shared.agent.models.offline import Offline
from shared.errors import MemexError
from shared.models.operation import Operation, Status
from shared.models.routine import Routine, RoutineName, RoutineRun
from shared.operations.dispatch import dispatch
from shared.routines.change import RoutineChange, change
from shared.routines.due import start_due
from shared.routines.run import step
from shared.store.approvals import Approvals
from shared.store.operations import Operations
from shared.store.routines import RoutineRuns, Routines
from tests.fakes.desk import Desk

TENANT = "t"
MORNING = 1_800_082_800.0
"""2027-01-16 07:00 UTC."""


class Bureau(Desk):
    """The doors, and whoever writes: rules, or the model of the test."""

    def __init__(self, home: Path, **settings: Any) -> None:
        super().__init__(home, **settings)
        self.writer: Model = Offline()

    def model(self, name: str) -> Model:
        return self.writer


async def switched_on(desk: Desk, name: RoutineName = "daily_review", at: str = "07:00", tenant: str = TENANT) -> None:
    await change(desk, tenant, "ann", name, RoutineChange(enabled=True, at=at), expected=None)


async def routine_of(desk: Desk, name: RoutineName = "daily_review", tenant: str = TENANT) -> Routine:
    return (await Routines(desk.store, tenant).get(name, desk.now())).value


async def runs_of(desk: Desk, tenant: str = TENANT) -> list[RoutineRun]:
    return await RoutineRuns(desk.store, tenant).page()


async def operations_of(desk: Desk, tenant: str = TENANT) -> list[Operation]:
    return await Operations(desk.store, tenant).page()


async def started(desk: Desk, tenant: str = TENANT) -> Operation:
    """The run that is due now, with a slot."""
    assert await start_due(desk) >= 1
    return await given_a_slot(desk, tenant)


async def given_a_slot(desk: Desk, tenant: str = TENANT) -> Operation:
    await dispatch(desk, tenant)
    (running,) = await Operations(desk.store, tenant).page(statuses=("running",))
    return running


async def stepped(desk: Bureau, operation: Operation, tenant: str = TENANT) -> Status:
    """One step, as functions/agent does it."""
    now = (await Operations(desk.documents, tenant).get(operation.id)).value
    return await step(desk, tenant, now)


async def done(desk: Bureau, operation: Operation, tenant: str = TENANT) -> Operation:
    """The operation after as many steps as it takes; the workflow calls again after an error that may pass."""
    for _ in range(20):
        try:
            if await stepped(desk, operation, tenant) != "running":
                break
        except MemexError as error:
            assert error.retryable
        desk.time += 60
    return (await Operations(desk.store, tenant).get(operation.id)).value


async def proposals(desk: Desk, tenant: str = TENANT) -> list[dict[str, Any]]:
    """The arguments of what was proposed, newest first."""
    found = await Approvals(desk.store, tenant).page()
    return [{**one.action.arguments.model_dump(exclude_none=True), "tool": one.action.tool} for one in found]
