"""What the acts of research need from the outside, as one argument. It makes nothing itself."""

from typing import TYPE_CHECKING, Protocol

from shared.config import Settings
from shared.events.bus import Bus
from shared.operations.execution import Executions
from shared.research.service import DeepResearch
from shared.store.documents import Documents

if TYPE_CHECKING:
    from shared.memory.service import MemoryBank


class Doors(Protocol):
    """The doors; shared/services.py has them all."""

    settings: Settings

    @property
    def documents(self) -> Documents:
        """Where documents live."""
        ...

    @property
    def bus(self) -> Bus:
        """Where messages go."""
        ...

    @property
    def executions(self) -> Executions:
        """Where workflows run."""
        ...

    @property
    def research(self) -> DeepResearch:
        """Who does research."""
        ...

    @property
    def memory(self) -> "MemoryBank":
        """Where memories are kept."""
        ...

    def now(self) -> float:
        """Unix seconds."""
        ...


async def wake(doors: Doors, tenant: str) -> None:
    """Say that this tenant's operations changed; whoever hears it looks for itself."""
    await doors.bus.publish("operation-events", {"tenant": tenant})
