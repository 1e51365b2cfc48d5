"""Routines: when they run, how they went, and the way to switch them on, move them, resume them, run them now."""

from fastapi import APIRouter, Request, Response

from functions.api.answers import OperationAnswer
from shared import services
from shared.http import Person
from shared.models.base import Model, Time, moment
from shared.models.routine import Paused, RoutineName, RoutineRun, TimeOfDay
from shared.paging import Cursor, IfMatch, Key, Limit, answer, before, cursor_after, revision
from shared.routines import due
from shared.routines.change import Planned, RoutineChange, all_of, change, planned
from shared.store import answers
from shared.store.routines import RoutineRuns, name_of

router = APIRouter(prefix="/api/v1/routines")
LAST = 5
"""Runs that a routine is listed with."""


class RoutineView(Model):
    """A routine, when it comes next, and its last runs."""

    name: RoutineName
    enabled: bool
    at: TimeOfDay
    """By the clock of `time_zone`, which is the person's (Settings)."""
    time_zone: str
    next_due_at: Time | None
    """Null while it is off or paused; in the past where it is due and starts at the next tick."""
    last_due_at: Time | None
    failures: int
    """Failed runs in a row."""
    paused: Paused | None
    revision: int
    last_runs: list[RoutineRun] = []


class RoutineAnswer(Model):
    """A routine."""

    routine: RoutineView


class RoutinesAnswer(Model):
    """All routines; there are never so many that they need a second page."""

    routines: list[RoutineView]
    next_cursor: str | None = None


class RunsAnswer(Model):
    """A page of runs."""

    runs: list[RoutineRun]
    next_cursor: str | None


@router.get("", response_model=RoutinesAnswer)
async def page(request: Request, person: Person) -> Response:
    """The routines that there are, switched on or not."""
    current = services.current()
    found = [await _view(person.tenant, one) for one in await all_of(current, person.tenant)]
    return answer(request, RoutinesAnswer(routines=found))


@router.get("/runs", response_model=RunsAnswer)
async def runs(request: Request, person: Person, limit: Limit = 50, cursor: Cursor = None) -> Response:
    """Runs of all routines, those that were due last first."""
    found = await RoutineRuns(services.current().documents, person.tenant).page(before=before(cursor), limit=limit)
    following = cursor_after([run.id for run in found], limit)
    return answer(request, RunsAnswer(runs=[_shown(run) for run in found], next_cursor=following))


@router.patch("/{routine}")
async def edit(routine: str, wanted: RoutineChange, person: Person, if_match: IfMatch = None) -> RoutineAnswer:
    """Switch it on or off, move it, or resume it after a pause; what is left out stays."""
    current, name = services.current(), name_of(routine)
    changed = await change(current, person.tenant, person.subject, name, wanted, expected=revision(if_match))
    return RoutineAnswer(routine=await _view(person.tenant, await planned(current, person.tenant, changed)))


@router.post("/{routine}/run", status_code=202)
async def run(routine: str, person: Person, request: Request, key: Key = None) -> OperationAnswer:
    """Run it now, whether it is switched on or not."""
    current, name = services.current(), name_of(routine)
    kept = answers.key(person.tenant, f"routines/{name}/run", key, await request.body())
    return OperationAnswer(operation=await due.run_now(current, person.tenant, name, kept))


async def _view(tenant: str, found: Planned) -> RoutineView:
    one = found.routine
    last = await RoutineRuns(services.current().documents, tenant).page(routine=one.id, limit=LAST)
    return RoutineView(
        name=one.id,
        enabled=one.enabled,
        at=one.at,
        time_zone=found.time_zone,
        next_due_at=None if found.next_due_at is None else moment(found.next_due_at),
        last_due_at=one.last_due_at,
        failures=one.failures,
        paused=one.paused,
        revision=one.revision,
        last_runs=[_shown(run) for run in last],
    )


def _shown(run: RoutineRun) -> RoutineRun:
    """Without what it has written so far: that is the approval's to show."""
    return run.model_copy(update={"draft": None})
