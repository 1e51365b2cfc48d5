"""Trouble that may pass is waited out as often as the tenant chose, by every kind; looking at a run never ends."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shared.agent.model import ModelDown
from shared.errors import Unreachable
from shared.models.operation import Operation
from shared.operations.retries import used_up
from shared.preferences import Choices, choose
from shared.research import claim
from shared.research.service import Busy, Trouble
from tests.fakes.desk import Desk
from tests.fakes.scripted import ScriptedModel
from tests.shared.agent_task.working import WALL, TaskDesk
from tests.shared.memory.world import World as Rememberers
from tests.shared.operations.world import REPORT, TENANT, World
from tests.shared.routines.test_run import a_day, run
from tests.shared.routines.working import Bureau, done

CHOSEN = 2
"""Of the tenant; the deployment's own number is higher."""
DOWN: list[Exception] = [Trouble("503", upstream_status=503), Busy("429", retry_after=1), Unreachable("no")]


async def chosen(desk: Any, tenant: str = TENANT, most: int = CHOSEN) -> None:
    assert desk.settings.max_retries > most
    await choose(desk.documents, desk.settings, tenant, Choices(max_retries=most), desk.now())


async def test_it_is_the_tenants_own_number_and_the_deployments_elsewhere(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    await chosen(desk)
    assert [await used_up(desk, TENANT, troubles) for troubles in (CHOSEN, CHOSEN + 1)] == [False, True]
    assert not await used_up(desk, "other", CHOSEN + 1)
    desk.close()


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.close()


async def research(world: World) -> Operation:
    note_id = await world.wish()
    assert await claim.claim(world, TENANT, note_id)
    await world.run_all()
    world.mail.append(("changed",))
    await world.run_all()
    [operation] = await world.all()
    return operation


async def test_research_that_can_not_be_started_is_tried_so_often_later_each_time(world: World) -> None:
    await chosen(world)
    world.service.create_error = [Unreachable("no") for _ in range(50)]
    waits: list[int] = []
    note_id = await world.wish()
    operation = await claim.claim(world, TENANT, note_id)
    assert operation
    await world.deliver(("changed",))
    (name,) = world.workflows.active
    while await world.step(name) == "running":
        waits.append(world.workflows.asleep[name])
        world.time += waits[-1]
    assert len(waits) == CHOSEN
    assert waits == sorted(waits)
    assert 50 - len(world.service.create_error) == CHOSEN + 1
    ended = (await world.operations.get(operation.id)).value
    assert (ended.status, ended.error and ended.error.code) == ("failed", "unavailable")


@pytest.mark.parametrize("trouble", DOWN, ids=lambda one: type(one).__name__)
async def test_trouble_at_looking_never_fails_a_run_however_few_retries_are_chosen(
    world: World, trouble: Exception
) -> None:
    await chosen(world, most=0)
    world.service.looks = [*[trouble] * 20, REPORT]
    operation = await research(world)
    assert (operation.status, operation.error, len(world.service.creates)) == ("completed", None, 1)


async def test_a_task_asks_its_model_so_often(tmp_path: Path) -> None:
    desk = TaskDesk(tmp_path, research_paid=False)
    await chosen(desk)
    await desk.note(WALL)
    model = desk.says(*[ModelDown(503)] * 10)
    operation = await desk.ask()
    assert operation.error and operation.error.code == "unavailable"
    assert len(model.questions) == CHOSEN + 1
    desk.close()


async def test_a_routine_asks_its_model_so_often(tmp_path: Path) -> None:
    desk = Bureau(tmp_path)
    await chosen(desk)
    await a_day(desk)
    desk.writer = model = ScriptedModel([ModelDown(503) for _ in range(10)])
    ended = await done(desk, await run(desk))
    assert (ended.status, len(model.questions)) == ("failed", CHOSEN + 1)
    desk.close()


async def test_memory_asks_its_service_so_often(tmp_path: Path) -> None:
    world = Rememberers(tmp_path)
    await chosen(world.services, "default")
    world.bank.fails(busy=1_000)
    _, request = await world.started("I drink green tea.")
    seen = await world.driven(request)
    assert seen == ["running"] * CHOSEN + ["failed"]
    await world.aclose()
