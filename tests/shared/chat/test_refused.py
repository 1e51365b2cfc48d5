"""A store that takes nothing more while a turn runs: whoever listens is told, and nothing is said to have ended."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from functions.chat import stream
from shared.agent.play import Play
from shared.chat import turns
from shared.chat.live import Live
from shared.errors import MemexError
from tests.fakes.scripted import ScriptedModel, says
from tests.shared.chat.test_deaths import ChatDesk, cast, session, speaker


class Full:
    """A store without room: it is read, and takes nothing."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def commit(self, writes: Any) -> None:
        raise MemexError("The store has no room.", code="store_failed", next="Make room.")


@pytest.fixture
def desk(tmp_path: Path) -> Any:
    made = ChatDesk(tmp_path, research_paid=False)
    yield made
    made.close()


async def played(desk: ChatDesk) -> tuple[Any, Live]:
    """A turn whose answer can't be stored, and whoever is to listen to it."""
    chat = await session(desk)
    begun = await turns.begin(speaker(desk), chat, "Do it", desk.now())
    desk.documents = Full(desk.store)
    live, made = Live(), cast(desk, ScriptedModel([says("Done.")]))
    here: Any = desk
    play = Play(here, speaker(desk), begun, await made, live)
    return play, live


async def test_who_asked_for_the_whole_answer_gets_the_error(desk: ChatDesk) -> None:
    play, live = await played(desk)
    heard = live.listen()
    await play.begin("Do it")
    with pytest.raises(MemexError, match="no room"):
        stream.events_only([one async for one in heard])


async def test_a_stream_ends_with_the_error_and_without_a_done(desk: ChatDesk) -> None:
    play, live = await played(desk)
    answer = stream.running(speaker(desk), desk.chat, live.listen())
    playing = asyncio.ensure_future(play.begin("Do it"))
    frames = b"".join([bytes(piece) async for piece in answer.body_iterator])  # type: ignore[arg-type]  # ours are bytes
    await playing
    assert b"event: error" in frames
    assert b"store_failed" in frames and b"Make room." in frames
    assert b"event: done" not in frames
