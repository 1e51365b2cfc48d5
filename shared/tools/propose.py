"""Makes a tool that changes something into one that proposes it: what an agent would write, a person approves."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from shared.gateway.tool import Errand, Outcome, Tool
from shared.models.approval import REASON
from shared.models.base import Model
from shared.tools import approvals
from shared.tools.shapes import plain

_HOW = "It is queued for the person's approval, not done."
Check = Callable[[Errand, Any], Awaitable[None]]


class Proposed(Model):
    """The proposal in the place of the change."""

    queued_for_approval: str
    """The approval's id."""
    message: str = "Nothing is changed yet: it waits for the person's word. Go on without waiting for it."


def proposed(tool: Tool[Any], reason: str, check: Check | None = None) -> Tool[Any]:
    """The tool under the same name and with the same arguments, queueing an approval in place of acting.

    `reason` is told to whoever decides; `check` raises where the change could not be made as things are.
    """
    (queue,) = approvals.TOOLS

    async def run(errand: Errand, asked: Model) -> Outcome:
        if check:
            await check(errand, asked)
        arguments = asked.model_dump(mode="json", exclude_none=True)
        wanted = queue.arguments.model_validate(
            {"action": {"tool": tool.name, "arguments": arguments}, "reason": reason[:REASON]}
        )
        queued = (await queue.run(errand, wanted)).result
        return Outcome(plain(Proposed(queued_for_approval=str(queued["approval_id"]))))

    return replace(tool, description=f"{tool.description} {_HOW}", run=run, answer=Proposed, price=None)
