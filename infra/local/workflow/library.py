"""The standard library by name: who may call what, with which arguments. It runs none that waits or talks.

https://cloud.google.com/workflows/docs/reference/stdlib/overview
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from infra.local.workflow import functions, text, timestamps
from infra.local.workflow.errors import Raised
from infra.local.workflow.values import Value

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


_FUNCTIONS: dict[str, Run] = {
    "default": functions.default,
    "double": functions.double,
    "get_type": functions.get_type,
    "if": functions.choose,
    "int": functions.to_int,
    "keys": functions.keys,
    "len": functions.length,
    "string": functions.to_string,
    "base64.decode": functions.base64_decode,
    "base64.encode": functions.base64_encode,
    "hash.compute_checksum": functions.compute_checksum,
    "hash.compute_hmac": functions.compute_hmac,
    "http.default_retry_predicate": functions.retry_idempotent,
    "http.default_retry_predicate_non_idempotent": functions.retry_non_idempotent,
    "json.decode": functions.json_decode,
    "json.encode": functions.json_encode,
    "json.encode_to_string": functions.json_encode_to_string,
    "list.concat": functions.list_concat,
    "list.prepend": functions.list_prepend,
    "map.delete": functions.map_delete,
    "map.get": functions.map_get,
    "map.merge": functions.map_merge,
    "map.merge_nested": functions.map_merge_nested,
    "math.abs": functions.math_abs,
    "math.floor": functions.math_floor,
    "math.max": functions.math_max,
    "math.min": functions.math_min,
    "retry.always": functions.retry_always,
    "retry.never": functions.retry_never,
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
    "uuid.generate": functions.generate_uuid,
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
