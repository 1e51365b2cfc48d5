"""The composition root of Google Cloud: what stands behind each port there, made on first use."""

import asyncio
import logging
import time
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from shared import log
from shared.agent.model import Model
from shared.auth import DeviceKeys, ServiceTokens
from shared.config import Settings
from shared.enrichment.enricher import Enricher
from shared.events.bus import Bus
from shared.net.http import Http
from shared.operations.execution import Executions, WorkflowExecutions
from shared.research.service import DeepResearch
from shared.services import Services
from shared.store.documents import Documents

if TYPE_CHECKING:
    from shared.memory.service import MemoryBank


class CloudServices(Services):
    """Every door of one function's process."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        log.set_up(logging.INFO)

    @cached_property
    def http(self) -> Http:
        """The pool of connections to the outside."""
        return Http()

    @cached_property
    def documents(self) -> Documents:
        """Firestore."""
        from shared.store.firestore import FirestoreDocuments

        return FirestoreDocuments(self.settings.project)

    @cached_property
    def bus(self) -> Bus:
        """Pub/Sub."""
        from shared.events.pubsub import PubSubBus

        return PubSubBus(self.settings.project)

    @cached_property
    def executions(self) -> Executions:
        """Cloud Workflows."""
        settings = self.settings
        return WorkflowExecutions(settings.project, settings.region, endpoint=settings.executions_endpoint)

    @cached_property
    def research(self) -> DeepResearch:
        """Deep Research; our own agents where that is wanted, or it can't be had."""
        from shared.net.token import GoogleToken
        from shared.research.client import InteractionsClient
        from shared.research.engine import Engines

        return Engines(self, lambda: InteractionsClient.from_settings(self.settings, self.http, GoogleToken()))

    @cached_property
    def memory(self) -> "MemoryBank":
        """Memory Bank."""
        from shared.memory.client import MemoryBankClient
        from shared.net.token import GoogleToken

        return MemoryBankClient.from_settings(self.settings, self.http, GoogleToken())

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
    def device_keys(self) -> DeviceKeys:
        """The key table, mounted from a secret."""
        return DeviceKeys(Path(self.settings.device_keys_file), self.now)

    @cached_property
    def service_tokens(self) -> ServiceTokens:
        """Google's identity tokens."""
        from shared.net.keys import PublishedKeys

        keys = PublishedKeys(self.http, self.settings.identity_keys_url, [self.settings.identity_issuer], self.now)
        return ServiceTokens(keys, self.settings.callers, self.now)

    def now(self) -> float:
        """Unix seconds."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)
