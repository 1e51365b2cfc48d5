"""The memory bank of a test: the stand-in with a clock that only tests move, reached over HTTP without a socket."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette

from infra.local.clock import Clock, VirtualClock
from infra.local.memory.faults import Faults
from infra.local.memory.service import MemoryService
from infra.local.memory.store import MemoryStore
from infra.local.services import ENGINE
from shared.memory.client import MemoryBankClient
from shared.memory.scope import Scope
from shared.memory.service import Work
from shared.net.http import Http

ROOT = "http://bank.test/v1beta1"


async def key() -> dict[str, str]:
    return {"x-goog-api-key": "k3y"}


class Standin:
    """A bank, its file, its clock, and a client of it."""

    def __init__(self, folder: Path, clock: Clock | None = None) -> None:
        self.file = folder / "memory.db"
        self.clock: Clock = clock or VirtualClock()
        self.store = MemoryStore(self.file)
        self.service = MemoryService(self.store, self.clock, control=True)
        self.app = Starlette(routes=self.service.routes())
        self.http = Http(transport=httpx.ASGITransport(self.app))
        self.client = MemoryBankClient(self.http, ROOT, ENGINE, key)

    def fails(self, **how: Any) -> None:
        """From now on it behaves so."""
        self.service.faults = Faults(**how)

    async def ended(self, work: Work) -> Work:
        """The operation's end."""
        while not work.done:
            work = await self.client.operation(work.name)
        return work

    async def ended_raw(self, answer: httpx.Response) -> None:
        """The end of what a bare request began."""
        await self.ended(Work(answer.raise_for_status().json()["name"], done=False))

    async def told(self, scope: Scope, *said: str, source: str = "evt-1") -> Work:
        """A generation from what a person said, to its end."""
        return await self.ended(await self.client.generate(scope, said, source))

    async def facts(self, scope: Scope) -> set[str]:
        """What is kept of a scope."""
        return {row.fact for row in await self.client.inventory(scope)}

    def everything(self) -> Sequence[tuple[Any, ...]]:
        """All rows of the file."""
        return self.store._db.execute("SELECT * FROM memories ORDER BY id").fetchall()

    async def aclose(self) -> None:
        await self.http.aclose()
        self.store.close()
