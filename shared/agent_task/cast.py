"""Who takes part in a task: the model, the kind's tools behind the gateway, the person's settings."""

from dataclasses import dataclass
from typing import Any

from shared.agent.model import OFFLINE, Model
from shared.agent_task.kind import AGENT_TASK
from shared.gateway.gateway import Gateway, Policy
from shared.gateway.tool import Tool
from shared.models.operation import AgentInput
from shared.preferences import Preferences, preferences
from shared.services import Services
from shared.tools.catalog import for_tasks

_REASON = 300
"""Characters of the question in the reason of a proposal."""


@dataclass(frozen=True, slots=True)
class Cast:
    """Who takes part, and under which settings."""

    model: Model
    gateway: Gateway
    preferences: Preferences

    @property
    def offline(self) -> bool:
        """Whether no language model takes part."""
        return self.model.name == OFFLINE


async def cast(services: Services, tenant: str, asked: AgentInput) -> Cast:
    """The cast of a task for this tenant; NotConfigured where the chosen model can't be had."""
    chosen = await preferences(services.documents, services.settings, tenant)
    question = " ".join(asked.question.split())[:_REASON]
    tools: dict[str, Tool[Any]] = (
        for_tasks(f"The agent proposes this for the task: {question}") if chosen.use_tools else {}
    )
    policy = Policy(
        tools=AGENT_TASK.tools,
        approve_tools=chosen.approve_tools,
        egress_enabled=chosen.egress_enabled,
        allowed_hosts=tuple(chosen.allowed_hosts),
        budget_left=None,
    )
    return Cast(services.model(chosen.model), Gateway(tools, policy, services.now), chosen)
