"""A call that a model asks for in a task: whether it can be read, how it stands on record, its errand."""

from shared.agent.model import ToolCall
from shared.gateway.size import size
from shared.gateway.tool import Errand
from shared.services import Services
from shared.store import ledger

SUBJECT = "agent"
"""In whose name a task's tools run: they propose, and a person decides."""
ARGUMENTS = 50_000
"""Bytes of a call's arguments."""


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
