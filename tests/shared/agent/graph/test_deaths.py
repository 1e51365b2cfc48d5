"""A graph run that dies at any commit and goes on elsewhere: the same answer, and each effect as often."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from shared.agent import checkpoint
from shared.agent.model import Answer, Delta, Question, ToolCall
from shared.chat import turns
from shared.errors import Conflict
from shared.events.trace import ToolResult
from shared.models.base import JsonDict
from shared.preferences import Choices, choose
from shared.store.chats import Chats
from shared.store.documents import Query
from tests.fakes.desk import Killed
from tests.shared.agent.graph.world import TENANT, GraphDesk, Rules

MOMENTS = 21
"""More than a run has commits; what lies beyond its end is noticed below."""


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[GraphDesk]:
    made = GraphDesk(tmp_path)
    yield made
    made.close()


async def ended(desk: GraphDesk, chat: str) -> tuple[str, list[int], int, int]:
    """The answer, the numbers of the events, notes, tasks."""
    events = await Chats(desk.store, TENANT).events(chat)
    answers = [event.text for event in events if event.type == "text"]
    return (
        "".join(answers),
        [event.seq for event in events],
        await desk.count("notes"),
        await desk.count("tasks"),
    )


async def test_two_gates_and_a_second_pass_ask_each_agent_as_often_as_needed(desk: GraphDesk) -> None:
    chat = await desk.session()
    assert await desk.whole(chat) == [None, "waiting", "waiting", "done"]
    answer, numbers, notes, tasks = await ended(desk, chat)
    assert (answer, notes, tasks, len(desk.fetched)) == ("Two.", 1, 1, 1)
    assert numbers == list(range(1, len(numbers) + 1))
    assert desk.model.questions == ["planner", *["researcher"] * 2, "critic", *["researcher"] * 2, "critic"]
    assert desk.commits.count < MOMENTS


@pytest.mark.parametrize("at", range(1, MOMENTS + 1))
async def test_a_commit_that_the_store_refuses_once_loses_no_run(desk: GraphDesk, at: int) -> None:
    chat = await desk.session()
    desk.born(at, refuses=True)
    steps = await desk.whole(chat)
    answer, numbers, notes, tasks = await ended(desk, chat)
    assert answer == "Two.", steps
    # Where it was the tool's own commit, the agent was told so.
    events = await Chats(desk.store, TENANT).events(chat)
    done = [event.tool for event in events if isinstance(event, ToolResult) and event.ok]
    assert (notes, tasks) == (done.count("create_note"), done.count("create_tasks"))
    assert notes + tasks >= 1
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(desk.fetched) <= 1


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("at", range(1, MOMENTS + 1))
async def test_a_death_changes_neither_the_answer_nor_the_effects(desk: GraphDesk, at: int, after: bool) -> None:
    chat = await desk.session()
    desk.born(at, after)
    desk.settles = at % 2 == 0
    steps = await desk.whole(chat)
    answer, numbers, notes, tasks = await ended(desk, chat)
    assert (answer, notes, tasks) == ("Two.", 1, 1), steps
    assert numbers == list(range(1, len(numbers) + 1))
    # What began outside and did not end is never done twice.
    assert len(desk.fetched) <= 1
    events = await Chats(desk.store, TENANT).events(chat)
    results = [event for event in events if event.type == "tool_result"]
    called = [event.call_id for event in events if event.type == "tool_call"]
    assert sorted(event.call_id for event in results) == sorted(called)
    fetch = next(event for event in results if event.tool == "http_fetch")
    assert fetch.ok == (len(desk.fetched) == 1) or fetch.result["error"] == "outcome_unknown"


async def test_of_two_words_at_one_moment_one_counts(desk: GraphDesk) -> None:
    chat = await desk.session()
    await desk.step(chat)
    run_id = (await turns.settle(desk.documents, TENANT, chat, desk.now())).turn
    assert run_id
    words = [desk.decide(run_id.id, "egress_allow_once") for _ in range(5)]
    answers = await asyncio.gather(*words, return_exceptions=True)
    assert [type(one) for one in answers].count(Conflict) == 4
    assert len(desk.fetched) == 1


async def test_two_processes_can_not_both_go_on(desk: GraphDesk) -> None:
    chat = await desk.session()
    desk.born(5)
    with pytest.raises(Killed):
        await desk.begin(chat)
    desk.time += 31
    desk.born()
    turn = (await Chats(desk.store, TENANT).get(chat)).value.turn
    assert turn
    answers = await asyncio.gather(*(desk.go_on(turn.id) for _ in range(5)), return_exceptions=True)
    assert [getattr(one, "code", None) for one in answers].count(None) == 1
    assert await desk.count("notes") == 1


async def test_an_interrupted_run_that_is_left_tells_what_became_of_its_calls(desk: GraphDesk) -> None:
    chat = await desk.session()
    for at in range(2, 6):
        desk.born(at)
        with pytest.raises(Killed):
            await desk.begin(chat)
        desk.time += 31
        desk.born()
        settled = await turns.settle(desk.documents, TENANT, chat, desk.now())
        assert settled.turn and settled.turn.status == "interrupted"
    await turns.begin(desk.speaker(), chat, "Something else", desk.now())
    events = await Chats(desk.store, TENANT).events(chat)
    called = {event.call_id for event in events if event.type == "tool_call"}
    assert called == {event.call_id for event in events if event.type == "tool_result"}
    assert [event.seq for event in events] == list(range(1, len(events) + 1))


async def test_a_batch_that_is_too_large_is_stored_in_several(desk: GraphDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, parted = await desk.session(), await desk.session()
    assert (await desk.whole(whole))[-1] == "done"
    monkeypatch.setattr(checkpoint, "LARGEST", 1)
    assert (await desk.whole(parted))[-1] == "done"
    batches: list[list[JsonDict]] = []
    for chat in (whole, parted):
        turn = (await Chats(desk.store, TENANT).get(chat)).value.turn
        assert turn
        batches.append(
            [one.data for one in await desk.store.query(Query("events", f"tenants/{TENANT}/runs/{turn.id}"))]
        )
    few, many = ([len(one["events"]) for one in some] for some in batches)  # type: ignore[arg-type]  # lists of texts
    assert max(few) > 1
    assert set(many) == {1}


class Checking(Rules):
    """A model whose critic looks into the notes before it judges."""

    async def stream(self, question: Question) -> AsyncIterator[Delta | Answer]:
        looked = any(message.answers for message in question.messages)
        if "Your verdict?" in question.messages[-1].text:
            yield Answer("OK")
        elif not question.tools:
            yield Answer("- Answer.")
        elif "Check its claims." in str(question.messages) and not looked:
            yield Answer(calls=(ToolCall("look", "search_notes", {"query": "pears"}),))
        else:
            yield Answer("It is so.")


@pytest.mark.parametrize("at", range(1, 5))
async def test_a_judge_that_dies_while_it_looks_leaves_no_call_open(desk: GraphDesk, at: int) -> None:
    chat = await desk.session()
    await choose(desk.store, desk.settings, TENANT, Choices(verifier_check=True), desk.now())
    desk.model = Checking()
    desk.born(at, after=True)
    steps = await desk.whole(chat)
    assert steps[-1] == "done"
    events = await Chats(desk.store, TENANT).events(chat)
    called = [event.call_id for event in events if event.type == "tool_call"]
    assert called
    assert sorted(called) == sorted(event.call_id for event in events if event.type == "tool_result")
