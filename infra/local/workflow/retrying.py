"""Reading a `retry` policy: a predefined one by name, or one spelled out. It retries nothing."""

from infra.local.workflow.expression import Literal, Node
from infra.local.workflow.program import Retry
from infra.local.workflow.reader import Reader
from infra.local.workflow.scopes import Place
from infra.local.workflow.source import Mapping, Source

# https://cloud.google.com/workflows/docs/reference/syntax/retrying#default-retry-policies
_POLICIES = {
    "${http.default_retry}": "http.default_retry_predicate",
    "${http.default_retry_non_idempotent}": "http.default_retry_predicate_non_idempotent",
}
_RETRIES = 5
_INITIAL_DELAY = 1
_MAX_DELAY = 60
_MULTIPLIER = 1.25


def read_retry(reader: Reader, source: Source, place: Place) -> Retry:
    """Read one policy."""
    if isinstance(source, str):
        predicate = _POLICIES.get(source.replace(" ", ""))
        if predicate is None:
            reader.fail(place, f"must be a map or one of {', '.join(_POLICIES)}")
        delays = (Literal(_INITIAL_DELAY), Literal(_MAX_DELAY), Literal(_MULTIPLIER))
        return Retry(predicate, Literal(_RETRIES), *delays)
    body = reader.mapping(source, place, known=("predicate", "backoff"), needs=("max_retries",))
    where = place.at("backoff", body.lines.get("backoff", 0))
    backoff = reader.mapping(
        body.items.get("backoff", Mapping(place.line)),
        where,
        known=("initial_delay", "max_delay", "multiplier"),
    )
    return Retry(
        _predicate(reader, body["predicate"], place.at("predicate")) if "predicate" in body else None,
        _number(reader, body["max_retries"], place.at("max_retries")),
        _number(reader, backoff.items.get("initial_delay", _INITIAL_DELAY), where.at("initial_delay")),
        _number(reader, backoff.items.get("max_delay", _MAX_DELAY), where.at("max_delay")),
        _number(reader, backoff.items.get("multiplier", _MULTIPLIER), where.at("multiplier")),
    )


def _number(reader: Reader, source: Source, place: Place) -> Node:
    node = reader.template(source, place)
    if isinstance(node, Literal) and (isinstance(node.value, bool) or not isinstance(node.value, int | float)):
        reader.fail(place, f"must be a number or an expression: {node.value!r}")
    return node


def _predicate(reader: Reader, source: Source, place: Place) -> str:
    text = source.strip() if isinstance(source, str) else ""
    if not (text.startswith("${") and text.endswith("}")):
        reader.fail(place, "must name a function or subworkflow: ${NAME}")
    return reader.predicate(text[2:-1].strip(), place)
