"""A loaded workflow: immutable, fully checked, addressable by paths that are stable for one source text."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from infra.local.workflow.expression import Node

CallKind = Literal["library", "subworkflow", "connector"]


@dataclass(frozen=True, slots=True)
class Assign:
    """Assignments, in order."""

    pairs: tuple[tuple[Node, Node], ...]
    """Target (a variable, or a place inside one) and value."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a library function, subworkflow or connector."""

    kind: CallKind
    function: str
    arguments: Mapping[str, Node]
    result: str | None


@dataclass(frozen=True, slots=True)
class Return:
    """End the routine with a value."""

    value: Node


@dataclass(frozen=True, slots=True)
class Raise:
    """Raise an error."""

    value: Node


@dataclass(frozen=True, slots=True)
class Arm:
    """One condition of a switch, and what follows."""

    condition: Node
    block: "Block"


@dataclass(frozen=True, slots=True)
class Switch:
    """The first condition that holds."""

    arms: tuple[Arm, ...]


@dataclass(frozen=True, slots=True)
class Steps:
    """A group of steps."""

    block: "Block"


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop over a list, or a range with both ends included."""

    value: str
    index: str | None
    items: Node | None
    bounds: tuple[Node, Node] | None
    block: "Block"


@dataclass(frozen=True, slots=True)
class Branch:
    """One branch of a parallel step."""

    name: str
    block: "Block"


@dataclass(frozen=True, slots=True)
class Parallel:
    """Branches, or a loop's iterations, at once."""

    shared: frozenset[str]
    limit: Node
    branches: tuple[Branch, ...]
    loop: Loop | None


@dataclass(frozen=True, slots=True)
class Retry:
    """When and how often to try again."""

    predicate: str | None
    """A library function or subworkflow; None retries every error."""
    max_retries: Node
    initial_delay: Node
    max_delay: Node
    multiplier: Node


@dataclass(frozen=True, slots=True)
class Try:
    """Steps with a retry policy, a handler, or both."""

    block: "Block"
    retry: Retry | None
    error: str | None
    handler: "Block | None"


@dataclass(frozen=True, slots=True)
class Goto:
    """Nothing but a jump."""


Body: TypeAlias = Assign | Call | Return | Raise | Switch | Steps | Loop | Parallel | Try | Goto

_ENTRY_TYPES: dict[type, str] = {
    Assign: "STEP_ASSIGN",
    Return: "STEP_RETURN",
    Raise: "STEP_RAISE",
    Switch: "STEP_SWITCH",
    Loop: "STEP_FOR",
    Try: "STEP_TRY_RETRY_EXCEPT",
    Goto: "STEP_GOTO",
}
_CALL_TYPES: dict[CallKind, str] = {
    "library": "STEP_STD_LIB_CALL",
    "subworkflow": "STEP_SUBWORKFLOW_CALL",
    "connector": "STEP_CONNECTOR_CALL",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what it does and where it goes on."""

    name: str
    line: int
    body: Body
    next: str | None

    @property
    def entry_type(self) -> str:
        """Name the step's type as step entries do; empty for a mere group, which has no entry."""
        if isinstance(self.body, Call):
            return _CALL_TYPES[self.body.kind]
        if isinstance(self.body, Parallel):
            return "STEP_PARALLEL_FOR" if self.body.loop else "STEP_PARALLEL_BRANCH"
        return _ENTRY_TYPES.get(type(self.body), "")


@dataclass(frozen=True, slots=True)
class Block:
    """Steps in order, and where to go after the last."""

    path: str
    steps: tuple[Step, ...]
    index: Mapping[str, int]
    """Positions of the steps that a jump can name."""
    next: str | None = None


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter, with its default unless it is required."""

    name: str
    default: Node | None


@dataclass(frozen=True, slots=True)
class Routine:
    """The main workflow or a subworkflow."""

    name: str
    parameters: tuple[Parameter, ...]
    block: Block


@dataclass(frozen=True, slots=True)
class Workflow:
    """A loaded definition."""

    name: str
    source: str
    revision: str
    routines: Mapping[str, Routine]
    blocks: Mapping[str, Block]
    """Every block by its path."""
