"""Answers of a size that a model and a document can take. What is left out is said, in the answer itself."""

import json

from pydantic import JsonValue

from shared.events.trace import cut
from shared.models.base import JsonDict

MAX_RESULT = 60_000
"""Bytes (UTF-8 JSON) of one tool's result."""
_STEPS = ((8_000, 200), (2_000, 100), (500, 50), (200, 20))
"""Bytes of a text and entries of a list or object, tried one after the other until all of it fits."""


def size(value: JsonValue) -> int:
    """Bytes of the value as JSON. ValueError or TypeError where it is none: a NaN, half a character, an object."""
    return len(json.dumps(value, ensure_ascii=False, allow_nan=False).encode())


def fitted(value: JsonDict, limit: int = MAX_RESULT) -> JsonDict:
    """The value, or a smaller one that says in `cut` what was left out."""
    whole = size(value)
    if whole <= limit:
        return value
    for text, entries in _STEPS:
        told = f"It was {whole} bytes: texts are cut after {text} bytes, lists and objects after {entries} entries."
        smaller: JsonDict = {**_shortened(value, text, entries), "cut": told}
        if size(smaller) <= limit:
            return smaller
    # A quote of JSON inside JSON can be twice as long.
    beginning = cut(json.dumps(value, ensure_ascii=False), limit // 3)
    return {"cut": f"It was {whole} bytes; this is its beginning, as text.", "text": beginning}


def _shortened(value: JsonDict, text: int, entries: int) -> JsonDict:
    kept = list(value.items())[:entries]
    return {cut(key, text): _shorter(one, text, entries) for key, one in kept}


def _shorter(value: JsonValue, text: int, entries: int) -> JsonValue:
    match value:
        case str():
            return cut(value, text)
        case dict():
            return _shortened(value, text, entries)
        case list():
            return [_shorter(one, text, entries) for one in value[:entries]]
        case _:
            return value
