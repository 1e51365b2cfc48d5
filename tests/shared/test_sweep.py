from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from shared import edit
from shared.capture import Capture, capture
from shared.chat import sessions, turns
from shared.models.base import moment
from shared.models.note import Note, Origin
from shared.research import claim
from shared.store import leases
from shared.store.documents import Query, Write
from shared.store.notes import Notes
from shared.sweep import BIN_SECONDS, sweep
from tests.fakes.desk import Desk


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    made = Desk(tmp_path, research_paid=False)
    yield made
    made.close()


async def captured(desk: Desk, tenant: str = "t", **fields: object) -> Note:
    entry = Capture.model_validate({"text": "a pear", **fields})
    return (await capture(desk.store, tenant, entry, desk.now())).note


async def test_one_broken_document_keeps_nobody_else_waiting(desk: Desk) -> None:
    broken = await captured(desk, "a", research=True)
    wish = await captured(desk, "z", research=True)
    document = await desk.store.get(f"tenants/a/notes/{broken.id}")
    assert document
    await desk.store.commit([Write(document.path, {**document.data, "body": None})])
    counts = await sweep(desk)
    assert counts["errors"] >= 1
    assert counts["wishes"] == 1
    assert (await Notes(desk.store, "z").get(wish.id)).value.research.operation_id


async def test_a_note_leaves_the_bin_for_good_after_thirty_days(desk: Desk) -> None:
    origin = Origin(path="v/a.md", content_sha256="0" * 64)
    note = await captured(desk, text="ä" * 120_000, origin=origin)
    desk.time += 60
    await edit.discard(desk.store, "t", note.id, desk.now())
    desk.time += BIN_SECONDS - 1
    assert (await sweep(desk))["purged"] == 0
    desk.time += 2
    assert (await sweep(desk))["purged"] == 1
    for collection in ("notes", "trace", "body", "search", "origins"):
        assert await desk.store.query(Query(collection, None)) == []
    again = await captured(desk, text="new", origin=origin)
    assert again.id != note.id


async def test_a_note_that_was_restored_stays(desk: Desk) -> None:
    note = await captured(desk)
    await edit.discard(desk.store, "t", note.id, desk.now())
    desk.time += BIN_SECONDS + 5
    await edit.restore(desk.store, "t", note.id, desk.now())
    assert (await sweep(desk))["purged"] == 0
    assert (await Notes(desk.store, "t").get(note.id)).value.body == "a pear"


async def test_pending_enrichment_is_asked_for_again_but_not_in_the_bin(desk: Desk) -> None:
    kept = await captured(desk)
    binned = await captured(desk)
    await edit.discard(desk.store, "t", binned.id, desk.now())
    desk.time += 3600
    assert (await sweep(desk))["enrichments"] == 1
    heard = [attributes["note_id"] for topic, attributes in desk.world[1].heard if topic == "note-events"]
    assert heard == [kept.id]


async def test_a_tag_taken_off_and_put_back_during_a_run_buys_nothing(desk: Desk) -> None:
    note = await captured(desk, tags=["research"])
    first = await claim.claim(desk, "t", note.id)
    assert first
    for tags in ([], ["research"]):
        await edit.edit(desk.store, "t", note.id, edit.Edit(tags=tags), desk.now())
    assert await claim.claim(desk, "t", note.id) is None
    after = (await Notes(desk.store, "t").get(note.id)).value
    assert (after.research.requested, after.research.operation_id) == (False, first.id)
    assert moment(desk.now())


async def test_what_a_dead_process_held_is_free_at_the_next_start_and_counts_as_tried(desk: Desk) -> None:
    before = await leases.take(desk.store, "t", "task-a", desk.now(), 900)
    desk.time += 1
    born = desk.now()
    desk.time += 1
    ours = await leases.take(desk.store, "t", "task-b", desk.now(), 900)
    assert before and ours
    counts = await sweep(desk, patience=0, born=born)
    assert (counts["leases"], counts["errors"]) == (1, 0)
    assert await leases.take(desk.store, "t", "task-b", desk.now(), 900) is None, "it was taken by who lives"
    again = await leases.take(desk.store, "t", "task-a", desk.now(), 900)
    assert again and again.attempts == 2
    assert (await sweep(desk, patience=0, born=born))["leases"] == 0


async def test_where_others_may_be_at_work_no_lease_is_freed_before_its_time(desk: Desk) -> None:
    await leases.take(desk.store, "t", "task-a", desk.now(), 900)
    desk.time += 800
    await sweep(desk)
    assert await leases.take(desk.store, "t", "task-a", desk.now(), 900) is None


@pytest.mark.parametrize(("since", "settled"), [(-1, 1), (1, 0)], ids=["before", "after"])
async def test_a_turn_that_began_while_the_first_sweep_was_on_its_way_lives(
    desk: Desk, since: int, settled: int
) -> None:
    born = desk.now() + 10
    desk.time = born + since
    session = await sessions.begin(desk.store, "t", desk.now(), subject="sam", title=None, incognito=False, key=None)
    await turns.begin(turns.Speaker(desk.store, "t", "sam"), session.id, "Hello", desk.now())
    desk.time = born + 5
    assert (await sweep(desk, patience=0, born=born))["turns"] == settled
