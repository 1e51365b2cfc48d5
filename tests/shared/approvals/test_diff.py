from shared.approvals.diff import LINES, SHOWN, Compared, compare
from shared.edit import Edit, discard, edit
from shared.enrichment.apply import apply
from shared.enrichment.proposal import Proposal
from shared.models.base import JsonDict
from shared.store.notes import Notes
from shared.task import TaskChange, change
from tests.fakes.desk import Desk
from tests.shared.approvals.proposals import PROPOSALS, approval_of, proposal, snapshot
from tests.shared.tools.using import TENANT, captured


async def compared(desk: Desk, waiting: str) -> Compared:
    return await compare(desk.store, TENANT, await approval_of(desk, waiting))


def fields(found: Compared) -> dict[str, tuple[object, object]]:
    return {one.field: (one.before, one.after) for one in found.diff.fields}


async def test_an_edit_is_shown_field_by_field_with_the_lines_of_its_text(desk: Desk) -> None:
    found = await compared(desk, await proposal(desk, "update_note"))
    assert fields(found) == {
        "body": ("first\nsecond\nthird", "first\nnew\nthird"),
        "title": ("Old", "New"),
        "tags": (["a"], ["a", "b"]),
    }
    body = next(one for one in found.diff.fields if one.field == "body")
    assert body.lines == ["@@ -1,3 +1,3 @@", " first", "-second", "+new", " third"]
    assert found.diff.target and found.diff.target.title == "Old"
    assert (found.stale, found.diff.trouble) == (False, None)


async def test_what_is_so_already_is_no_difference(desk: Desk) -> None:
    note = await captured(desk, "a", title="T", tags=["x"])
    waiting = await proposal(
        desk, "update_note", {"note_id": note.id, "changes": {"title": "T", "body": "b", "add_tags": ["x"]}}
    )
    assert fields(await compared(desk, waiting)) == {"body": ("a", "b")}


async def test_what_is_made_is_new_in_every_field(desk: Desk) -> None:
    found = fields(await compared(desk, await proposal(desk, "create_note")))
    assert found == {
        "text": (None, "The pears are ripe."),
        "title": (None, "Pears"),
        "tags": (None, ["garden"]),
        "kind": (None, "digest"),
    }


async def test_every_kind_of_proposal_has_a_difference_and_looking_changes_nothing(desk: Desk) -> None:
    for tool in PROPOSALS:
        waiting = await proposal(desk, tool)
        before = await snapshot(desk, "approvals")
        found = await compared(desk, waiting)
        assert found.diff.fields and not found.stale and found.diff.trouble is None, tool
        assert await snapshot(desk, "approvals") == before


async def test_a_later_edit_is_compared_as_of_now_and_marked(desk: Desk) -> None:
    note = await captured(desk, "a", title="Old")
    waiting = await proposal(desk, "update_note", {"note_id": note.id, "changes": {"title": "New"}})
    desk.time += 1
    await edit(desk.store, TENANT, note.id, Edit(title="Mine"), desk.now())
    found = await compared(desk, waiting)
    assert (fields(found), found.stale) == ({"title": ("Mine", "New")}, True)


async def test_enrichment_makes_no_proposal_stale(desk: Desk) -> None:
    note = await captured(desk, "a pear in the garden")
    waiting = await proposal(desk, "update_note", {"note_id": note.id, "changes": {"body": "b"}})
    desk.time += 1
    notes = Notes(desk.store, TENANT)
    found = await notes.get(note.id)
    enriched, _ = apply(found.value, Proposal(title="Pear", tags=["garden"]), desk.now())
    await notes.commit(enriched, found.version, body=None, previous=found.value)
    assert not (await compared(desk, waiting)).stale


async def test_a_task_that_was_changed_since_is_marked(desk: Desk) -> None:
    waiting = await proposal(desk, "update_task")
    found = await compared(desk, waiting)
    assert (fields(found), found.stale) == ({"status": ("open", "done")}, False)
    task_id = str((await approval_of(desk, waiting)).action.arguments.model_dump()["task_id"])
    desk.time += 1
    await change(desk.store, TENANT, task_id, TaskChange(title="Call Bo"), desk.now(), expected=None)
    assert (await compared(desk, waiting)).stale


async def test_a_note_in_the_bin_is_told_as_trouble(desk: Desk) -> None:
    asked: JsonDict = {"note_id": (await captured(desk)).id}
    waiting = await proposal(desk, "start_research", asked)
    await discard(desk.store, TENANT, str(asked["note_id"]), desk.now() + 1)
    found = await compared(desk, waiting)
    assert found.diff.trouble and (found.diff.trouble.code, found.stale) == ("note_deleted", True)
    elsewhere = await compare(desk.store, "other", await approval_of(desk, waiting))
    assert elsewhere.diff.trouble and elsewhere.diff.trouble.code == "note_not_found"
    assert elsewhere.diff.fields == [] and elsewhere.diff.target is None


async def test_long_texts_are_bounded(desk: Desk) -> None:
    long = "\n".join(f"line {n}" for n in range(LINES + 1))
    note = await captured(desk, long)
    waiting = await proposal(desk, "update_note", {"note_id": note.id, "changes": {"body": "short"}})
    (body,) = (await compared(desk, waiting)).diff.fields
    assert body.lines is None
    assert len(str(body.before)) < SHOWN + 100 and "[cut: " in str(body.before)
    middle = await captured(desk, "\n".join(f"line {n}" for n in range(LINES // 2)) + "\n" + "x" * 5_000)
    waiting = await proposal_again(desk, middle.id)
    (body,) = (await compared(desk, waiting)).diff.fields
    assert body.lines and body.lines[-1].startswith("@@ cut: ")
    assert max(map(len, body.lines)) <= 2_000


async def proposal_again(desk: Desk, note_id: str) -> str:
    from tests.shared.tools.using import use

    asked = {"action": {"tool": "update_note", "arguments": {"note_id": note_id, "changes": {"body": "s"}}}}
    return str((await use(desk, "queue_approval", {**asked, "reason": "r"}, call="again")).result["approval_id"])
