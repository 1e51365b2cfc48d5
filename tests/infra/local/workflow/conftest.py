import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path

import httpx
import pytest

from infra.local.clock import Clock, VirtualClock
from infra.local.workflow.engine import Engine
from infra.local.workflow.outside import Connector
from infra.local.workflow.records import Execution

Handler = Callable[[httpx.Request], httpx.Response | Awaitable[httpx.Response]]


async def no_network(request: httpx.Request) -> httpx.Response:
    raise AssertionError(f"unexpected request: {request.url}")


async def until(condition: Callable[[], bool]) -> None:
    """Give the loop turns until something holds; the tests' timeout ends a wait in vain."""
    async with asyncio.timeout(20):
        for _ in iter(condition, True):
            await asyncio.sleep(0)


async def asleep(engine: Engine, execution: str) -> None:
    """Wait until an execution is in a sleep."""
    await until(lambda: any(one.wake is not None for one in engine.get(execution).positions))


class Bench:
    """Makes engines on one folder, with one clock, and runs workflows on them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock: Clock = VirtualClock()
        self.handler: Handler = no_network
        self.connectors: dict[str, Connector] = {}
        self.env: dict[str, Mapping[str, str]] = {}
        self.steps_per_save = 50
        self._engines: list[Engine] = []
        self._clients: list[httpx.AsyncClient] = []

    async def engine(self, *, start: bool = True, **sources: str) -> Engine:
        async def respond(request: httpx.Request) -> httpx.Response:
            response = self.handler(request)
            return response if isinstance(response, httpx.Response) else await response

        client = httpx.AsyncClient(transport=httpx.MockTransport(respond))
        engine = Engine(
            self.folder,
            sources,
            client,
            self.clock,
            sign=lambda audience: f"token for {audience}",
            project="memex-local",
            location="europe-west1",
            env=self.env,
            connectors=self.connectors,
            steps_per_save=self.steps_per_save,
        )
        self._engines.append(engine)
        self._clients.append(client)
        if start:
            await engine.start()
        return engine

    async def run(self, source: str, argument: str = "null") -> Execution:
        engine = await self.engine(flow=source)
        created = await engine.create("flow", argument)
        async with asyncio.timeout(20):
            return await engine.wait(created.id)

    async def result(self, source: str, argument: str = "null") -> str | None:
        finished = await self.run(source, argument)
        assert finished.error is None, finished.error
        return finished.result

    async def failure(self, source: str, argument: str = "null") -> str:
        finished = await self.run(source, argument)
        assert finished.state == "FAILED"
        assert finished.error is not None
        return finished.error.payload

    async def close(self) -> None:
        for engine in self._engines:
            await engine.stop()
        for client in self._clients:
            await client.aclose()


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    one = Bench(tmp_path)
    yield one
    await one.close()
