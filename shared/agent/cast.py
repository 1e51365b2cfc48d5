"""Who takes part in a turn: the model, the tools behind the gateway, the person's settings."""

from dataclasses import dataclass
from typing import Any

from shared.agent.model import OFFLINE, Model
from shared.gateway.gateway import Gateway, Policy
from shared.gateway.tool import Tool
from shared.preferences import Preferences, preferences
from shared.services import Services
from shared.store.days import Days, date_of
from shared.tools.catalog import built_in


@dataclass(frozen=True, slots=True)
class Cast:
    """Who takes part, and under which settings. `problems` are told in the turn (an unreachable server)."""

    model: Model
    gateway: Gateway
    preferences: Preferences
    problems: tuple[str, ...] = ()

    @property
    def offline(self) -> bool:
        """Whether no language model takes part."""
        return self.model.name == OFFLINE


async def cast(services: Services, tenant: str) -> Cast:
    """The cast of a turn for this tenant; NotConfigured where the chosen model can't be had."""
    chosen = await preferences(services.documents, services.settings, tenant)
    tools: dict[str, Tool[Any]] = dict(built_in()) if chosen.use_tools else {}
    problems: tuple[str, ...] = ()
    if chosen.use_tools:
        further, told = await _servers(services, tenant, chosen)
        tools |= further
        problems = tuple(told)

    async def budget_left() -> float:
        day = await Days(services.documents, tenant).get(date_of(services.now()))
        return chosen.daily_budget_usd - day.cost_usd

    policy = Policy(
        tools=None,
        approve_tools=chosen.approve_tools,
        egress_enabled=chosen.egress_enabled,
        allowed_hosts=tuple(chosen.allowed_hosts),
        budget_left=budget_left,
    )
    return Cast(services.model(chosen.model), Gateway(tools, policy, services.now), chosen, problems)


async def _servers(services: Services, tenant: str, chosen: Preferences) -> tuple[dict[str, Tool[Any]], list[str]]:
    """The tools of the tenant's own servers, loaded only where there are any."""
    from shared.tools.mcp import tools_for

    return await tools_for(services, tenant, tuple(chosen.allowed_hosts) if chosen.egress_enabled else ())
