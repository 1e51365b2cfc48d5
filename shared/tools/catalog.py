"""All tools of our own, by name. What each may do stands in shared/gateway/classes.py."""

from typing import Any

from shared.gateway.tool import Tool


def built_in() -> dict[str, Tool[Any]]:
    """The tools. What reaches the outside is loaded only here, on first use."""
    from shared.tools import approvals, calculator, clock, notes, research, tasks, web

    ours = (notes, tasks, research, approvals, calculator, clock)
    return {tool.name: tool for module in ours for tool in module.TOOLS} | web.TOOLS
