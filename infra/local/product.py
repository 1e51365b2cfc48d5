"""The whole product in one process: functions, store, triggers, bus, engine and stand-ins of one data folder."""

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import ASGIApp

from functions.api.main import app as api
from functions.capture.main import app as capture
from infra.local import inside
from infra.local.clock import Clock, RealClock
from infra.local.folder import Folder
from infra.local.guard import Guard
from infra.local.research.researcher import Passage
from infra.local.services import LocalServices
from infra.local.store.queue import Subscription
from infra.local.store.triggers import Triggers
from shared import services
from shared.config import Settings
from shared.models.base import JsonDict
from shared.search import words
from shared.store.notes import Notes
from shared.sweep import sweep

PROJECT, LOCATION = "memex-local", "local"
WORKFLOWS = Path(__file__).parents[2] / "workflows"
TICK_SECONDS = 30.0
STANDIN = "/standin/v1beta1"

log = logging.getLogger("memex.local")


def settings_for(folder: Folder, environ: Mapping[str, str]) -> Settings:
    """Settings of the local product: the environment's, with what only this machine can know."""
    ours = {
        "MEMEX_PROJECT": PROJECT,
        "MEMEX_REGION": LOCATION,
        "MEMEX_DEVICE_KEYS_FILE": str(folder.device_keys_file),
        "MEMEX_FUNCTIONS_URL": inside.URL,
        "MEMEX_SAME_ORIGIN": "true",
    }
    settings = Settings.from_env({**ours, **environ})
    # No key, no project: the stand-in does research, from the user's own notes, and costs nothing.
    return settings if settings.research_service != "none" else replace(settings, research_paid=False)


@dataclass(frozen=True, slots=True)
class Doubles:
    """What a test may replace: time, the pace of research, and whether requests may ask it to fail."""

    clock: Clock | None = None
    research_seconds: float = 3.0
    failure_modes: bool = False


class Product:
    """One running product. `async with` serves it: state goes on where the last process, however it ended, left it."""

    def __init__(
        self,
        data: Path,
        *,
        port: int = 0,
        environ: Mapping[str, str],
        tick: bool = False,
        doubles: Doubles | None = None,
    ) -> None:
        doubles = doubles or Doubles()
        self.folder = Folder(data)
        self.clock = doubles.clock or RealClock(self.folder.path / "clock.json")
        self._doubles = doubles
        self._socket = _listen(port)
        self._port = self._socket.getsockname()[1]
        self.origin = f"http://127.0.0.1:{self._port}"
        self._tick = tick
        self.key = self.folder.device_key(environ.get("MEMEX_DEVICE_KEY"))
        settings = settings_for(self.folder, environ)
        self.services = LocalServices(settings, self.folder, self.clock)
        self._stack = contextlib.AsyncExitStack()

    async def __aenter__(self) -> "Product":
        try:
            await self._start()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def settled(self) -> None:
        """Return once all triggers and messages so far are delivered, or wait for another try."""
        await self.triggers.settled()
        await self.services.bus.settled()

    async def _start(self) -> None:
        stack, current = self._stack, self.services
        stack.callback(self._socket.close)
        services.use(current)
        stack.push_async_callback(current.close)
        self._inside = await stack.enter_async_context(inside.client(inside.apps()))
        self.guard = Guard(self._app(), self._port)
        self._connect_bus()
        self.engine = self._engine()
        stack.push_async_callback(self.engine.stop)
        current.executions_endpoint = await self._serve_executions()
        await stack.enter_async_context(_served(self.guard, self._socket))
        await self.engine.start()
        for work in (self.triggers.run(), current.bus.run(), self._ticking()):
            await stack.enter_async_context(_running(work))

    def _connect_bus(self) -> None:
        """Who hears what, as the subscriptions in infra/gcp say it."""
        give_way = self.guard.foreground.give_way
        self.services.connect_bus(
            [
                Subscription("enrich", "note-events", self._push_to("enrich"), filter={"enrich": "true"}),
                Subscription("research", "note-events", self._push_to("research"), filter={"research": "true"}),
                Subscription("dispatch", "operation-events", self._push_to("dispatch")),
            ],
            give_way,
        )
        self.triggers = Triggers(
            self.services.documents,
            self._post_event,
            clock=self.clock,
            project=PROJECT,
            location=LOCATION,
            yield_to=give_way,
        )
