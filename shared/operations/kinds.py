"""The kinds of operation: what differs from one to the other. Each is loaded only when one of it is at hand."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from shared.doors import Doors
from shared.models.operation import Failure, Operation, OperationKind
from shared.store.documents import Write

Acts = Callable[[Doors, str, Operation], Awaitable[None]]
Limit = Callable[[Doors, str], Awaitable[float]]
"""The doors and the tenant; seconds."""
Writes = Callable[[Doors, str, Operation], Awaitable[list[Write]]]


async def _nothing(_doors: Doors, _tenant: str, _operation: Operation) -> None:
    """Leave everything as it is."""


async def _no_writes(_doors: Doors, _tenant: str, _operation: Operation) -> list[Write]:
    return []


async def _not_rescued(_doors: Doors, _tenant: str, _operation: Operation) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind. The functions get the doors, the tenant and the operation."""

    workflow: str
    """The workflow that drives it."""
    seconds: Limit
    """Its time limit, from its start; the time that it waits for a person does not count."""
    late: Failure
    """What is told where that limit is over."""
    tools: frozenset[str] = frozenset()
    """The tools that its agent may use."""
    began: Writes = field(default=_no_writes)
    """What else belongs to the commit that starts it."""
    ended: Writes = field(default=_no_writes)
    """What else belongs to the commit that ends it."""
    rescue: Callable[[Doors, str, Operation], Awaitable[bool]] = field(default=_not_rescued)
    """A last look before it is given up: True where it had finished after all, and is completed now."""
    close: Acts = field(default=_nothing)
    """Stop what goes on outside after it ended; called again by the sweep while `remote_open` says so."""


def kind_of(name: OperationKind) -> Kind:
    """The kind of that name; LookupError for one that nothing can drive."""
    match name:
        case "deep_research":
            from shared.research.kind import RESEARCH

            return RESEARCH
        case "memory_generation":
            from shared.memory.kind import MEMORY

            return MEMORY
        case "agent_task":
            from shared.agent_task.kind import AGENT_TASK

            return AGENT_TASK
        case "routine":
            from shared.routines.kind import ROUTINE

            return ROUTINE
        case _:
            raise LookupError(f"nothing drives operations of kind {name}")
