"""Going on from a former run: a task that is started anew begins with what an earlier one on the same had paid for."""

from collections.abc import Sequence

from shared.agent_task.standing import OURS, standing
from shared.doors import Doors
from shared.events.trace import ToolCall, ToolResult, TraceEvent, User
from shared.models.base import JsonDict, moment
from shared.models.operation import Operation
from shared.store import ledger
from shared.store.operations import Operations
from shared.store.runs import Runs

LOOK = 20
"""Newest tasks among which a former run is looked for."""
DAYS = 7
"""How old one may be: what it read may have changed since."""
_NOT_DONE: JsonDict = {
    "error": "interrupted",
    "message": "The run ended before this was done; nothing was changed.",
    "next": "Call it again where it is still wanted.",
}


async def former_events(doors: Doors, tenant: str, operation: Operation) -> list[TraceEvent]:
    """The events of the newest unfinished run on the same input that had asked a model; else none.

    They keep their own `turn`, so that they count as the former run's. Calls that it left open get what the ledger
    knows of them. What it had gathered is left to be read anew, since that costs nothing.
    """
    operations, runs = Operations(doors.documents, tenant), Runs(doors.documents, tenant)
    oldest = moment(doors.now() - DAYS * 86_400)
    # Not those before this one's id: within a millisecond, order of id says nothing.
    for one in await operations.page(kind="agent_task", limit=LOOK):
        if one.id == operation.id or one.created_at < oldest or not _goes_on(one, operation):
            continue
        events = await runs.events(one.id)
        if standing(events, one.id).answers:
            return await _closed(doors, tenant, one.id, events)
    return []


def _goes_on(former: Operation, operation: Operation) -> bool:
    ended = former.status in ("failed", "cancelled") or (former.status == "completed" and former.partial is not None)
    return ended and former.input == operation.input


async def _closed(doors: Doors, tenant: str, run_id: str, events: Sequence[TraceEvent]) -> list[TraceEvent]:
    answered = {event.call_id for event in events if isinstance(event, ToolResult)}
    kept: list[TraceEvent] = []
    loose: list[TraceEvent] = []
    for event in events:
        # A form is filled in once more, over everything that the new run finds.
        if isinstance(event, User) or (isinstance(event, ToolResult) and event.call_id in OURS):
            continue
        kept.append(event)
        if isinstance(event, ToolCall) and event.call_id not in answered:
            target = await ledger.target(doors.documents, tenant, run_id, event.call_id)
            result: JsonDict = {"id": target, "message": "Done."} if target else _NOT_DONE
            loose.append(
                ToolResult(
                    seq=1,
                    at=event.at,
                    turn=event.turn,
                    tool=event.tool,
                    call_id=event.call_id,
                    ok=target is not None,
                    result=result,
                )
            )
    return [*kept, *loose]
