"""Sources side by side: which there are, and that a broken one keeps nobody waiting."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from infra.local.store import conditions
from infra.local.store.documents import SqliteDocuments
from shared.agent.model import ToolSpec
from shared.agent.retrieval import AT_ONCE, HITS, MEMORIES, SERVERS, Memories, Reach, Servers, gather, wired
from shared.capture import Capture, capture
from shared.config import Settings
from shared.edit import discard
from shared.errors import Upstream
from shared.gateway.gateway import Done
from shared.gateway.tool import Outcome
from shared.memory.recall import Remembered
from shared.models.base import JsonDict, moment
from shared.models.evidence import Passage, SourceKind
from shared.models.memory import Origin
from shared.preferences import Preferences, resolved
from shared.store.documents import Document, Query
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


async def test_notes_that_are_all_in_the_bin_are_asked_and_nothing_is_found(desk: Desk) -> None:
    note = (await capture(desk.store, "t", Capture(text="Pears ripen in August."), START)).note
    await discard(desk.store, "t", note.id, START)
    found = await gather(await wired(reach(desk)), "pears")
    assert (found.found, found.nothing, found.failed) == ({}, ["note"], [])


async def test_whether_there_is_a_note_costs_a_look_at_one_document(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(desk.store, SqliteDocuments)
    asked: list[Query] = []
    query = SqliteDocuments.query

    async def listening(store: SqliteDocuments, one: Query) -> list[Document]:
        asked.append(one)
        return await query(store, one)

    monkeypatch.setattr(SqliteDocuments, "query", listening)
    await wired(reach(desk))
    assert len(asked) == 2 and all(one.limit == 1 and conditions.statement(one).bounded for one in asked)
    assert not any(one.descending for one in asked), "which would need an index of its own in Firestore"


# -- memories


def remembered(count: int) -> dict[str, Remembered]:
    origin = Origin(kind="chat", source="x")
    made = [Remembered(f"r{at}", f"I keep {at} bees.", origin, moment(START)) for at in range(count)]
    return {one.passage.url: one for one in made}


async def test_memories_are_a_source_by_reference_and_hold_no_fact(desk: Desk) -> None:
    known = remembered(12)
    made = replace(reach(desk), remembered=known)
    (source,) = await wired(made)
    assert source.kind == "memory"
    found = (await gather([source], "bees")).found["memory"]
    assert len(found) == MEMORIES > HITS
    assert [(one.url, one.text, one.note_id) for one in found[:2]] == [("memory:r0", "", None), ("memory:r1", "", None)]
    assert "bees" not in repr(found)


async def test_where_memory_is_off_there_is_no_such_source(desk: Desk) -> None:
    assert await wired(reach(desk)) == ()
    # It may still be filled: the recall and the wiring are done side by side.
    (source,) = await wired(replace(reach(desk), remembered={}))
    assert isinstance(source, Memories) and not source.remembered


# -- connected servers


def done(text: str, *, ok: bool = True) -> Done:
    entry: Any = None
    return Done({}, ok, Outcome({"text": text}), True, entry)


def found_by(name: str) -> ToolSpec:
    return replace(SERVER, name=name)


async def test_every_server_that_searches_is_asked_side_by_side(desk: Desk) -> None:
    asked: list[str] = []

    async def ask(tool: str, arguments: JsonDict) -> Done | None:
        asked.append(tool)
        answers = {"mcp_a_find": done("A."), "mcp_b_find": None, "mcp_c_find": done("broken", ok=False)}
        return answers[tool]

    names = ("mcp_a_find", "mcp_b_find", "mcp_c_find", "mcp_d_find")
    (source,) = await wired(replace(reach(desk, OTHER, *map(found_by, names)), ask=ask))
    found = await gather([source], "pears")
    assert asked == list(names[:SERVERS])
    assert [(one.url, one.title, one.text) for one in found.found["mcp"]] == [("tool:mcp_a_find", "a_find", "A.")]


@pytest.mark.parametrize("answer", [None, done("broken", ok=False)])
async def test_where_no_server_answers_the_source_has_failed(answer: Done | None) -> None:
    async def ask(tool: str, arguments: JsonDict) -> Done | None:
        return answer

    found = await gather([Servers(("mcp_a_find", "mcp_b_find"), ask)], "pears")
    assert (found.found, found.nothing, found.failed) == ({}, [], ["mcp"])


async def test_a_slow_server_takes_no_other_ones_answer_along(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.agent.retrieval.SERVER_SECONDS", 0)

    async def ask(tool: str, arguments: JsonDict) -> Done | None:
        if tool == "mcp_b_find":
            await asyncio.Event().wait()
        return done("A.")

    found = await gather([Servers(("mcp_a_find", "mcp_b_find"), ask)], "pears")
    assert [one.text for one in found.found["mcp"]] == ["A."]
