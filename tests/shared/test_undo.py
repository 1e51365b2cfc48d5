import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared import edit, task
from shared.changes import NEW, OLD, Recorded, pieces, recorded, told_new
from shared.enrichment.apply import apply
from shared.enrichment.proposal import Proposal
from shared.errors import Conflict, NotFound
from shared.events.trace import NoteChanged, TaskChanged, TasksCreated, Undo, User
from shared.models.base import JsonDict, moment
from shared.models.note import Note
from shared.research import claim
from shared.store.answers import Key
from shared.store.documents import Query
from shared.store.notes import Notes
from shared.store.operations import Operations
from shared.store.tasks import Tasks
from shared.undo import undo
from tests.fakes.desk import START, Crash, Desk, Killed
from tests.shared.tools.using import captured, everything, note_of, task_of, use

ABSENT = "01j00000000000000000000000"


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.close()


def key(name: str, body: str = "0" * 64) -> Key:
    return Key(f"tenants/t/idempotency/undo-{name}", body)


async def back(desk: Desk, change: Undo | None, name: str = "1", tenant: str = "t") -> JsonDict:
    assert change is not None
    desk.time += 1
    return await undo(desk, tenant, change, desk.now(), key(name))


async def changed(desk: Desk, note: Note, changes: dict[str, Any], call: str = "c1") -> Undo:
    desk.time += 1
    outcome = await use(desk, "update_note", {"note_id": note.id, "changes": changes}, call)
    assert outcome.undo is not None
    return outcome.undo


# -- notes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        {"title": "other"},
        {"title": ""},
        {"summary": "other"},
        {"body": "other"},
        {"body": "other" * 5000},
        {"tags": []},
        {"add_tags": ["other"]},
        {"title": "o", "summary": "o", "body": "o", "tags": ["o"], "add_tags": ["p"]},
    ],
)
async def test_an_edit_is_taken_back_as_a_new_edit(desk: Desk, changes: dict[str, Any]) -> None:
    note = await captured(desk, "before ä🍐", title="T", tags=["a", "b"])
    await edit.edit(desk.store, "t", note.id, edit.Edit(summary="S"), desk.now())
    before = await note_of(desk, note.id)
    change = await changed(desk, note, changes)
    edited = await note_of(desk, note.id)
    assert await back(desk, change) == {"undone": "note_changed", "note_id": note.id}
    after = await note_of(desk, note.id)
    assert after.model_dump(exclude={"revision", "updated_at", "body_version"}) == before.model_dump(
        exclude={"revision", "updated_at", "body_version"}
    )
    assert after.revision == edited.revision + 1
    event = (await Notes(desk.store, "t").trace(note.id))[-1]
    assert isinstance(event, User) and event.text == "Taken back"
    assert event.changes.keys() == {"tags" if field == "add_tags" else field for field in changes}


@pytest.mark.parametrize("length", [OLD - 1, OLD, OLD + 1, 2 * OLD, 130_000])
async def test_a_long_old_body_comes_back_whole(desk: Desk, length: int) -> None:
    text = "".join(chr(0x3041 + n % 80) for n in range(length))
    note = await captured(desk, text, title="T")
    change = await changed(desk, note, {"body": "short", "title": "new"})
    await changed(desk, note, {"add_tags": ["later"]}, "c2")
    await back(desk, change)
    after = await note_of(desk, note.id)
    assert after.body == text
    assert (after.title, after.tags) == ("T", ["later"])


@pytest.mark.parametrize("later", [{"title": "mine"}, {"title": "mine", "body": "mine"}])
async def test_a_field_that_was_changed_again_is_left_alone(desk: Desk, later: dict[str, str]) -> None:
    note = await captured(desk, "body", title="T")
    change = await changed(desk, note, {"title": "new", "summary": "S"})
    await edit.edit(desk.store, "t", note.id, edit.Edit.model_validate(later), desk.now())
    stored = await everything(desk)
    with pytest.raises(Conflict) as refused:
        await back(desk, change)
    assert refused.value.code == "changed_since"
    assert "title was changed again" in refused.value.message and refused.value.next
    assert await everything(desk) == stored


async def test_a_field_that_was_changed_and_set_back_is_a_persons_word_too(desk: Desk) -> None:
    note = await captured(desk, "x" * 5000)
    change = await changed(desk, note, {"body": "y" * 5000})
    for body in ("z", "y" * 5000):
        await edit.edit(desk.store, "t", note.id, edit.Edit(body=body), desk.now())
    with pytest.raises(Conflict):
        await back(desk, change)


async def test_other_fields_that_were_changed_since_keep_their_values(desk: Desk) -> None:
    note = await captured(desk, "body", title="T", tags=["a"])
    change = await changed(desk, note, {"title": "new"})
    await edit.edit(desk.store, "t", note.id, edit.Edit(body="mine", tags=["mine"]), desk.now())
    await back(desk, change)
    after = await note_of(desk, note.id)
    assert (after.title, after.body, after.tags) == ("T", "mine", ["mine"])


async def test_tags_that_enrichment_added_since_stay(desk: Desk) -> None:
    note = await captured(desk, "body", tags=["a"])
    change = await changed(desk, note, {"tags": ["b"]})
    notes = Notes(desk.store, "t")
    found = await notes.get(note.id)
    enriched, _ = apply(found.value, Proposal(title="Found", tags=["pears"]), desk.now())
    assert enriched.tags == ["b", "pears"]
    await notes.commit(enriched, found.version, body=None, previous=found.value)
    await back(desk, change)
    after = await note_of(desk, note.id)
    assert (after.tags, after.title) == (["a", "pears"], "Found")


async def test_what_enrichment_filled_in_since_is_not_overwritten(desk: Desk) -> None:
    note = await captured(desk, "body", title="T")
    change = await changed(desk, note, {"title": ""})
    notes = Notes(desk.store, "t")
    found = await notes.get(note.id)
    enriched, _ = apply(found.value, Proposal(title="Found"), desk.now())
    await notes.commit(enriched, found.version, body=None, previous=found.value)
    with pytest.raises(Conflict) as refused:
        await back(desk, change)
    assert refused.value.code == "changed_since"


async def test_a_tag_research_that_comes_back_buys_nothing(desk: Desk) -> None:
    note = await captured(desk, "q", tags=["research"])
    assert await claim.claim(desk, "t", note.id)
    change = await changed(desk, note, {"tags": []})
    await back(desk, change)
    after = await note_of(desk, note.id)
    assert after.tags == ["research"] and not after.research.requested
    assert await claim.claim(desk, "t", note.id) is None
    assert len(await Operations(desk.store, "t").page()) == 1


async def test_an_undo_can_be_undone_by_its_own_number_and_not_twice(desk: Desk) -> None:
    note = await captured(desk, "body", title="T")
    change = await changed(desk, note, {"title": "new"})
    await back(desk, change)
    with pytest.raises(Conflict):
        await back(desk, change, "2")
    newest = (await Notes(desk.store, "t").trace(note.id))[-1]
    await back(desk, NoteChanged(type="note_changed", note_id=note.id, seq=newest.seq), "3")
    assert (await note_of(desk, note.id)).title == "new"


async def test_a_note_that_was_made_goes_to_the_bin_and_one_that_was_deleted_comes_back(desk: Desk) -> None:
    made = await use(desk, "create_note", {"text": "a pear"})
    (note,) = await Notes(desk.store, "t").page()
    assert await back(desk, made.undo) == {"undone": "note_created", "note_id": note.id}
    assert (await note_of(desk, note.id)).deleted_at is not None
    other = await captured(desk)
    deleted = await use(desk, "delete_note", {"note_id": other.id}, "c2")
    assert await back(desk, deleted.undo, "2") == {"undone": "note_deleted", "note_id": other.id}
    assert (await note_of(desk, other.id)).deleted_at is None
    assert (await use(desk, "search_notes", {"query": "pear"})).sources[0].note_id == other.id


async def test_an_edit_of_a_note_in_the_bin_waits_until_it_is_restored(desk: Desk) -> None:
    note = await captured(desk, title="T")
    change = await changed(desk, note, {"title": "new"})
    await edit.discard(desk.store, "t", note.id, desk.now())
    with pytest.raises(Conflict) as refused:
        await back(desk, change)
    assert refused.value.code == "note_deleted"
    await edit.restore(desk.store, "t", note.id, desk.now())
    await back(desk, change)
    assert (await note_of(desk, note.id)).title == "T"


@pytest.mark.parametrize("seq", [0, 2, 3, 99])
async def test_what_is_no_edit_in_the_trace_can_not_be_taken_back(desk: Desk, seq: int) -> None:
    note = await captured(desk)
    await changed(desk, note, {"title": "new"})
    await edit.discard(desk.store, "t", note.id, desk.now())
    await edit.restore(desk.store, "t", note.id, desk.now())
    with pytest.raises(NotFound) as refused:
        await back(desk, NoteChanged(type="note_changed", note_id=note.id, seq=seq))
    assert refused.value.code == "undo_unknown"


# -- tasks -----------------------------------------------------------------------------------------------------


async def test_tasks_that_were_made_are_dropped_in_one_step(desk: Desk) -> None:
    made = await use(desk, "create_tasks", {"tasks": [{"title": "a"}, {"title": "b"}]})
    assert isinstance(made.undo, TasksCreated)
    await task.change(desk.store, "t", made.undo.task_ids[0], task.TaskChange(status="dropped"), START, expected=None)
    assert await back(desk, made.undo) == {"undone": "tasks_created", "task_ids": made.undo.task_ids}
    found = await Tasks(desk.store, "t").page()
    assert [(one.status, one.revision) for one in found] == [("dropped", 2), ("dropped", 2)]


async def test_a_task_gets_its_old_values_and_keeps_the_others(desk: Desk) -> None:
    made = await task.add(desk.store, "t", task.NewTask(title="a", tags=["x"]), desk.now(), key=None)
    asked = {"task_id": made.id, "changes": {"title": "b", "tags": []}}
    change = (await use(desk, "update_task", asked)).undo
    await task.change(desk.store, "t", made.id, task.TaskChange(status="done"), desk.now(), expected=None)
    assert await back(desk, change) == {"undone": "task_changed", "task_ids": [made.id]}
    after = await task_of(desk, made.id)
    assert (after.title, after.tags, after.status) == ("a", ["x"], "done")


async def test_a_task_that_was_changed_again_since_is_left_alone(desk: Desk) -> None:
    made = await task.add(desk.store, "t", task.NewTask(title="a", tags=["x"]), desk.now(), key=None)
    asked = {"task_id": made.id, "changes": {"title": "b", "status": "done"}}
    change = (await use(desk, "update_task", asked)).undo
    await task.change(desk.store, "t", made.id, task.TaskChange(title="mine"), desk.now(), expected=None)
    stored = await everything(desk)
    with pytest.raises(Conflict, match="title") as refused:
        await back(desk, change)
    assert refused.value.code == "changed_since"
    assert await everything(desk) == stored
    # Back to what the change left: nothing of anybody's is lost any more.
    await task.change(desk.store, "t", made.id, task.TaskChange(title="b"), desk.now(), expected=None)
    await back(desk, change)
    assert ((await task_of(desk, made.id)).title, (await task_of(desk, made.id)).status) == ("a", "open")


async def test_an_undo_that_was_stored_without_the_new_values_works_as_before(desk: Desk) -> None:
    made = await task.add(desk.store, "t", task.NewTask(title="b"), desk.now(), key=None)
    await back(desk, TaskChanged(task_id=made.id, before={"title": "a"}))
    assert (await task_of(desk, made.id)).title == "a"


# -- the wall, the key, a death --------------------------------------------------------------------------------


async def test_another_tenants_change_is_unknown_and_untouched(desk: Desk) -> None:
    note = await captured(desk, title="T")
    made = await task.add(desk.store, "t", task.NewTask(title="a"), desk.now(), key=None)
    edited = await changed(desk, note, {"title": "new"})
    stored = await everything(desk)
    for change in (
        edited,
        NoteChanged(type="note_created", note_id=note.id),
        NoteChanged(type="note_deleted", note_id=note.id),
        TasksCreated(task_ids=[made.id]),
        TaskChanged(task_id=made.id, before={"title": "stolen"}),
        NoteChanged(type="note_created", note_id=ABSENT),
        TasksCreated(task_ids=[]),
    ):
        with pytest.raises(NotFound):
            await undo(desk, "other", change, desk.now(), Key("tenants/other/idempotency/k", "0" * 64))
    assert await everything(desk) == stored


async def _edited(desk: Desk) -> Undo:
    note = await captured(desk, "x" * 130_000, tags=["a"])
    return await changed(desk, note, {"body": "after", "add_tags": ["b"]})


async def _made(desk: Desk) -> Undo:
    made = (await use(desk, "create_note", {"text": "a"})).undo
    assert made is not None
    return made


async def _deleted(desk: Desk) -> Undo:
    deleted = (await use(desk, "delete_note", {"note_id": (await captured(desk)).id})).undo
    assert deleted is not None
    return deleted


async def _boxes(desk: Desk) -> Undo:
    note = await captured(desk)
    await changed(desk, note, {"body": "- [ ] buy milk\n- [ ] pay Ben"}, "c0")
    return await changed(desk, note, {"body": "nothing"})


async def _reworded(desk: Desk) -> Undo:
    note = await captured(desk)
    await changed(desk, note, {"body": "- [ ] buy milk\n- [ ] pay Ben"}, "c0")
    return await changed(desk, note, {"body": "- [ ] sell milk\n- [ ] pay Ben"})


async def _tasks(desk: Desk) -> Undo:
    made = (await use(desk, "create_tasks", {"tasks": [{"title": "a"}, {"title": "b"}]})).undo
    assert made is not None
    return made


async def _task(desk: Desk) -> Undo:
    made = await task.add(desk.store, "t", task.NewTask(title="a"), desk.now(), key=None)
    change = (await use(desk, "update_task", {"task_id": made.id, "changes": {"status": "done"}})).undo
    assert change is not None
    return change


KINDS: dict[str, Callable[[Desk], Awaitable[Undo]]] = {
    "edited": _edited,
    "made": _made,
    "deleted": _deleted,
    "boxes": _boxes,
    "reworded": _reworded,
    "tasks": _tasks,
    "task": _task,
}


async def revisions(desk: Desk) -> list[str]:
    """What was changed, and how often: equal for equal histories, whatever the ids are."""
    found = [await desk.store.query(Query(name, None, limit=1000)) for name in ("notes", "trace", "body", "tasks")]
    return sorted(f"{one.path.split('/')[2]} {one.data.get('revision')}" for several in found for one in several)


@pytest.mark.parametrize("died_after", [False, True])
@pytest.mark.parametrize("kind", sorted(KINDS))
async def test_a_death_at_any_use_of_a_door_takes_back_once_or_not_at_all(
    tmp_path: Path, kind: str, died_after: bool
) -> None:
    whole = Desk(tmp_path / "whole")
    change = await KINDS[kind](whole)
    before = await revisions(whole)
    whole.reborn()
    await back(whole, change)
    after, uses = await revisions(whole), whole.crash.uses
    assert before != after and uses >= 2
    whole.close()
    for at in range(1, uses + 1):
        desk = Desk(tmp_path / f"{at}")
        change = await KINDS[kind](desk)
        desk.reborn(Crash(at=at, after=died_after))
        with pytest.raises(Killed):
            await back(desk, change)
        assert await revisions(desk) in (before, after)
        desk.reborn()
        answer = await back(desk, change)
        assert await revisions(desk) == after
        stored = await everything(desk)
        assert await back(desk, change) == answer
        assert await everything(desk) == stored
        desk.close()


@pytest.mark.parametrize("kind", sorted(KINDS))
async def test_the_same_undo_at_the_same_moment_takes_back_once(desk: Desk, kind: str) -> None:
    change = await KINDS[kind](desk)
    answers = await asyncio.gather(*(undo(desk, "t", change, desk.now(), key("1")) for _ in range(5)))
    assert all(answer == answers[0] for answer in answers)
    stored = await everything(desk)
    await undo(desk, "t", change, desk.now(), key("1"))
    assert await everything(desk) == stored


async def test_a_key_of_another_request_takes_nothing_back(desk: Desk) -> None:
    change = await _edited(desk)
    await back(desk, await _made(desk))
    with pytest.raises(Conflict) as refused:
        await undo(desk, "t", change, desk.now(), key("1", "1" * 64))
    assert refused.value.code == "idempotency_mismatch"


# -- the record ------------------------------------------------------------------------------------------------


def events(changes: JsonDict, first: int, at: float = START) -> list[User]:
    return [
        User(seq=seq, at=moment(at), text="Edited", changes=piece) for seq, piece in enumerate(pieces(changes), first)
    ]


LONG = st.sampled_from([0, 1, OLD - 1, OLD, OLD + 1, 2 * OLD, 3 * OLD + 7]).map(lambda length: "ä" * length)


@given(st.dictionaries(st.sampled_from(["title", "summary", "body", "url"]), st.tuples(LONG, LONG), min_size=1))
def test_a_record_gives_back_what_was_put_in(changes: dict[str, tuple[str, str]]) -> None:
    written: JsonDict = {field: [old, new] for field, (old, new) in changes.items()}
    earlier = events({"body": ["x" * 30_000, "y"]}, 1)
    these = events(written, 4)
    later = events({"tags": [[], ["a"]]}, 4 + len(these), START + 9)
    found = recorded([*earlier, *these, *later], 4)
    old = {field: pair[0] for field, pair in changes.items()}
    new = {field: told_new(pair[1]) for field, pair in changes.items()}
    assert found == Recorded(dict(old), new, frozenset({"tags"}))


def test_a_change_right_behind_a_full_piece_is_no_part_of_it() -> None:
    first = events({"body": ["a" * OLD, "b"]}, 1)
    second = events({"body": ["b", "c"]}, 2)
    found = recorded([*first, *second], 1)
    assert found is not None
    assert found.old == {"body": "a" * OLD} and found.later == {"body"}


def test_a_new_value_in_the_record_is_short() -> None:
    assert len(str(told_new("x" * 100_000))) < NEW + 100
