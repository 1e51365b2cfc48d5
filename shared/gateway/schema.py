"""JSON Schema of tools' arguments: what a model is shown, and the check of what it sent. Errors never quote values.

The check covers the words that say which values are taken (types, names, lists of values, limits). It is for schemas
that came from outside, whose other words are left out: a pattern from there could keep a process busy for ever, and a
description is somebody's text.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from pydantic import JsonValue, ValidationError

from shared.models.base import JsonDict, Model

_DEPTH = 8
"""How deeply a shape may be nested; what lies deeper may be anything."""
_PARTS = 2_000
"""Parts of one schema."""
_SHAPES = ("items", "additionalProperties")
_CHOICES = ("anyOf", "oneOf", "allOf")
_LIMITS = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
)
_OURS = frozenset({"description", "default", "pattern", "format", "uniqueItems"})
"""Further words that are kept where a schema is our own."""
_NAME = re.compile(r"[A-Za-z0-9_.$-]{1,64}")
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
    "integer": (int,),
    "number": (int, float),
}


def of_model(model: type[Model]) -> JsonDict:
    """The schema of an argument model: without references, titles, and the model's own docstring."""
    return json.loads(_of_model(model))  # type: ignore[no-any-return]  # it was dumped from one


@lru_cache(maxsize=256)
def _of_model(model: type[Model]) -> str:
    told = model.model_json_schema()
    plain = _Writer(told.get("$defs", {}), _OURS).plain(told)
    plain.pop("description", None)
    return json.dumps(plain)


def of_outside(schema: JsonDict) -> JsonDict:
    """A schema from outside: what it says of values, and none of its texts."""
    definitions = {**_mapping(schema.get("$defs")), **_mapping(schema.get("definitions"))}
    return {**_Writer(definitions, frozenset()).plain(schema), "type": "object"}


def _mapping(value: JsonValue) -> JsonDict:
    return value if isinstance(value, dict) else {}


class _Writer:
    """Writes one schema without references. It stops at a number of parts: references can multiply without end."""

    def __init__(self, definitions: JsonDict, words: frozenset[str]) -> None:
        self._definitions = definitions
        self._words = words
        self._left = _PARTS

    def plain(self, schema: JsonValue, depth: int = 0) -> JsonDict:
        """A part of it; empty, which means anything, where there is no more room."""
        self._left -= 1
        if not isinstance(schema, dict) or depth > _DEPTH or self._left < 0:
            return {}
        if isinstance(reference := schema.get("$ref"), str):
            # Words beside a reference say more of the same value.
            target = _mapping(self._definitions.get(reference.rpartition("/")[2]))
            beside = {key: one for key, one in schema.items() if key != "$ref"}
            return self.plain({**target, **beside}, depth + 1)
        found: JsonDict = {key: schema[key] for key in schema if key in self._words or key in _LIMITS}
        found.update(_values(schema, self._words))
        if isinstance(properties := schema.get("properties"), dict):
            named = {name: one for name, one in properties.items() if self._words or _NAME.fullmatch(name)}
            found["properties"] = {name: self.plain(one, depth + 1) for name, one in named.items()}
        for key in _SHAPES:
            if key in schema:
                shape = schema[key]
                found[key] = shape if isinstance(shape, bool) else self.plain(shape, depth + 1)
        for key in _CHOICES:
            if isinstance(choices := schema.get(key), list):
                found[key] = [self.plain(one, depth + 1) for one in choices]
        return found


def _values(schema: JsonDict, words: frozenset[str]) -> JsonDict:
    """Type, names that are required, and lists of values; of those from outside, short ones."""
    found: JsonDict = {}
    kind = schema.get("type")
    if isinstance(kind, str) and kind in _TYPES:
        found["type"] = kind
    elif isinstance(kind, list) and all(isinstance(one, str) and one in _TYPES for one in kind):
        found["type"] = kind
    if isinstance(required := schema.get("required"), list):
        found["required"] = [one for one in required if isinstance(one, str) and (words or _NAME.fullmatch(one))]
    for key, values in (("enum", schema.get("enum")), ("const", [schema["const"]] if "const" in schema else None)):
        if isinstance(values, list) and (words or all(_is_short(one) for one in values)):
            found[key] = values if key == "enum" else values[0]
    return found


def _is_short(value: JsonValue) -> bool:
    return value is None or isinstance(value, bool | int | float) or (isinstance(value, str) and len(value) <= 64)


# -- the check -------------------------------------------------------------------------------------------------


def problems(value: JsonValue, schema: JsonDict) -> list[str]:
    """What is wrong with a value, one line each, by the words that `of_outside` keeps; empty where it fits."""
    return list(_problems(value, schema, ""))


def _problems(value: JsonValue, schema: JsonDict, at: str) -> Iterator[str]:
    kinds = schema.get("type")
    if kinds is not None and not any(_is(value, str(kind)) for kind in (kinds if isinstance(kinds, list) else [kinds])):
        yield f"{at or 'arguments'}: has to be {_told(kinds)}"
        return
    if "const" in schema and not _same(value, schema["const"]):
        yield f"{at}: has to be {json.dumps(schema['const'])}"
    if isinstance(values := schema.get("enum"), list) and not any(_same(value, one) for one in values):
        yield f"{at}: has to be one of {', '.join(json.dumps(one) for one in values[:20])}"
    yield from _limits(value, schema, at)
    if isinstance(value, dict):
        yield from _inside(value, schema, at)
    elif isinstance(value, list) and isinstance(items := schema.get("items"), dict):
        for number, one in enumerate(value):
            yield from _problems(one, items, f"{at}.{number}".lstrip("."))
    yield from _chosen(value, schema, at)


def _told(kinds: JsonValue) -> str:
    return " or ".join(str(kind) for kind in kinds) if isinstance(kinds, list) else str(kinds)


def _is(value: JsonValue, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES.get(kind, (object,)))


def _same(value: JsonValue, other: JsonValue) -> bool:
    # 1 == True, and 1 is not true in JSON.
    return value == other and isinstance(value, bool) == isinstance(other, bool)


def _limits(value: JsonValue, schema: JsonDict, at: str) -> Iterator[str]:
    measured: dict[str, float] = {}
    if isinstance(value, int | float) and not isinstance(value, bool):
        measured = {"minimum": value, "maximum": value, "exclusiveMinimum": value, "exclusiveMaximum": value}
    elif isinstance(value, str):
        measured = {"minLength": len(value), "maxLength": len(value)}
    elif isinstance(value, list):
        measured = {"minItems": len(value), "maxItems": len(value)}
    for key, measure in measured.items():
        limit = schema.get(key)
        if isinstance(limit, bool) or not isinstance(limit, int | float):
            continue
        fits = measure >= limit if key.startswith("min") else measure <= limit
        if key.startswith("exclusive"):
            fits = measure > limit if key.endswith("Minimum") else measure < limit
        if not fits:
            yield f"{at}: goes beyond {key} ({limit})"


def _inside(value: JsonDict, schema: JsonDict, at: str) -> Iterator[str]:
    properties = _mapping(schema.get("properties"))
    required = schema.get("required")
    for name in required if isinstance(required, list) else ():
        if name not in value:
            yield f"{at}.{name}: is required".lstrip(".")
    further = schema.get("additionalProperties", True)
    for name, one in value.items():
        way = f"{at}.{shown(name)}".lstrip(".")
        if name in properties:
            yield from _problems(one, _mapping(properties[name]), way)
        elif further is False:
            yield f"{way}: there is no such argument"
        elif isinstance(further, dict):
            yield from _problems(one, further, way)


def _chosen(value: JsonValue, schema: JsonDict, at: str) -> Iterator[str]:
    for key in _CHOICES:
        if not isinstance(choices := schema.get(key), list):
            continue
        fitting = sum(not problems(value, _mapping(one)) for one in choices)
        if not {"anyOf": fitting >= 1, "oneOf": fitting == 1, "allOf": fitting == len(choices)}[key]:
            yield f"{at or 'arguments'}: fits none of the shapes that it may have"


# -- pydantic's errors in words --------------------------------------------------------------------------------


def shown(name: str) -> str:
    """A name that a model chose, as a message may have it."""
    return name if _NAME.fullmatch(name) and len(name) <= 40 else "(a name)"


def explained(error: ValidationError) -> list[str]:
    """What is wrong with the arguments, one line a field, without any value of them."""
    return [_explained(one["type"], one["msg"], one["loc"], one.get("input")) for one in error.errors()]


def _explained(kind: str, message: str, location: tuple[int | str, ...], value: object) -> str:
    at = ".".join(shown(str(part)) for part in location) or "arguments"
    known: Mapping[str, str] = {"missing": "is required", "extra_forbidden": "there is no such argument"}
    reason = known.get(kind, message.removeprefix("Value error, ").removeprefix("Assertion failed, "))
    # Some of the library's messages, and any validator's, may quote what they refuse.
    if kind not in known and any(one in reason for one in _texts(value)):
        reason = "can't be used"
    return f"{at}: {reason}"


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        # Shorter ones are in every sentence.
        yield from re.findall(r"[^\s\"',:;()]{4,}", value[:2_000])
    elif isinstance(value, dict):
        for key, one in value.items():
            yield str(key)
            yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)
