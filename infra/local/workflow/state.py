"""Where an execution stands: variables, frames, threads. It decides nothing about what comes next."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from infra.local.workflow.errors import Raised
from infra.local.workflow.program import Block, Loop, Parallel, Try
from infra.local.workflow.values import Value, size_of, store

MAX_MEMORY = 512 * 1024
MAX_STRING = 256 * 1024


class Memory:
    """Counts what all variables of an execution take together."""

    __slots__ = ("used",)

    def __init__(self) -> None:
        self.used = 0


class Scope:
    """Variables that live and die together. Values are never changed in place, so sizes and JSON are kept."""

    __slots__ = ("_json", "_sizes", "memory", "parent", "shared", "variables")

    def __init__(self, memory: Memory, parent: "Scope | None" = None, shared: frozenset[str] | None = None) -> None:
        self.memory = memory
        self.parent = parent
        self.shared = shared
        self.variables: dict[str, Value] = {}
        self._sizes: dict[str, int] = {}
        self._json: dict[str, str] = {}

    def lookup(self, name: str) -> Value:
        """Read a variable from here or further out."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.variables:
                return scope.variables[name]
            scope = scope.parent
        raise Raised.tagged("KeyError", f"variable not found: {name}")

    def assign(self, name: str, value: Value) -> None:
        """Write a variable where it exists, as far as a parallel branch may, and else create it here."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.variables:
                scope.bind(name, value)
                return
            if scope.shared is not None and name not in scope.shared:
                break
            scope = scope.parent
        self.bind(name, value)

    def bind(self, name: str, value: Value) -> None:
        """Write a variable in this very scope."""
        try:
            size = size_of(name) + size_of(value)
        except RecursionError:
            raise Raised.tagged("ResourceLimitError", "a value is nested too deeply") from None
        if isinstance(value, str) and size_of(value) > MAX_STRING:
            raise Raised.tagged("ResourceLimitError", f"a string is longer than {MAX_STRING // 1024} KB")
        used = self.memory.used - self._sizes.get(name, 0) + size
        if used > MAX_MEMORY:
            raise Raised.tagged("ResourceLimitError", f"the variables take more than {MAX_MEMORY // 1024} KB")
        self.memory.used = used
        self._sizes[name] = size
        self._json.pop(name, None)
        self.variables[name] = value

    def release(self) -> None:
        """Give the memory back."""
        self.memory.used -= sum(self._sizes.values())
        self._sizes.clear()

    def json(self) -> str:
        """Write the variables as a JSON object; only what changed since the last time is encoded anew."""
        kept = self._json
        for name, value in self.variables.items():
            if name not in kept:
                kept[name] = f'"{name}":{store(value)}'
        return "{" + ",".join(kept.values()) + "}"


@dataclass(slots=True)
class Frame:
    """A block that is being run, and the step it is at."""

    block: Block
    scope: Scope
    owns_scope: bool
    entry: int | None
    """The step entry that ends with this frame."""
    at: int = 0


@dataclass(slots=True)
class RoutineFrame(Frame):
    """A routine, or a parallel branch."""


@dataclass(slots=True)
class GroupFrame(Frame):
    """Nested steps, or one arm of a switch."""


@dataclass(slots=True, kw_only=True)
class LoopFrame(Frame):
    """One iteration of a loop."""

    body: Loop
    items: list[Value] | range
    items_json: str = ""
    position: int = 0


@dataclass(slots=True, kw_only=True)
class TryFrame(Frame):
    """A try block, or its handler."""

    body: Try
    attempt: int = 0
    handling: bool = False


@dataclass(slots=True)
class BranchError:
    """What ended a branch."""

    branch: str
    context: str
    payload: str


@dataclass(slots=True)
class Fork:
    """A parallel step: which branches have begun, and where they are."""

    body: Parallel
    scope: Scope
    entry: int
    limit: int
    items: list[Value] | range
    """The elements of a parallel loop; else one for each branch."""
    started: int = 0
    items_json: str = ""
    running: "dict[int, Thread]" = field(default_factory=dict)
    errors: list[BranchError] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Returned:
    """The end of a thread."""

    value: Value


@dataclass(frozen=True, slots=True)
class Failed:
    """The end of a thread by an error nobody caught."""

    error: Raised


Outcome: TypeAlias = Returned | Failed


@dataclass(slots=True)
class Thread:
    """A line of execution: the main one, a parallel branch's, or that of a call inside an expression."""

    frames: list[Frame] = field(default_factory=list)
    depth: int = 0
    """Routines on the stack below this thread."""
    nesting: int = 0
    """Parallel steps around this thread."""
    fork: Fork | None = None
    wake: float | None = None
    """When the current sleep, or the pause before a retry, ends."""
    entry: int | None = None
    """The step entry of the blocking call that is under way."""
    outcome: Outcome | None = None

    def routines(self) -> int:
        """Count the routines on the stack."""
        return self.depth + sum(isinstance(frame, RoutineFrame) for frame in self.frames)

    def leaves(self) -> Iterator["Thread"]:
        """Visit the threads that are at a step, not waiting for others."""
        if self.fork is None:
            yield self
        else:
            for child in self.fork.running.values():
                yield from child.leaves()
