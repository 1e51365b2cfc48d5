"""The gate before a call that a person has to decide about: a host that is not allowed, or a tool that asks first.

It only waits. Who may decide, and what an allowed host means for the tenant, is settled before the run goes on.
"""

from shared.agent.board import Board
from shared.agent.stage import Stage
from shared.models.chat import PendingCall
from shared.models.graph import Decided, Waiting

ALLOWED = ("approve", "egress_allow_once", "egress_allow_always")


async def egress_gate(stage: Stage, board: Board, word: str | None) -> Waiting | None:
    """Wait for the person, or hand on what they said about the first call; the others are looked at anew."""
    waiting = board.waiting
    assert waiting
    if word is None:
        return waiting
    first = waiting.pending[0]
    allowed = word in ALLOWED
    board.decided = Decided(call_id=first.call_id, allowed=allowed, why="" if allowed else _refused(first))
    return None


def _refused(call: PendingCall) -> str:
    host, url = call.blocked_host, call.arguments.get("url")
    if not host:
        return "The person said no."
    # A host that a page leads to was named by whoever wrote that page: a model reads such words as data alone.
    named = not isinstance(url, str) or host in url.lower()
    return f"The person did not allow {host}." if named else "The person did not allow the host that the page leads to."
