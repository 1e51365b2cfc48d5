"""When a routine is due, by the clock of the place where its person lives. Pure.

A local time that does not occur (clocks go forward) is taken with the offset before the gap, one that occurs twice
(clocks go back) is the first of the two: https://www.rfc-editor.org/rfc/rfc5545#section-3.3.5 says the same.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

_DAY = timedelta(days=1)
_NOON = time(12)


@dataclass(frozen=True, slots=True)
class Due:
    """A due time: `at` in unix seconds, and the local day that it is the one of."""

    day: date
    at: float


def clock_time(text: str) -> time:
    """`07:00` as a time."""
    hours, minutes = text.split(":")
    return time(int(hours), int(minutes))


def due_on(day: date, at: time, zone: tzinfo) -> Due | None:
    """The due time of a local day; None for a day that the place left out when it changed sides of the date line."""
    noon = datetime.combine(day, _NOON, zone)
    if noon.astimezone(UTC).astimezone(zone).date() != day:
        return None
    return Due(day, datetime.combine(day, at, zone).timestamp())


def latest(now: float, at: time, zone: tzinfo) -> Due:
    """The last due time that is not in the future."""
    # In a gap before midnight a due time falls on the day after its own.
    day = datetime.fromtimestamp(now, zone).date() + _DAY
    while True:
        due = due_on(day, at, zone)
        if due and due.at <= now:
            return due
        day -= _DAY


def following(now: float, at: time, zone: tzinfo) -> Due:
    """The first due time that is in the future."""
    day = datetime.fromtimestamp(now, zone).date() - _DAY
    while True:
        due = due_on(day, at, zone)
        if due and due.at > now:
            return due
        day += _DAY


def pending(now: float, at: time, zone: tzinfo, *, since: float, last_day: str | None) -> Due | None:
    """The due time that has come and was not served; of several that were missed, the last one only.

    `since`: what was due at or before that moment is nobody's wish. `last_day`: the local day that was served last.
    """
    due = latest(now, at, zone)
    if due.at <= since or (last_day is not None and due.day.isoformat() <= last_day):
        return None
    return due


def next_due(now: float, at: time, zone: tzinfo, *, since: float, last_day: str | None) -> Due:
    """What comes next: what is pending, else the first due time of a day that was not served."""
    if due := pending(now, at, zone, since=since, last_day=last_day):
        return due
    due = following(max(now, since), at, zone)
    while last_day is not None and due.day.isoformat() <= last_day:
        due = following(due.at, at, zone)
    return due
