"""The composition root of the local product: which local thing stands behind each port."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from infra.local.clock import Clock
from infra.local.folder import Folder, usable
from infra.local.identity import ACCOUNT, LocalIdentity
from infra.local.store.documents import SqliteDocuments
from infra.local.store.queue import SqliteBus, Subscription
from shared.agent.model import Model
from shared.auth import DeviceKeys, ServiceTokens
from shared.config import Settings
from shared.enrichment.enricher import Enricher
from shared.errors import NotConfigured
from shared.net.http import Http
from shared.net.token import GoogleToken
from shared.operations.execution import Executions, WorkflowExecutions
from shared.research.client import InteractionsClient
from shared.research.engine import Engines
from shared.research.service import DeepResearch
from shared.services import Services

if TYPE_CHECKING:
    from shared.memory.service import MemoryBank

ENGINE = "projects/memex-local/locations/local/reasoningEngines/1"
"""The stand-in's one memory bank."""


@dataclass(frozen=True, slots=True)
class Standin:
    """Where a stand-in for an outside service listens, and the key that it wants."""

    url: str
    key: str


class LocalServices(Services):
    """Every door of the product on this machine; the host connects the bus and says where the engine listens."""

    def __init__(self, settings: Settings, folder: Folder, clock: Clock) -> None:
        self.settings = settings
        self.folder = folder
        self.clock = clock
        self.executions_endpoint = ""
        self.http = Http()
        self.standin: Standin | None = None
        self.memory_standin: Standin | None = None
        self._bus: SqliteBus | None = None

    @cached_property
    def documents(self) -> SqliteDocuments:
        """SQLite."""
        return SqliteDocuments(self.folder.path, now=self.now)

    @property
    def bus(self) -> SqliteBus:
        """The durable queue."""
        if self._bus is None:
            raise NotConfigured("The bus is not connected yet.")
        return self._bus

    def connect_bus(
        self, subscriptions: Sequence[Subscription], yield_to: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        """Make the bus, with those who hear it."""
        self._bus = SqliteBus(
            self.documents, subscriptions, clock=self.clock, project=self.settings.project, yield_to=yield_to
        )

    @cached_property
    def executions(self) -> Executions:
        """The engine, by the same client that talks to Google."""
        return WorkflowExecutions(self.settings.project, self.settings.region, endpoint=self.executions_endpoint)

    @cached_property
    def research(self) -> DeepResearch:
        """The stand-in, or the real service where one is configured; our own agents where that is wanted."""
        settings = self.settings
        if self.standin is not None:
            settings = replace(settings, research_url=self.standin.url, gemini_api_key=self.standin.key)
        return Engines(self, lambda: InteractionsClient.from_settings(settings, self.http, GoogleToken()))

    @cached_property
    def memory(self) -> "MemoryBank":
        """The stand-in, or the real service where one is configured."""
        from shared.memory.client import MemoryBankClient

        standin = self.memory_standin
        if standin is None:
            return MemoryBankClient.from_settings(self.settings, self.http, GoogleToken())

        async def key() -> dict[str, str]:
            return {"x-goog-api-key": standin.key}

        return MemoryBankClient(self.http, standin.url, ENGINE, key)

    @cached_property
    def enricher(self) -> Enricher:
        """The rules, or a model where one is configured."""
        from shared.enrichment.enricher import from_settings

        return from_settings(self.settings, self.http)

    @cached_property
    def _models(self) -> dict[str, Model]:
        return {}

    def model(self, name: str) -> Model:
        """The model of that name, made once."""
        if name not in self._models:
            from shared.agent.models.choose import from_settings

            self._models[name] = from_settings(self.settings, self.http, wanted=name or None)
        return self._models[name]

    @cached_property
    def identity(self) -> LocalIdentity:
        """Signs and checks our own services' tokens."""
        with usable(self.folder.signing_key_file):
            return LocalIdentity(self.folder.signing_key(), self.now)

    @cached_property
    def device_keys(self) -> DeviceKeys:
        """The key table in the folder."""
        return DeviceKeys(self.folder.device_keys_file, self.now)

    @cached_property
    def service_tokens(self) -> ServiceTokens:
        """Checks tokens by the local key."""
        return ServiceTokens(self.identity, [ACCOUNT], self.now)

    def now(self) -> float:
        """Unix seconds, by the local clock."""
        return self.clock.now()

    async def sleep(self, seconds: float) -> None:
        """Wait, by the local clock."""
        await self.clock.sleep(seconds)

    def busy(self) -> AbstractContextManager[None]:
        """Marks work in progress."""
        return self.clock.busy()

    async def hang_up(self) -> None:
        """Close the line to the engine; it comes before the engine's own end, or gRPC complains aloud."""
        if "executions" in self.__dict__ and isinstance(self.executions, WorkflowExecutions):
            await self.executions.close()

    async def close(self) -> None:
        """Give everything back."""
        await self.http.aclose()
        if "documents" in self.__dict__:
            self.documents.close()
