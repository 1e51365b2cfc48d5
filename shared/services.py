"""The composition root: the one place that knows which implementation stands behind each port."""

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from shared.auth import DeviceKeys, ServiceTokens
from shared.config import Settings
from shared.events.bus import Bus
from shared.operations.execution import Executions
from shared.store.documents import Documents

if TYPE_CHECKING:
    from shared.agent.model import Model
    from shared.enrichment.enricher import Enricher
    from shared.memory.service import MemoryBank
    from shared.research.service import DeepResearch


class Services(ABC):
    """The doors of one process, each made on first use."""

    settings: Settings

    @property
    @abstractmethod
    def documents(self) -> Documents:
        """Where documents live."""

    @property
    @abstractmethod
    def bus(self) -> Bus:
        """Where messages go."""

    @property
    @abstractmethod
    def executions(self) -> Executions:
        """Where workflows run."""

    @property
    @abstractmethod
    def research(self) -> "DeepResearch":
        """Who does research."""

    @property
    @abstractmethod
    def enricher(self) -> "Enricher":
        """Who enriches."""

    @property
    @abstractmethod
    def memory(self) -> "MemoryBank":
        """Where memories are kept; NotConfigured where nothing keeps any."""

    @abstractmethod
    def model(self, name: str) -> "Model":
        """Who answers in chat, by name; empty means the deployment's own."""

    @property
    @abstractmethod
    def device_keys(self) -> DeviceKeys:
        """Who people are."""

    @property
    @abstractmethod
    def service_tokens(self) -> ServiceTokens:
        """Who our own services are."""

    @abstractmethod
    def now(self) -> float:
        """Unix seconds."""

    @abstractmethod
    async def sleep(self, seconds: float) -> None:
        """Wait, on the same clock."""

    def busy(self) -> AbstractContextManager[None]:
        """Marks work in progress, for a clock that would else jump to the next deadline (tests)."""
        return nullcontext()

    def function_url(self, name: str) -> str:
        """Address of a function, and the audience of calls to it."""
        return self.settings.functions_url.replace("{name}", name)

    def public_url(self, name: str) -> str:
        """Address at which a browser finds a function; empty where it is the page's own origin."""
        return "" if self.settings.same_origin else self.function_url(name)


_current: Services | None = None


def use(services: Services) -> None:
    """Make these the services of the process."""
    global _current
    _current = services


def current() -> Services:
    """The services of the process: those in use, else the cloud's, made from the environment on first use."""
    global _current
    if _current is None:
        from shared.cloud import CloudServices

        _current = CloudServices(Settings.from_env())
    return _current
