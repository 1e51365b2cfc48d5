"""The stand-in on a real loopback port, with a clock that only tests move."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence

import uvicorn
from starlette.applications import Starlette

from infra.local.clock import VirtualClock
from infra.local.research.researcher import Passage
from infra.local.research.service import ResearchService
from shared.net.http import Http
from shared.research.client import InteractionsClient

OWN, FIRST, SECOND = ("01arz3ndektsv4rrffq69g5fa" + last for last in "abc")
NOTES = [
    Passage(OWN, "My question", "How do bees make honey? Honey bees make honey from nectar, I guess."),
    Passage(FIRST, "Honey", "Honey bees collect **nectar** from flowers. Bees turn nectar into honey in the [[hive]]."),
    Passage(SECOND, "Hives", "# Life\n\nA hive holds thousands of bees. Honey is stored in combs by worker bees."),
]


async def retrieve(labels: Mapping[str, str], question: str, limit: int) -> Sequence[Passage]:
    return NOTES[:limit]


async def nothing(labels: Mapping[str, str], question: str, limit: int) -> Sequence[Passage]:
    return []


class Standin:
    """The service, its store and clock, and a client that reaches it over HTTP."""

    def __init__(self, service: ResearchService, clock: VirtualClock, url: str, http: Http) -> None:
        self.service = service
        self.store = service.store
        self.clock = clock
        self.url = url
        self.http = http
        self.client = self.reached_by(key="k3y")

    def reached_by(self, *, key: str = "", first_event_seconds: float = 5.0) -> InteractionsClient:
        async def credentials() -> dict[str, str]:
            return {"x-goog-api-key": key} if key else {}

        return InteractionsClient(self.http, f"{self.url}/v1beta", credentials, first_event_seconds=first_event_seconds)

    async def until(self, happened: Callable[[], bool]) -> None:
        """Let the other side's tasks run until something is so."""
        async with asyncio.timeout(10):
            while not happened():  # what is waited for is a row that another task writes
                await asyncio.sleep(0)


@contextlib.asynccontextmanager
async def serving(service: ResearchService) -> AsyncIterator[str]:
    app = Starlette(routes=service.routes("/research"))
    config = uvicorn.Config(app, port=0, log_level="error", lifespan="off", ws="none", timeout_graceful_shutdown=1)
    config.load()
    server = uvicorn.Server(config)
    server.lifespan = config.lifespan_class(config)
    listener = config.bind_socket()
    # `serve` and `shutdown` sleep a tenth of a second each; without them a test costs milliseconds.
    await server.startup(sockets=[listener])
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/research"
    finally:
        for connection in list(server.server_state.connections):
            connection.shutdown()
        for one in server.servers:
            one.close()
        listener.close()
        await service.aclose()
