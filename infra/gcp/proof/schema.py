"""The recorded schema as data: attributes, blocks, and the values that the provider's documentation allows."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).parent / "schema.json"
Type = Any
"""Terraform's own notation: "string", ["map", "string"], ["object", {...}]."""


@dataclass(frozen=True)
class Attribute:
    """One argument or result."""

    type: Type
    flags: str
    """Letters: r(equired), o(ptional), c(omputed)."""
    values: list[str] = field(default_factory=list)
    """What may be said, where the documentation lists it."""


@dataclass(frozen=True)
class Block:
    """Attributes and further blocks."""

    attributes: dict[str, Attribute]
    blocks: dict[str, "Nested"]

    def to_json(self) -> dict[str, Any]:
        """As short as it can be told."""
        return {
            "a": {
                name: [attribute.type, attribute.flags, *([attribute.values] if attribute.values else [])]
                for name, attribute in self.attributes.items()
            },
            **(
                {
                    "b": {
                        name: [nested.nesting, nested.least, nested.most, nested.block.to_json()]
                        for name, nested in self.blocks.items()
                    }
                }
                if self.blocks
                else {}
            ),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Block":
        """What `to_json` wrote."""
        return cls(
            {name: Attribute(*rest) for name, rest in data["a"].items()},
            {
                name: Nested(nesting, least, most, cls.from_json(block))
                for name, (nesting, least, most, block) in data.get("b", {}).items()
            },
        )


@dataclass(frozen=True)
class Nested:
    """A block within a block: how often it may stand there."""

    nesting: str
    """single, list or set."""
    least: int
    most: int
    """Zero means as often as you like."""
    block: Block


@dataclass(frozen=True)
class Schema:
    """A provider: its own configuration, its resource types and its data types."""

    version: str
    provider: Block
    resources: dict[str, Block]
    data: dict[str, Block]

    def to_json(self) -> dict[str, Any]:
        """For the file."""
        return {
            "version": self.version,
            "provider": self.provider.to_json(),
            "resources": {name: block.to_json() for name, block in self.resources.items()},
            "data": {name: block.to_json() for name, block in self.data.items()},
        }


def read(file: Path = RECORDED) -> Schema:
    """The committed schema."""
    data = json.loads(file.read_text())
    blocks = {
        part: {name: Block.from_json(block) for name, block in data[part].items()} for part in ("resources", "data")
    }
    return Schema(data["version"], Block.from_json(data["provider"]), blocks["resources"], blocks["data"])
