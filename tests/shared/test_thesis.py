"""A person's word on a thesis: its statement, its status, its confidence; each change told, and taken back."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic import ValidationError

from shared import edit
from shared.errors import Conflict, Unprocessable
from shared.events.trace import User
from shared.models.base import JsonDict
from shared.store.notes import Notes
from shared.undo import undo
from tests.fakes.desk import Desk
from tests.shared.tools.using import TENANT, captured, note_of, use


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.close()


async def written(desk: Desk) -> str:
    from shared.tools.catalog import applied
    from tests.shared.tools.using import errand

    tool = applied()["create_thesis"]
    made = await tool.run(errand(desk, "t"), tool.arguments.model_validate({"statement": "Walls ripen pears."}))
    note = made.result["note"]
    assert isinstance(note, dict)
    return str(note["note_id"])


async def revised(desk: Desk, note_id: str, **change: object) -> edit.Revised:
    return await edit.revise(desk.store, TENANT, note_id, edit.Edit.model_validate(change), desk.now())


async def told(desk: Desk, note_id: str) -> JsonDict:
    event = (await Notes(desk.store, TENANT).trace(note_id))[-1]
    assert isinstance(event, User)
    return event.changes


async def test_a_person_changes_statement_status_and_confidence(desk: Desk) -> None:
    note_id = await written(desk)
    wanted = {"statement": " Warm walls ripen pears. ", "status": "validated", "confidence": 80}
    await revised(desk, note_id, thesis=wanted)
    note = await note_of(desk, note_id)
    assert note.thesis and (note.thesis.status, note.thesis.confidence) == ("validated", 80)
    assert note.title == "Warm walls ripen pears."
    assert await told(desk, note_id) == {
        "title": ["Walls ripen pears.", "Warm walls ripen pears."],
        "status": ["draft", "validated"],
        "confidence": [None, 80],
    }
    assert (await revised(desk, note_id, thesis=wanted)).undo is None, "a repeat changes nothing"


async def test_what_is_left_out_stays_and_null_is_nobodys_judgement(desk: Desk) -> None:
    note_id = await written(desk)
    await revised(desk, note_id, thesis={"confidence": 0})
    await revised(desk, note_id, thesis={"status": "active"}, tags=["pears"])
    note = await note_of(desk, note_id)
    assert note.thesis and (note.thesis.status, note.thesis.confidence, note.tags) == ("active", 0, ["pears"])
    await revised(desk, note_id, thesis={"confidence": None})
    note = await note_of(desk, note_id)
    assert note.thesis and note.thesis.confidence is None


@pytest.mark.parametrize("first", [None, 40])
async def test_a_change_of_a_thesis_is_taken_back_in_one_step(desk: Desk, first: int | None) -> None:
    note_id = await written(desk)
    await revised(desk, note_id, thesis={"confidence": first})
    before = await note_of(desk, note_id)
    change = (await revised(desk, note_id, thesis={"statement": "X.", "status": "active", "confidence": 9})).undo
    assert change
    await undo(desk, TENANT, change, desk.now(), None)
    after = await note_of(desk, note_id)
    assert (after.title, after.thesis) == (before.title, before.thesis)
    with pytest.raises(Conflict):
        await undo(desk, TENANT, change, desk.now(), None)


async def test_a_confidence_that_was_judged_again_is_left_alone(desk: Desk) -> None:
    note_id = await written(desk)
    change = (await revised(desk, note_id, thesis={"confidence": 9})).undo
    await revised(desk, note_id, thesis={"confidence": 10})
    assert change
    with pytest.raises(Conflict, match="confidence") as refused:
        await undo(desk, TENANT, change, desk.now(), None)
    assert refused.value.code == "changed_since"


@pytest.mark.parametrize(
    "wrong",
    [
        {"thesis": {"confidence": 101}},
        {"thesis": {"confidence": -1}},
        {"thesis": {"confidence": "80"}},
        {"thesis": {"confidence": True}},
        {"thesis": {"status": "proven"}},
        {"thesis": {"status": None}},
        {"thesis": {"statement": " "}},
        {"thesis": {"statement": None}},
        {"thesis": {"supporting": []}},
        {"thesis": {"statement": "one"}, "title": "another"},
    ],
)
def test_what_is_no_change_of_a_thesis_is_refused(wrong: JsonDict) -> None:
    with pytest.raises(ValidationError):
        edit.Edit.model_validate(wrong)


async def test_only_a_thesis_has_a_status_and_it_keeps_its_statement(desk: Desk) -> None:
    plain = await captured(desk, "no thesis")
    with pytest.raises(Unprocessable) as refused:
        await revised(desk, plain.id, thesis={"status": "active"})
    assert (refused.value.code, refused.value.message.split(":")[0]) == ("not_a_thesis", "thesis")
    note_id = await written(desk)
    for empty in (None, " "):
        with pytest.raises(Unprocessable, match="statement"):
            await revised(desk, note_id, title=empty)
    with pytest.raises(Unprocessable, match="statement"):
        await use(desk, "update_note", {"note_id": note_id, "changes": {"title": ""}})
