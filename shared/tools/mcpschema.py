"""What of an MCP tool a model may see, and the hashes that pin what a person saw. It trusts no word of the server.

A schema keeps the words that say which values are taken, and loses those that hold sentences: a description, an
example or a default is text that somebody else wrote, in a place where a model looks for instructions.
"""

import json
import re
from collections.abc import Sequence
from hashlib import sha256

from pydantic import JsonValue

from shared.models.base import JsonDict
from shared.models.mcp import TOOL_NAME, McpOffer, McpTool

NODES = 500
"""Schemas inside one schema, references followed: a few lines of references can stand for millions."""
DEPTH = 12
LONGEST_DESCRIPTION = 8_000
LONGEST_SCHEMA = 30_000
"""Characters that a person can be asked to read."""
LONGEST_OFFER = 400_000
"""Characters of all tools of a server together; a document holds a megabyte."""

_PROPERTY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_VALUE = re.compile(r"[A-Za-z0-9_.:/+-]{1,64}")
# Control characters, directions, characters without width, the private ones, and the tags and variation selectors that
# can spell a whole text: what a person approves has to be what a model reads.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0d\ufeff\ufff9-\ufffb\ue000-\uf8ff\U000e0000-\U0010ffff]"
)
_LONGEST_NAME = 64
_TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})
_NUMBERS = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
)
_CHOICES = ("anyOf", "oneOf", "allOf")


class Unusable(ValueError):
    """The tool can't be offered to a model; the text says why, in our words."""


def stripped(schema: JsonDict) -> JsonDict:
    """The schema without anybody's sentences, references put in place; Unusable where that leaves nothing safe."""
    if schema.get("type", "object") != "object":
        raise Unusable("its arguments are no object")
    return {"properties": {}, **_Stripper(schema).strip(schema, 0), "type": "object"}


class _Stripper:
    def __init__(self, root: JsonDict) -> None:
        self._root = root
        self._left = NODES

    def strip(self, schema: JsonValue, depth: int) -> JsonDict:
        self._left -= 1
        if depth > DEPTH or self._left < 0:
            raise Unusable("its arguments are nested too deeply, or refer to themselves")
        if not isinstance(schema, dict):
            return {}  # `true`: anything
        if "$ref" in schema:
            return self.strip({**self._referred(schema["$ref"]), **_without(schema, "$ref")}, depth + 1)
        kept: JsonDict = {**_typed(schema), **_listed(schema)}
        kept.update({word: schema[word] for word in _NUMBERS if _is_number(schema.get(word))})
        if isinstance(properties := schema.get("properties"), dict):
            kept["properties"] = {_named(name): self.strip(one, depth + 1) for name, one in properties.items()}
            if isinstance(required := schema.get("required"), list):
                kept["required"] = [one for one in required if isinstance(one, str) and one in properties]
        if "items" in schema:
            kept["items"] = self.strip(schema["items"], depth + 1)
        if isinstance(further := schema.get("additionalProperties"), bool | dict):
            kept["additionalProperties"] = further if isinstance(further, bool) else self.strip(further, depth + 1)
        for word in _CHOICES:
            if isinstance(choices := schema.get(word), list) and choices:
                kept[word] = [self.strip(one, depth + 1) for one in choices]
        return kept

    def _referred(self, reference: JsonValue) -> JsonDict:
        match str(reference).split("/"):
            case ["#", ("$defs" | "definitions") as place, name]:
                definitions = self._root.get(place)
                found = definitions.get(name) if isinstance(definitions, dict) else None
                if isinstance(found, dict):
                    return found
        raise Unusable("its arguments refer to something that it does not hold")


def _without(schema: JsonDict, word: str) -> JsonDict:
    return {key: value for key, value in schema.items() if key != word}


def _named(name: str) -> str:
    if not _PROPERTY.fullmatch(name):
        raise Unusable("one of its arguments has a name that is no identifier")
    return name


def _typed(schema: JsonDict) -> JsonDict:
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    return {"type": kind} if kinds and all(isinstance(one, str) and one in _TYPES for one in kinds) else {}


def _listed(schema: JsonDict) -> JsonDict:
    """Lists of values, where none of them is a sentence."""
    found: JsonDict = {}
    values = schema.get("enum")
    if isinstance(values, list) and values and all(map(_is_plain, values)):
        found["enum"] = values
    if "const" in schema and _is_plain(schema["const"]):
        found["const"] = schema["const"]
    return found


def _is_plain(value: JsonValue) -> bool:
    return _VALUE.fullmatch(value) is not None if isinstance(value, str) else not isinstance(value, list | dict)


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


# -- pins ------------------------------------------------------------------------------------------------------


def canonical(schema: JsonDict) -> str:
    """A schema as text, the same for the same schema."""
    return json.dumps(schema, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def hashes(offer: McpOffer) -> tuple[str, str]:
    """The hashes of an offer's description and schema, by which it is known again."""
    return _sha256(offer.description), _sha256(canonical(offer.input_schema))


def _sha256(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def is_pinned(tool: McpTool, offer: McpOffer) -> bool:
    """Whether this is still what the person saw."""
    return (tool.description_sha256, tool.schema_sha256) == hashes(offer)


def merged(known: Sequence[McpTool], offers: Sequence[McpOffer]) -> list[McpTool]:
    """The tools as they are offered now. One that changed has to be approved again; one that is new, for once."""
    before = {tool.name: tool for tool in known if not tool.unusable}
    left = LONGEST_OFFER
    tools: list[McpTool] = []
    for offer in offers:
        reason = unusable(offer)
        left -= min(len(offer.description), LONGEST_DESCRIPTION) + min(len(_text(offer)), LONGEST_SCHEMA)
        if left < 0:
            offer = McpOffer(name=offer.name, description="", input_schema={})
            reason = "its server offers more than can be kept here"
        tools.append(_seen(before.get(offer.name), offer, reason))
    return tools


def _seen(before: McpTool | None, offer: McpOffer, reason: str) -> McpTool:
    description_sha256, schema_sha256 = hashes(offer)
    same = before is not None and is_pinned(before, offer)
    return McpTool(
        name=offer.name[:_LONGEST_NAME],
        description=offer.description[:LONGEST_DESCRIPTION],
        schema_text=_text(offer)[:LONGEST_SCHEMA],
        description_sha256=description_sha256,
        schema_sha256=schema_sha256,
        approved=before is not None and before.approved and same,
        changed=before is not None and (before.changed or (before.approved and not same)),
        unusable=reason,
    )


def _text(offer: McpOffer) -> str:
    return canonical(offer.input_schema)


def unusable(offer: McpOffer) -> str:
    """Why the tool can't be offered to a model; empty where it can."""
    if not TOOL_NAME.fullmatch(offer.name):
        return f"its name holds other characters than letters, digits and _ . / -, or more than {_LONGEST_NAME}"
    if len(offer.description) > LONGEST_DESCRIPTION or len(_text(offer)) > LONGEST_SCHEMA:
        return "its description or its arguments are too long to be read before they are approved"
    if _UNSEEN.search(offer.description):
        return "its description holds characters that nobody can see"
    try:
        stripped(offer.input_schema)
    except Unusable as reason:
        return str(reason)
    return ""


def tool_name(server: str, tool: str) -> str:
    """The name under which a model calls it: the same tool always has the same, and no two of one server share it."""
    name = f"mcp_{server}_{re.sub(r'[^A-Za-z0-9_]', '_', tool)}"
    if name == f"mcp_{server}_{tool}" and len(name) <= 64:
        return name
    return f"{name[:55]}_{sha256(tool.encode()).hexdigest()[:8]}"
