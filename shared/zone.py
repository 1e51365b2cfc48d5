"""A person's time zone by its name. It never fails: where a machine has no such zone, UTC is told instead."""

from datetime import UTC, tzinfo


def zone_of(name: str) -> tzinfo:
    """The time zone of that name; `str` of it is the name.

    A choice may come from a machine that knew more zones, and some have no list of them at all: then it is UTC, which
    is one everywhere.
    """
    if name == "UTC":
        return UTC
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (OSError, ValueError, LookupError):  # no such file or a folder, no path that may be one, no such zone
        return UTC
