"""Who takes part in a run of several agents: the cast of a turn, with the agents' prompts and the researcher's tools.

Nothing is hidden for want of network access: what may not be reached is asked about, at the egress gate.
"""

from dataclasses import dataclass, replace
from typing import Any

from shared.agent.cast import Cast
from shared.agents import prompts_of, read
from shared.gateway.classes import CLASSES, MCP
from shared.gateway.gateway import Gateway, Policy
from shared.gateway.tool import Errand, Outcome, Tool
from shared.models.base import Model
from shared.models.chat import GraphRun
from shared.preferences import Preferences, preferences
from shared.services import Services
from shared.store.calls import CallsOfRun
from shared.store.days import Days, date_of
from shared.tools.catalog import built_in


@dataclass(frozen=True, slots=True)
class Ensemble:
    """The cast, and what each agent is told."""

    cast: Cast
    prompts: dict[str, str]


async def ensemble(services: Services, tenant: str, run: GraphRun | None = None) -> Ensemble:
    """Who takes part; `run` is one that goes on, which keeps its model and the hosts allowed for it alone."""
    chosen = await preferences(services.documents, services.settings, tenant)
    if run:
        chosen = replace(chosen, model=run.model)
    saved = await read(services.documents, tenant)
    open_to = (*chosen.allowed_hosts,) if chosen.egress_enabled else ()
    tools, problems = await _tools(services, tenant, chosen, open_to)

    async def budget_left() -> float:
        day = await Days(services.documents, tenant).get(date_of(services.now()))
        return chosen.daily_budget_usd - day.cost_usd

    policy = Policy(
        tools=frozenset(tools) - saved.disabled_tools(),
        approve_tools=chosen.approve_tools,
        egress_enabled=True,
        allowed_hosts=(*open_to, *(run.allowed_once if run else ())),
        budget_left=budget_left,
    )
    gateway = Gateway(tools, policy, services.now)
    return Ensemble(Cast(services.model(chosen.model), gateway, chosen, problems), prompts_of(saved))


async def _tools(
    services: Services, tenant: str, chosen: Preferences, open_to: tuple[str, ...]
) -> tuple[dict[str, Tool[Any]], tuple[str, ...]]:
    if not chosen.use_tools:
        return {}, ()
    from shared.tools.mcp import tools_for

    further, problems = await tools_for(services, tenant, open_to)
    tools: dict[str, Tool[Any]] = {**built_in(), **further}
    return {name: _told(tool) if repeats(name) else tool for name, tool in tools.items()}, tuple(problems)


def repeats(tool: str) -> bool:
    """Whether a second run of the same call might do something twice: it lies outside, and no ledger knows of it."""
    return CLASSES.get(tool, MCP) == "external" and tool != "start_research"


def _told(tool: Tool[Any]) -> Tool[Any]:
    """The same tool; that it began is on record before it begins."""

    async def run(errand: Errand, arguments: Model) -> Outcome:
        call_id = errand.effect.path.rpartition("/")[2]
        await CallsOfRun(errand.doors.documents, errand.tenant, errand.run_id).begin(call_id)
        return await tool.run(errand, arguments)

    return replace(tool, run=run)
