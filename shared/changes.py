"""How a change of a note stands in its trace, and how it is read again. It changes nothing itself."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from shared.events.trace import TraceEvent, User, cut
from shared.models.base import JsonDict

OLD, NEW = 12_000, 2_000
"""Characters of a value in one event: the old one goes on in further events, the new one is in the note."""


def told(value: object) -> JsonValue:
    """A field's value as the trace holds it."""
    if isinstance(value, list):
        return [str(item) for item in value]
    return value if value is None or isinstance(value, int) else str(value)


def told_new(value: object) -> JsonValue:
    """A field's new value as the trace holds it: a long one is cut."""
    new = told(value)
    return cut(new, NEW) if isinstance(new, str) else new


def pieces(changes: JsonDict) -> Iterator[JsonDict]:
    """The changes as one event each holds them: the whole old text stays on record, however long it is."""
    first: JsonDict = {}
    rest: list[JsonDict] = []
    for field, change in changes.items():
        assert isinstance(change, list)
        old, new = change
        if isinstance(old, str) and len(old) > OLD:
            rest += [{field: [old[at : at + OLD], None]} for at in range(OLD, len(old), OLD)]
            old = old[:OLD]
        first[field] = [old, told_new(new)]
    yield first
    yield from rest


@dataclass(frozen=True, slots=True)
class Recorded:
    """One change as it stands in the trace: each field's old value, whole, and its new one as `told_new` gives it."""

    old: JsonDict
    new: JsonDict
    later: frozenset[str]
    """Fields that a later event changed again."""


def recorded(events: Sequence[TraceEvent], seq: int) -> Recorded | None:
    """The change that begins with event `seq`; None where the trace holds none there. `events` end with the newest."""
    events = [event for event in events if event.seq >= seq]
    if not events or not isinstance(first := events[0], User) or first.seq != seq:
        return None
    pairs = {field: pair for field, pair in first.changes.items() if isinstance(pair, list) and len(pair) == 2}
    old, new = {field: pair[0] for field, pair in pairs.items()}, {field: pair[1] for field, pair in pairs.items()}
    later: set[str] = set()
    # Fields whose old value fills its event, so that it may go on in the next.
    full = [field for field, text in old.items() if isinstance(text, str) and len(text) == OLD]
    for event in events[1:]:
        if not isinstance(event, User):
            continue
        field, piece = _piece(event) if event.at == first.at else ("", "")
        if field not in full:
            later.update(event.changes)
            full = []
            continue
        old[field] = f"{old[field]}{piece}"
        full = full[full.index(field) + (len(piece) < OLD) :]
    return Recorded(old, new, frozenset(later))


def _piece(event: User) -> tuple[str, str]:
    """The field whose old value goes on in this event, and what is added; empty where it is a change of its own."""
    match list(event.changes.items()):
        case [(field, [str(piece), None])]:
            return field, piece
    return "", ""
