"""Forgetting beside other work: at every moment of a recall, and of a generation. What is forgotten stays so."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from shared.errors import MemexError, NotFound
from shared.memory import steps
from shared.memory.change import edit, everything, forget, forget_all, person
from shared.memory.scope import scope_of
from shared.memory.service import Refused
from shared.models.memory import Receipt
from shared.store.memories import Memories
from tests.fakes.desk import Crash, Door
from tests.shared.memory.world import TENANT, World

SAM = scope_of(TENANT, "sam")
FACT = "I drink green tea."


@dataclass
class Meanwhile(Crash):
    """At the n-th use of a door, somebody else does something first; nobody dies."""

    deed: Callable[[], Awaitable[Any]] | None = None

    async def around(self, act: Callable[[], Awaitable[Any]]) -> Any:
        self.uses += 1
        if self.uses == self.at and self.deed:
            await self.deed()
        return await act()


@asynccontextmanager
async def meanwhile(world: World, at: int, deed: Callable[[], Awaitable[Any]]) -> AsyncIterator[Meanwhile]:
    """From here on the n-th use of a door waits for the deed, which itself goes through open doors."""
    documents, bank = world.services.documents, world.bank.client
    doors = world.services.__dict__

    async def act() -> None:
        kept = doors["documents"], doors["memory"]
        doors["documents"], doors["memory"] = documents, bank
        world.clock.advance(1)
        await deed()
        world.clock.advance(1)
        doors["documents"], doors["memory"] = kept

    watch = Meanwhile(at, deed=act)
    doors["documents"], doors["memory"] = Door(documents, watch), Door(bank, watch)
    try:
        yield watch
    finally:
        doors["documents"], doors["memory"] = documents, bank


async def forgets_all(world: World) -> None:
    await forget_all(await person(world.services, TENANT, "sam"))


async def forgets_each(world: World) -> None:
    who = await person(world.services, TENANT, "sam")
    for memory in await everything(who):
        await forget(who, memory.id)


async def receipts(world: World) -> list[Receipt]:
    memories = Memories(world.services.documents, TENANT)
    return await memories.receipts((await memories.references()).scope(SAM))


DEEDS = [pytest.param(forgets_all, id="all"), pytest.param(forgets_each, id="one")]
Deed = Callable[[World], Awaitable[None]]


@pytest.mark.parametrize("deed", DEEDS)
async def test_what_is_forgotten_while_it_is_being_recalled_stays_out(tmp_path: Path, deed: Deed) -> None:
    at, used = 1, []
    while True:
        (tmp_path / str(at)).mkdir()
        world = World(tmp_path / str(at))
        await world.remembers(FACT)
        async with meanwhile(world, at, lambda world=world: deed(world)) as watch:  # type: ignore[misc]
            recalled = await world.recalls("tea")
        over = watch.uses < at
        assert recalled.receipt is None or recalled.receipt.injected == len(recalled.allowed)
        kept = await receipts(world)
        assert recalled.receipt in (None, *kept), "the receipt that is kept is that of the answer"
        assert await world.used("tea") == ({FACT} if over else set())
        await world.aclose()
        if over:
            break
        used.append({one.fact for one in recalled.allowed})
        at += 1
    # The last use of a door reads the expectations once more, after the receipt was written.
    assert len(used) >= 6 and not any(used)


@pytest.mark.parametrize("service", [{}, {"keep_deleted": True}, {"lag": 6}], ids=["good", "keeps", "lags"])
@pytest.mark.parametrize("deed", DEEDS)
async def test_what_is_forgotten_while_it_is_being_made_does_not_come_back(
    tmp_path: Path, deed: Deed, service: dict[str, Any]
) -> None:
    """Forgetting everything reaches what is still being made; forgetting one reaches what is there to be seen."""
    at, step = 1, 3 if service else 1
    while True:
        (tmp_path / str(at)).mkdir()
        world = World(tmp_path / str(at))
        await world.remembers("I like pears.")
        world.bank.fails(**service)
        _, request = await world.started("I like tea. I hate pears.")
        forgotten: set[str] = set()

        async def act(world: World = world, forgotten: set[str] = forgotten) -> None:
            forgotten |= {one.fact for one in await everything(await person(world.services, TENANT, "sam"))}
            await deed(world)

        async with meanwhile(world, at, act) as watch:
            await world.driven(request)
        for _ in range(3):
            used = await world.used("What do I like and hate? Pears, tea?")
            if deed is forgets_all and watch.uses >= at:
                assert used == set(), at
            assert not used & forgotten, at
            world.bank.fails()
            world.clock.advance(60)
        await world.aclose()
        if watch.uses < at:
            break
        at += step
    assert at > 15, "the word came at moments of the whole work"


async def test_everything_that_was_forgotten_stays_so_though_its_proof_comes_late(world: World) -> None:
    """The service shows the memory only after the person forgot everything, and never deletes anything."""
    world.bank.fails(lag=4, keep_deleted=True)
    _, request = await world.started(FACT)
    await steps.generate(world.services, request)
    await steps.poll(world.services, request)
    world.clock.advance(1)
    await forgets_all(world)
    await world.driven(request)
    assert await world.bank.facts(SAM) == {FACT}, "it is there, and nothing can be done about it"
    recalled = await world.recalls("tea")
    assert recalled.allowed == () and {one.judgement.case for one in recalled.withheld} == {"deleted_still_visible"}
    # What is said after that is another matter, even though it is the same.
    world.bank.fails()
    world.clock.advance(1)
    await world.remembers(FACT)
    assert await world.used("tea") == {FACT}


async def test_a_correction_that_is_refused_does_not_bring_back_what_was_forgotten_beside_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.remembers(FACT)
    world.bank.fails(keep_deleted=True)
    who = await person(world.services, TENANT, "sam")
    (memory,) = await everything(who)

    async def refuse(*_: object) -> object:
        world.clock.advance(1)
        await forget(who, memory.id)
        raise Refused("The memory service refused (HTTP 404)", upstream_status=404)

    monkeypatch.setattr(world.bank.client, "update", refuse)
    with pytest.raises(Refused):
        await edit(who, memory.id, "I drink black tea.")
    assert await world.used("tea") == set()
    assert (await everything(who))[0].judgement.case == "deleted_still_visible"


async def test_forgetting_that_the_service_does_not_carry_out_is_withheld_all_the_same(world: World) -> None:
    await world.remembers(FACT)
    world.bank.fails(down=True)
    with pytest.raises(MemexError):
        await forgets_all(world)
    world.bank.fails()
    assert await world.bank.facts(SAM) == {FACT}
    assert await world.used("tea") == set(), "the word counts from when it was said"
    (shown,) = await everything(await person(world.services, TENANT, "sam"))
    assert shown.judgement.case == "deleted_still_visible" and "Quarantine" in shown.judgement.safe_action
    await forgets_all(world)
    assert await world.bank.facts(SAM) == set()
    with pytest.raises(NotFound):
        await forget(await person(world.services, TENANT, "sam"), shown.id)
