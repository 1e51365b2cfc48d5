"""Agent tasks as a kind of operation: their workflow, their time, their tools, and what is saved when time is over."""

from shared.agent_task.failure import failure
from shared.doors import Doors
from shared.models.operation import Operation
from shared.operations.kinds import Kind
from shared.preferences import preferences

WORKFLOW = "agent_task"
TOOLS = frozenset(
    {
        "search_research",
        "search_notes",
        "get_note",
        "http_fetch",
        "fetch_market_data",
        "calculator",
        "current_time",
        "create_note",
        "create_thesis",
        "add_evidence",
        "generate_artifact",
        "ask_user",
    }
)


async def seconds(doors: Doors, tenant: str) -> float:
    """How long one task may take."""
    return (await preferences(doors.documents, doors.settings, tenant)).task_timeout_seconds


async def rescue(doors: Doors, tenant: str, operation: Operation) -> bool:
    """Of one that is out of time, what it found is its result."""
    from shared.agent_task.finish import out_of_time
    from shared.operations.drive import overdue

    return overdue(doors, operation) and await out_of_time(doors, tenant, operation)


AGENT_TASK = Kind(workflow=WORKFLOW, seconds=seconds, late=failure("deadline_exceeded"), tools=TOOLS, rescue=rescue)
