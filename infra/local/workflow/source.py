"""YAML as the service reads it: 1.2 scalars, no duplicate keys, no anchors. It knows nothing of workflows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import yaml

from infra.local.workflow.values import INTEGER_MAX, INTEGER_MIN, Key

MAX_BYTES = 128 * 1024


class SourceError(Exception):
    """A text that isn't usable YAML."""

    def __init__(self, problem: str, line: int) -> None:
        super().__init__(problem)
        self.line = line


@dataclass
class Mapping:
    """A YAML mapping that remembers where it, and each of its keys, stands."""

    line: int
    items: "dict[Key, Source]" = field(default_factory=dict)
    lines: dict[Key, int] = field(default_factory=dict)

    def __contains__(self, key: Key) -> bool:
        return key in self.items

    def __getitem__(self, key: Key) -> "Source":
        return self.items[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


Source: TypeAlias = bool | int | float | str | list["Source"] | Mapping | None


def read(text: str) -> Source:
    """Read one YAML document; raises SourceError."""
    if len(text.encode()) > MAX_BYTES:
        raise SourceError(f"the source is longer than {MAX_BYTES // 1024} KB", 0)
    try:
        node = _Composer(text).get_single_node()
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise SourceError(f"not valid YAML: {error.problem}", line) from None
    except (yaml.YAMLError, RecursionError) as error:
        raise SourceError(f"not valid YAML: {error}", 0) from None
    if node is None:
        raise SourceError("the source is empty", 0)
    try:
        return _build(node)
    except ValueError as error:  # an explicit tag on a text that isn't of that kind
        raise SourceError(f"not valid YAML: {error}", 0) from None


class _Composer(yaml.SafeLoader):
    """Composes nodes, and resolves none of YAML 1.1's surprises (`on`, `1:30`, `010`, dates)."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuse aliases: a few of them can stand for gigabytes, and the service documents none."""
        if self.check_event(yaml.AliasEvent):
            line = self.line + 1
            raise SourceError("anchors and aliases are not supported", line)
        return super().compose_node(parent, index)


# YAML 1.2's core schema: https://yaml.org/spec/1.2.2/#103-core-schema
for _tag, _pattern, _first in (
    ("null", r"^(?:null|Null|NULL|~|)$", ["n", "N", "~", ""]),
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    ("int", r"^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$", list("-+0123456789")),
    (
        "float",
        r"^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)$",
        list("-+.0123456789"),
    ),
):
    _Composer.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), _first)


def _build(node: yaml.Node) -> Source:
    line = node.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode):
        return [_build(item) for item in node.value]
    if isinstance(node, yaml.MappingNode):
        return _build_mapping(node, line)
    assert isinstance(node, yaml.ScalarNode)
    kind = node.tag.rpartition(":")[2]
    if kind == "null":
        return None
    if kind == "bool":
        return bool(node.value.lower() == "true")
    if kind == "int":
        return _integer(node.value, line)
    if kind == "float":
        return float(node.value)
    if kind == "str":
        return _text(node.value, line)
    raise SourceError(f"unsupported YAML tag {node.tag}", line)


def _build_mapping(node: yaml.MappingNode, line: int) -> Mapping:
    mapping = Mapping(line)
    for key_node, value_node in node.value:
        key_line = key_node.start_mark.line + 1
        key = _build(key_node)
        if isinstance(key, bool) or not isinstance(key, str | int):
            raise SourceError("a key must be a string or an integer", key_line)
        if key in mapping:
            raise SourceError(f"duplicate key {key!r}", key_line)
        mapping.items[key] = _build(value_node)
        mapping.lines[key] = key_line
    return mapping


def _text(text: str, line: int) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise SourceError("an escape that is not a whole character", line) from None
    return text


def _integer(text: str, line: int) -> int:
    prefixed = text[:2] in ("0o", "0x")
    value = int(text, 0) if prefixed else int(text)
    if not INTEGER_MIN <= value <= INTEGER_MAX:
        raise SourceError(f"integer out of range: {text}", line)
    return value
