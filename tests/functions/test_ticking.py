"""A box in a note and the task that came from it turn together, in one commit, and start nothing."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from infra.local.services import LocalServices
from shared import edit, task
from shared.capture import Capture, capture
from shared.changes import recorded
from shared.errors import Conflict
from shared.events.trace import NoteChanged, TaskChanged, User
from shared.store.documents import Document, Documents, Query
from shared.store.notes import Notes
from shared.store.tasks import Tasks
from shared.undo import undo
from tests.functions.conftest import Serve
from tests.functions.test_enrich import deliver

BODY = "- [ ] buy milk\n- [ ] call Anna\n- [ ] pay Ben"


async def enriched(serve: Serve, product: LocalServices, body: str = BODY) -> str:
    """A note whose boxes are tasks."""
    note_id = (await capture(product.documents, "default", Capture(text=body), product.now())).note.id
    assert deliver(serve, product, note_id) == 204
    return note_id


async def body_of(documents: Documents, note_id: str) -> str:
    return (await Notes(documents, "default").whole(note_id)).body


async def statuses_of(documents: Documents, note_id: str) -> dict[str, str]:
    found = await Tasks(documents, "default").page(source_note_id=note_id)
    return {one.title: one.status for one in found}


async def test_a_box_that_is_turned_by_an_edit_turns_its_task(serve: Serve, product: LocalServices) -> None:
    note_id = await enriched(serve, product)
    with serve("api") as client:

        def statuses() -> dict[str, str]:
            listed = client.get("/api/v1/tasks", params={"source_note_id": note_id}).json()["tasks"]
            return {one["title"]: one["status"] for one in listed}

        before = client.get(f"/api/v1/notes/{note_id}").json()["note"]
        client.patch(f"/api/v1/notes/{note_id}", json={"body": BODY.replace("[ ] buy", "[x] buy")})
        assert statuses() == {"buy milk": "done", "call Anna": "open", "pay Ben": "open"}
        client.patch(f"/api/v1/notes/{note_id}", json={"body": BODY.replace("[ ]", "[x]")})
        assert statuses() == {"buy milk": "done", "call Anna": "done", "pay Ben": "done"}
        after = client.get(f"/api/v1/notes/{note_id}").json()["note"]
        assert after["task_ids"] == before["task_ids"] and after["enrichment"]["status"] == "enriched"
        assert after["revision"] == before["revision"] + 2, "nothing but the two edits"
        client.patch(f"/api/v1/notes/{note_id}", json={"body": BODY.replace("[ ] pay", "[x] pay")})
        assert statuses() == {"buy milk": "open", "call Anna": "open", "pay Ben": "done"}


async def test_a_task_that_is_ticked_turns_its_box_and_the_trace_tells(serve: Serve, product: LocalServices) -> None:
    note_id = await enriched(serve, product)
    with serve("api") as client:
        milk = next(one for one in client.get("/api/v1/tasks").json()["tasks"] if one["title"] == "buy milk")
        before = client.get(f"/api/v1/notes/{note_id}").json()["note"]
        client.patch(f"/api/v1/tasks/{milk['id']}", json={"status": "done"})
        answer = client.get(f"/api/v1/notes/{note_id}").json()
        ticked = BODY.replace("[ ] buy", "[x] buy")
        assert answer["note"]["body"] == ticked
        assert answer["note"]["revision"] == before["revision"] + 1
        assert answer["note"]["enrichment"] == before["enrichment"], "nothing is read again"
        last = answer["trace"][-1]
        assert (last["type"], last["text"], last["changes"]) == ("user", "Ticked off", {"body": [BODY, ticked]})
        # An editor that was open meanwhile is told, and overwrites nothing.
        late = client.patch(
            f"/api/v1/notes/{note_id}", json={"body": "mine"}, headers={"If-Match": str(before["revision"])}
        )
        assert (late.status_code, late.json()["error"]["code"]) == (409, "revision_conflict")
        client.patch(f"/api/v1/tasks/{milk['id']}", json={"status": "done"})
        client.patch(f"/api/v1/tasks/{milk['id']}", json={"title": "buy oat milk"})
        again = client.get(f"/api/v1/notes/{note_id}").json()["note"]
        assert again == answer["note"], "only another status turns a box"


async def test_undo_puts_both_back_from_either_side(serve: Serve, product: LocalServices) -> None:
    documents = product.documents
    note_id = await enriched(serve, product)
    milk = next(one for one in await Tasks(documents, "default").page() if one.title == "buy milk")
    wanted = task.TaskChange(status="done")
    altered = await task.alter(documents, "default", milk.id, wanted, product.now())
    assert isinstance(altered.undo, TaskChanged)
    await undo(product, "default", altered.undo, product.now(), None)
    assert await body_of(documents, note_id) == BODY
    assert (await statuses_of(documents, note_id))["buy milk"] == "open"

    ticked = edit.Edit(body=BODY.replace("[ ] call", "[x] call"))
    revised = await edit.revise(documents, "default", note_id, ticked, product.now())
    assert (await statuses_of(documents, note_id))["call Anna"] == "done"
    assert isinstance(revised.undo, NoteChanged)
    await undo(product, "default", revised.undo, product.now(), None)
    assert await body_of(documents, note_id) == BODY
    assert (await statuses_of(documents, note_id))["call Anna"] == "open"


async def test_a_tick_and_edits_at_once_lose_neither(serve: Serve, product: LocalServices) -> None:
    documents = product.documents
    note_id = await enriched(serve, product)
    tasks = await Tasks(documents, "default").page(source_note_id=note_id)

    async def written(line: str) -> None:
        """Somebody adds a line to what they see, as often as it takes."""
        while True:
            note = await Notes(documents, "default").whole(note_id)
            more = edit.Edit(body=f"{note.body}\n{line}")
            try:
                await edit.edit(documents, "default", note_id, more, product.now(), expected=note.revision)
                return
            except Conflict as conflict:
                assert conflict.code == "revision_conflict"

    done = task.TaskChange(status="done")
    await asyncio.gather(
        *(task.change(documents, "default", one.id, done, product.now(), expected=None) for one in tasks),
        *(written(f"line {n}") for n in range(3)),
    )
    lines = (await body_of(documents, note_id)).split("\n")
    assert lines[:3] == BODY.replace("[ ]", "[x]").split("\n")
    assert sorted(lines[3:]) == ["line 0", "line 1", "line 2"]
    assert set((await statuses_of(documents, note_id)).values()) == {"done"}


@pytest.mark.parametrize("long", [False, True])
async def test_the_whole_text_before_a_tick_is_on_record(serve: Serve, product: LocalServices, long: bool) -> None:
    documents = product.documents
    rest = "\n\n" + "words ü " * (30_000 if long else 1)
    note_id = await enriched(serve, product, f"- [ ] buy milk{rest}")
    (milk,) = await Tasks(documents, "default").page(source_note_id=note_id)
    before = await Notes(documents, "default").whole(note_id)
    first = await Notes(documents, "default").next_seq(note_id)
    await task.change(documents, "default", milk.id, task.TaskChange(status="done"), product.now(), expected=None)
    after = await Notes(documents, "default").whole(note_id)
    assert after.body == before.body.replace("[ ]", "[x]")
    found = recorded(await Notes(documents, "default").trace(note_id, 200), first)
    assert found is not None and found.old == {"body": before.body}


async def test_a_note_in_the_bin_stays_as_it_was_thrown_away(serve: Serve, product: LocalServices) -> None:
    documents = product.documents
    note_id = await enriched(serve, product)
    await edit.discard(documents, "default", note_id, product.now())
    (first, *_) = await Tasks(documents, "default").page(source_note_id=note_id)
    await task.change(documents, "default", first.id, task.TaskChange(status="done"), product.now(), expected=None)
    assert await body_of(documents, note_id) == BODY


async def test_a_box_that_is_written_is_a_task_at_once_and_taken_back_with_the_edit(
    serve: Serve, product: LocalServices
) -> None:
    documents = product.documents
    note_id = await enriched(serve, product, "Nothing to do.")
    body = "Nothing to do.\n\n- [ ] call the office\n- [x] sleep"
    with serve("api") as client:
        before = client.get(f"/api/v1/notes/{note_id}").json()["note"]
        note = client.patch(f"/api/v1/notes/{note_id}", json={"body": body}).json()["note"]
        (made,) = client.get("/api/v1/tasks", params={"source_note_id": note_id}).json()["tasks"]
        assert (made["title"], made["status"]) == ("call the office", "open")
        assert note["task_ids"] == [made["id"]] and note["tags"] == before["tags"]
        assert note["revision"] == before["revision"] + 1 and note["enrichment"] == before["enrichment"]
        # It turns with its box from then on, and reading the note again makes no second one.
        client.patch(f"/api/v1/tasks/{made['id']}", json={"status": "done"})
        assert await body_of(documents, note_id) == body.replace("[ ]", "[x]")
        client.patch(f"/api/v1/tasks/{made['id']}", json={"status": "open"})
        client.post(f"/api/v1/notes/{note_id}/enrich")
    deliver(serve, product, note_id)
    assert await statuses_of(documents, note_id) == {"call the office": "open"}

    more = edit.Edit(body=f"{await body_of(documents, note_id)}\n- [ ] pay Ben")
    revised = await edit.revise(documents, "default", note_id, more, product.now())
    assert (await statuses_of(documents, note_id))["pay Ben"] == "open"
    assert isinstance(revised.undo, NoteChanged)
    await undo(product, "default", revised.undo, product.now(), None)
    assert await statuses_of(documents, note_id) == {"call the office": "open", "pay Ben": "dropped"}
    await edit.edit(documents, "default", note_id, more, product.now())
    assert (await statuses_of(documents, note_id))["pay Ben"] == "open"


async def test_a_box_that_goes_from_the_text_takes_its_task_along_and_brings_it_back(
    serve: Serve, product: LocalServices
) -> None:
    documents = product.documents
    note_id = await enriched(serve, product)
    with serve("api") as client:
        before = client.get(f"/api/v1/notes/{note_id}").json()["note"]
        tagged = next(one for one in client.get("/api/v1/tasks").json()["tasks"] if one["title"] == "pay Ben")
        client.patch(f"/api/v1/tasks/{tagged['id']}", json={"tags": ["money"]})
        answer = client.patch(f"/api/v1/notes/{note_id}", json={"body": "- [ ] call Anna"})
        assert answer.json()["note"]["task_ids"] == before["task_ids"]
        assert answer.json()["note"]["revision"] == before["revision"] + 1
        last = client.get(f"/api/v1/notes/{note_id}").json()["trace"][-1]
        assert (last["text"], last["changes"]) == ("Edited, 1 task dropped", {"body": [BODY, "- [ ] call Anna"]})
    dropped = {"buy milk": "dropped", "call Anna": "open", "pay Ben": "open"}
    assert await statuses_of(documents, note_id) == dropped, "somebody gave one of them a tag"
    await undo(
        product, "default", NoteChanged(type="note_changed", note_id=note_id, seq=last["seq"]), product.now(), None
    )
    assert await body_of(documents, note_id) == BODY
    assert await statuses_of(documents, note_id) == {**dropped, "buy milk": "open"}
    await edit.edit(documents, "default", note_id, edit.Edit(title="Week"), product.now())
    assert await statuses_of(documents, note_id) == {**dropped, "buy milk": "open"}
    revised = await edit.revise(documents, "default", note_id, edit.Edit(body="..."), product.now(), by="tool")
    assert set((await statuses_of(documents, note_id)).values()) == {"dropped", "open"}
    trace = await Notes(documents, "default").trace(note_id)
    assert isinstance(trace[-1], User) and trace[-1].text == "Edited, 2 tasks dropped"
    assert revised.note.revision == before["revision"] + 4


async def test_a_box_that_is_reworded_renames_its_task_and_is_the_same_one_from_then_on(
    serve: Serve, product: LocalServices
) -> None:
    documents = product.documents
    note_id = await enriched(serve, product)
    (milk,) = (one for one in await Tasks(documents, "default").page() if one.title == "buy milk")
    body = BODY.replace("milk", "oat milk")
    revised = await edit.revise(documents, "default", note_id, edit.Edit(body=body), product.now())
    renamed = {"buy oat milk": "open", "call Anna": "open", "pay Ben": "open"}
    assert await statuses_of(documents, note_id) == renamed
    assert (await Tasks(documents, "default").get(milk.id)).value.title == "buy oat milk"
    last = (await Notes(documents, "default").trace(note_id))[-1]
    assert isinstance(last, User) and last.text == "Edited, 1 task renamed"
    # Reading the note again finds the same task.
    await edit.enrich_again(documents, "default", note_id, product.now())
    assert deliver(serve, product, note_id) == 204
    assert await statuses_of(documents, note_id) == renamed
    assert len(await Tasks(documents, "default").page()) == len(renamed)
    done = task.TaskChange(status="done")
    await task.change(documents, "default", milk.id, done, product.now(), expected=None)
    assert await body_of(documents, note_id) == body.replace("[ ] buy", "[x] buy")
    await task.change(documents, "default", milk.id, task.TaskChange(status="open"), product.now(), expected=None)
    # Its old words are another box by now.
    more = edit.Edit(body=f"{body}\n- [ ] buy milk")
    again = await edit.revise(documents, "default", note_id, more, product.now())
    assert await statuses_of(documents, note_id) == {**renamed, "buy milk": "open"}
    assert again.undo and revised.undo
    await undo(product, "default", again.undo, product.now(), None)
    assert await statuses_of(documents, note_id) == {**renamed, "buy milk": "dropped"}


async def test_a_box_that_is_reworded_gets_its_words_back(serve: Serve, product: LocalServices) -> None:
    documents = product.documents
    note_id = await enriched(serve, product)
    before = {one.id: one.title for one in await Tasks(documents, "default").page()}
    ids = (await Notes(documents, "default").whole(note_id)).task_ids
    reworded = edit.Edit(body=BODY.replace("[ ] buy milk", "[x] bought oats"))
    revised = await edit.revise(documents, "default", note_id, reworded, product.now())
    assert (await statuses_of(documents, note_id))["bought oats"] == "done"
    assert revised.undo
    await edit.edit(
        documents, "default", note_id, edit.Edit(body=BODY.replace("buy milk", "bought oats")), product.now()
    )
    await edit.edit(documents, "default", note_id, edit.Edit(body=BODY), product.now())
    assert {one.id: one.title for one in await Tasks(documents, "default").page()} == before
    assert (await Notes(documents, "default").whole(note_id)).task_ids == ids
    assert set((await statuses_of(documents, note_id)).values()) == {"open"}


class Between:
    """The store, with something that happens once, right after the tasks were read and before their versions are."""

    def __init__(self, documents: Documents, act: Callable[[], Awaitable[object]]) -> None:
        self._documents = documents
        self._act: Callable[[], Awaitable[object]] | None = act

    def __getattr__(self, name: str) -> Any:
        return getattr(self._documents, name)

    async def query(self, query: Query) -> list[Document]:
        found = await self._documents.query(query)
        if query.collection == "tasks" and (act := self._act):
            self._act = None
            await act()
        return found


@pytest.mark.parametrize(("body", "told"), [("", "Edited, 2 tasks dropped"), (BODY.replace("milk", "oats"), "Edited")])
async def test_a_task_that_is_changed_while_its_box_is_edited_is_looked_at_again(
    serve: Serve, product: LocalServices, body: str, told: str
) -> None:
    documents = product.documents
    note_id = await enriched(serve, product)
    (milk,) = (one for one in await Tasks(documents, "default").page() if one.title == "buy milk")

    async def meanwhile() -> None:
        by_hand = task.TaskChange(title="buy cheese", tags=["shop"])
        await task.change(documents, "default", milk.id, by_hand, product.now(), expected=None)

    between: Any = Between(documents, meanwhile)
    await edit.edit(between, "default", note_id, edit.Edit(body=body), product.now())
    after = (await Tasks(documents, "default").get(milk.id)).value
    assert (after.title, after.tags, after.status) == ("buy cheese", ["shop"], "open")
    assert await body_of(documents, note_id) == body
    last = (await Notes(documents, "default").trace(note_id))[-1]
    assert isinstance(last, User) and last.text == told
