"""Places, names and blocks, as the loader meets them. Nothing here outlives the loading."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Literal

from infra.local.workflow.values import Key

BlockKind = Literal["routine", "nested", "loop", "branch", "iteration"]


@dataclass(frozen=True)
class Place:
    """Where in the source something stands."""

    path: str
    line: int

    def at(self, name: Key, line: int = 0) -> "Place":
        """Go one level down."""
        return Place(f"{self.path}.{name}" if self.path else str(name), line or self.line)


@dataclass(frozen=True)
class Signature:
    """What a caller must know of a function or subworkflow."""

    required: tuple[str, ...]
    optional: tuple[str, ...]

    def takes(self, count: int) -> bool:
        """Tell whether so many arguments in order are right."""
        return len(self.required) <= count <= len(self.required) + len(self.optional)


@dataclass
class Scope:
    """Variables that live and die together."""

    parent: "Scope | None"
    shared: frozenset[str] | None = None
    """Set on a parallel branch: the outer variables it may write."""
    names: set[str] = field(default_factory=set)

    def sees(self, name: str) -> bool:
        """Tell whether a name can be read here."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return True
            scope = scope.parent
        return False


@dataclass
class OpenBlock:
    """A block that is being read, and the steps that a jump can name."""

    kind: BlockKind
    names: Collection[str]
