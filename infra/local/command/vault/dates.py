"""The date that a person gave a note in its front matter, else its file's. What can't be read is no date."""

import re
from datetime import UTC, datetime, tzinfo

from infra.local.command.vault.front_matter import Fields, key_of

KEYS = ("created", "date", "created_at")
_SPELLED = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)"
    r"(?:(?:[Tt]|[ ]+)(?P<time>\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)[ ]*(?P<zone>[Zz]|[+-]\d\d(?::?\d\d)?)?)?"
)
_FIRST = datetime(1970, 1, 2)
"""Earlier ones are no times of writing, and some of them can't be moved to another zone."""
_LAST = datetime(9999, 1, 1)


def written(fields: Fields, zone: tzinfo | None = None) -> datetime | None:
    """When the note was written, in UTC; None where the block does not tell it.

    `zone` is where a time without one was written down; by default, where this machine is.
    """
    found = (_moment(value, zone) for value in _given(fields))
    return next((moment for moment in found if moment), None)


def changed(modified: float, now: datetime) -> datetime | None:
    """When a file was last changed, in UTC, from its time in unix seconds; None where that can't be."""
    try:
        moment = datetime.fromtimestamp(modified, UTC).replace(microsecond=0)
    except (OverflowError, OSError, ValueError):
        return None
    return moment if _FIRST.replace(tzinfo=UTC) <= moment <= now else None


def unusable(fields: Fields) -> str:
    """The first date as it is spelled, where none of them can be used; empty otherwise."""
    given = _given(fields)
    return given[0] if given and written(fields, UTC) is None else ""


def _given(fields: Fields) -> list[str]:
    values = (fields[key] for name in KEYS if (key := key_of(fields, name)))
    return [value.strip() for value in values if isinstance(value, str) and value.strip()]


def _moment(text: str, zone: tzinfo | None) -> datetime | None:
    spelled = _SPELLED.fullmatch(text)
    if spelled is None:
        return None
    # A day alone is its noon: that is the same day for readers in nearly every zone.
    clock, offset = spelled["time"] or "12:00", (spelled["zone"] or "").upper()
    try:
        wall = datetime.fromisoformat(f"{spelled['day']}T{clock}")
        moment = datetime.fromisoformat(f"{spelled['day']}T{clock}{offset}")
    except ValueError:
        return None
    if not _FIRST <= wall <= _LAST:
        return None
    if moment.tzinfo is None and zone:
        moment = moment.replace(tzinfo=zone)
    return moment.astimezone(UTC)
