"""Which fields have an index, and a document's entries in it. A field not named here is read from the JSON."""

import json
from collections.abc import Iterable
from typing import NamedTuple

from pydantic import JsonValue

from shared.models.base import JsonDict
from shared.store.documents import Where


class _Field(NamedTuple):
    keys: tuple[str, ...]
    values: tuple[JsonValue, ...] | None
    """The values worth an entry; None for all."""
    collections: tuple[str, ...] | None
    array: bool = False


# The most selective first: a query is driven by the first that it names. Values that nobody looks for across many
# documents (not requested, enriched, not deleted) have no entry, so they cost nothing. What changes here reaches the
# documents of an older file by a step in migration.py.
_FIELDS: dict[str, _Field] = {
    "source_note_id": _Field(("source_note_id",), None, ("operations", "tasks")),
    "research.requested": _Field(("research", "requested"), (True,), None),
    "turn.status": _Field(("turn", "status"), ("running", "waiting"), ("chat_sessions",)),
    "answered": _Field(("answered",), (True,), ("operations",)),
    "remote_open": _Field(("remote_open",), (True,), None),
    "active": _Field(("active",), (True,), ("routines",)),
    "enrichment.status": _Field(("enrichment", "status"), ("pending",), None),
    "deleted": _Field(("deleted",), (True,), ("notes", "chat_sessions")),
    "routine": _Field(("routine",), None, ("routine_runs",)),
    "status": _Field(("status",), None, None),
    "tags": _Field(("tags",), None, ("notes", "tasks"), array=True),
    "kind": _Field(("kind",), None, ("notes", "operations")),
}
_ORDER = list(_FIELDS)
_LONGEST = 200
_encode = json.JSONEncoder(ensure_ascii=False).encode


def entries(collection: str, data: JsonDict) -> list[str]:
    """The index entries of a document."""
    found: list[str] = []
    for name, field in _FIELDS.items():
        if field.collections is not None and collection not in field.collections:
            continue
        value: JsonValue = data
        for key in field.keys:
            value = value.get(key) if isinstance(value, dict) else None
        if value is None:
            continue
        if field.array:
            for one in value if isinstance(value, list) else ():
                if _indexable(field, one):
                    found.append(_entry(collection, name, one))
        elif _indexable(field, value):
            found.append(_entry(collection, name, value))
    return list(dict.fromkeys(found))


def sought(collection: str, where: Where) -> list[str] | None:
    """The entries of which a matching document has one; None where the index can't answer."""
    field = _FIELDS.get(where.field)
    if field is None or field.array != (where.op == "contains"):
        return None
    if field.collections is not None and collection not in field.collections:
        return None
    values: Iterable[JsonValue] = where.value if where.op == "in" and isinstance(where.value, list) else [where.value]
    wanted = []
    for value in values:
        if not _indexable(field, value):
            return None
        wanted.append(_entry(collection, where.field, value))
    return list(dict.fromkeys(wanted))


def rank(where: Where) -> int:
    """Smaller for a condition that leaves fewer documents."""
    return _ORDER.index(where.field)


def _indexable(field: _Field, value: JsonValue) -> bool:
    if isinstance(value, str):
        return len(value) <= _LONGEST and (field.values is None or value in field.values)
    # Identity, because 1 == True.
    return isinstance(value, bool) and field.values is not None and any(value is one for one in field.values)


def _entry(collection: str, name: str, value: JsonValue) -> str:
    return f"{collection} {name}={_encode(value)}"
