"""Tasks, routines and memories cancelled before and after every single use of a door; research is in test_cancel.py."""

import copy
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

import pytest

from shared.errors import Conflict
from shared.memory import steps as memory
from shared.memory.prove import conclude
from shared.memory.scope import scope_of
from shared.models.operation import Operation, OperationKind
from shared.operations.ending import cancel
from shared.store.approvals import Approvals
from shared.store.notes import Notes
from shared.store.operations import Operations
from tests.fakes.desk import Door
from tests.shared.agent_task.test_deaths import Settled, finished
from tests.shared.agent_task.working import TENANT, WALL, TaskDesk
from tests.shared.memory.world import TENANT as REMEMBERED
from tests.shared.memory.world import World
from tests.shared.operations.test_cancel import MOST, Meanwhile
from tests.shared.routines.test_run import a_day, run
from tests.shared.routines.working import Bureau, done

BOTH = pytest.mark.parametrize("after", [False, True], ids=["before", "after"])


class Moments:
    """How often the cancel came in time, and how often too late."""

    def __init__(self) -> None:
        self.cancelled = self.completed = 0

    def count(self, told: Operation) -> bool:
        """Whether it was cancelled."""
        self.cancelled += told.status == "cancelled"
        self.completed += told.status == "completed"
        return told.status == "cancelled"


async def stopped_well(desk: Any, tenant: str, told: Operation, states: dict[str, Any]) -> None:
    """It stays as the cancel left it: its slot is free, its execution stopped, its log ends in that."""
    operations = Operations(desk.documents, tenant)
    operation = (await operations.get(told.id)).value
    assert operation.status == told.status
    assert not (await operations.slots()).holders
    log = await operations.log(operation.id)
    assert [event.seq for event in log] == list(range(1, operation.events + 1))
    endings = [event.event for event in log if event.event in ("task.completed", "task.failed", "task.cancelled")]
    assert endings == [f"task.{operation.status}"]
    if operation.status == "cancelled":
        assert operation.output is None and operation.result_note_id is None
        assert operation.execution is None or states[operation.execution] == "CANCELLED"


def cancelling(desk: Any, operation_id: str, at: int, after: bool) -> list[Operation]:
    """A person cancels at the n-th use of a door, by doors of their own; the answer, once there is one."""
    told: list[Operation] = []
    person = copy.copy(desk)
    person.reborn()

    async def cancels() -> None:
        told.append(await cancel(person, TENANT, operation_id))

    desk.reborn(Meanwhile(at, after, cancels))
    return told


@BOTH
@pytest.mark.timeout(300)
async def test_a_task_that_is_cancelled_at_any_moment_leaves_nothing_running(tmp_path: Path, after: bool) -> None:
    moments = Moments()
    for at in range(1, MOST):
        desk = TaskDesk(tmp_path / f"{at}", Settled(asks=True), research_paid=False)
        note = await desk.note(WALL)
        operation_id = await desk.submit()
        told = cancelling(desk, operation_id, at, after)
        await desk.dispatch()
        with suppress(Conflict):  # the answer comes after the cancel
            await finished(desk, operation_id)
        await desk.dispatch()
        desk.reborn()
        if not told:
            desk.close()
            break
        if moments.count(told[0]):
            for name in desk.engine.states:
                assert (await desk.step(operation_id, name.rpartition("/")[2])).status == "deduped"
            assert [one.id for one in await Notes(desk.store, TENANT).page()] == [note.id]
        await stopped_well(desk, TENANT, told[0], desk.engine.states)
        desk.close()
    else:
        raise AssertionError("the task has no end")
    assert moments.cancelled > 40
    assert 0 <= moments.completed < 10


@BOTH
@pytest.mark.timeout(300)
async def test_a_routine_that_is_cancelled_at_any_moment_leaves_nothing_to_decide(tmp_path: Path, after: bool) -> None:
    moments = Moments()
    for at in range(1, MOST):
        desk = Bureau(tmp_path / f"{at}")
        await a_day(desk)
        notes = {note.id for note in await Notes(desk.store, TENANT).page()}
        operation = await run(desk)
        told = cancelling(desk, operation.id, at, after)
        await done(desk, operation)
        desk.reborn()
        if not told:
            desk.close()
            break
        if moments.count(told[0]):
            assert await Approvals(desk.store, TENANT).page(status="pending") == []
        assert {note.id for note in await Notes(desk.store, TENANT).page()} == notes
        await stopped_well(desk, TENANT, told[0], desk.engine.states)
        desk.close()
    else:
        raise AssertionError("the routine has no end")
    assert moments.cancelled > 10
    assert 0 <= moments.completed < 10


async def remembered(folder: Path, at: int, after: bool, moments: Moments) -> bool:
    """A generation that is cancelled at one use of a door; whether it came to that."""
    folder.mkdir()
    world = World(folder)
    try:
        operation, request = await world.started("I drink green tea.")
        told: list[Operation] = []
        documents, person = world.services.documents, copy.copy(world.services)

        async def cancels() -> None:
            told.append(await cancel(person, REMEMBERED, operation.id))

        door = Meanwhile(at, after, cancels)
        world.services.__dict__["documents"] = Door(documents, door)
        world.services.__dict__["memory"] = Door(world.bank.client, door)
        await world.driven(request)
        world.services.__dict__["documents"], world.services.__dict__["memory"] = documents, world.bank.client
        if not told:
            return False
        world.clock.advance(60)
        if moments.count(told[0]):
            for step in (memory.generate, memory.poll, memory.reconcile, memory.abandon):
                assert (await step(world.services, request)).status == "deduped"
            assert await world.used("What tea do I like?") == set(), "what was not proved is not used"
        assert await Notes(documents, REMEMBERED).page() == []
        await stopped_well(world.services, REMEMBERED, told[0], world.executions.states)
        return True
    finally:
        await world.aclose()


@BOTH
@pytest.mark.timeout(300)
async def test_a_memory_that_is_cancelled_at_any_moment_stays_so(tmp_path: Path, after: bool) -> None:
    moments, at = Moments(), 1
    while await remembered(tmp_path / f"{at}", at, after, moments):
        at += 1
        assert at < MOST, "the generation has no end"
    assert moments.cancelled > 5
    assert 0 <= moments.completed < 10


@BOTH
async def test_a_memory_that_is_written_down_in_the_midst_of_its_cancel_is_not_used(
    tmp_path: Path, after: bool
) -> None:
    for at in range(1, MOST):
        (tmp_path / f"{at}").mkdir()
        world = World(tmp_path / f"{at}")
        operation, request = await world.started("I drink green tea.")
        world.bank.fails(lag=20)  # what is written down can't be proved yet
        await memory.generate(world.services, request)
        while (await memory.poll(world.services, request)).status != "ready":
            world.clock.advance(5)
        person, looked = copy.copy(world.services), list[object]()

        async def looks(world: World = world, asked: str = operation.id, looked: list[object] = looked) -> None:
            """As far as a step comes that dies after its look."""
            seen = await world.operation(asked)
            looked.append(await conclude(world.services, REMEMBERED, seen, patient=True, last=False))

        person.__dict__["documents"] = Door(world.services.documents, Meanwhile(at, after, looks))
        assert (await cancel(person, REMEMBERED, operation.id)).status == "cancelled"
        while not await world.bank.facts(scope_of(REMEMBERED, "sam")):
            pass  # until the reads show what was made
        assert await world.used("What tea do I like?") == set()
        await world.aclose()
        if not looked:
            break
    else:
        raise AssertionError("the cancel has no end")
    assert at > 3


def test_every_kind_is_cancelled_at_every_moment() -> None:
    """Research in test_cancel.py, the rest here: a new kind has to find its way into one of them."""
    assert set(get_args(OperationKind)) == {"deep_research", "agent_task", "routine", "memory_generation"}
