"""Cancelling a research run before and after every single use of a door."""

import copy
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from shared.errors import NotFound
from shared.models.operation import Operation
from shared.operations import ending
from shared.store.documents import Query
from shared.store.notes import Notes
from shared.sweep import sweep
from tests.fakes.desk import Crash
from tests.shared.operations.world import REPORT, RUNNING, TENANT, World

MOST = 300
"""More uses than a run has; a run that reached them all would be one that the test does not see the end of."""


class Meanwhile(Crash):
    """Somebody else does something at the n-th use of a door, and nobody dies."""

    def __init__(self, at: int, after: bool, act: Callable[[], Awaitable[None]]) -> None:
        super().__init__(at, after)
        self.act = act

    async def around(self, act: Callable[[], Awaitable[Any]]) -> Any:
        self.uses += 1
        here = self.uses == self.at
        if here and not self.after:
            await self.act()
        answer = await act()
        if here and self.after:
            await self.act()
        return answer


async def cancelled_at(folder: Path, at: int, after: bool) -> tuple[World, Operation | None]:
    """A run from its first message to its end, cancelled at one use of a door; what the cancel answered."""
    world = World(folder)
    world.service.looks = [RUNNING, REPORT]
    await world.wish()
    await world.deliver(world.mail.pop())
    [operation_id] = world.watched.statuses
    person = copy.copy(world)
    person.reborn()
    told: list[Operation] = []

    async def cancel() -> None:
        told.append(await ending.cancel(person, TENANT, operation_id))

    world.mail.append(("changed",))
    world.reborn(Meanwhile(at, after, cancel))
    await world.run_all()
    world.reborn()
    return world, told[0] if told else None


@pytest.mark.timeout(300)
@pytest.mark.parametrize("after", [False, True])
async def test_a_cancel_at_any_moment_leaves_nothing_running(tmp_path: Path, after: bool) -> None:
    moments = {"cancelled": 0, "completed": 0}
    for at in range(1, MOST):
        world, told = await cancelled_at(tmp_path / f"{at}", at, after)
        if told is None:
            world.close()
            break
        moments[told.status] += 1
        operation = (await world.operations.get(told.id)).value
        assert operation.status == told.status
        assert not (await world.operations.slots()).holders
        assert world.workflows.active == []
        await world.check({})
        if operation.status == "cancelled":
            await left_nothing(world, operation)
        world.close()
    else:
        raise AssertionError("the run has no end")
    assert moments["cancelled"] > 30
    # Only the look that follows the commit which ends the run is too late.
    assert 0 < moments["completed"] < 15


async def left_nothing(world: World, operation: Operation) -> None:
    """The execution and the interaction are stopped, and neither a report nor a part of one is there."""
    if operation.execution:
        assert world.workflows.states[operation.execution] == "CANCELLED"
    assert world.service.cancels == [f"v1_{number + 1}" for number in range(len(world.service.creates))]
    assert not operation.remote_open
    notes = Notes(world.store, TENANT)
    with pytest.raises(NotFound):
        await notes.get(operation.id)
    assert await notes.trace(operation.id) == []
    assert await world.store.query(Query("body", f"tenants/{TENANT}/notes/{operation.id}")) == []
    assert operation.source_note_id
    source = (await notes.get(operation.source_note_id)).value
    assert (source.research.status, source.research.requested) == ("cancelled", False)
    before = world.workflows.states.copy()
    assert (await sweep(world))["errors"] == 0
    assert world.workflows.states == before
    for name in world.workflows.states:
        for act in ("create", "poll", "finish", "fail"):
            assert await world.step(name, act) == "deduped"
    assert await notes.page(kind="research") == []
