"""The whole product in one process: functions, store, triggers, bus, engine and stand-ins of one data folder."""

import asyncio
import contextlib
import itertools
import json
import logging
import os
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from infra.local import inside
from infra.local.clock import Clock, RealClock
from infra.local.folder import Folder
from infra.local.fronts import ByPath, BySecret, fronts
from infra.local.guard import Guard
from infra.local.lazily import Lazily
from infra.local.research.service import ResearchService
from infra.local.research.store import ResearchStore
from infra.local.retrieval import retrieve
from infra.local.services import LocalServices, Standin
from infra.local.store import expiry
from infra.local.store.pump import Backoff
from infra.local.store.queue import Deliver, Subscription
from infra.local.store.schema import readable
from infra.local.store.triggers import Triggers
from infra.local.workflow import clock_routes, console, rest, rpc
from infra.local.workflow.engine import Engine
from shared import services
from shared.config import Settings
from shared.errors import MemexError, NotConfigured
from shared.events.bus import SUBSCRIPTIONS
from shared.log import described
from shared.models.base import JsonDict
from shared.net.page import PageReader
from shared.sweep import sweep

PROJECT, LOCATION = "memex-local", "local"
WORKFLOWS = Path(__file__).parents[2] / "workflows"
AGENT_MINUTES = 70
"""More than an agent task may have: the function ends it in time, and the workflow only what the function can't."""
MEMORY_MINUTES = 15
"""What the memory service has for one turn; as long as shared/memory/kind.py says."""
TICK_SECONDS = 30.0
ENDING_ROUNDS = 120
"""Of the sweep, after which documents whose time is over are looked for."""
STANDIN = "/standin"
MEMORY_STANDIN = "/memory-standin"
_JSON = {"Content-Type": "application/json"}

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

    key: str
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
        self._chosen_key = environ.get("MEMEX_DEVICE_KEY")
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
        # A trigger publishes a message, handling that writes the note, and the write is one more trigger, which
        # publishes nothing; one round is to spare.
        for _ in range(3):
            await self.triggers.settled()
            await self.services.bus.settled()

    async def _start(self) -> None:
        stack, current = self._stack, self.services
        stack.callback(self._socket.close)
        services.use(current)
        stack.push_async_callback(current.close)
        current.documents  # noqa: B018  # opened before anything is written: the folder may be somebody else's
        self.key = self._device_key()
        self._inside = await stack.enter_async_context(inside.client(inside.apps()))
        self.research = self._standin()
        stack.push_async_callback(self.research.aclose)
        self.engine = self._engine()
        stack.push_async_callback(self.engine.stop)
        self.guard = Guard(self._app(), self.port)
        self._connect()
        executions = await rpc.serve(self.engine)
        stack.push_async_callback(executions.stop)
        stack.push_async_callback(current.hang_up)
        current.executions_endpoint = f"127.0.0.1:{executions.port}"
        # Before anybody is served: what they begin from here on is alive.
        self._born = self.clock.now()
        server = await stack.enter_async_context(_served(self.guard, self._socket))
        await self.engine.start()
        work = {
            "server": lambda: asyncio.shield(server),
            "triggers": self.triggers.run,
            "bus": current.bus.run,
            "sweep": self._ticking,
        }
        await stack.enter_async_context(_running(work))

    def _device_key(self) -> str:
        key = self.folder.device_key(self._chosen_key)
        try:
            self.services.device_keys.caller(f"Bearer {key}")
        except NotConfigured:
            raise NotConfigured(
                f"{self.folder.device_keys_file} holds an entry that is no device, so nobody would be let in.",
                next="Correct it: each device has key_sha256, tenant and subject.",
            ) from None
        return key

    def _standin(self) -> ResearchService:
        """Research on this machine, reading the notes of whoever asks, and pages where that is allowed."""
        settings = self.services.settings
        if settings.research_service == "none":
            # Runs carry the tenant whose notes are read, so only this process may start one.
            key = secrets.token_urlsafe(24)
            self.services.standin = Standin(url=f"{self.origin}{STANDIN}/v1beta", key=key)
        if not settings.memory_engine:
            memory = f"{self.origin}{MEMORY_STANDIN}/v1beta1"
            self.services.memory_standin = Standin(url=memory, key=secrets.token_urlsafe(24))
        return ResearchService(
            self._research_store(),
            self.clock,
            retrieve(self.services.documents),
            PageReader(settings.allowed_hosts).read if settings.egress_enabled else None,
            duration=self._pace.research_seconds,
            modes=self._pace.failure_modes,
        )

    def _research_store(self) -> ResearchStore:
        file = self.folder.path / "research.db"
        with readable(file):
            store = ResearchStore(file)
        self._stack.callback(store.close)
        return store

    def _engine(self) -> Engine:
        current = self.services
        with readable(self.folder.path / "executions.db"):
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
                    },
                    "agent_task": {
                        "MEMEX_AGENT_URL": current.function_url("agent"),
                        "MEMEX_AGENT_MINUTES": str(AGENT_MINUTES),
                    },
                    "memory": {
                        "MEMEX_MEMORY_URL": current.function_url("memory"),
                        "MEMEX_POLL_SECONDS": str(self._pace.poll_seconds),
                        "MEMEX_MEMORY_MINUTES": str(MEMORY_MINUTES),
                    },
                },
            )

    def _app(self) -> ASGIApp:
        from functions.api.main import app as api
        from functions.capture.main import app as capture
        from functions.chat.main import app as chat

        standin = self.services.standin
        public = fronts(
            capture=capture,
            chat=chat,
            api=api,
            engine=[*rest.routes(self.engine), *console.routes(self.engine)],
            clock=clock_routes.routes(self.engine),
            standin=self.research.routes(STANDIN) if standin else [],
            standin_prefix=STANDIN,
            standin_key=standin.key if standin else "",
            device_keys=self.services.device_keys,
        )
        memory = self.services.memory_standin
        parts = [(MEMORY_STANDIN, BySecret(Lazily(self._memory), memory.key))] if memory else []
        return ByPath(parts, public)

    def _memory(self) -> ASGIApp:
        """The memory bank of this machine, made when somebody asks it."""
        from infra.local.memory.service import serve

        file = self.folder.path / "memory.db"
        with readable(file):
            app, store = serve(file, self.clock, MEMORY_STANDIN, control=self._pace.failure_modes)
        self._stack.callback(store.close)
        return app

    def _connect(self) -> None:
        """Who hears what; the same as the subscriptions in infra/gcp."""
        give_way = self.guard.foreground.give_way
        patience = Backoff(least=1.0)
        # What this very loop works out is ready no sooner for being begun together; it only stands in people's way.
        # A model's answer comes from elsewhere, so several may be waited for.
        at_once = 4 if self.services.settings.enrich_model else 1
        self.services.connect_bus(
            [
                Subscription(
                    function,
                    topic,
                    self._push(function),
                    wanted,
                    concurrency=at_once if function == "enrich" else 4,
                    backoff=patience,
                )
                for function, (topic, wanted) in SUBSCRIPTIONS.items()
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
            concurrency=1,
            yield_to=give_way,
        )

    def _push(self, function: str) -> Deliver:
        async def push(message: JsonDict) -> int:
            return await self.post(function, _JSON, json.dumps(message).encode())

        return push

    async def post(self, function: str, headers: Mapping[str, str], content: bytes) -> int:
        """POST to a private function as its caller in the cloud would; the status."""
        url = self.services.function_url(function)
        token = {"Authorization": f"Bearer {self.services.identity.sign(url)}"}
        with self.clock.busy():
            answer = await self._inside.post(url, content=content, headers={**headers, **token})
        return answer.status_code

    async def _event(self, headers: dict[str, str], body: bytes) -> int:
        return await self.post("fanout", headers, body)

    async def _ticking(self) -> None:
        """At once what a dead process left, then the Scheduler's job at its interval."""
        # No patience: whoever held a lease before this start is dead. People and the bus are at work by now, and may
        # drive the same operation; then it gets two executions, and the second to arrive is told so and ends. To hold
        # them up until the sweep is through would be worse: it may wait for a research service that is far away.
        await _guarded(sweep(self.services, patience=0, born=self._born))
        for round in itertools.count():
            if round % ENDING_ROUNDS == 0:
                await _guarded(expiry.end(self.services.documents))
            await asyncio.sleep(TICK_SECONDS)
            if self._tick:
                await _guarded(self._swept())

    async def _swept(self) -> None:
        status = await self.post("tick", _JSON, b"{}")
        if status != 200:
            log.error("the sweep was answered %d", status)


async def _guarded(sweeping: Awaitable[object]) -> None:
    try:
        await sweeping
    except Exception as error:
        log.error("a sweep failed, and comes again: %s", described(error))


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
async def _served(app: ASGIApp, listening: socket.socket) -> AsyncIterator[asyncio.Task[None]]:
    server = _Server(
        uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=2)
    )
    task = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started and not task.done():  # noqa: ASYNC110  # uvicorn has a flag, no event
        await asyncio.sleep(0.005)
    try:
        yield task
    finally:
        server.should_exit = True
        # Its failure, if any, is told by whoever watches over it.
        await asyncio.gather(task, return_exceptions=True)


class _Server(uvicorn.Server):
    """A server inside a process that has signal handlers of its own."""

    @contextlib.contextmanager
    def capture_signals(self):  # type: ignore[no-untyped-def]  # uvicorn's own signature
        """Leave signals alone."""
        yield


@contextlib.asynccontextmanager
async def _running(work: Mapping[str, Callable[[], Awaitable[None]]]) -> AsyncIterator[None]:
    """Work without an end beside the body. Should one end unbidden, all of it stops, and the body too.

    A product that went on serving would take notes and do nothing with them.
    """
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_endless(name, one), name=name) for name, one in work.items()]
            yield
            for task in tasks:
                task.cancel()
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None


async def _endless(name: str, work: Callable[[], Awaitable[None]]) -> None:
    try:
        await work()
        reason = "it came to an end"
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise  # we are stopping
        reason = "it was cancelled"
    except Exception as error:
        reason = described(error)
    log.critical("%s stopped unbidden: %s", name, reason)
    raise MemexError(
        f"Memex stopped, because a part of it did ({name}: {reason}).",
        code="stopped",
        next="All notes are kept. Start it again; if it stops again, check the disk of the data folder.",
    )
