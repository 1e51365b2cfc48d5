"""From a turn's end to its memory, with a death at any use of a door: remembered once where it ended well, else not."""

from pathlib import Path
from typing import Any

import pytest

from shared.agent.cast import Cast
from shared.agent.play import Play
from shared.chat import sessions, turns
from shared.chat.live import Live
from shared.chat.turns import Speaker
from shared.errors import Unreachable
from shared.gateway.gateway import Gateway, Policy
from shared.operations.dispatch import dispatch
from shared.operations.step import Polling
from shared.preferences import preferences
from shared.store.chats import Chats
from shared.store.operations import Operations
from shared.sweep import sweep
from tests.fakes.desk import Crash, Door, Killed
from tests.fakes.scripted import ScriptedModel, says
from tests.shared.memory.world import TENANT, World

FACT = "I live in Leiden."


class Death(Crash):
    """A crash after which nothing of the process runs on: not the calls beside the one that died either."""

    dead = False

    async def around(self, act: Any) -> Any:
        if self.dead:
            raise Killed
        try:
            return await super().around(act)
        except Killed:
            self.dead = True
            raise


async def plays(world: World, session: str, text: str = FACT) -> None:
    """A whole turn in this process, with a model that says one thing."""
    current: Any = world.services
    speaker = Speaker(current.documents, TENANT, "sam")
    begun = await turns.begin(speaker, session, text, current.now())
    mine = await preferences(current.documents, current.settings, TENANT)
    policy = Policy(None, approve_tools=True, egress_enabled=False, allowed_hosts=(), budget_left=None)
    cast = Cast(ScriptedModel([says("Noted.")]), Gateway({}, policy, current.now), mine)
    await Play(current, speaker, begun, cast, Live()).begin(text)


async def talk(world: World, *, incognito: bool = False) -> str:
    current = world.services
    made = await sessions.begin(
        current.documents, TENANT, current.now(), subject="sam", title=None, incognito=incognito, key=None
    )
    return made.id


async def waiting(world: World) -> int:
    return len(await Operations(world.services.documents, TENANT).page(kind="memory_generation"))


async def death(folder: Path, at: int, *, after: bool) -> tuple[bool, bool]:
    """One turn with a death at the n-th use of a door; whether there was one, and whether the turn had ended well."""
    folder.mkdir()
    world = World(folder)
    doors = world.services.__dict__
    try:
        await world.remembers("I drink tea.")
        session = await talk(world)
        open_doors = {name: doors[name] for name in ("documents", "memory", "_bus")}
        crash = Death(at, after)
        doors.update({name: Door(door, crash) for name, door in open_doors.items()})
        died = False
        try:
            await plays(world, session)
        except Killed:
            died = True
        doors.update(open_doors)
        world.clock.advance(turns.LEASE_SECONDS + 1)
        await sweep(world.services)
        settled = (await Chats(world.services.documents, TENANT).get(session)).value
        done = settled.turn is not None and settled.turn.status == "done"
        assert await waiting(world) == 1 + done, "the turn's end and its operation are there together, or neither is"
        for operation in await Operations(world.services.documents, TENANT).page(statuses=["running"]):
            execution = str(operation.execution).rpartition("/")[2]
            await world.driven(
                Polling(tenant=TENANT, operation_id=operation.id, execution_id=execution, poll_seconds=5)
            )
        assert (FACT in await world.used("Where do I live?")) is done
        assert world.bank.store.count("generate") == 1 + done
        return died, done
    finally:
        await world.aclose()


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_death_at_any_use_of_a_door_loses_no_turn_that_ended_well(tmp_path: Path, after: bool) -> None:
    seen: list[tuple[bool, bool]] = [(True, False)]
    while seen[-1][0]:
        seen.append(await death(tmp_path / str(len(seen)), len(seen), after=after))
    assert seen.count((True, False)) > 8 and (True, True) in seen, "before the turn's end, and right after it"


async def test_a_bus_that_takes_nothing_costs_time_and_no_memory(world: World) -> None:
    class Silent:
        async def publish(self, *_: object) -> None:
            raise Unreachable("The bus can't be reached")

    bus = world.services.bus
    world.services.__dict__["_bus"] = Silent()
    session = await talk(world)
    await plays(world, session)
    settled = (await Chats(world.services.documents, TENANT).get(session)).value
    assert settled.turn and settled.turn.status == "done"
    assert await waiting(world) == 1
    world.services.__dict__["_bus"] = bus
    await sweep(world.services)
    (operation,) = await Operations(world.services.documents, TENANT).page(kind="memory_generation")
    assert operation.status == "running"


async def test_incognito_and_a_turn_without_memory_leave_nothing_at_their_end(tmp_path: Path, world: World) -> None:
    await plays(world, await talk(world, incognito=True))
    assert await waiting(world) == 0
    (tmp_path / "off").mkdir()
    off = World(tmp_path / "off", memory_enabled=False)
    await plays(off, await talk(off))
    assert await waiting(off) == 0
    await off.aclose()


async def test_a_turn_that_did_not_end_well_is_not_remembered(world: World) -> None:
    current: Any = world.services
    session = await talk(world)
    speaker = Speaker(current.documents, TENANT, "sam")
    await turns.begin(speaker, session, FACT, current.now())
    world.clock.advance(turns.LEASE_SECONDS + 1)
    await sweep(world.services)
    settled = (await speaker.chats.get(session)).value
    assert settled.turn and settled.turn.status == "interrupted"
    assert await waiting(world) == 0
    await dispatch(world.services, TENANT)
    assert world.bank.store.count("generate") == 0
