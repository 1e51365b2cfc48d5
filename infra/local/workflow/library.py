"""The standard library: each function with its documented parameter names. It holds none that waits or talks.

https://cloud.google.com/workflows/docs/reference/stdlib/overview
"""

import base64
import hashlib
import hmac
import inspect
import math
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from infra.local.workflow import text, timestamps
from infra.local.workflow.errors import Raised
from infra.local.workflow.expression import truth
from infra.local.workflow.values import Key, Value, from_json, to_json, to_pretty_json, type_name

Run = Callable[..., Value]

_REQUIRED: Final = inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class Function:
    """A library function and how it may be called."""

    name: str
    run: Run
    required: tuple[str, ...]
    optional: tuple[str, ...] = ()

    @property
    def parameters(self) -> tuple[str, ...]:
        """All parameter names, in the order of an expression's arguments."""
        return self.required + self.optional

    def call(self, arguments: Sequence[Value]) -> Value:
        """Call with arguments in order."""
        if not len(self.required) <= len(arguments) <= len(self.parameters):
            raise Raised.tagged("TypeError", f"{self.name}: wrong number of arguments: {len(arguments)}")
        return self.run(*arguments)

    def call_named(self, arguments: Mapping[str, Value]) -> Value:
        """Call with arguments by name."""
        return self.run(**arguments)


def describe(name: str, run: Run) -> Function:
    """Read a function's parameters off its Python signature."""
    parameters = inspect.signature(run).parameters.values()
    return Function(
        name,
        run,
        tuple(one.name for one in parameters if one.default is _REQUIRED),
        tuple(one.name for one in parameters if one.default is not _REQUIRED),
    )


def _default(val: Value, defaultVal: Value) -> Value:
    return defaultVal if val is None else val


def _double(x: Value) -> Value:
    if isinstance(x, bool) or not isinstance(x, str | int | float):
        raise _type_error("double", "a string or a number", x)
    try:
        return float(x)
    except ValueError:
        raise Raised.tagged("ValueError", f"can't convert to double: {x}") from None


def _int(x: Value) -> Value:
    if isinstance(x, bool) or not isinstance(x, str | int | float):
        raise _type_error("int", "a string or a number", x)
    try:
        return int(x)
    except (ValueError, OverflowError):
        raise Raised.tagged("ValueError", f"can't convert to integer: {x}") from None


def _string(x: Value) -> Value:
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, str):
        return x
    if isinstance(x, int | float):
        return repr(x)
    raise _type_error("string", "a number, boolean or string", x)


def _if(condition: Value, ifTrue: Value, ifFalse: Value) -> Value:
    return ifTrue if truth(condition, "if") else ifFalse


def _keys(map: Value) -> Value:
    return list(_map("keys", map))


def _len(x: Value) -> Value:
    if isinstance(x, str | list | dict):
        return len(x)
    raise _type_error("len", "a list, map or string", x)


def _json_decode(data: Value) -> Value:
    if not isinstance(data, str | bytes):
        raise _type_error("json.decode", "a string or bytes", data)
    try:
        return from_json(data)
    except ValueError as error:
        raise Raised.tagged("ValueError", f"json.decode: {error}") from None


def _json_encode(data: Value, indent: Value = None) -> Value:
    return _json_text(data, indent).encode()


def _json_encode_to_string(data: Value, indent: Value = None) -> Value:
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


def _base64_encode(data: Value, padding: Value = True) -> Value:
    if not isinstance(data, bytes):
        raise _type_error("base64.encode", "bytes", data)
    encoded = base64.b64encode(data).decode("ascii")
    return encoded if padding else encoded.rstrip("=")


def _base64_decode(data: Value, padding: Value = True) -> Value:
    if not isinstance(data, str):
        raise _type_error("base64.decode", "a string", data)
    try:
        return base64.b64decode(data if padding else data + "=" * (-len(data) % 4), validate=True)
    except ValueError:
        raise Raised.tagged("ValueError", "base64.decode: not base64") from None


_HASHES = ("MD5", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512")


def _checksum(data: Value, algorithm: Value) -> Value:
    return hashlib.new(_hash(algorithm), _bytes("hash.compute_checksum", data)).digest()


def _hmac(key: Value, data: Value, algorithm: Value) -> Value:
    name = "hash.compute_hmac"
    return hmac.digest(_bytes(name, key), _bytes(name, data), _hash(algorithm))


def _list_concat(objs: Value, val: Value) -> Value:
    return [*_list("list.concat", objs), val]


def _list_prepend(objs: Value, val: Value) -> Value:
    return [val, *_list("list.prepend", objs)]


def _map_get(map: Value, keys: Value) -> Value:
    if map is None:
        return None
    found: Value = _map("map.get", map)
    for key in keys if isinstance(keys, list) else [keys]:
        if not isinstance(found, dict) or isinstance(key, bool) or not isinstance(key, str | int):
            return None
        found = found.get(key)
    return found


def _map_delete(map: Value, key: Value) -> Value:
    source = _map("map.delete", map)
    if key not in source:
        raise Raised.tagged("KeyError", f"map.delete: key not found: {key!r}")
    return {name: value for name, value in source.items() if name != key}


def _map_merge(first: Value, second: Value) -> Value:
    return {**_map("map.merge", first), **_map("map.merge", second)}


def _map_merge_nested(first: Value, second: Value) -> Value:
    merged = dict(_map("map.merge_nested", first))
    for key, value in _map("map.merge_nested", second).items():
        old = merged.get(key)
        merged[key] = _map_merge_nested(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


def _abs(x: Value) -> Value:
    return abs(_number("math.abs", x))


def _floor(x: Value) -> Value:
    try:
        return math.floor(_number("math.floor", x))
    except (ValueError, OverflowError):
        raise Raised.tagged("ValueError", f"math.floor: no integer: {x!r}") from None


def _max(x: Value, y: Value) -> Value:
    return max(_number("math.max", x), _number("math.max", y))


def _min(x: Value, y: Value) -> Value:
    return min(_number("math.min", x), _number("math.min", y))


def _retry_always(exception: Value) -> Value:
    return True


def _retry_never(exception: Value) -> Value:
    return False


def _retry_idempotent(exception: Value) -> Value:
    return _matches(exception, (429, 502, 503, 504), ("ConnectionError", "ConnectionFailedError", "TimeoutError"))


def _retry_non_idempotent(exception: Value) -> Value:
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


_FUNCTIONS: dict[str, Run] = {
    "default": _default,
    "double": _double,
    "get_type": lambda x: type_name(x),
    "if": _if,
    "int": _int,
    "keys": _keys,
    "len": _len,
    "string": _string,
    "base64.decode": _base64_decode,
    "base64.encode": _base64_encode,
    "hash.compute_checksum": _checksum,
    "hash.compute_hmac": _hmac,
    "http.default_retry_predicate": _retry_idempotent,
    "http.default_retry_predicate_non_idempotent": _retry_non_idempotent,
    "json.decode": _json_decode,
    "json.encode": _json_encode,
    "json.encode_to_string": _json_encode_to_string,
    "list.concat": _list_concat,
    "list.prepend": _list_prepend,
    "map.delete": _map_delete,
    "map.get": _map_get,
    "map.merge": _map_merge,
    "map.merge_nested": _map_merge_nested,
    "math.abs": _abs,
    "math.floor": _floor,
    "math.max": _max,
    "math.min": _min,
    "retry.always": _retry_always,
    "retry.never": _retry_never,
    "text.decode": text.decode,
    "text.encode": text.encode,
    "text.find_all": text.find_all,
    "text.find_all_regex": text.find_all_regex,
    "text.match_regex": text.match_regex,
    "text.replace_all": text.replace_all,
    "text.replace_all_regex": text.replace_all_regex,
    "text.split": text.split,
    "text.substring": text.substring,
    "text.to_lower": text.to_lower,
    "text.to_upper": text.to_upper,
    "text.url_decode": text.url_decode,
    "text.url_encode": text.url_encode,
    "text.url_encode_plus": text.url_encode_plus,
    "time.format": timestamps.format_time,
    "time.parse": timestamps.parse_time,
    "uuid.generate": lambda: str(uuid.uuid4()),
}

PURE: dict[str, Function] = {name: describe(name, run) for name, run in _FUNCTIONS.items()}
"""Functions that depend on their arguments alone (and chance, for uuid)."""


def _shape(name: str, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> Function:
    def unreachable(*_: Any) -> Value:
        raise AssertionError(f"{name} is run by the machine")

    return Function(name, unreachable, required, optional)


_REQUEST = ("headers", "query", "auth", "timeout", "private_service_name", "ca_certificate")

CONTEXTUAL: dict[str, Function] = {
    "sys.get_env": _shape("sys.get_env", ("name",), ("default",)),
    "sys.now": _shape("sys.now", ()),
}
"""Functions that the machine answers from its execution; allowed in expressions."""

BLOCKING: dict[str, Function] = {
    "sys.log": _shape("sys.log", (), ("data", "severity", "text", "json", "timeout")),
    "sys.sleep": _shape("sys.sleep", ("seconds",)),
    "sys.sleep_until": _shape("sys.sleep_until", ("time",)),
    "http.get": _shape("http.get", ("url",), _REQUEST),
    "http.delete": _shape("http.delete", ("url",), ("body", *_REQUEST)),
    "http.patch": _shape("http.patch", ("url",), ("body", *_REQUEST)),
    "http.post": _shape("http.post", ("url",), ("body", *_REQUEST)),
    "http.put": _shape("http.put", ("url",), ("body", *_REQUEST)),
    "http.request": _shape("http.request", ("url", "method"), ("body", *_REQUEST)),
}
"""Functions that only a call step may use.

https://cloud.google.com/workflows/docs/reference/syntax/expressions#blocking-calls
"""

UNSUPPORTED_ARGUMENTS = ("private_service_name", "ca_certificate")
"""Documented arguments of `http.*` that mean nothing on one machine."""

FOREIGN = ("googleapis.", "events.", "experimental.")
"""What the service has and this engine doesn't."""


def find(name: str) -> Function | None:
    """Look a library function up, wherever it may be called from."""
    return PURE.get(name) or CONTEXTUAL.get(name) or BLOCKING.get(name)
