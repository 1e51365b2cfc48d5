"""Loose ends: the calls of a turn that have no answer on record, and what truly became of each."""

from typing import Literal

from shared.events.trace import ToolCall, ToolResult, TraceEvent
from shared.gateway.policy import outward
from shared.models.base import JsonDict, moment
from shared.models.chat import ChatSession
from shared.store import ledger
from shared.store.chats import Chats
from shared.store.documents import Documents

Reason = Literal["interrupted", "abandoned", "expired", "stopped"]
_DECLINED: JsonDict = {
    "error": "declined",
    "message": "The person did not say yes, so it was not done.",
}
_NOT_DONE: JsonDict = {
    "error": "interrupted",
    "message": "The process ended before this was done; nothing was changed.",
}
_UNKNOWN: JsonDict = {
    "error": "outcome_unknown",
    "message": "The process ended while this was under way; look before you do it again.",
}


async def answers_for(
    documents: Documents, tenant: str, session: ChatSession, reason: Reason, now: float
) -> list[ToolResult]:
    """An answer for each call that lacks one, from the ledger of effects. Their numbers are still to be given."""
    turn = session.turn
    assert turn
    events = await Chats(documents, tenant).of_turn(session.id, turn.first_seq)
    return [
        ToolResult.model_validate(
            {
                "seq": 1,
                "at": moment(now),
                "turn": turn.id,
                "tool": call.tool,
                "call_id": call.call_id,
                **await _outcome(documents, tenant, turn.id, call, reason),
            }
        )
        for call in unanswered(events, turn.id)
    ]


def read_others(events: list[TraceEvent]) -> bool:
    """Whether a turn was given text that others may have written: such results are marked."""
    return any(isinstance(event, ToolResult) and "data" in event.result for event in events)


def unanswered(events: list[TraceEvent], turn_id: str) -> list[ToolCall]:
    """The calls of a turn without a result."""
    answered = {event.call_id for event in events if isinstance(event, ToolResult)}
    return [
        event
        for event in events
        if isinstance(event, ToolCall) and event.turn == turn_id and event.call_id not in answered
    ]


async def _outcome(documents: Documents, tenant: str, run_id: str, call: ToolCall, reason: Reason) -> JsonDict:
    if done := await ledger.effect(documents, tenant, run_id, call.call_id):
        told = "Done, but the answer was interrupted before it could say so."
        return {"ok": True, "result": {"id": done.target_id, "message": told}, "undo": done.undo}
    if reason != "interrupted":
        return {"ok": False, "result": _DECLINED}
    return {"ok": False, "result": _UNKNOWN if outward(call.tool) else _NOT_DONE}
