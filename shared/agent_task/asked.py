"""A call that a model asks for in a task: whether it can be read, how it and its answer stand on record, its errand."""

from shared.agent.model import ToolCall
from shared.gateway.gateway import Done
from shared.gateway.size import size
from shared.gateway.tool import Errand
from shared.models.base import JsonDict
from shared.services import Services
from shared.store import ledger

SUBJECT = "agent"
"""In whose name a task's tools run: they propose, and a person decides."""
ARGUMENTS = 50_000
"""Bytes of a call's arguments."""
_SOURCES = 20
"""What one answer of a tool may be cited for."""


def unread(call: ToolCall) -> str:
    """Why a call's arguments are not taken; empty where they are."""
    if call.broken:
        return call.broken
    try:
        return "they are too long" if size(call.arguments) > ARGUMENTS else ""
    except (ValueError, TypeError):
        return "they are no JSON"


def call_draft(call: ToolCall, call_id: str) -> dict[str, object]:
    """The call's event, under the id that is ours."""
    return {
        "type": "tool_call",
        "tool": call.tool[:100],
        "call_id": call_id,
        "arguments": {} if unread(call) else call.arguments,
        "signature": call.signature,
    }


def result_draft(call: ToolCall, reply: Done, result: JsonDict | None = None) -> dict[str, object]:
    """The event of a call's answer; `result` is what stands there in place of the tool's own."""
    return {
        "type": "tool_result",
        "tool": call.tool[:100],
        "call_id": call.id,
        "ok": reply.ok,
        "result": reply.result if result is None else result,
        "sources": list(reply.outcome.sources)[:_SOURCES] if reply.outcome else [],
    }


def errand(
    services: Services, tenant: str, operation_id: str, call: ToolCall, addresses: frozenset[str] = frozenset()
) -> Errand:
    """What the gateway is told of the call; `addresses` are those that it may be sent to."""
    return Errand(
        doors=services,
        tenant=tenant,
        subject=SUBJECT,
        session_id="",
        run_id=operation_id,
        effect=ledger.key(tenant, operation_id, call.id, call.tool, call.arguments),
        addresses=addresses,
    )
