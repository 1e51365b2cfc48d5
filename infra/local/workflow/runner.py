"""Drives one execution: stores its state between steps, waits, and calls the outside. It interprets nothing."""

import asyncio
from collections.abc import Callable

from infra.local.clock import Clock
from infra.local.workflow.calls import Effect, Request, Sleep
from infra.local.workflow.errors import Raised
from infra.local.workflow.machine import Machine
from infra.local.workflow.outside import Outside
from infra.local.workflow.state import Fork, Outcome, Thread


class Runner:
    """One execution under way."""

    def __init__(
        self,
        machine: Machine,
        thread: Thread,
        clock: Clock,
        outside: Outside,
        save: Callable[[], None],
        *,
        steps_per_save: int,
    ) -> None:
        self._machine = machine
        self._thread = thread
        self._clock = clock
        self._outside = outside
        self._save = save
        self._steps_per_save = steps_per_save

    async def run(self) -> Outcome:
        """Go on from the stored state to the end."""
        await self._drive(self._thread)
        assert self._thread.outcome is not None
        return self._thread.outcome

    async def _drive(self, thread: Thread) -> None:
        while thread.outcome is None:
            with self._clock.busy():
                effect = await self._work(thread)
            if isinstance(effect, Sleep):
                await self._clock.sleep(effect.until - self._clock.now())
                self._machine.resume(thread)
            elif isinstance(effect, Fork):
                await self._branch(thread, effect)

    async def _work(self, thread: Thread) -> Effect | None:
        """Run steps up to the next one that waits.

        Steps that reach nothing outside are stored together: if the process dies between two of them, they run
        again from the same state, and nobody can tell. What reaches outside has its state stored before and after.
        """
        unsaved = 0
        while thread.outcome is None:
            effect = self._machine.advance(thread)
            unsaved += 1
            if isinstance(effect, Request):
                self._save()
                await self._request(thread, effect)
                unsaved = self._steps_per_save
            elif effect is not None:
                self._save()
                return effect
            # The state of a thread that has ended is stored by whoever it ends for.
            if unsaved >= self._steps_per_save and thread.outcome is None:
                self._save()
                unsaved = 0
                await asyncio.sleep(0)  # others get their turn
        return None

    async def _request(self, thread: Thread, request: Request) -> None:
        try:
            value = await self._outside.perform(request, lambda text: self._machine.note(request.entry, text))
        except Raised as error:
            self._machine.unwind(thread, error)
        else:
            self._machine.resume(thread, value)

    async def _branch(self, thread: Thread, fork: Fork) -> None:
        tasks = {asyncio.create_task(self._drive_branch(thread, fork, number)) for number in fork.running}
        try:
            while thread.fork is fork:
                for number in self._machine.spawn(thread, fork):
                    tasks.add(asyncio.create_task(self._drive_branch(thread, fork, number)))
                if not tasks:
                    self._machine.conclude(thread, fork)
                    return
                done, tasks = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                await asyncio.gather(*done)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _drive_branch(self, thread: Thread, fork: Fork, number: int) -> None:
        branch = fork.running[number]
        await self._drive(branch)
        # At once: another branch may store the state next, and a branch that has ended has no place in it.
        self._machine.join(thread, fork, number)
        self._save()
