"""A node's end waits a moment for the next commit: it is stored with it, or soon by itself, and never after it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from shared.agent.model import Answer, Delta, Question, ToolCall
from shared.chat import turns
from shared.chat.record import HOLD_SECONDS, LOOK_SECONDS
from shared.errors import MemexError
from shared.events.trace import ToolResult
from shared.models.base import JsonDict
from shared.models.chat import ChatSession
from shared.store.chats import Chats
from shared.store.documents import Query, Write
from tests.shared.agent.graph.world import TENANT, GraphDesk, Rules


class HoldingDesk(GraphDesk):
    """Its clock says when what is held has waited long enough."""

    def __init__(self, home: Any) -> None:
        super().__init__(home)
        self.long_enough, self.look = asyncio.Event(), asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        events = {HOLD_SECONDS: self.long_enough, LOOK_SECONDS: self.look}
        await events.get(seconds, asyncio.Event()).wait()
        if seconds == LOOK_SECONDS:
            self.look.clear()  # one look at a time: it would look for ever without letting anybody else


class Thinking(Rules):
    """A model that takes its time over some questions: those of the researcher."""

    def __init__(self, slow: Callable[[Question], bool] = lambda question: bool(question.tools)) -> None:
        super().__init__()
        self.slow = slow
        self.asked, self.go = asyncio.Event(), asyncio.Event()

    async def stream(self, question: Question) -> AsyncIterator[Delta | Answer]:
        if self.slow(question):
            self.asked.set()
            await self.go.wait()
        async for piece in super().stream(question):
            yield piece


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[HoldingDesk]:
    made = HoldingDesk(tmp_path)
    yield made
    made.close()


async def kinds(desk: GraphDesk, chat: str) -> list[str]:
    return [event.type for event in await Chats(desk.store, TENANT).events(chat)]


async def session(desk: GraphDesk, chat: str) -> ChatSession:
    return (await Chats(desk.store, TENANT).get(chat)).value


async def checkpoint(desk: GraphDesk, chat: str) -> list[JsonDict]:
    turn = (await session(desk, chat)).turn
    assert turn
    run = f"tenants/{TENANT}/runs/{turn.id}"
    return [document.data for document in await desk.store.query(Query("events", run))]


async def thinking(desk: HoldingDesk) -> tuple[str, Thinking, "asyncio.Task[None]"]:
    """A run whose researcher thinks, with the plan made and not stored yet."""
    chat = await desk.session()
    desk.model = model = Thinking()
    running = asyncio.ensure_future(desk.begin(chat))
    await asyncio.wait_for(model.asked.wait(), 10)
    return chat, model, running


def refusing(desk: GraphDesk, which: Callable[[list[Write]], bool]) -> tuple[Any, asyncio.Event]:
    """The store's commit where it refuses some, and whether it has done so."""
    commit, refused = desk.commits.commit, asyncio.Event()

    async def refuse(writes: list[Write]) -> None:
        if which(writes):
            refused.set()
            raise MemexError("The store has no room.", code="store_failed", next="Make room.")
        await commit(writes)

    return refuse, refused


async def test_where_nobody_thinks_a_nodes_end_is_stored_with_what_comes_next(desk: HoldingDesk) -> None:
    chat = await desk.session()
    commits: list[list[str]] = []
    commit = desk.commits.commit

    async def listed(writes: list[Write]) -> None:
        commits.append([str((write.data or {}).get("type", write.path.split("/")[2])) for write in writes])
        await commit(writes)

    desk.commits.commit = listed  # type: ignore[method-assign]
    await desk.begin(chat)
    begun, planned, noted, answered, halted = commits
    assert begun == ["chat_sessions", "runs", "user"]
    # Below the run lies where it stands.
    assert planned == ["plan", "tool_call", "tool_call", "runs"]
    assert noted[0] == "notes"
    assert answered == ["tool_result", "activity"]
    assert halted[:3] == ["chat_sessions", "runs", "approval_request"]


async def test_while_the_next_node_thinks_it_is_stored_by_itself(desk: HoldingDesk) -> None:
    chat, model, running = await thinking(desk)
    assert await kinds(desk, chat) == ["user"]
    assert await checkpoint(desk, chat) == []
    desk.long_enough.set()
    async with asyncio.timeout(10):
        while await kinds(desk, chat) != ["user", "plan"]:
            await asyncio.sleep(0)
    assert len(await checkpoint(desk, chat)) > 0
    model.go.set()
    await running


async def test_so_is_the_end_of_each_node_after_it(desk: HoldingDesk) -> None:
    chat = await desk.session()
    await desk.step(chat)
    desk.long_enough.set()
    turn = (await session(desk, chat)).turn
    assert turn
    desk.model = model = Thinking(lambda question: True)
    running = asyncio.ensure_future(desk.decide(turn.id, "egress_allow_once"))
    for node in ("planner@1", "researcher@2", "critic@1"):
        # Whoever comes after it is asked.
        await asyncio.wait_for(model.asked.wait(), 10)
        async with asyncio.timeout(10):
            while f"/{node}" not in str(await checkpoint(desk, chat)):
                await asyncio.sleep(0)
        model.asked.clear()
        model.go.set()
        await asyncio.sleep(0)
        model.go.clear()
    running.cancel()
    await asyncio.wait({running})


async def test_a_death_before_that_has_the_node_run_again(desk: HoldingDesk) -> None:
    chat, _, running = await thinking(desk)
    desk.commits.dead = True
    running.cancel()
    await asyncio.wait({running})
    desk.born()
    desk.time += 31
    desk.model = model = Rules()
    assert (await desk.whole(chat))[-1] == "done"
    assert model.questions[0] == "planner"
    assert (await kinds(desk, chat)).count("plan") == 1


async def test_who_has_lost_the_right_to_write_stores_nothing_that_was_held(desk: HoldingDesk) -> None:
    chat, _, running = await thinking(desk)
    chats = Chats(desk.store, TENANT)
    stored = await chats.get(chat)
    assert stored.value.turn
    lost = stored.value.turn.model_copy(update={"status": "interrupted"})
    await desk.store.commit([chats.put(stored.value.changed(desk.now(), turn=lost), stored.version)])
    desk.look.set()
    await asyncio.wait_for(running, 10)
    desk.long_enough.set()
    for _ in range(100):
        await asyncio.sleep(0)
    assert desk.commits.count == 1
    assert await kinds(desk, chat) == ["user"]


async def test_what_could_not_be_stored_by_itself_is_stored_with_what_comes_next(desk: HoldingDesk) -> None:
    chat, model, running = await thinking(desk)
    desk.commits.commit, refused = refusing(desk, lambda writes: True)  # type: ignore[method-assign]
    desk.long_enough.set()
    await asyncio.wait_for(refused.wait(), 10)
    del desk.commits.commit
    model.go.set()
    await running
    turn = (await session(desk, chat)).turn
    assert turn
    assert turn.status == "waiting"
    assert (await kinds(desk, chat))[:3] == ["user", "plan", "tool_call"]
    assert (await desk.whole(chat))[-1] == "done"


async def test_what_the_store_refuses_fails_the_turn_and_leaves_no_gap(desk: HoldingDesk) -> None:
    chat, model, running = await thinking(desk)
    too_large = refusing(desk, lambda writes: any((write.data or {}).get("type") == "plan" for write in writes))
    desk.commits.commit, _ = too_large  # type: ignore[method-assign]
    model.go.set()
    await running
    turn = (await session(desk, chat)).turn
    assert turn
    assert turn.status == "failed"
    events = await Chats(desk.store, TENANT).events(chat)
    assert [(event.seq, event.type) for event in events] == [(1, "user"), (2, "error"), (3, "usage")]
    assert await checkpoint(desk, chat) == []
    # With room again it goes on, from its beginning.
    desk.born()
    desk.model = Rules()
    assert (await desk.whole(chat))[-1] == "done"
    numbers = [event.seq for event in await Chats(desk.store, TENANT).events(chat)]
    assert numbers == list(range(1, len(numbers) + 1))


# -- calls that only look


class Looking(Rules):
    """A model whose researcher looks into the notes, thinks about what it saw, and answers."""

    def __init__(self) -> None:
        super().__init__()
        self.seen, self.go = asyncio.Event(), asyncio.Event()

    async def stream(self, question: Question) -> AsyncIterator[Delta | Answer]:
        if not question.tools:
            yield Answer("OK" if "You review a draft" in question.instruction else "- Look.")
        elif question.messages[-1].role == "tool":
            self.seen.set()
            await self.go.wait()
            yield Answer("Nothing is there.")
        else:
            yield Answer(calls=(ToolCall("look", "search_notes", {"query": "pears"}),))


async def looking(desk: HoldingDesk) -> tuple[str, Looking, "asyncio.Task[None]"]:
    """A run whose researcher thinks about what a look into the notes told."""
    chat = await desk.session()
    desk.model = model = Looking()
    running = asyncio.ensure_future(desk.begin(chat))
    await asyncio.wait_for(model.seen.wait(), 10)
    return chat, model, running


async def test_a_look_and_what_it_told_wait_for_the_next_commit(desk: HoldingDesk) -> None:
    chat, model, running = await looking(desk)
    assert desk.commits.count == 1
    model.go.set()
    await running
    assert desk.commits.count == 2
    assert await kinds(desk, chat) == ["user", "plan", "tool_call", "tool_result", "critique", "approval_request"]


async def test_while_the_model_thinks_about_it_it_is_stored_by_itself(desk: HoldingDesk) -> None:
    chat, model, running = await looking(desk)
    desk.long_enough.set()
    async with asyncio.timeout(10):
        while await kinds(desk, chat) != ["user", "plan", "tool_call", "tool_result"]:
            await asyncio.sleep(0)
    model.go.set()
    await running
    assert await desk.count("activity") == 1


async def test_who_is_stopped_meanwhile_finds_it_answered(desk: HoldingDesk) -> None:
    chat, _, running = await looking(desk)
    turn = (await session(desk, chat)).turn
    assert turn
    await turns.stop(desk.speaker(), turn.id, desk.now())
    desk.look.set()
    await asyncio.wait_for(running, 10)
    events = await Chats(desk.store, TENANT).events(chat)
    assert [event.type for event in events] == ["user", "plan", "tool_call", "tool_result", "error"]
    assert [event.ok for event in events if isinstance(event, ToolResult)] == [True]


async def test_a_death_meanwhile_has_it_done_again(desk: HoldingDesk) -> None:
    chat, _, running = await looking(desk)
    desk.commits.dead = True
    running.cancel()
    await asyncio.wait({running})
    desk.born()
    desk.time += 31
    desk.model = model = Looking()
    model.go.set()
    assert (await desk.whole(chat))[-1] == "done"
    assert (await kinds(desk, chat)).count("tool_call") == (await kinds(desk, chat)).count("tool_result") == 1
