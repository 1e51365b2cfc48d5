"""The tool that says what time it is."""

from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from shared.gateway.tool import Errand, Outcome, Tool
from shared.models.base import Model, moment
from shared.preferences import preferences
from shared.tools.shapes import plain


class CurrentTime(Model):
    """Nothing is needed."""


class Clock(Model):
    """Now."""

    utc: str
    weekday: str
    """Of the local time where there is one, else of UTC."""
    time_zone: str | None = None
    local: str | None = None


_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def clock(now: float, zone: str) -> Clock:
    """The moment in UTC, and in the time zone where that is another and its rules are on this machine."""
    utc = moment(now).replace(microsecond=0)
    try:
        local = utc if zone in ("", "UTC") else utc.astimezone(ZoneInfo(zone))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        local = utc
    told = {} if local is utc else {"time_zone": zone, "local": local.isoformat()}
    return Clock(utc=utc.isoformat().replace("+00:00", "Z"), weekday=_DAYS[local.weekday()], **told)


async def _now(errand: Errand, asked: CurrentTime) -> Outcome:
    chosen = await preferences(errand.doors.documents, errand.doors.settings, errand.tenant)
    return Outcome(plain(clock(errand.doors.now(), chosen.time_zone)))


TOOLS: tuple[Tool[Any], ...] = (Tool("current_time", "The date and time now.", CurrentTime, _now, answer=Clock),)
