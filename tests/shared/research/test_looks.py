"""What a run of our own agents shows while it runs, what its activity says, and which servers it asks."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shared.agent.model import ModelBusy, Question, ToolCall
from shared.agent.models.offline import Offline
from shared.agents import AgentChoice, AgentChoices, save
from shared.events.operation import OperationEvent, Thinking, ToolAnswered, ToolCalled
from shared.gateway.policy import MCP_PREFIX
from shared.models.activity import Activity
from shared.models.mcp import NewMcpServer
from shared.research import steps
from shared.research.shown import shown
from shared.store.activity import Activities
from shared.store.notes import Notes
from shared.store.operations import Operations
from shared.store.runs import Runs
from shared.tools import mcp, mcpservers
from shared.tools.mcp import Toolbox
from tests.fakes.mcpserver import HOST, URL, FakeMcp, running, said, tool
from tests.shared.research.working import QUESTION, TENANT, WALL, ResearchDesk, Rules

FOUND = "Espaliered pears fruit on short spurs, says the pear almanac of the county."
SEARCH = "mcp_almanac_find"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[ResearchDesk]:
    made = ResearchDesk(tmp_path, "local")
    yield made
    made.close()


async def log(desk: ResearchDesk, operation_id: str) -> list[OperationEvent]:
    return await Operations(desk.store, TENANT).log(operation_id)


def told(events: list[OperationEvent]) -> list[str]:
    """The steps in a word each."""
    found: list[str] = []
    for event in events:
        if isinstance(event, Thinking):
            found.append(event.message.partition("\n")[0])
        elif isinstance(event, ToolCalled | ToolAnswered):
            found.append(f"{event.tool_name} {'asked' if isinstance(event, ToolCalled) else 'answered'}")
    return found


async def activity(desk: ResearchDesk) -> list[Activity]:
    found = await Activities(desk.store, TENANT).page()
    return [one for one in found if isinstance(one, Activity)]


# -- steps


async def test_the_operation_shows_what_was_planned_looked_for_read_and_thought(desk: ResearchDesk) -> None:
    await desk.note(WALL)
    operation, asked = await desk.started()
    assert await desk.drive(asked) == "completed"
    events = await log(desk, operation.id)
    assert told(events) == [
        "Planned",
        *("search_notes asked", "search_notes answered"),
        "Read",
        *("search_notes asked", "search_notes answered"),  # the researcher's own
        *("search_notes asked", "search_notes answered"),  # the critic looks again
        "Reviewed the draft: ok",
    ]
    first, answer, read = events[4:7]
    assert isinstance(first, ToolCalled) and first.input == {"query": QUESTION, "limit": 8}
    assert isinstance(answer, ToolAnswered) and [one["title"] for one in answer.output["notes"]] == [WALL]  # type: ignore[union-attr,index,call-overload]
    assert isinstance(read, Thinking) and read.message == f"Read\n\n1 passage found.\n\n- {WALL}"
    made = await activity(desk)
    assert [(one.tool, one.run_id, one.decision, one.ok) for one in made] == [
        ("search_notes", operation.id, "allowed", True)
    ] * 3
    trace = await Notes(desk.store, TENANT).trace(operation.id)
    assert [one.type for one in trace].count("tool_call") == 3
    # What the tools answered is in the trace as well, not its mark alone.
    results = [one.result["result"] for one in trace if one.type == "tool_result"]
    assert all(isinstance(one, dict) and "notes" in one for one in results)


async def test_each_step_is_there_as_soon_as_it_was_made_and_stands_there_once(desk: ResearchDesk) -> None:
    await desk.note(WALL)
    operation, asked = await desk.started()
    model = desk.answering
    assert isinstance(model, Rules)
    # The researcher's first answer fails as often as it may pass; what was done before it is not done or told again.
    held = model._answer

    def failing(question: Question) -> Any:
        answer = held(question)
        if answer[0] == "researcher" and model.asked.count("researcher") < 2:
            model.errors = [ModelBusy()]
        return answer

    model._answer = failing  # type: ignore[method-assign]
    assert (await steps.poll(desk, asked)).status == "running"
    seen = told(await log(desk, operation.id))
    assert seen == ["Planned", "search_notes asked", "search_notes answered", "Read"]
    assert await desk.drive(asked) == "completed"
    assert [told(await log(desk, operation.id)).count(word) for word in ("Planned", "Read")] == [1, 1]


async def test_notes_that_can_not_be_searched_are_told_and_end_nothing(
    desk: ResearchDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> Any:
        raise RuntimeError("secret words")

    monkeypatch.setattr("shared.research.reading.find", broken)
    operation, asked = await desk.started()
    await desk.drive(asked)
    events = await log(desk, operation.id)
    assert any(isinstance(one, Thinking) and "Could not be asked: notes." in one.message for one in events)
    assert "secret" not in json.dumps([one.model_dump(mode="json") for one in events])


# -- connected servers


@pytest.fixture(scope="module")
def listening() -> Iterator[FakeMcp]:
    with running() as fake:
        yield fake


@pytest.fixture
def server(listening: FakeMcp, monkeypatch: pytest.MonkeyPatch) -> FakeMcp:
    listening.begin_anew()
    search = tool("find", "Finds in the almanac.", query={"type": "string"})
    search["inputSchema"]["required"] = ["query"]
    listening.tools = [search, tool("send", "Sends.", to={"type": "string"})]
    listening.answers["find"] = lambda _: said(FOUND)
    monkeypatch.setattr(mcp, "_process", Toolbox(listening.network.reach(listening.port)))
    return listening


class Quoting(Rules):
    """It writes what the server said, and names it."""

    def _answer(self, question: Question) -> tuple[str, str, tuple[ToolCall, ...]]:
        agent, text, calls = super()._answer(question)
        if agent == "researcher" and not calls and f'"link": "tool:{SEARCH}"' in repr(question.messages):
            return agent, f"Pears fruit on short spurs [almanac](tool:{SEARCH}).", ()
        return agent, text, calls


async def connected(desk: ResearchDesk, server: FakeMcp, *approved: str, **choices: Any) -> None:
    """A desk whose person has connected the server."""
    await desk.chose(egress_enabled=True, allowed_hosts=[HOST], **choices)
    wanted = NewMcpServer(name="almanac", url=URL)
    doors: Any = desk
    made = await mcpservers.add(doors, TENANT, wanted, (HOST,), server.network.reach(server.port), key=None)
    await mcpservers.approve(doors, TENANT, made.id, approved, expected=None)
    server.heard.clear()


async def test_an_approved_search_is_asked_once_and_is_a_source_of_the_report(
    desk: ResearchDesk, server: FakeMcp
) -> None:
    desk.answering = Quoting()
    await connected(desk, server, "find", "send")
    operation, asked = await desk.started()
    assert await desk.drive(asked) == "completed"
    # Not once more by the critic: what it would look for is a model's words, and others' text was read.
    assert [one["arguments"] for one in server.calls()] == [{"query": QUESTION}]
    (report,) = await desk.reports()
    (source,) = report.citations
    assert (source.url, source.title, source.quote) == (f"tool:{SEARCH}", "almanac_find", FOUND)
    assert report.body.startswith("Pears fruit on short spurs almanac [cite: 1].")
    ended = await desk.operation(operation.id)
    assert ended.output and ended.output["flags"] == [] and ended.output["claims"][0]["sources"] == ["1"]  # type: ignore[index,call-overload]
    assert "mcp_almanac_find asked" in told(await log(desk, operation.id))
    made = [(one.tool, one.decision) for one in await activity(desk) if one.tool.startswith(MCP_PREFIX)]
    assert sorted(made) == [(SEARCH, "allowed"), (SEARCH, "denied")]


async def test_what_a_server_says_is_in_a_report_by_rule(desk: ResearchDesk, server: FakeMcp) -> None:
    desk.answering = Offline()
    pruned = "Pears grow flat against a wall when they are pruned in July."
    server.answers["find"] = lambda _: said(pruned)
    await connected(desk, server, "find")
    _, asked = await desk.started()
    assert await desk.drive(asked) == "completed"
    (report,) = await desk.reports()
    (source,) = report.citations
    assert (source.url, source.quote) == (
        f"tool:{SEARCH}",
        "Pears grow flat against a wall when they are pruned in July.",
    )
    assert f"{source.quote} [cite: 1]" in report.body


@pytest.mark.parametrize(
    ("approved", "choices"),
    [
        ((), {}),
        (("send",), {}),
        (("find",), {"approve_tools": False}),
        (("find",), {"use_tools": False}),
        (("find",), {"egress_enabled": False}),
        (("find",), {"allowed_hosts": ["elsewhere.example"]}),
    ],
    ids=["not approved", "no search", "asks first", "no tools", "closed", "host not allowed"],
)
async def test_no_other_is_asked(
    desk: ResearchDesk, server: FakeMcp, approved: tuple[str, ...], choices: dict[str, Any]
) -> None:
    await desk.note(WALL)
    await connected(desk, server, *approved)
    await desk.chose(**choices)
    _, asked = await desk.started()
    assert await desk.drive(asked) == "completed"
    assert server.calls() == []


async def test_nor_is_one_that_the_researcher_does_without(desk: ResearchDesk, server: FakeMcp) -> None:
    await desk.note(WALL)
    await connected(desk, server, "find")
    chosen = AgentChoices(agents=[AgentChoice(name="researcher", disabled_tools=[SEARCH])])
    await save(desk.store, TENANT, chosen, desk.now())
    _, asked = await desk.started()
    assert await desk.drive(asked) == "completed"
    assert server.calls() == []


async def test_a_server_that_is_down_is_told_once_and_stops_nobody(desk: ResearchDesk, server: FakeMcp) -> None:
    await desk.note(WALL)
    await connected(desk, server, "find")
    server.tools = []
    operation, asked = await desk.started()
    assert await desk.drive(asked) == "completed"
    events = await log(desk, operation.id)
    missing = [one.message for one in events if isinstance(one, Thinking) and "no longer offers" in one.message]
    assert len(missing) == 1 and missing[0].startswith("Could not be used\n\n")


@pytest.mark.survival(14)
async def test_no_memory_is_used_for_it(desk: ResearchDesk) -> None:
    """It is kept as a note of the whole tenant, and its operation does not know which person asked."""
    await desk.chose(memory_enabled=True)
    await desk.note(WALL)
    desk.bank = None  # whoever asks it fails
    operation, asked = await desk.started()
    assert await desk.drive(asked) == "completed"
    events = await Runs(desk.store, TENANT).events(operation.id)
    assert shown(events) and all(one.type != "recall" for one in events)
