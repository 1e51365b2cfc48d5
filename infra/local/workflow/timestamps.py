"""The `time` module of the standard library, and RFC 3339 for the API. It never asks what time it is."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from infra.local.workflow.errors import Raised
from infra.local.workflow.values import Value, type_name


def format_time(seconds: Value, timezone: Value = "UTC") -> Value:
    """Write Unix seconds as ISO 8601, always with microseconds."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise Raised.tagged("TypeError", f"time.format: needs a number; got: {type_name(seconds)}")
    if not isinstance(timezone, str):
        raise Raised.tagged("TypeError", f"time.format: needs a time zone's name; got: {type_name(timezone)}")
    try:
        # ZoneInfo answers a folder's or an absolute path's name with other errors than an unknown zone's.
        moment = datetime.fromtimestamp(seconds, ZoneInfo(timezone))
    except (OSError, OverflowError, ValueError, KeyError):
        raise Raised.tagged("ValueError", f"time.format: invalid time or zone: {seconds}, {timezone}") from None
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def parse_time(value: Value) -> float:
    """Read ISO 8601 as Unix seconds; without an offset it is UTC."""
    if not isinstance(value, str):
        raise Raised.tagged("TypeError", f"time.parse: needs a string; got: {type_name(value)}")
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise Raised.tagged("ValueError", f"time.parse: not an ISO 8601 time: {value}") from None
    return moment.replace(tzinfo=moment.tzinfo or UTC).timestamp()


def rfc3339(seconds: float) -> str:
    """Write Unix seconds as the API does."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
