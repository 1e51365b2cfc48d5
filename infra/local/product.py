"""The whole product in one process: functions, store, triggers, bus, engine and stand-ins of one data folder."""

import asyncio
import contextlib
import logging
import os
import secrets
import socket
from collections.abc import AsyncIterator, Coroutine, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from infra.local import inside
from infra.local.clock import Clock, RealClock
from infra.local.folder import Folder
from infra.local.fronts import fronts
from infra.local.guard import Guard
from infra.local.research.service import ResearchService
from infra.local.research.store import ResearchStore
from infra.local.retrieval import retrieve
from infra.local.services import LocalServices, Standin
from infra.local.store.pump import Backoff
from infra.local.store.queue import Subscription
from infra.local.store.triggers import Triggers
from infra.local.workflow import clock_routes, console, rest, rpc
from infra.local.workflow.engine import Engine
from shared import services
from shared.config import Settings
from shared.errors import NotConfigured
from shared.models.base import JsonDict
from shared.net.page import PageReader
from shared.sweep import sweep

PROJECT, LOCATION = "memex-local", "local"
WORKFLOWS = Path(__file__).parents[2] / "workflows"
TICK_SECONDS = 30.0
STANDIN = "/standin"

log = logging.getLogger("memex.local")


@dataclass(frozen=True, slots=True)
class Pace:
    """What a test may set: time, the pace of research, and whether a request may ask it to fail."""

    clock: Clock | None = None
    research_seconds: float = 3.0
    poll_seconds: int = 1
    failure_modes: bool = False


def settings_for(folder: Folder, environ: Mapping[str, str]) -> Settings:
    """Settings of the local product: the environment's, with what only this machine can know."""
    ours = {
        "MEMEX_PROJECT": PROJECT,
        "MEMEX_REGION": LOCATION,
        "MEMEX_DEVICE_KEYS_FILE": str(folder.device_keys_file),
        "MEMEX_FUNCTIONS_URL": inside.URL,
        "MEMEX_SAME_ORIGIN": "true",
        "MEMEX_FIRST_EVENT_SECONDS": "10",
    }
    settings = Settings.from_env({**environ, **ours, **_chosen(environ, "MEMEX_FIRST_EVENT_SECONDS")})
    # No key, no project: the stand-in does research, from the user's own notes, and costs nothing.
    return settings if settings.research_service != "none" else replace(settings, research_paid=False)


def _chosen(environ: Mapping[str, str], *names: str) -> dict[str, str]:
    return {name: environ[name] for name in names if name in environ}


class Product:
    """One running product; `async with` serves it, going on where the last process left it, however that ended."""

    engine: Engine
    triggers: Triggers
    research: ResearchService

    def __init__(
        self,
        data: Path,
        *,
        port: int = 0,
        environ: Mapping[str, str] = os.environ,
        tick: bool = False,
        pace: Pace | None = None,
    ) -> None:
        self._pace = pace or Pace()
        self._tick = tick
        self.folder = Folder(data)
        self.clock = self._pace.clock or RealClock(self.folder.path / "clock.json")
        self.key = self.folder.device_key(environ.get("MEMEX_DEVICE_KEY"))
        self.services = LocalServices(settings_for(self.folder, environ), self.folder, self.clock)
        self._socket = _listen(port)
        self.port: int = self._socket.getsockname()[1]
        self.origin = f"http://127.0.0.1:{self.port}"
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
        # Twice: delivering a trigger publishes messages, and handling those writes notes, which trigger.
        for _ in range(3):
            await self.triggers.settled()
            await self.services.bus.settled()

    async def _start(self) -> None:
        stack, current = self._stack, self.services
        stack.callback(self._socket.close)
        services.use(current)
        stack.push_async_callback(current.close)
        current.documents  # noqa: B018  # opened first: the folder may be somebody else's
        self._inside = await stack.enter_async_context(inside.client(inside.apps()))
        self.research = self._standin()
        stack.push_async_callback(self.research.aclose)
        self.engine = self._engine()
        stack.push_async_callback(self.engine.stop)
        self.guard = Guard(self._app(), self.port)
        self._connect()
        executions = await rpc.serve(self.engine)
        stack.push_async_callback(executions.stop)
        current.executions_endpoint = f"127.0.0.1:{executions.port}"
        await stack.enter_async_context(_served(self.guard, self._socket))
        await self.engine.start()
        for work in (self.triggers.run(), current.bus.run(), self._ticking()):
            await stack.enter_async_context(_running(work))

    def _standin(self) -> ResearchService:
        """Research on this machine, reading the notes of whoever asks, and pages where that is allowed."""
        settings = self.services.settings
        if settings.research_service == "none":
            # Runs carry the tenant whose notes are read, so only this process may start one.
            key = secrets.token_urlsafe(24)
            self.services.standin = Standin(url=f"{self.origin}{STANDIN}/v1beta", key=key)
        return ResearchService(
            self._own(ResearchStore(self.folder.path / "research.db")),
            self.clock,
            retrieve(self.services.documents),
            PageReader(settings.allowed_hosts).read if settings.egress_enabled else None,
            duration=self._pace.research_seconds,
            modes=self._pace.failure_modes,
        )

    def _own(self, store: ResearchStore) -> ResearchStore:
        self._stack.callback(store.close)
        return store

    def _engine(self) -> Engine:
        current = self.services
        return Engine(
            self.folder.path,
            {file.stem: file.read_text() for file in sorted(WORKFLOWS.glob("*.yaml"))},
            self._inside,
            self.clock,
            sign=current.identity.sign,
            project=PROJECT,
            location=LOCATION,
            env={
                "research": {
                    "MEMEX_RESEARCH_URL": current.function_url("research"),
                    "MEMEX_POLL_SECONDS": str(self._pace.poll_seconds),
                    "MEMEX_RESEARCH_MINUTES": str(current.settings.research_minutes),
                }
            },
        )

    def _app(self) -> ASGIApp:
        from functions.api.main import app as api
        from functions.capture.main import app as capture

        standin = self.services.standin
        return fronts(
            capture=capture,
            api=api,
            engine=[*rest.routes(self.engine), *console.routes(self.engine)],
            clock=clock_routes.routes(self.engine),
            standin=self.research.routes(STANDIN) if standin else [],
            standin_prefix=STANDIN,
            standin_key=standin.key if standin else "",
            device_keys=self.services.device_keys,
        )

    def _connect(self) -> None:
        """Who hears what; the same as the subscriptions in infra/gcp."""
        give_way = self.guard.foreground.give_way
        patience = Backoff(least=1.0)
        self.services.connect_bus(
            [
                Subscription("enrich", "note-events", self._push("enrich"), {"enrich": "true"}, backoff=patience),
                Subscription("research", "note-events", self._push("research"), {"research": "true"}, backoff=patience),
                Subscription("dispatch", "operation-events", self._push("dispatch"), backoff=patience),
            ],
            give_way,
        )
        self.triggers = Triggers(
            self.services.documents,
            self._event,
            clock=self.clock,
            project=PROJECT,
            location=LOCATION,
            backoff=patience,
            yield_to=give_way,
        )

    def _push(self, function: str) -> "_Push":
        return _Push(self, function)

    async def post(self, function: str, *, headers: Mapping[str, str], json: JsonDict | None, content: bytes) -> int:
        """POST to a private function as its caller in the cloud would; the status."""
        url = self.services.function_url(function)
        token = {"Authorization": f"Bearer {self.services.identity.sign(url)}"}
        with self.clock.busy():
            if json is not None:
                answer = await self._inside.post(url, json=json, headers={**headers, **token})
            else:
                answer = await self._inside.post(url, content=content, headers={**headers, **token})
        return answer.status_code

    async def _event(self, headers: dict[str, str], body: bytes) -> int:
        return await self.post("fanout", headers=headers, json=None, content=body)

    async def _ticking(self) -> None:
        """At once what a dead process left, then the Scheduler's job at its interval."""
        try:
            # Nobody else is at work on this folder, so what looks abandoned is.
            await sweep(self.services, patience=0)
        except Exception as error:
            log.error("the first sweep failed: %s", type(error).__name__)
        while self._tick:
            await asyncio.sleep(TICK_SECONDS)
            status = await self.post("tick", headers={}, json={}, content=b"")
            if status != 200:
                log.error("the sweep was answered %d", status)


class _Push:
    """Delivers a message to one function."""

    def __init__(self, product: Product, function: str) -> None:
        self._product = product
        self._function = function

    async def __call__(self, body: JsonDict) -> int:
        return await self._product.post(self._function, headers={}, json=body, content=b"")


def _listen(port: int) -> socket.socket:
    """A socket on the loopback interface only; what is typed here is nobody else's business."""
    # asyncio turns Nagle's algorithm off (40 ms on each answer) only where the protocol is named.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
    except OSError as error:
        listening.close()
        raise NotConfigured(
            f"Port {port} can't be used ({error.strerror}).", next="Stop what listens there, or choose another PORT."
        ) from None
    listening.listen(2048)
    return listening


@contextlib.asynccontextmanager
async def _served(app: ASGIApp, listening: socket.socket) -> AsyncIterator[None]:
    server = _Server(
        uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=2)
    )
    task = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started and not task.done():  # noqa: ASYNC110  # uvicorn has a flag, no event
        await asyncio.sleep(0.005)
    try:
        yield
    finally:
        server.should_exit = True
        await task


class _Server(uvicorn.Server):
    """A server inside a process that has signal handlers of its own."""

    @contextlib.contextmanager
    def capture_signals(self):  # type: ignore[no-untyped-def]  # uvicorn's own signature
        """Leave signals alone."""
        yield


@contextlib.asynccontextmanager
async def _running(work: Coroutine[object, object, None]) -> AsyncIterator[None]:
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
