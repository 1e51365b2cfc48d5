"""An execution that a person cancelled elsewhere, seen by the page of its operation: when it is looked at, and why."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from shared.errors import Unreachable
from shared.models.base import moment
from shared.models.operation import Operation, Progress
from shared.operations import ending, sight
from shared.operations.dispatch import dispatch
from shared.operations.execution import ExecutionState
from shared.operations.sight import Sight, silent
from tests.fakes.desk import START
from tests.shared.operations.world import RUNNING, TENANT, World


class Looked(World):
    """A world that counts the looks at executions."""

    looks = 0

    def _wire(self) -> None:
        super()._wire()
        inner = self.executions

        class Counting:
            def __getattr__(self, name: str) -> object:
                return getattr(inner, name)

            async def state(_self, name: str) -> ExecutionState | None:
                self.looks += 1
                found: ExecutionState | None = await inner.state(name)
                return found

        self.executions = Counting()


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[Looked]:
    made = Looked(tmp_path)
    yield made
    made.close()


async def running(world: World) -> tuple[str, str]:
    """An operation that is being polled, and its execution."""
    world.service.looks = [RUNNING]
    await world.wish()
    await world.deliver(world.mail.pop())
    await dispatch(world, TENANT)
    [operation] = await world.all()
    [name] = world.workflows.active
    await world.step(name)
    await world.step(name)
    return operation.id, name


async def look(world: World, eyes: Sight, operation_id: str) -> Operation:
    return await eyes.seen(world, TENANT, (await world.operations.get(operation_id)).value)


async def test_a_cancelled_execution_ends_its_operation_within_two_minutes(world: Looked) -> None:
    operation_id, name = await running(world)
    world.workflows.states[name] = "CANCELLED"
    eyes, began = Sight(), world.time
    while (seen := await look(world, eyes, operation_id)).status == "running":
        world.time += 4
        assert world.time < began + 600, "nobody looks"
    assert seen.status == "cancelled" and world.time - began <= 120
    assert not (await world.operations.slots()).holders
    assert not (await world.operations.get(operation_id)).value.remote_open
    assert world.looks == 1


async def test_one_that_is_heard_of_is_never_looked_at(world: Looked) -> None:
    operation_id, name = await running(world)
    eyes = Sight()
    for _ in range(20):
        for _ in range(world.workflows.asleep[name]):
            world.time += 1
            await look(world, eyes, operation_id)
        await world.step(name)
    assert world.looks == 0


@pytest.mark.parametrize("state", ["ACTIVE", "QUEUED", "SUCCEEDED", "FAILED", "UNAVAILABLE", None])
async def test_any_other_state_is_dispatchs_affair_and_is_asked_for_once_a_minute(
    world: Looked, state: ExecutionState | None
) -> None:
    operation_id, name = await running(world)
    if state:
        world.workflows.states[name] = state
    else:
        del world.workflows.states[name]
    world.time += 300
    eyes = Sight()
    before = (await world.operations.get(operation_id)).value
    reads = world.watched.reads
    for _ in range(75):
        assert await look(world, eyes, operation_id) == before
        world.time += 4
    assert world.looks == 5
    assert world.watched.reads == reads


@pytest.mark.parametrize("error", [Unreachable("no"), None], ids=["out of reach", "no answer"])
async def test_a_look_that_fails_leaves_it_as_it_is(
    world: Looked, monkeypatch: pytest.MonkeyPatch, error: Exception | None
) -> None:
    operation_id, _ = await running(world)
    world.time += 300

    async def state(_name: str) -> ExecutionState | None:
        if error:
            raise error
        await asyncio.Event().wait()
        return None

    monkeypatch.setattr(world.executions, "state", state, raising=False)
    monkeypatch.setattr(sight, "PATIENCE_SECONDS", 0)
    assert (await look(world, Sight(), operation_id)).status == "running"


async def test_past_its_time_limit_dispatch_decides(world: Looked) -> None:
    operation_id, name = await running(world)
    world.workflows.states[name] = "CANCELLED"
    world.time += world.settings.research_minutes * 60 + 1
    assert (await look(world, Sight(), operation_id)).status == "running"
    assert world.looks == 0


async def test_one_that_ended_meanwhile_stays_as_it_ended(world: Looked) -> None:
    operation_id, name = await running(world)
    before = (await world.operations.get(operation_id)).value
    await ending.cancel(world, TENANT, operation_id)
    ended = (await world.operations.get(operation_id)).value
    world.workflows.states[name] = "CANCELLED"
    world.time += 300
    assert await Sight().seen(world, TENANT, before) == ended
    assert (await world.operations.get(operation_id)).value.events == ended.events


AT = moment(START)


@pytest.mark.parametrize(
    ("fields", "after", "told"),
    [
        ({}, 60, False),
        ({}, 61, True),
        ({"status": "queued"}, 10_000, False),
        ({"status": "waiting_for_input"}, 10_000, False),
        ({"status": "completed"}, 10_000, False),
        ({"execution": None}, 10_000, False),
        ({"progress": Progress(next_look_at=AT + timedelta(seconds=60))}, 120, False),
        ({"progress": Progress(next_look_at=AT + timedelta(seconds=60))}, 121, True),
        ({"progress": Progress(next_look_at=AT - timedelta(seconds=60))}, 60, False),
    ],
)
def test_it_is_silent_a_minute_after_it_should_have_been_heard_of(
    fields: dict[str, object], after: float, told: bool
) -> None:
    operation = Operation.model_validate(
        {
            "id": "0" * 26,
            "created_at": AT,
            "updated_at": AT,
            "kind": "agent_task",
            "status": "running",
            "input": {"question": "Why?"},
            "execution": "e",
        }
    ).model_copy(update=fields)
    assert silent(operation, START + after) is told
