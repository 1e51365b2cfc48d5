from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from shared import edit
from shared.errors import Conflict, NotFound, TooMany
from shared.store.days import Days, date_of
from shared.store.operations import Operations
from shared.tools.catalog import built_in
from tests.fakes.desk import Desk
from tests.shared.tools.using import TENANT, captured, errand, note_of, use

ABSENT = "01j00000000000000000000000"


@pytest.fixture
async def paid(tmp_path: Path) -> AsyncIterator[Desk]:
    made = Desk(tmp_path / "paid", research_cost_usd=3.0, daily_budget_usd=5.0, daily_paid_runs=2)
    yield made
    made.close()


async def test_research_is_started_once_and_followed_by_its_operation(paid: Desk) -> None:
    note = await captured(paid, "What is green tea?")
    outcome = await use(paid, "start_research", {"note_id": note.id})
    (operation,) = await Operations(paid.store, TENANT).page()
    assert outcome.result["operation_id"] == operation.id
    assert outcome.result["status"] == "queued"
    assert outcome.undo is None
    assert (await note_of(paid, note.id)).research.operation_id == operation.id
    assert paid.world[1].heard == [("operation-events", {"tenant": TENANT})]
    with pytest.raises(Conflict) as refused:
        await use(paid, "start_research", {"note_id": note.id}, "c2")
    assert refused.value.code == "already_running"


@pytest.mark.parametrize(("is_paid", "price"), [(True, 3.0), (False, 0.0)])
async def test_its_price_is_that_of_a_run_where_runs_cost(tmp_path: Path, is_paid: bool, price: float) -> None:
    desk = Desk(tmp_path, research_paid=is_paid, research_cost_usd=3.0)
    tool = built_in()["start_research"]
    assert tool.price is not None
    assert await tool.price(errand(desk), tool.arguments.model_validate({"note_id": ABSENT})) == price
    desk.close()


async def test_beyond_the_days_cost_only_the_persons_word_starts_it(paid: Desk) -> None:
    one, two, three = [await captured(paid, f"question {n}") for n in range(3)]
    await use(paid, "start_research", {"note_id": one.id}, "c1")
    with pytest.raises(TooMany) as refused:
        await use(paid, "start_research", {"note_id": two.id}, "c2")
    assert refused.value.code == "daily_budget_reached"
    await use(paid, "start_research", {"note_id": two.id}, "c2", beyond_budget=True)
    day = await Days(paid.store, TENANT).get(date_of(paid.now()))
    assert (day.paid_runs, day.cost_usd) == (2, 6.0)
    # How many runs a day may have is another limit, and a word about money does not lift it.
    with pytest.raises(TooMany) as refused:
        await use(paid, "start_research", {"note_id": three.id}, "c3", beyond_budget=True)
    assert refused.value.code == "daily_runs_reached"


async def test_what_can_not_be_researched_is_refused_and_costs_nothing(paid: Desk) -> None:
    foreign, binned = await captured(paid, tenant="other"), await captured(paid)
    await edit.discard(paid.store, TENANT, binned.id, paid.now())
    for note_id in (foreign.id, ABSENT):
        with pytest.raises(NotFound):
            await use(paid, "start_research", {"note_id": note_id})
    with pytest.raises(Conflict):
        await use(paid, "start_research", {"note_id": binned.id})
    assert await Operations(paid.store, TENANT).page() == []
    assert (await Days(paid.store, TENANT).get(date_of(paid.now()))).cost_usd == 0
