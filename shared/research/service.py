"""The research-service port, and what can go wrong at it. Each error says whether a run may have been started."""

from collections.abc import Mapping
from typing import ClassVar, Protocol

from shared.errors import Upstream
from shared.research.interaction import Interaction


class Busy(Upstream):
    """The service's rate limit; `retry_after` is what it asked for, in seconds."""

    status = 429
    code = "rate_limited"
    retryable: ClassVar[bool] = True

    def __init__(self, message: str, *, retry_after: float | None = None, upstream_status: int = 429) -> None:
        super().__init__(message, next="It is tried again by itself.", upstream_status=upstream_status)
        self.retry_after = retry_after


class Rejected(Upstream):
    """The service said no (4xx); `service_code` is its own word. A look may meet 403 and 404 early and pass later."""

    code = "rejected"

    def __init__(self, message: str, *, service_code: str, upstream_status: int, next: str = "") -> None:
        super().__init__(message, next=next, upstream_status=upstream_status)
        self.service_code = service_code


class NotToBeHad(Rejected):
    """The agent is gone, or not for this project: nothing was started, and asking again won't help."""


class WrongKey(Rejected):
    """The service does not know who asks: nothing was started, and a person has to mend it."""

    code = "wrong_key"


class Trouble(Upstream):
    """The service failed at answering (5xx, or nonsense); that says nothing about the run."""

    code = "service_trouble"
    retryable: ClassVar[bool] = True


class StartUnknown(Upstream):
    """A start was posted and no id came back: a run may be going on. Starting again could buy a second one."""

    code = "start_unknown"


class DeepResearch(Protocol):
    """A service that does long research runs."""

    async def create(self, question: str, labels: Mapping[str, str] | None = None) -> str:
        """Start a run; its id. Unreachable and Busy: nothing started. StartUnknown: may run.

        Rejected: never will; NotToBeHad and WrongKey say so of the agent and of who asks, whatever the question.
        """
        ...

    async def get(self, interaction_id: str) -> Interaction:
        """The run as it is. Busy, Trouble, UpstreamTimeout, Unreachable pass; Rejected is for the caller to judge."""
        ...

    async def cancel(self, interaction_id: str) -> None:
        """Ask it to stop; one that has ended is fine. Trouble may still mean that it stopped: the next `get` tells."""
        ...
