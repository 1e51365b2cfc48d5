"""The small functions of the standard library, with their documented parameter names. None depends on an execution."""

import base64
import hashlib
import hmac
import math
import uuid

from infra.local.workflow.errors import Raised
from infra.local.workflow.expression import truth
from infra.local.workflow.values import Key, Value, from_json, to_json, to_pretty_json, type_name


def default(val: Value, defaultVal: Value) -> Value:
    """Return a value, or another in place of null."""
    return defaultVal if val is None else val


def double(x: Value) -> Value:
    """Convert to a double."""
    if isinstance(x, bool) or not isinstance(x, str | int | float):
        raise _type_error("double", "a string or a number", x)
    try:
        return float(x)
    except ValueError:
        raise Raised.tagged("ValueError", f"can't convert to double: {x}") from None


def to_int(x: Value) -> Value:
    """Convert to an integer, towards zero."""
    if isinstance(x, bool) or not isinstance(x, str | int | float):
        raise _type_error("int", "a string or a number", x)
    try:
        return int(x)
    except (ValueError, OverflowError):
        raise Raised.tagged("ValueError", f"can't convert to integer: {x}") from None


def to_string(x: Value) -> Value:
    """Convert a number or boolean to text."""
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, str):
        return x
    if isinstance(x, int | float):
        return repr(x)
    raise _type_error("string", "a number, boolean or string", x)


def choose(condition: Value, ifTrue: Value, ifFalse: Value) -> Value:
    """Return one of two values; both have been evaluated."""
    return ifTrue if truth(condition, "if") else ifFalse


def keys(map: Value) -> Value:
    """List the keys of a map."""
    return list(_map("keys", map))


def length(x: Value) -> Value:
    """Count characters, elements or entries."""
    if isinstance(x, str | list | dict):
        return len(x)
    raise _type_error("len", "a list, map or string", x)


def json_decode(data: Value) -> Value:
    """Read JSON."""
    if not isinstance(data, str | bytes):
        raise _type_error("json.decode", "a string or bytes", data)
    try:
        return from_json(data)
    except ValueError as error:
        raise Raised.tagged("ValueError", f"json.decode: {error}") from None


def json_encode(data: Value, indent: Value = None) -> Value:
    """Write JSON as bytes."""
    return _json_text(data, indent).encode()


def json_encode_to_string(data: Value, indent: Value = None) -> Value:
    """Write JSON as text."""
    return _json_text(data, indent)


def _json_text(data: Value, indent: Value) -> str:
    layout: dict[Key, Value] = {} if indent is True else indent if isinstance(indent, dict) else {}
    try:
        if indent is None or indent is False:
            return to_json(data)
        prefix, step = layout.get("prefix", ""), layout.get("indent", "    ")
        if not isinstance(prefix, str) or not isinstance(step, str):
            raise Raised.tagged("TypeError", "json.encode: prefix and indent must be strings")
        return to_pretty_json(data, prefix=prefix, indent=step)
    except ValueError as error:
        raise Raised.tagged("ValueError", f"json.encode: {error}") from None


def base64_encode(data: Value, padding: Value = True) -> Value:
    """Write bytes as base64."""
    if not isinstance(data, bytes):
        raise _type_error("base64.encode", "bytes", data)
    encoded = base64.b64encode(data).decode("ascii")
    return encoded if padding else encoded.rstrip("=")


def base64_decode(data: Value, padding: Value = True) -> Value:
    """Read base64."""
    if not isinstance(data, str):
        raise _type_error("base64.decode", "a string", data)
    try:
        return base64.b64decode(data if padding else data + "=" * (-len(data) % 4), validate=True)
    except ValueError:
        raise Raised.tagged("ValueError", "base64.decode: not base64") from None


_HASHES = ("MD5", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512")


def compute_checksum(data: Value, algorithm: Value) -> Value:
    """Hash bytes."""
    return hashlib.new(_hash(algorithm), _bytes("hash.compute_checksum", data)).digest()


def compute_hmac(key: Value, data: Value, algorithm: Value) -> Value:
    """Hash bytes with a key."""
    name = "hash.compute_hmac"
    return hmac.digest(_bytes(name, key), _bytes(name, data), _hash(algorithm))


def list_concat(objs: Value, val: Value) -> Value:
    """Add an element at the end of a copy."""
    return [*_list("list.concat", objs), val]


def list_prepend(objs: Value, val: Value) -> Value:
    """Add an element at the beginning of a copy."""
    return [val, *_list("list.prepend", objs)]


def map_get(map: Value, keys: Value) -> Value:
    """Return an element, at any depth, or null."""
    if map is None:
        return None
    found: Value = _map("map.get", map)
    for key in keys if isinstance(keys, list) else [keys]:
        if not isinstance(found, dict) or isinstance(key, bool) or not isinstance(key, str | int):
            return None
        found = found.get(key)
    return found


def map_delete(map: Value, key: Value) -> Value:
    """Remove a key from a copy."""
    source = _map("map.delete", map)
    if key not in source:
        raise Raised.tagged("KeyError", f"map.delete: key not found: {key!r}")
    return {name: value for name, value in source.items() if name != key}


def map_merge(first: Value, second: Value) -> Value:
    """Combine two maps; the second wins."""
    return {**_map("map.merge", first), **_map("map.merge", second)}


def map_merge_nested(first: Value, second: Value) -> Value:
    """Combine two maps and the maps in them; the second wins."""
    merged = dict(_map("map.merge_nested", first))
    for key, value in _map("map.merge_nested", second).items():
        old = merged.get(key)
        merged[key] = map_merge_nested(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


def math_abs(x: Value) -> Value:
    """Return the absolute value."""
    return abs(_number("math.abs", x))


def math_floor(x: Value) -> Value:
    """Round down."""
    try:
        return math.floor(_number("math.floor", x))
    except (ValueError, OverflowError):
        raise Raised.tagged("ValueError", f"math.floor: no integer: {x!r}") from None


def math_max(x: Value, y: Value) -> Value:
    """Return the larger of two numbers."""
    return max(_number("math.max", x), _number("math.max", y))


def math_min(x: Value, y: Value) -> Value:
    """Return the smaller of two numbers."""
    return min(_number("math.min", x), _number("math.min", y))


def retry_always(exception: Value) -> Value:
    """Judge every error worth another try."""
    return True


def retry_never(exception: Value) -> Value:
    """Judge no error worth another try."""
    return False


def retry_idempotent(exception: Value) -> Value:
    """Judge by the default policy for calls that may be repeated."""
    return _matches(exception, (429, 502, 503, 504), ("ConnectionError", "ConnectionFailedError", "TimeoutError"))


def retry_non_idempotent(exception: Value) -> Value:
    """Judge by the default policy for calls that must not run twice."""
    return _matches(exception, (429, 503), ("ConnectionFailedError",))


def _matches(error: Value, codes: tuple[int, ...], words: tuple[str, ...]) -> bool:
    if not isinstance(error, dict) or not isinstance(tags := error.get("tags"), list):
        return False
    return any(word in tags for word in words) or ("HttpError" in tags and error.get("code") in codes)


def _type_error(function: str, wanted: str, got: Value) -> Raised:
    return Raised.tagged("TypeError", f"{function}: needs {wanted}; got: {type_name(got)}")


def _number(function: str, value: Value) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _type_error(function, "a number", value)
    return value


def _bytes(function: str, value: Value) -> bytes:
    if not isinstance(value, bytes):
        raise _type_error(function, "bytes", value)
    return value


def _list(function: str, value: Value) -> list[Value]:
    if not isinstance(value, list):
        raise _type_error(function, "a list", value)
    return value


def _map(function: str, value: Value) -> dict[Key, Value]:
    if not isinstance(value, dict):
        raise _type_error(function, "a map", value)
    return value


def _hash(algorithm: Value) -> str:
    if algorithm not in _HASHES:
        raise Raised.tagged("ValueError", f"hash: unknown algorithm: {algorithm!r}")
    return str(algorithm)


def get_type(x: Value) -> Value:
    """Name the type of a value."""
    return type_name(x)


def generate_uuid() -> Value:
    """Return a random UUID."""
    return str(uuid.uuid4())
