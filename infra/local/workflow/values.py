"""The values of a running workflow: their names, sizes, equality and JSON. It never changes one in place."""

import base64
import json
from typing import TypeAlias

Key: TypeAlias = str | int
Value: TypeAlias = bool | int | float | str | bytes | list["Value"] | dict[Key, "Value"] | None

MAX_DEPTH = 100
INTEGER_MIN = -(2**63)
INTEGER_MAX = 2**63 - 1

# JSON has neither bytes nor integer keys; maps that hold these words themselves are escaped as pairs.
_BYTES = "$bytes"
_PAIRS = "$pairs"

_NAMES: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "double",
    str: "string",
    bytes: "bytes",
    list: "list",
    dict: "map",
}


def type_name(value: Value) -> str:
    """Name the type as the language does."""
    return _NAMES[type(value)]


def size_of(value: Value, depth: int = 0) -> int:
    """Count the bytes that the service would count; raises RecursionError on a value nested too deeply to be stored.

    https://cloud.google.com/workflows/docs/reference/syntax/variables#memory-usage
    """
    if depth > MAX_DEPTH:
        raise RecursionError
    if isinstance(value, str):
        return 8 + (len(value) if value.isascii() else len(value.encode("utf-8", "surrogatepass")))
    if isinstance(value, bytes):
        return 8 + len(value)
    if isinstance(value, list):
        return 8 + sum(size_of(item, depth + 1) for item in value)
    if isinstance(value, dict):
        return 8 + sum(size_of(key) + size_of(item, depth + 1) for key, item in value.items())
    return 8


def equal(left: Value, right: Value) -> bool:
    """Compare as the language does: 1 equals 1.0, and true equals no number."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(equal, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(equal(item, right[key]) for key, item in left.items())
    return left == right


def store(value: Value) -> str:
    """Write a value as JSON that `restore` reads back exactly, bytes and integer keys included."""
    return json.dumps(_escape(value), separators=(",", ":"))


def restore(text: str) -> Value:
    """Read what `store` wrote."""
    return unescape(json.loads(text))


def unescape(value: object) -> Value:
    """Turn parsed `store` JSON back into values."""
    if isinstance(value, list):
        return [unescape(item) for item in value]
    if isinstance(value, dict):
        if _BYTES in value:
            return base64.b64decode(value[_BYTES])
        if _PAIRS in value:
            return {key: unescape(item) for key, item in value[_PAIRS]}
        return {key: unescape(item) for key, item in value.items()}
    assert value is None or isinstance(value, bool | int | float | str)
    return value


def to_json(value: Value) -> str:
    """Write a value as the JSON that the outside sees; bytes raise ValueError, as in the service."""
    return json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"))


def to_pretty_json(value: Value, *, prefix: str, indent: str) -> str:
    """Write a value as indented JSON; bytes raise ValueError."""
    text = json.dumps(_plain(value), ensure_ascii=False, allow_nan=False, indent=indent)
    return "\n".join(prefix + line for line in text.split("\n"))


def from_json(text: str | bytes) -> Value:
    """Read JSON from outside; raises ValueError."""
    try:
        parsed = json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("a value is nested too deeply") from None
    return _checked(parsed)


def _escape(value: Value) -> object:
    if isinstance(value, bytes):
        return {_BYTES: base64.b64encode(value).decode("ascii")}
    if isinstance(value, list):
        return [_escape(item) for item in value]
    if isinstance(value, dict):
        if _BYTES in value or _PAIRS in value or not all(type(key) is str for key in value):
            return {_PAIRS: [[key, _escape(item)] for key, item in value.items()]}
        return {key: _escape(item) for key, item in value.items()}
    return value


def _plain(value: Value, depth: int = 0) -> object:
    if depth > MAX_DEPTH:
        raise ValueError("a value is nested too deeply")
    if isinstance(value, bytes):
        raise ValueError("bytes can't be encoded as JSON")
    if isinstance(value, float) and value - value != 0:
        raise ValueError("JSON has no infinite or undefined numbers")
    if isinstance(value, list):
        return [_plain(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item, depth + 1) for key, item in value.items()}
    return value


def _checked(value: object, depth: int = 0) -> Value:
    if depth > MAX_DEPTH:
        raise ValueError("a value is nested too deeply")
    if isinstance(value, str):
        # A lone surrogate is valid in JSON's escapes, but in no text that leaves this process again.
        return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_checked(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {str(key): _checked(item, depth + 1) for key, item in value.items()}
    if isinstance(value, int) and not isinstance(value, bool) and not INTEGER_MIN <= value <= INTEGER_MAX:
        return float(value)
    assert value is None or isinstance(value, bool | int | float)
    return value


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")
