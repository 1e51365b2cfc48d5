"""The bank's wire format: both casings in, camelCase out, its refusals, its resources. It keeps nothing."""

import json
import re
from datetime import UTC, datetime

from pydantic import JsonValue
from starlette.responses import JSONResponse, Response

from shared.models.base import JsonDict, moment, rfc3339

_WORDS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    404: "NOT_FOUND",
    409: "ALREADY_EXISTS",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}
# What stands in these is the caller's own: its keys are data.
_OWN_KEYS = frozenset({"scope", "revisionLabels", "labels", "data"})
_SNAKE = re.compile(r"_([a-z0-9])")
_DURATION = re.compile(r"(\d+(?:\.\d+)?)s")
_SCOPE_FILTER = re.compile(r'^scope\s*=\s*("(?:[^"\\]|\\.)*")$', re.DOTALL)


class Refusal(Exception):
    """A request that the service does not take."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def error(status: int, message: str) -> Response:
    """The standard envelope."""
    body = {"error": {"code": status, "message": message, "status": _WORDS.get(status, "INTERNAL")}}
    return JSONResponse(body, status)


def normalised(value: JsonValue) -> JsonValue:
    """All keys in camelCase, as Google's server takes both; keys that are data stay as they are."""
    if isinstance(value, list):
        return [normalised(one) for one in value]
    if not isinstance(value, dict):
        return value
    found: JsonDict = {}
    for key, inner in value.items():
        name = _SNAKE.sub(lambda match: match[1].upper(), key)
        if name in _OWN_KEYS:
            found[name] = inner
        elif name == "metadata" and isinstance(inner, dict):
            found[name] = {own: normalised(one) for own, one in inner.items()}
        else:
            found[name] = normalised(inner)
    return found


def body_of(raw: bytes) -> JsonDict:
    """The request's object."""
    try:
        parsed = normalised(json.loads(raw or b"{}"))
    except (ValueError, RecursionError):
        raise Refusal(400, "The request body is not JSON") from None
    if not isinstance(parsed, dict):
        raise Refusal(400, "The request body is not a JSON object")
    return parsed


def scope_in(body: JsonDict) -> str:
    """The scope as text that compares equal for equal maps."""
    scope = body.get("scope")
    if not isinstance(scope, dict) or not scope:
        raise Refusal(400, "scope is required")
    for value in scope.values():
        if not isinstance(value, str) or "*" in value:
            raise Refusal(400, "scope values must be strings without *")
    return canonical(scope)


def canonical(scope: JsonValue) -> str:
    """A map as text, whatever the order of its keys."""
    return json.dumps(scope, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def scope_filter(text: str) -> str | None:
    """The scope that a list's or purge's filter names; None without a filter."""
    if not text:
        return None
    found = _SCOPE_FILTER.match(text.strip())
    if not found:
        raise Refusal(400, 'Only filters of the form scope="{...}" are supported here')
    try:
        return canonical(json.loads(json.loads(found[1])))
    except ValueError:
        raise Refusal(400, "The filter's scope is not JSON") from None


def seconds(value: JsonValue) -> float | None:
    """A duration such as `60s`."""
    if value is None:
        return None
    found = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if not found:
        raise Refusal(400, "A duration is written as 60s")
    return float(found[1])


def labels_in(body: JsonDict) -> JsonDict:
    """The revision's labels."""
    labels = body.get("revisionLabels", {})
    if not isinstance(labels, dict) or not all(isinstance(one, str) for one in labels.values()):
        raise Refusal(400, "revisionLabels must map strings to strings")
    return labels


def metadata_in(body: JsonDict) -> JsonDict:
    """The memory's metadata: one typed value a key."""
    metadata = body.get("metadata", {})
    kinds = {"stringValue", "doubleValue", "boolValue", "timestampValue"}
    if not isinstance(metadata, dict) or not all(
        isinstance(one, dict) and len(one) == 1 and one.keys() <= kinds for one in metadata.values()
    ):
        raise Refusal(400, "metadata values hold exactly one of stringValue, doubleValue, boolValue, timestampValue")
    return metadata


def text_of(content: JsonValue) -> str:
    """What a person's event says; other roles say nothing here."""
    if not isinstance(content, dict) or content.get("role") != "user":
        return ""
    parts = content.get("parts")
    found = [one.get("text") for one in parts if isinstance(one, dict)] if isinstance(parts, list) else []
    return "\n".join(text for text in found if isinstance(text, str))


def time(at: float) -> str:
    """A moment on the wire."""
    return rfc3339(moment(at))


def at(text: JsonValue) -> float | None:
    """A moment off the wire."""
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError:
        raise Refusal(400, "A time is written as RFC 3339") from None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
