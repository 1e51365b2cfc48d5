"""Sources side by side: which there are, and that a broken one keeps nobody waiting."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from infra.local.store.documents import SqliteDocuments
from shared.agent.model import ToolSpec
from shared.agent.retrieval import AT_ONCE, Reach, gather, wired
from shared.capture import Capture, capture
from shared.config import Settings
from shared.errors import Upstream
from shared.gateway.gateway import Done
from shared.models.base import JsonDict
from shared.models.evidence import Passage, SourceKind
from shared.preferences import Preferences, resolved
from tests.fakes.desk import START, Desk


@dataclass
class Fixed:
    """A source that answers what the test says."""

    kind: SourceKind
    answer: Sequence[Passage] | Exception
    running: list[int] = field(default_factory=lambda: [0, 0])

    async def find(self, query: str, limit: int) -> Sequence[Passage]:
        self.running[0] += 1
        self.running[1] = max(self.running)
        await asyncio.sleep(0)
        self.running[0] -= 1
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def passage(url: str) -> Passage:
    return Passage(title=url, url=url, text=url, source_kind="note")


async def test_hits_misses_and_failures_are_told_apart() -> None:
    found = await gather(
        [
            Fixed("note", [passage("a")]),
            Fixed("research", []),
            Fixed("web", Upstream("It failed.")),
            Fixed("memory", RuntimeError("secret words")),
        ],
        "pears",
    )
    assert list(found.found) == ["note"]
    assert (found.nothing, found.failed) == (["research"], ["web", "memory"])


async def test_only_so_many_are_asked_at_once() -> None:
    running = [0, 0]
    await gather([Fixed("note", [], running) for _ in range(9)], "pears")
    assert running[1] <= AT_ONCE


def settings(**chosen: Any) -> Preferences:
    made = Settings(project="p", region="l", device_keys_file="none")
    return resolved(made, chosen).settings


def reach(desk: Desk, *tools: ToolSpec, **chosen: Any) -> Reach:
    async def ask(tool: str, arguments: JsonDict) -> Done | None:
        return None

    here: Any = desk
    return Reach(here, "t", settings(**chosen), tools, ask)


SEARCH = ToolSpec("web_search", "", {})
SERVER = ToolSpec("mcp_x_find", "", {"properties": {"query": {"type": "string"}, "page": {}}, "required": ["query"]})
OTHER = ToolSpec("mcp_x_send", "", {"properties": {"query": {"type": "string"}}, "required": ["query", "to"]})
OPEN = {"egress_enabled": True, "allowed_hosts": ["html.duckduckgo.com"]}


@pytest.fixture
def desk(tmp_path: Any) -> Any:
    made = Desk(tmp_path)
    yield made
    made.close()


async def test_an_empty_house_has_no_sources(desk: Desk) -> None:
    assert await wired(reach(desk, SEARCH, OTHER)) == ()


async def test_sources_are_there_where_they_can_be_asked(desk: Desk) -> None:
    assert isinstance(desk.store, SqliteDocuments)
    await capture(desk.store, "t", Capture(text="Pears ripen in August."), START)
    assert [one.kind for one in await wired(reach(desk, SEARCH))] == ["note"]
    open_reach = reach(desk, SEARCH, SERVER, OTHER, **OPEN)
    assert [one.kind for one in await wired(open_reach)] == ["note", "web", "mcp"]
    found = await gather(await wired(open_reach), "When do pears ripen?")
    # The gateway did not let the tools be asked.
    assert (list(found.found), found.failed) == (["note"], ["web", "mcp"])
    assert found.found["note"][0].text == "Pears ripen in August."
