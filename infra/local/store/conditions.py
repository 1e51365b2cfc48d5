"""A query as SQL. Values, ids and field names are always parameters."""
# ruff: noqa: S608 -- what is put together here are marks and texts of this file, nothing that came from outside

from dataclasses import dataclass, field

from pydantic import JsonValue

from infra.local.store import facets, paths
from shared.errors import Invalid
from shared.store.documents import Query, Where

_MOST = 30
"""What Firestore takes in one `in`."""
_ROW = "d.scope, d.id, d.version, d.data"


@dataclass(slots=True)
class Statement:
    """SQL with its parameters; `bounded` says that it touches no more rows than it returns."""

    sql: str
    bounded: bool
    parameters: list[str | int | float] = field(default_factory=list)


def statement(query: Query) -> Statement:
    """The query's rows: scope, id, version, data."""
    scope = None if query.parent is None else paths.scope(query.parent, query.collection)
    indexed = sorted(
        (
            (where, entries)
            for where in query.where
            if (entries := facets.sought(query.collection, _checked(where))) is not None
        ),
        key=lambda pair: facets.rank(pair[0]),
    )
    rest = [_checked(where) for where in query.where if where not in [pair[0] for pair in indexed]]
    clauses: list[str] = []
    parameters: list[str | int | float] = []
    if indexed:
        driver = indexed[0][1]
        k = "f"
        clauses.append(f"f.facet IN ({_marks(driver)})" if len(driver) > 1 else "f.facet = ?")
        parameters += driver
    else:
        k = "d"
        clauses.append("d.collection = ?")
        parameters.append(query.collection)
    if scope is not None:
        clauses.append(f"{k}.scope = ?")
        parameters.append(scope)
    for bound, sign in ((query.after, ">"), (query.before, "<")):
        if bound is None:
            continue
        if scope is not None:
            clauses.append(f"{k}.id {sign} ?")
            parameters.append(bound)
        else:
            place = paths.place(bound)
            clauses.append(f"({k}.scope, {k}.id) {sign} (?, ?)")
            parameters += [place.scope, place.id]
    for _, entries in indexed[1:]:
        clauses.append(
            f"EXISTS (SELECT 1 FROM facets g WHERE g.facet IN ({_marks(entries)})"
            f" AND g.scope = {k}.scope AND g.id = {k}.id)"
        )
        parameters += entries
    for where in rest:
        clause, values = _on_json(where)
        clauses.append(clause)
        parameters += values
    way = " DESC" if query.descending else ""
    tail = f"WHERE {' AND '.join(clauses)} ORDER BY {k}.scope{way}, {k}.id{way} LIMIT ?"
    parameters.append(query.limit)
    if not indexed:
        return Statement(f"SELECT {_ROW} FROM documents d {tail}", not rest, parameters)
    # CROSS JOIN keeps the order of the tables: without statistics the planner would guess. The data are fetched
    # last, so that sorting the entries of several values doesn't drag them along.
    tables = "facets f CROSS JOIN documents d ON d.n = f.n" if rest else "facets f"
    sql = (
        f"SELECT {_ROW} FROM (SELECT f.n FROM {tables} {tail}) found"
        f" CROSS JOIN documents d ON d.n = found.n ORDER BY d.scope{way}, d.id{way}"
    )
    return Statement(sql, not rest and len(indexed) == 1 and len(indexed[0][1]) == 1, parameters)


def _checked(where: Where) -> Where:
    if where.op == "in" and not (isinstance(where.value, list) and 1 <= len(where.value) <= _MOST):
        raise Invalid(f"`in` takes a list of 1 to {_MOST} values", code="invalid_query")
    if any(isinstance(one, list | dict) for one in _values(where)):
        raise Invalid("a condition compares with text, numbers, true, false or null", code="invalid_query")
    return where


def _values(where: Where) -> list[JsonValue]:
    return where.value if where.op == "in" and isinstance(where.value, list) else [where.value]


def _on_json(where: Where) -> tuple[str, list[str | int | float]]:
    path = _json_path(where.field)
    if where.op == "contains":
        clause, values = _equal(where.value, "one.type", "one.atom")
        return (
            f"(json_type(d.data, ?) = 'array' AND EXISTS (SELECT 1 FROM json_each(d.data, ?) one WHERE {clause}))"
        ), [path, path, *values]
    clauses: list[str] = []
    parameters: list[str | int | float] = []
    for value in _values(where):
        clause, values = _equal(value, "json_type(d.data, ?)", "json_extract(d.data, ?)")
        clauses.append(clause)
        parameters += [path] * (clause.count("?") - len(values)) + values
    return f"({' OR '.join(clauses)})", parameters


def _equal(value: JsonValue, kind: str, content: str) -> tuple[str, list[str | int | float]]:
    # The type is compared too: SQLite's JSON gives 1 for true, and the text of an array for an array.
    match value:
        case None:
            return f"{kind} = 'null'", []
        case bool():
            return f"{kind} = '{'true' if value else 'false'}'", []
        case str():
            return f"({kind} = 'text' AND {content} = ?)", [value]
        case int() | float():
            return f"({kind} IN ('integer', 'real') AND {content} = ?)", [value]
        case _:
            raise Invalid("a condition compares with text, numbers, true, false or null", code="invalid_query")


def _json_path(name: str) -> str:
    keys = name.split(".")
    if not all(keys) or any(char in '"\\' or char < " " for char in name):
        raise Invalid(f"{name!r} is not the name of a field", code="invalid_query")
    return "$" + "".join(f'."{key}"' for key in keys)


def _marks(values: list[str]) -> str:
    return ", ".join("?" * len(values))
