"""Which day it is where the person is, and which notes are of one day. It reads no clock: the instruction tells it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo

from shared.agent.models.offline_reading import Note
from shared.zone import zone_of

_TODAY = re.compile(r"Today is \w+, (\d{1,2}) (\w+) (\d{4})(?:, \d{1,2}:\d{2} \(([\w+/-]{1,64})\))?\.")
_MONTHS = (
    "January February March April May June July August September October November December".split()
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Today:
    """The day that it is, and the zone in which days begin and end."""

    day: date
    zone: tzinfo

    def ago(self, days: int) -> date:
        """The day so many days before."""
        return self.day - timedelta(days=days)

    def of(self, note: Note) -> date | None:
        """The day on which a note was made; None where nothing tells it."""
        return self.at(note.created)

    def at(self, time: str) -> date | None:
        """The day of a time (RFC 3339); None where it is none."""
        try:
            made = datetime.fromisoformat(time)
        except ValueError:
            return None
        return (made if made.tzinfo else made.replace(tzinfo=UTC)).astimezone(self.zone).date()


def today(instruction: str) -> Today | None:
    """What the first line of an instruction says; None where it says nothing of a day."""
    found = _TODAY.match(instruction)
    if not found or found[2] not in _MONTHS:
        return None
    try:
        return Today(date(int(found[3]), _MONTHS.index(found[2]) + 1, int(found[1])), zone_of(found[4] or "UTC"))
    except ValueError:
        return None


def made_on(found: Iterable[Note], today: Today, day: date) -> list[Note]:
    """The notes of one day."""
    return [note for note in found if today.of(note) == day]
