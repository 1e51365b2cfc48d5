"""The machine under random submissions, deliveries, steps, answers, cancellations, deaths and sweeps."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from infra.local.store.documents import SqliteDocuments
from shared.errors import Unreachable
from shared.models.operation import TERMINAL
from shared.operations import ending, waiting
from shared.research import claim
from shared.research.service import Busy, Rejected, StartUnknown, Trouble
from shared.store.documents import Documents, Query
from shared.store.firestore import FirestoreDocuments
from shared.store.notes import Notes
from shared.sweep import sweep
from tests.emulators.fixtures import firestore_emulator
from tests.fakes.desk import Crash
from tests.shared.operations.world import REPORT, RUNNING, STEPS, TENANT, World

__all__ = ["firestore_emulator"]

T = TypeVar("T")
Open = Callable[[], tuple[Documents, Callable[[], Awaitable[None]]]]
LOOKS: list[object] = [
    RUNNING,
    RUNNING,
    REPORT,
    {"status": "failed", "steps": []},
    {"status": "cancelled", "steps": []},
    {"status": "requires_action", "steps": []},
    Trouble("503", upstream_status=503),
    Rejected("no", service_code="x", upstream_status=404),
]
STARTS: list[Callable[[], Exception] | None] = [
    None,
    None,
    lambda: StartUnknown("no answer"),
    lambda: Unreachable("not there"),
    lambda: Busy("slow", retry_after=7),
    lambda: Rejected("no", service_code="x", upstream_status=400),
]
ANY = st.integers(0, 1_000)
"""Picks one of whatever is there."""
DEATHS = st.none() | st.builds(Crash, at=st.integers(1, 14), after=st.booleans())
ROUNDS = 80
"""Rounds in which everything has to settle once nothing goes wrong any more."""


class Machine(RuleBasedStateMachine):
    """One tenant's operations, and everything that can happen to them."""

    def __init__(self, opened: Open) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.store, self.close = self.run(_called(opened))
        self.world = World(self.store)
        self.notes: list[str] = []
        self.seen: dict[str, int] = {}

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(coroutine)

    # -- people ------------------------------------------------------------------------------------------------

    @initialize(count=st.integers(1, 5))
    def some_notes_ask_for_research(self, count: int) -> None:
        for _ in range(count):
            self.a_note_asks_for_research()
            self._act(self.world.deliver(self.world.mail[-1]), None)

    @rule()
    def a_note_asks_for_research(self) -> None:
        self.notes.append(self.run(self.world.wish()))

    @precondition(lambda self: self.notes)
    @rule(which=ANY, death=DEATHS)
    def a_person_asks(self, which: int, death: Crash | None) -> None:
        self.world.time += 1
        self._act(claim.request(self.world, TENANT, _one(self.notes, which)), death)

    @precondition(lambda self: self.world.watched.statuses)
    @rule(which=ANY, death=DEATHS)
    def a_person_cancels(self, which: int, death: Crash | None) -> None:
        self._act(ending.cancel(self.world, TENANT, self._operation(which)), death)

    @precondition(lambda self: "waiting_for_input" in self.world.watched.statuses.values())
    @rule(which=ANY, text=st.sampled_from(["yes", "no"]), death=DEATHS)
    def a_person_answers(self, which: int, text: str, death: Crash | None) -> None:
        self._act(waiting.give(self.world, TENANT, self._waiting(which), text), death)

    # -- messages ----------------------------------------------------------------------------------------------

    @precondition(lambda self: self.world.mail)
    @rule(which=ANY, death=DEATHS)
    def a_message_arrives(self, which: int, death: Crash | None) -> None:
        message = _one(self.world.mail, which)
        if self._act(self.world.deliver(message), death):
            self.world.mail.remove(message)

    @precondition(lambda self: self.world.mail)
    @rule(which=ANY, times=st.integers(2, 3))
    def a_message_arrives_several_times_at_once(self, which: int, times: int) -> None:
        message = _one(self.world.mail, which)

        async def at_once() -> None:
            await asyncio.gather(*(self.world.deliver(message) for _ in range(times)))

        self._act(at_once(), None)  # It stays in the mail, and may come again much later.

    @precondition(lambda self: self.world.mail)
    @rule(which=ANY)
    def a_message_is_lost(self, which: int) -> None:
        self.world.mail.remove(_one(self.world.mail, which))

    # -- workflows ---------------------------------------------------------------------------------------------

    @precondition(lambda self: self.world.workflows.active)
    @rule(which=ANY, death=DEATHS)
    def an_execution_goes_on(self, which: int, death: Crash | None) -> None:
        name = _one(self.world.workflows.active, which)
        self.world.time += self.world.workflows.asleep.get(name, 0)
        self._act(self.world.step(name), death)

    @precondition(lambda self: self.world.workflows.active)
    @rule(which=ANY)
    def executions_go_on_at_once(self, which: int) -> None:
        names = {_one(self.world.workflows.active, which), _one(self.world.workflows.active, which + 1)}

        async def at_once() -> None:
            await asyncio.gather(*(self.world.step(name) for name in sorted(names)), return_exceptions=True)

        self._act(at_once(), None)

    @precondition(lambda self: self.world.workflows.states)
    @rule(which=ANY, act=st.sampled_from(sorted(STEPS)), death=DEATHS)
    def a_step_comes_late(self, which: int, act: str, death: Crash | None) -> None:
        self._act(self.world.step(_one(list(self.world.workflows.states), which), act), death)

    @precondition(lambda self: self.world.workflows.active)
    @rule(which=ANY, state=st.sampled_from(["FAILED", "CANCELLED"]))
    def an_execution_dies(self, which: int, state: Any) -> None:
        self.world.workflows.states[_one(self.world.workflows.active, which)] = state

    @precondition(lambda self: "running" in self.world.watched.statuses.values())
    @rule(which=ANY, death=DEATHS)
    def a_run_asks_a_person(self, which: int, death: Crash | None) -> None:
        running = [key for key, status in self.world.watched.statuses.items() if status == "running"]
        self._act(waiting.wait(self.world, TENANT, _one(running, which), "Which tea?", ("green", "black")), death)

    # -- the world outside -------------------------------------------------------------------------------------

    @rule(look=st.sampled_from(LOOKS), start=st.sampled_from(STARTS), down=st.booleans(), deaf=st.booleans())
    def the_world_outside_changes(
        self, look: object, start: Callable[[], Exception] | None, down: bool, deaf: bool
    ) -> None:
        self.world.service.looks = [look]
        self.world.service.create_error = [start()] if start else []
        self.world.service.cancel_error = Trouble("503", upstream_status=503) if deaf else None
        self.world.workflows.error = Unreachable("no workflows") if down else None

    @rule(seconds=st.sampled_from([1, 40, 400, 700, 7_300, 90_000]))
    def time_passes(self, seconds: int) -> None:
        self.world.time += seconds

    @rule(death=DEATHS)
    def the_sweep_comes(self, death: Crash | None) -> None:
        self._act(sweep(self.world), death)

    @rule(turns=st.integers(1, 6), death=DEATHS)
    def all_goes_well_for_a_while(self, turns: int, death: Crash | None) -> None:
        self._act(self._work(turns), death)

    async def _work(self, turns: int) -> None:
        for _ in range(turns):
            for message in self.world.mail[:3]:
                await self.world.deliver(message)
                self.world.mail.remove(message)
            for name in self.world.workflows.active:
                await self.world.step(name)
            self.world.collect()

    # -- what holds --------------------------------------------------------------------------------------------

    @invariant()
    def all_is_in_order(self) -> None:
        self.run(self.world.check(self.seen))

    def teardown(self) -> None:
        try:
            self.run(self._settle())
        finally:
            self.run(_awaited(self.close()))
            self.loop.close()

    async def _settle(self) -> None:
        """Nothing goes wrong any more: everything comes to an end by itself."""
        world = self.world
        world.workflows.error = world.service.cancel_error = None
        world.service.create_error, world.service.looks = [], [REPORT]
        for turn in range(ROUNDS):
            await sweep(world)
            world.collect()
            await world.run_all()
            if not [one for one in await world.all() if one.status not in TERMINAL] and not await self._wishes():
                break
            # Long enough for every lease; later for every question that nobody answers.
            world.time += 700 if turn % 4 else 90_000
        counts = await sweep(world)
        assert counts["errors"] == 0
        await world.check(self.seen)
        operations = await world.all()
        assert [one.id for one in operations if one.status not in TERMINAL] == []
        assert [one.id for one in operations if one.remote_open] == []
        assert world.workflows.active == []
        assert await self._wishes() == []
        bought = [one for one in operations if one.budget_day and (one.intent_at or one.interaction_id)]
        days = await self.store.query(Query("days", f"tenants/{TENANT}", limit=1_000))
        assert sum(int(str(day.data["paid_runs"])) for day in days) == len(bought)
        assert len(world.service.creates) <= len(bought)

    async def _wishes(self) -> list[str]:
        """Notes that still wait for research."""
        notes = [(await Notes(self.store, TENANT).get(note_id)).value for note_id in self.notes]
        waits = ("queued", "running", "waiting_for_input")
        return [note.id for note in notes if note.research.requested or note.research.status in waits]

    def _act(self, act: Coroutine[Any, Any, object], death: Crash | None) -> bool:
        return self.run(self.world.survive(act, Crash(death.at, death.after) if death else None))

    def _operation(self, which: int) -> str:
        return _one(list(self.world.watched.statuses), which)

    def _waiting(self, which: int) -> str:
        statuses = self.world.watched.statuses
        return _one([key for key, status in statuses.items() if status == "waiting_for_input"], which)


def _one(among: list[T], which: int) -> T:
    return among[which % len(among)]


async def _called(opened: Open) -> tuple[Documents, Callable[[], Awaitable[None]]]:
    return opened()


async def _awaited(thing: Awaitable[None]) -> None:
    await thing


def check(opened: Open, examples: int, steps: int) -> None:
    class Opened(Machine):
        def __init__(self) -> None:
            super().__init__(opened)

    run_state_machine_as_test(
        Opened,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            derandomize=True,
            # An example takes a good part of a second, so one that fails is shown as it is.
            phases=[Phase.generate],
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


@contextmanager
def sqlite() -> Iterator[Open]:
    with tempfile.TemporaryDirectory() as folder:

        def opened() -> tuple[Documents, Callable[[], Awaitable[None]]]:
            store = SqliteDocuments(Path(folder) / uuid4().hex)

            async def close() -> None:
                store.close()

            return store, close

        yield opened


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_whatever_happens_all_is_in_order_and_settles() -> None:
    with sqlite() as opened:
        check(opened, 200, 30)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_it_does_so_on_firestore(firestore_emulator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", firestore_emulator)

    def opened() -> tuple[Documents, Callable[[], Awaitable[None]]]:
        store = FirestoreDocuments(f"p-{uuid4().hex[:20]}")
        return store, store.close

    check(opened, 20, 30)
