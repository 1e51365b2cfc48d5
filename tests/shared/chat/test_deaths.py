"""A process that dies between any two uses of a door: each effect once or not at all, and the record says which."""

import asyncio
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from shared.agent.cast import Cast
from shared.agent.play import Play
from shared.chat import turns
from shared.chat.live import Live
from shared.chat.record import HOLD_SECONDS
from shared.chat.turns import Begun, Speaker
from shared.errors import Conflict
from shared.gateway.gateway import Gateway, Policy
from shared.models.chat import ChatSession, Gate
from shared.models.ids import ulid
from shared.preferences import preferences
from shared.store.chats import Chats
from shared.store.documents import Expect, Query
from shared.tools.catalog import built_in
from tests.fakes.desk import Crash, Desk, Killed
from tests.fakes.scripted import ScriptedModel, calls, says

TENANT = "t"


class Death(Crash):
    """A crash after which nothing of the process runs on: not the calls beside the one that died either."""

    dead = False

    async def around(self, act: Any) -> Any:
        if self.dead:
            raise Killed
        try:
            return await super().around(act)
        except Killed:
            self.dead = True
            raise


class ChatDesk(Desk):
    """The doors of a process that holds conversations."""

    chat = ""

    async def sleep(self, seconds: float) -> None:
        """Time stands still here, except for what is held a moment: leases and limits are not what dies."""
        await (asyncio.sleep(0) if seconds == HOLD_SECONDS else asyncio.Event().wait())

    def busy(self) -> AbstractContextManager[None]:
        return nullcontext()


@pytest.fixture
def desk(tmp_path: Path) -> Any:
    made = ChatDesk(tmp_path, research_paid=False)
    yield made
    made.close()


async def cast(desk: ChatDesk, model: ScriptedModel) -> Cast:
    chosen = await preferences(desk.store, desk.settings, TENANT)
    policy = Policy(None, approve_tools=True, egress_enabled=False, allowed_hosts=(), budget_left=None)
    return Cast(model, Gateway(built_in(), policy, desk.now), chosen)


async def session(desk: ChatDesk) -> str:
    from shared.models.base import moment

    made = ChatSession(id=ulid(desk.now()), created_at=moment(desk.now()), updated_at=moment(desk.now()))
    await desk.store.commit([Chats(desk.store, TENANT).put(made, Expect.ABSENT)])
    return made.id


def speaker(desk: ChatDesk) -> Speaker:
    return Speaker(desk.documents, TENANT, "me")


async def play(desk: ChatDesk, begun: Begun, model: ScriptedModel, gate: Gate | None = None) -> None:
    taking_part = await cast(desk, model)
    played: Any = desk
    turn = Play(played, speaker(desk), begun, taking_part, Live())
    await (turn.go_on(gate, "approve") if gate else turn.begin("Do it"))


async def count(desk: ChatDesk, collection: str) -> int:
    return len(await desk.store.query(Query(collection, f"tenants/{TENANT}")))


def script() -> ScriptedModel:
    return ScriptedModel(
        [
            calls(("create_note", {"text": "A thought."}), ("create_tasks", {"tasks": [{"title": "Water"}]})),
            says("Both done."),
        ]
    )


async def uses(folder: Path) -> int:
    """How often an undisturbed turn uses a door."""
    desk = ChatDesk(folder)
    chat = await session(desk)
    desk.reborn()
    await play(desk, await turns.begin(speaker(desk), chat, "Do it", desk.now()), script())
    desk.close()
    return desk.crash.uses


MOMENTS = 20
"""More than a turn uses doors; what lies beyond its end is skipped by the check below."""


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("at", range(1, MOMENTS + 1))
async def test_a_death_leaves_each_effect_once_or_not_at_all(
    desk: ChatDesk, tmp_path_factory: pytest.TempPathFactory, at: int, after: bool
) -> None:
    chat = await session(desk)
    desk.reborn(Death(at, after))
    try:
        await play(desk, await turns.begin(speaker(desk), chat, "Do it", desk.now()), script())
        died = False
    except Killed:
        died = True
    if not died:
        assert at > await uses(tmp_path_factory.mktemp("whole"))
    desk.reborn()
    desk.time += 31
    settled = await turns.settle(desk.documents, TENANT, chat, desk.now())
    events = await Chats(desk.store, TENANT).events(chat)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    if not events:
        assert settled.turn is None
        return
    assert settled.turn
    assert settled.turn.status == ("interrupted" if died and events[-1].type == "error" else "done")
    results = {event.tool: event for event in events if event.type == "tool_result"}
    called = {event.tool for event in events if event.type == "tool_call"}
    assert results.keys() == called
    for tool, collection in (("create_note", "notes"), ("create_tasks", "tasks")):
        made = await count(desk, collection)
        assert made == (1 if tool in results and results[tool].ok else 0)


@pytest.mark.survival(8)
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("at", range(1, MOMENTS + 1))
async def test_a_resumed_run_that_dies_repeats_no_effect(desk: ChatDesk, at: int, after: bool) -> None:
    from shared.capture import Capture, capture

    captured = await capture(desk.store, TENANT, Capture(text="Precious."), desk.now())
    chat = await session(desk)
    desk.reborn()
    wants = calls(("create_note", {"text": "A thought."}), ("delete_note", {"note_id": captured.note.id}))
    begun = await turns.begin(speaker(desk), chat, "Do it", desk.now())
    await play(desk, begun, ScriptedModel([wants]))
    desk.reborn(Death(at, after))
    try:
        resumed, gate = await turns.claim(speaker(desk), begun.run.id, desk.now())
        await play(desk, resumed, ScriptedModel([says("Done.")]), gate)
    except Killed:
        pass
    desk.reborn()
    desk.time += 31
    settled = await turns.settle(desk.documents, TENANT, chat, desk.now())
    assert settled.turn
    events = await Chats(desk.store, TENANT).events(chat)
    results = [event for event in events if event.type == "tool_result"]
    gone = await desk.store.get(f"tenants/{TENANT}/notes/{captured.note.id}")
    assert gone
    assert await count(desk, "notes") == 2
    trace = await desk.store.query(Query("trace", f"tenants/{TENANT}/notes/{captured.note.id}"))
    deleted = [one for one in trace if one.data.get("text") == "Moved to the bin"]
    if settled.turn.status == "waiting":
        # It died before it took the word; the question still stands.
        assert not gone.data["deleted_at"]
        assert len(results) == 1
        return
    assert len(results) == 2
    assert bool(gone.data["deleted_at"]) == results[1].ok == (len(deleted) == 1)


async def test_of_two_words_at_one_moment_one_counts(desk: ChatDesk) -> None:
    from shared.capture import Capture, capture

    captured = await capture(desk.store, TENANT, Capture(text="Precious."), desk.now())
    chat = await session(desk)
    desk.reborn()
    begun = await turns.begin(speaker(desk), chat, "Do it", desk.now())
    await play(desk, begun, ScriptedModel([calls(("delete_note", {"note_id": captured.note.id}))]))
    claims = await asyncio.gather(
        *(turns.claim(speaker(desk), begun.run.id, desk.now()) for _ in range(10)), return_exceptions=True
    )
    assert sum(not isinstance(one, BaseException) for one in claims) == 1
    assert all(isinstance(one, tuple | Conflict) for one in claims)
