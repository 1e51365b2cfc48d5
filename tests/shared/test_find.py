"""Finding notes: of equal words what the person kept comes before reports and questions, in every search."""

from pathlib import Path
from typing import Any

import pytest

from shared.capture import Capture, capture
from shared.find import find
from shared.models.note import Note
from shared.store.notes import Notes
from tests.fakes.desk import Desk

TENANT = "t"


@pytest.fixture
def desk(tmp_path: Path) -> Any:
    made = Desk(tmp_path)
    yield made
    made.close()


async def kept(desk: Desk, text: str, **fields: Any) -> Note:
    desk.time += 1
    entry = Capture.model_validate({"text": text, **fields})
    return (await capture(desk.store, TENANT, entry, desk.now())).note


async def written(desk: Desk, text: str, kind: str) -> Note:
    note = await kept(desk, text, title="Report on violins")
    notes = Notes(desk.store, TENANT)
    found = await notes.get(note.id)
    return await notes.commit(
        found.value.changed(desk.now(), kind=kind), found.version, body=None, previous=found.value
    )


async def ids(desk: Desk, question: str, **more: Any) -> list[str]:
    return [note.id for note in await find(desk.store, TENANT, question, limit=20, **more)]


async def test_of_equal_words_the_persons_own_note_comes_first(desk: Desk) -> None:
    mine = await kept(desk, "My violin wants new strings.")
    other = [
        await written(desk, "Violins want varnish.", "research"),
        await written(desk, "Of violins much was said.", "digest"),
        await kept(desk, "Which violin lasts?", title="Violins", tags=["violin", "research"]),
    ]
    assert (await ids(desk, "violin"))[0] == mine.id
    assert set((await ids(desk, "violins"))[1:]) == {note.id for note in other}


async def test_a_report_that_holds_more_of_the_words_stays_ahead(desk: Desk) -> None:
    mine = await kept(desk, "My violin wants new strings.")
    report = await written(desk, "Varnish and humidity decide how violins sound.", "research")
    assert await ids(desk, "violin varnish humidity") == [report.id, mine.id]


async def test_where_only_reports_are_wanted_their_order_is_the_stores(desk: Desk) -> None:
    first = await written(desk, "Violins like varnish.", "research")
    second = await written(desk, "Violins are loud.", "research")
    assert await ids(desk, "violins varnish", kind="research") == [first.id, second.id]


async def test_a_few_runs_of_research_do_not_push_it_out(desk: Desk) -> None:
    mine = await kept(desk, "Somewhere in it, a violin wants new strings.")
    for number in range(6):
        await written(desk, f"Violins, violins and violins: {number}.", "research")
    found = await find(desk.store, TENANT, "violin", limit=3)
    assert found[0].id == mine.id
    assert len(found) == 3
