"""All tools of our own, by name. What each may do stands in shared/gateway/classes.py."""

from typing import Any

from shared.gateway.tool import Tool


def built_in() -> dict[str, Tool[Any]]:
    """The tools of the chat. What reaches the outside is loaded only here, on first use."""
    from shared.tools import approvals, calculator, clock, notes, research, tasks, undo, web

    ours = (notes, tasks, undo, research, approvals, calculator, clock)
    return {tool.name: tool for module in ours for tool in module.TOOLS} | web.TOOLS


def applied() -> dict[str, Tool[Any]]:
    """Every tool that a person can be asked to approve, acting at once: for whoever carries an approval out."""
    from shared.tools import thesis

    return built_in() | {tool.name: tool for tool in thesis.TOOLS}


def for_tasks(reason: str) -> dict[str, Tool[Any]]:
    """The tools of agent tasks. Whatever would change a note is proposed, with this reason, and never done."""
    from shared.net import market as provider
    from shared.tools import artifact, ask, market, reports, thesis
    from shared.tools.propose import proposed

    chat = built_in()
    read = [chat[name] for name in ("search_notes", "get_note", "http_fetch", "calculator", "current_time")]
    writes = [proposed(chat["create_note"], reason), *(proposed(one, reason, thesis.possible) for one in thesis.TOOLS)]
    ours = [*reports.TOOLS, *read, *writes, *artifact.TOOLS, *market.tools(provider.configured), *ask.TOOLS]
    return {tool.name: tool for tool in ours}
