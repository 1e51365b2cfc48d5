"""Routines as a person sees and changes them: on or off, when, and on again after a pause."""

from dataclasses import dataclass

from pydantic import StrictBool

from shared.doors import Doors
from shared.errors import Conflict
from shared.models.base import Model, moment
from shared.models.routine import NAMES, Routine, RoutineName, TimeOfDay
from shared.preferences import preferences
from shared.routines.schedule import clock_time, next_due
from shared.store.records import until_settled
from shared.store.routines import Routines
from shared.zone import zone_of


class RoutineChange(Model):
    """What changes; what is left out, or null, stays."""

    enabled: StrictBool | None = None
    at: TimeOfDay | None = None
    resume: StrictBool | None = None
    """True takes the pause off and forgets the failures."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A routine, and when it comes next by the tenant's clock (unix seconds); None where it does not."""

    routine: Routine
    time_zone: str
    next_due_at: float | None


async def planned(doors: Doors, tenant: str, routine: Routine) -> Planned:
    """The routine with its next due time."""
    name = (await preferences(doors.documents, doors.settings, tenant)).time_zone
    if not routine.active:
        return Planned(routine, name, None)
    since = routine.since.timestamp() if routine.since else 0.0
    zone = zone_of(name)
    due = next_due(doors.now(), clock_time(routine.at), zone, since=since, last_day=routine.last_day)
    return Planned(routine, name, due.at)


async def all_of(doors: Doors, tenant: str) -> list[Planned]:
    """All routines that there are, touched or not."""
    routines = Routines(doors.documents, tenant)
    return [await planned(doors, tenant, (await routines.get(name, doors.now())).value) for name in NAMES]


async def change(
    doors: Doors, tenant: str, subject: str, name: RoutineName, wanted: RoutineChange, *, expected: int | None
) -> Routine:
    """Change a routine; Conflict `revision_conflict` where it is no longer the one that the person saw."""
    routines = Routines(doors.documents, tenant)

    async def attempt() -> Routine:
        now = doors.now()
        stored = await routines.get(name, now)
        if expected is not None and stored.value.revision != expected:
            raise Conflict("The routine was changed meanwhile.", code="revision_conflict", next="Read it again.")
        fields = _fields(stored.value, wanted)
        if not fields:
            return stored.value
        # What was due before somebody wanted it like this is not caught up.
        changed = stored.value.changed(now, **fields, since=moment(now), subject=subject)
        await doors.documents.commit([routines.put(changed, stored.version)])
        return changed

    return await until_settled(attempt)


def _fields(routine: Routine, wanted: RoutineChange) -> dict[str, object]:
    fields: dict[str, object] = {}
    if wanted.enabled is not None and wanted.enabled != routine.enabled:
        fields["enabled"] = wanted.enabled
        if wanted.enabled:
            fields |= {"paused": None, "failures": 0}
    if wanted.at is not None and wanted.at != routine.at:
        fields["at"] = wanted.at
    if wanted.resume and (routine.paused or routine.failures):
        fields |= {"paused": None, "failures": 0}
    return fields
