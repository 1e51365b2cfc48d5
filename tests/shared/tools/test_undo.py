"""The tool that takes back the last change of a conversation: once, with the button's own key, and nothing earlier."""

import json
from pathlib import Path

import pytest

from shared import edit
from shared.errors import Conflict, Forbidden, NotFound
from shared.events.trace import TRACE_EVENT, Undo
from shared.gateway.tool import Outcome
from shared.models.base import moment
from shared.models.chat import ChatSession
from shared.store import effects
from shared.store.chats import Chats
from shared.store.documents import Expect
from shared.store.tasks import Tasks
from shared.undo import button, undo
from tests.fakes.desk import Crash, Desk, Killed
from tests.shared.tools.using import SESSION, TENANT, captured, everything, note_of, use

TURNS = ("01j0000000000000000000000a", "01j0000000000000000000000b")


class Talk:
    """A conversation on record, without its words."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.chats = Chats(desk.store, TENANT, "me")
        self.seq = 0

    async def begins(self, subject: str = "me") -> None:
        now = moment(self.desk.now())
        session = ChatSession(id=SESSION, created_at=now, updated_at=now, subject=subject)
        await self.desk.store.commit([self.chats.put(session, Expect.ABSENT)])

    async def tells(self, outcome: Outcome, turn: str = TURNS[0]) -> int:
        self.seq += 1
        event = TRACE_EVENT.validate_python(
            {
                "seq": self.seq,
                "at": moment(self.desk.now()),
                "turn": turn,
                "type": "tool_result",
                "tool": "x",
                "ok": True,
                "result": outcome.result,
                "undo": outcome.undo,
            }
        )
        await self.desk.store.commit(self.chats.put_events(SESSION, [event]))
        return self.seq


async def talk_on(desk: Desk) -> Talk:
    talk = Talk(desk)
    await talk.begins()
    return talk


async def back(desk: Desk, call: str = "u1") -> Outcome:
    return await use(desk, "undo_change", {}, call)


async def test_the_last_change_is_taken_back_and_then_there_is_no_more(desk: Desk) -> None:
    talk, note = await talk_on(desk), await captured(desk, "a pear", title="before")
    await talk.tells(await use(desk, "update_note", {"note_id": note.id, "changes": {"title": "one"}}, "c1"))
    await talk.tells(await use(desk, "update_note", {"note_id": note.id, "changes": {"title": "two"}}, "c2"), TURNS[1])
    outcome = await back(desk)
    assert outcome.result == {"undone": "note_changed", "note_id": note.id, "left": 0} and outcome.undo is None
    assert (await note_of(desk, note.id)).title == "one"
    await talk.tells(outcome, TURNS[1])
    with pytest.raises(NotFound, match="taken back already"):
        await back(desk, "u2")
    assert (await note_of(desk, note.id)).title == "one", "an earlier request stays as it is"


async def test_of_a_request_that_changed_several_things_each_word_takes_back_one(desk: Desk) -> None:
    talk = await talk_on(desk)
    made = await use(desk, "create_note", {"text": "a"}, "c1")
    added = await use(desk, "create_tasks", {"tasks": [{"title": "b"}]}, "c2")
    await talk.tells(made)
    await talk.tells(added)
    first = (await back(desk)).result
    assert (first["undone"], first["left"]) == ("tasks_created", 1)
    (task,) = await Tasks(desk.store, TENANT).page(limit=5)
    assert task.status == "dropped"
    second = (await back(desk, "u2")).result
    assert (second["undone"], second["left"]) == ("note_created", 0)
    assert (await note_of(desk, str(second["note_id"]))).deleted_at is not None


async def test_a_repeat_of_the_call_answers_the_same_and_changes_nothing(desk: Desk) -> None:
    talk, note = await talk_on(desk), await captured(desk, "a pear")
    await talk.tells(await use(desk, "delete_note", {"note_id": note.id}, "c1"))
    first, before = await back(desk), await everything(desk)
    assert (await back(desk)).result == first.result
    assert await everything(desk) == before and (await note_of(desk, note.id)).deleted_at is None


async def test_the_button_and_the_tool_take_a_change_back_once(desk: Desk) -> None:
    talk, note = await talk_on(desk), await captured(desk, "a pear", title="before")
    changed = await use(desk, "update_note", {"note_id": note.id, "changes": {"title": "one"}}, "c1")
    seq = await talk.tells(changed)
    assert changed.undo
    await back(desk)
    await edit.edit(desk.store, TENANT, note.id, edit.Edit(title="mine"), desk.now())
    await undo(desk, TENANT, changed.undo, desk.now(), button(TENANT, SESSION, seq))
    assert (await note_of(desk, note.id)).title == "mine", "the button finds that it was done"


async def test_what_the_button_took_back_is_not_taken_back_again(desk: Desk) -> None:
    talk, note = await talk_on(desk), await captured(desk, "a pear")
    deleted = await use(desk, "delete_note", {"note_id": note.id}, "c1")
    change: Undo | None = deleted.undo
    assert change
    await undo(desk, TENANT, change, desk.now(), button(TENANT, SESSION, await talk.tells(deleted)))
    with pytest.raises(NotFound, match="taken back already"):
        await back(desk)


async def test_what_was_changed_since_is_left_and_said(desk: Desk) -> None:
    talk, note = await talk_on(desk), await captured(desk, "a pear", title="before")
    await talk.tells(await use(desk, "update_note", {"note_id": note.id, "changes": {"title": "one"}}, "c1"))
    await edit.edit(desk.store, TENANT, note.id, edit.Edit(title="mine"), desk.now())
    with pytest.raises(Conflict, match="changed again since"):
        await back(desk)
    assert (await note_of(desk, note.id)).title == "mine"


async def test_where_nothing_was_changed_there_is_nothing_to_take_back(desk: Desk) -> None:
    talk = await talk_on(desk)
    with pytest.raises(NotFound, match="Nothing was changed"):
        await back(desk)
    await talk.tells(Outcome({"notes": []}))
    with pytest.raises(NotFound, match="Nothing was changed"):
        await back(desk, "u2")


async def test_a_conversation_of_somebody_else_is_not_read(desk: Desk) -> None:
    talk, note = Talk(desk), await captured(desk, "a pear")
    await talk.begins("ada")
    await talk.tells(await use(desk, "delete_note", {"note_id": note.id}, "c1"))
    with pytest.raises(Forbidden):
        await back(desk)
    assert (await note_of(desk, note.id)).deleted_at is not None


@pytest.mark.parametrize("died_after", [False, True])
async def test_a_death_at_any_moment_takes_back_once_or_not_at_all(tmp_path: Path, died_after: bool) -> None:
    for at in range(1, 60):
        desk = Desk(tmp_path / f"{at}")
        talk, note = await talk_on(desk), await captured(desk, "a pear", title="before")
        changed = await use(desk, "update_note", {"note_id": note.id, "changes": {"title": "one"}}, "c1")
        seq = await talk.tells(changed)
        desk.reborn(Crash(at=at, after=died_after))
        try:
            await back(desk)
        except Killed:
            pass
        else:
            desk.close()
            assert at > 5
            return
        desk.reborn()
        assert json.dumps((await back(desk)).result) == json.dumps(
            {"undone": "note_changed", "note_id": note.id, "left": 0}
        )
        assert (await note_of(desk, note.id)).title == "before"
        assert await effects.known(desk.store, button(TENANT, SESSION, seq), desk.now())
        desk.close()
    raise AssertionError("it never came to an end")
