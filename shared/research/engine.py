"""Who does research: the service that is configured, or our own agents. Both stand behind one port.

A run's id says whose it is. Our own agents do it where the person chose so, and where the service is not to be had: it
is not configured, has no such agent for this project, or was out of reach as often as a start is tried. Any other
refusal (a wrong key, a question that it does not take) is for the person to hear of.
"""

import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from shared.errors import MemexError, NotConfigured, Unreachable, Upstream
from shared.events.operation import Progressed
from shared.events.trace import cut
from shared.models.operation import TERMINAL
from shared.operations.amend import amend
from shared.operations.retries import used_up
from shared.operations.transition import Change
from shared.preferences import Preferences
from shared.research.interaction import Interaction
from shared.research.service import Busy, DeepResearch, NotToBeHad
from shared.store.operations import Operations

if TYPE_CHECKING:
    from shared.research.own import OwnResearch
    from shared.services import Services

_OWN = "own:"
_TOLD = 500
_SINCE = "Memex's own agents do it, since Deep Research is not to be had: "

log = logging.getLogger("memex.research")


def is_own(preferences: Preferences) -> bool:
    """Whether the person wants our own agents to do it, which buys no run anywhere."""
    return preferences.research_engine == "local"


def own_run(tenant: str, operation_id: str) -> str:
    """The id of our own agents' run for an operation; known beforehand, so that no start can be lost."""
    return f"{_OWN}{tenant}:{operation_id}"


def is_own_run(run_id: str) -> bool:
    """Whether the run of that id is one of our own agents."""
    return run_id.startswith(_OWN)


def operation_of(run_id: str) -> tuple[str, str]:
    """Tenant and operation of a run of our own agents."""
    tenant, _, operation_id = run_id.removeprefix(_OWN).rpartition(":")
    return tenant, operation_id


async def why_instead(operations: Operations, operation_id: str) -> str:
    """Why our own agents did what the service was meant to, by the operation's log; empty where it says nothing."""
    told = [one.message for one in await operations.log(operation_id) if isinstance(one, Progressed)]
    return next((one.removeprefix(_SINCE) for one in told if one.startswith(_SINCE)), "")


class Engines:
    """DeepResearch by whoever does it. `deep` makes the service's client; NotConfigured where there is none."""

    def __init__(self, services: "Services", deep: Callable[[], DeepResearch]) -> None:
        self._services = services
        self._make = deep
        self._deep: DeepResearch | None = None

    async def create(self, question: str, labels: Mapping[str, str] | None = None) -> str:
        """Start a run with the service; by our own agents where it can't be had."""
        try:
            service = self.deep()
        except NotConfigured as error:
            return await self._instead(question, labels, error)
        try:
            return await service.create(question, labels)
        except NotToBeHad as error:
            return await self._instead(question, labels, error)
        except (Unreachable, Busy) as error:
            # Neither has started anything.
            if await self._tried_enough(labels or {}):
                return await self._instead(question, labels, error)
            raise

    async def _instead(self, question: str, labels: Mapping[str, str] | None, why: MemexError) -> str:
        """Start a run of our own agents; the operation's log tells why."""
        run_id = await self._own.create(question, labels)
        tenant, operation_id = operation_of(run_id)
        status = why.upstream_status if isinstance(why, Upstream) else 0
        log.warning("operation %s is researched by our own agents: %s (HTTP %d)", operation_id, why.code, status)

        def told(change: Change) -> bool:
            if change.operation.status in TERMINAL:
                return False
            words = cut(f"{_SINCE}{why.message}", _TOLD)
            change.progress(change.operation.progress.percent, words)
            return True

        await amend(self._services, tenant, operation_id, told)
        return run_id

    async def get(self, interaction_id: str) -> Interaction:
        """The run as it is; our own agents go on with theirs when they are looked at."""
        return await self._of(interaction_id).get(interaction_id)

    async def cancel(self, interaction_id: str) -> None:
        """Ask it to stop."""
        await self._of(interaction_id).cancel(interaction_id)

    def _of(self, interaction_id: str) -> DeepResearch:
        return self._own if is_own_run(interaction_id) else self.deep()

    def deep(self) -> DeepResearch:
        """The service's client; NotConfigured where there is none."""
        if self._deep is None:
            self._deep = self._make()
        return self._deep

    @property
    def _own(self) -> "OwnResearch":
        # It loads the agent.
        from shared.research.own import OwnResearch

        return OwnResearch(self._services)

    async def _tried_enough(self, labels: Mapping[str, str]) -> bool:
        """Whether this was the last time that the service is asked to start the run."""
        operations = Operations(self._services.documents, labels["tenant"])
        operation = (await operations.get(labels["operation"])).value
        return await used_up(self._services, labels["tenant"], operation.troubles + 1)
