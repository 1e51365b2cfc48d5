"""The making of memories as a kind of operation. What was asked of the service can't be taken back, only looked at.

What a cancelled one was about to prove is trusted no more: its memories are of unknown origin, and stay out of prompts.
"""

from shared.doors import Doors
from shared.models.operation import Failure, MemoryInput, Operation
from shared.operations.kinds import Kind
from shared.store.documents import Write
from shared.store.memories import Memories

WORKFLOW = "memory"
MINUTES = 15
"""How long the service has. After that nobody knows what it did, and it is not asked again."""

_UNKNOWN = "Nothing it may have written is used before it is proved; it is not asked a second time."
FAILURES: dict[str, tuple[str, str]] = {
    "generation_unknown": (
        "The memory service was asked to remember this turn, and its answer never arrived.",
        f"{_UNKNOWN} Say it again in a new message if it matters.",
    ),
    "deadline_passed": ("The memory service has not finished within the time limit.", _UNKNOWN),
    "memory_refused": (
        "The memory service refused to remember this turn.",
        "Check MEMEX_MEMORY_ENGINE and its rights.",
    ),
    "memory_unavailable": (
        "The memory service could not be reached, or was overloaded, several times in a row.",
        "Nothing was remembered of this turn; say it again in a new message if it matters.",
    ),
    "steps_failed": (
        "The steps that make memories could not be carried out, before anything was asked of the service.",
        "Nothing was remembered of this turn; say it again in a new message if it matters.",
    ),
}


def failure(code: str) -> Failure:
    """The failure with this code."""
    message, following = FAILURES[code]
    return Failure(code=code, message=message, next=following)


def input_of(operation: Operation) -> MemoryInput:
    """Which turn it is about."""
    assert isinstance(operation.input, MemoryInput)
    return operation.input


async def seconds(_doors: Doors, _tenant: str) -> float:
    """The time limit."""
    return MINUTES * 60.0


async def ended(doors: Doors, tenant: str, operation: Operation) -> list[Write]:
    """A cancelled one takes back what it had written down of its memories before they were proved."""
    if operation.status != "cancelled":
        return []
    return await Memories(doors.documents, tenant).unexpect(input_of(operation).turn)


async def rescue(doors: Doors, tenant: str, operation: Operation) -> bool:
    """One more look before it is given up: work that is done is proved and completed."""
    from shared.memory.prove import conclude

    if operation.interaction_id is None:
        return False
    return isinstance(await conclude(doors, tenant, operation, patient=False, last=False), Operation)


MEMORY = Kind(workflow=WORKFLOW, seconds=seconds, late=failure("deadline_passed"), ended=ended, rescue=rescue)
