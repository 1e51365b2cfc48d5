"""Many operations and few slots: all settle, in order, and looking costs the same however many wait."""

from pathlib import Path

import pytest

from shared.operations import ending, waiting
from shared.operations.dispatch import dispatch
from tests.shared.operations.world import RUNNING, TENANT, World


async def submitted(folder: Path, count: int) -> World:
    """A world with so many queued operations, all submitted before the first one starts."""
    world = World(folder)
    for number in range(count):
        await world.wish(f"What is tea number {number}?")
    for message in world.mail:
        await world.deliver(message)
    world.mail.clear()
    world.collect()
    return world


@pytest.mark.slow
async def test_two_hundred_operations_settle_and_start_in_order_of_id(tmp_path: Path) -> None:
    world = await submitted(tmp_path, 200)
    assert set(world.watched.statuses.values()) == {"queued"}
    await world.run_all()
    assert set(world.watched.statuses.values()) == {"completed"}
    assert world.watched.started == sorted(world.watched.statuses)
    assert len(world.watched.started) == 200
    await world.check({})
    world.close()


async def reads(folder: Path, count: int) -> dict[str, int]:
    """Documents that each kind of transition and the look after it read, with about so many waiting."""
    world = await submitted(folder, count)
    world.service.looks = [RUNNING]
    found: dict[str, int] = {}

    async def counted(name: str) -> None:
        before = world.watched.reads
        await dispatch(world, TENANT)
        found[name] = world.watched.reads - before

    await counted("two starts")
    await counted("nothing to do")
    first, second = world.watched.started
    before = world.watched.reads
    await ending.cancel(world, TENANT, first)
    found["an ending"] = world.watched.reads - before
    await counted("a start after an ending")
    await waiting.wait(world, TENANT, second, "Which tea?")
    await counted("a start after a question")
    await waiting.give(world, TENANT, second, "green")
    await counted("an answer while all slots are taken")
    await ending.cancel(world, TENANT, world.watched.started[2])
    await counted("going on with an answer")
    assert world.watched.statuses[second] == "running"
    world.close()
    return found


async def test_a_look_reads_as_much_with_ten_waiting_as_with_two_hundred(tmp_path: Path) -> None:
    few, many = await reads(tmp_path / "few", 10), await reads(tmp_path / "many", 200)
    assert few == many
    assert max(few.values()) <= 30
