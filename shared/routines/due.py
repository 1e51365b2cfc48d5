"""Starting what is due, and what a person wants now. Looking twice starts nothing twice: ids follow from due times."""

import logging

from shared.doors import Doors
from shared.errors import Conflict
from shared.log import described
from shared.models.base import moment, rfc3339
from shared.models.ids import derived, ulid_floor
from shared.models.operation import Operation, RoutineInput
from shared.models.routine import RoutineName, RoutineRun
from shared.operations.start import start
from shared.preferences import preferences
from shared.routines.kind import run_of
from shared.routines.schedule import clock_time, pending
from shared.store import answers
from shared.store.documents import Document, Query
from shared.store.operations import Operations
from shared.store.records import until_settled
from shared.store.routines import IS_ACTIVE, RoutineRuns, Routines, name_of, tenant_of
from shared.zone import zone_of

PAGE = 200
OPEN = ("queued", "running", "waiting_for_input")

log = logging.getLogger("memex.routines")


async def start_due(doors: Doors) -> int:
    """Start what is due for every tenant; how many were started. One that fails keeps no other from its turn."""
    started, after = 0, None
    while True:
        page = await doors.documents.query(Query("routines", None, (IS_ACTIVE,), after=after, limit=PAGE))
        for document in page:
            try:
                started += await fire(doors, document)
            except Exception as error:
                log.error("the routine %s could not be started: %s", document.path, described(error))
        if len(page) < PAGE:
            return started
        after = page[-1].path


async def fire(doors: Doors, document: Document) -> bool:
    """Start the run that one routine's document is due for; whether there was one.

    The operation comes first and the routine's own record after it: a death between them is made good by the next
    look, which finds the operation there.
    """
    tenant, name = tenant_of(document), name_of(document.id)
    zone = zone_of((await preferences(doors.documents, doors.settings, tenant)).time_zone)
    routines = Routines(doors.documents, tenant)

    async def attempt() -> bool:
        stored, now = await routines.get(name, doors.now()), doors.now()
        routine = stored.value
        if not routine.active:
            return False
        since = routine.since.timestamp() if routine.since else 0.0
        due = pending(now, clock_time(routine.at), zone, since=since, last_day=routine.last_day)
        if due is None:
            return False
        operation = await _submitted(doors, tenant, name, due.at, None)
        served = routine.changed(now, last_day=due.day.isoformat(), last_due_at=moment(due.at))
        writes = [routines.put(served, stored.version)]
        run = await run_of(doors, tenant, operation)
        if run.value.revision == 0:
            writes.append(RoutineRuns(doors.documents, tenant).put(run.value.changed(now), run.version))
        await doors.documents.commit(writes)
        return True

    return await until_settled(attempt)


async def run_now(doors: Doors, tenant: str, name: RoutineName, key: answers.Key | None) -> Operation:
    """Start a run because a person wants it, whether it is enabled or not.

    A repeat within the same minute, or under the same key, gives the run that is there; Conflict `already_running`
    while an earlier one goes on.
    """
    operations = Operations(doors.documents, tenant)
    if key and (known := await answers.known(doors.documents, key, doors.now())):
        return (await operations.get(known)).value
    due_at = doors.now() // 60 * 60
    runs = RoutineRuns(doors.documents, tenant)
    going_on = [run for run in await runs.page(routine=name, limit=5) if run.status in OPEN]
    if going_on and going_on[0].id != operation_id(tenant, name, due_at):
        raise Conflict(
            "A run of this routine is under way.",
            code="already_running",
            next=f"Wait for operation {going_on[0].id}, or cancel it.",
        )
    operation = await _submitted(doors, tenant, name, due_at, key)

    async def attempt() -> None:
        run = await run_of(doors, tenant, operation)
        if run.value.revision == 0:
            await doors.documents.commit([runs.put(_wanted(run.value, doors.now()), run.version)])

    await until_settled(attempt)
    return operation


def _wanted(run: RoutineRun, now: float) -> RoutineRun:
    return run.changed(now, by="person")


def operation_id(tenant: str, name: RoutineName, due_at: float) -> str:
    """The id of the operation that serves this due time: the same for whoever works it out."""
    return derived(ulid_floor(due_at), tenant, name, rfc3339(moment(due_at)))


async def _submitted(doors: Doors, tenant: str, name: RoutineName, due_at: float, key: answers.Key | None) -> Operation:
    wanted = RoutineInput(routine=name, due_at=moment(due_at))
    made = operation_id(tenant, name, due_at)
    return await start(doors, tenant, "routine", wanted, key=key, operation_id=made)
