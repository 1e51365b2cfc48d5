"""A product without its host: mail that a test delivers, executions that a test steps, a store that is watched.

The watched store checks every commit against the table of transitions and the number of slots, apart from the code
that makes the commits; and it counts what is read.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from shared.capture import Capture, capture
from shared.errors import MemexError
from shared.models.operation import ACTIVE, TERMINAL, TRANSITIONS, Operation, Status
from shared.operations.dispatch import dispatch
from shared.operations.step import Polling
from shared.research import claim, steps
from shared.store.documents import Document, Documents, Hit, Query, Write
from shared.store.notes import Notes
from shared.store.operations import Operations
from tests.fakes.desk import Crash, Desk, Killed, ListedExecutions

REPORT = {
    "status": "completed",
    "steps": [
        {"type": "model_output", "content": [{"type": "text", "text": "# Tea\n\nGreen tea is tea. [cite: 1]\n\n"}]},
        {"type": "model_output", "content": [{"type": "text", "text": "**Sources:**\n1. [a](https://a.example/)\n"}]},
    ],
}
RUNNING = {"status": "in_progress", "steps": []}
TENANT = "t"
_OPERATION = re.compile(r"tenants/[^/]+/operations/[^/]+")
STATUSES: tuple[Status, ...] = get_args(Status)


@dataclass
class Watched:
    """A store that fails the test at the first commit that the table forbids."""

    inner: Documents
    most: int
    statuses: dict[str, Status] = field(default_factory=dict)
    started: list[str] = field(default_factory=list)
    """Operations in the order in which they first ran."""
    reads: int = 0
    """Documents read so far, the missing ones included."""

    async def get(self, path: str) -> Document | None:
        self.reads += 1
        return await self.inner.get(path)

    async def get_many(self, paths: Sequence[str]) -> list[Document | None]:
        self.reads += len(paths)
        return await self.inner.get_many(paths)

    async def query(self, query: Query) -> list[Document]:
        found = await self.inner.query(query)
        self.reads += len(found)
        return found

    async def search(
        self, tenant: str, words: Sequence[str], *, kind: str | None, tag: str | None, limit: int
    ) -> list[Hit]:
        return await self.inner.search(tenant, words, kind=kind, tag=tag, limit=limit)

    async def commit(self, writes: Sequence[Write]) -> None:
        await self.inner.commit(writes)
        for write in writes:
            if _OPERATION.fullmatch(write.path) and write.data:
                self._see(write.path.rpartition("/")[2], str(write.data["status"]))

    def _see(self, operation_id: str, told: str) -> None:
        status = next(one for one in STATUSES if one == told)
        before = self.statuses.get(operation_id)
        if before is None:
            assert status == "queued", f"an operation appeared {status}"
        elif status != before:
            assert status in TRANSITIONS[before], f"{before} -> {status}"
        if status == "running" and operation_id not in self.started:
            self.started.append(operation_id)
        self.statuses[operation_id] = status
        running = sum(one == "running" for one in self.statuses.values())
        assert running <= self.most, f"{running} run at once"


@dataclass
class Workflows(ListedExecutions):
    """Executions of workflows/research.yaml, moved a step at a time."""

    operations: dict[str, str] = field(default_factory=dict)
    """Which operation each execution was started for."""
    following: dict[str, str] = field(default_factory=dict)
    """The step that comes next."""
    asleep: dict[str, int] = field(default_factory=dict)
    """Seconds that it would sleep before that."""

    async def create(self, workflow: str, argument: dict[str, str]) -> str:
        name = await super().create(workflow, argument)
        self.operations[name] = argument["operation_id"]
        self.following[name] = "create"
        return name

    async def cancel(self, name: str) -> None:
        if self.states.get(name) == "ACTIVE":
            await super().cancel(name)

    @property
    def active(self) -> list[str]:
        return [name for name, state in self.states.items() if state == "ACTIVE"]


STEPS = {"create": steps.create, "poll": steps.poll, "finish": steps.finish, "fail": steps.abandon}


class World(Desk):
    """A desk with mail and workflows."""

    def __init__(self, home: Path | Documents, **settings: Any) -> None:
        chosen = {"research_paid": True, "max_running": 2, "daily_paid_runs": 10_000, "daily_budget_usd": 100_000.0}
        super().__init__(home, **{**chosen, **settings})
        self.watched = Watched(self.store, self.settings.max_running)
        self.workflows = Workflows()
        self.mail: list[tuple[str, ...]] = []
        self.world = (self.watched, self.world[1], self.workflows, self.world[3])
        self.service.looks = [REPORT]
        self._wire()

    @property
    def operations(self) -> Operations:
        """The operations, read past the watch."""
        return Operations(self.store, TENANT)

    async def all(self) -> list[Operation]:
        found: list[Operation] = []
        while page := await self.operations.page(before=found[-1].id if found else None, limit=200):
            found += page
        return found

    async def wish(self, text: str = "What is green tea?") -> str:
        """A note that asks for research; its message is in the mail. A second passes, so that ids have an order."""
        self.time += 1
        note = (await capture(self.store, TENANT, Capture(text=text, tags=["research"]), self.now())).note
        self.mail.append(("wish", note.id))
        return note.id

    def collect(self) -> None:
        """What was published becomes mail."""
        for topic, _ in self.world[1].heard:
            if topic == "operation-events":
                self.mail.append(("changed",))
        self.world[1].heard.clear()

    async def deliver(self, message: tuple[str, ...]) -> None:
        match message:
            case ("wish", note_id):
                await claim.claim(self, TENANT, note_id)
            case _:
                await dispatch(self, TENANT)

    async def step(self, name: str, act: str | None = None) -> str:
        """One step of an execution; with `act`, a late repetition of that one, which moves nothing on."""
        asked = Polling(
            tenant=TENANT,
            operation_id=self.workflows.operations[name],
            execution_id=name.rpartition("/")[2],
            poll_seconds=30,
        )
        answer = await STEPS[act or self.workflows.following[name]](self, asked)
        if act is None:
            self.workflows.asleep[name] = answer.wait_seconds
            self.workflows.following[name] = {"running": "poll", "ready": "finish"}.get(answer.status, "")
            if not self.workflows.following[name] and self.workflows.states[name] == "ACTIVE":
                self.workflows.states[name] = "SUCCEEDED"
        return answer.status

    async def survive(self, act: Any, crash: Crash | None = None) -> bool:
        """Do it; a death on the way leaves the world behind as it is. Whether it was lived through."""
        self.reborn(crash)
        try:
            await act
        except Killed:
            return False
        except MemexError as error:
            # What a person or a queue is told; an illegal step is nobody's to be told.
            assert error.code != "illegal_transition"
            return False
        finally:
            self.reborn()
            self.collect()
        return True

    async def run_all(self) -> None:
        """Deliver and step until nothing moves any more; time passes as the executions sleep."""
        for _ in range(400):
            while self.mail:
                await self.deliver(self.mail.pop(0))
                self.collect()
            if not self.workflows.active:
                return
            for name in self.workflows.active:
                await self.step(name)
                self.collect()
            self.time += max((self.workflows.asleep[name] for name in self.workflows.active), default=0)
        raise AssertionError("it never comes to rest")

    async def check(self, seen: dict[str, int]) -> None:
        """What holds at every moment; `seen` says how much of each log was checked before."""
        operations = await self.all()
        running = {operation.id for operation in operations if operation.status == "running"}
        assert set((await self.operations.slots()).holders) == running
        assert len(running) <= self.settings.max_running
        for operation in operations:
            assert operation.status == self.watched.statuses[operation.id]
            if seen.get(operation.id) != operation.events:
                await self.check_log(operation)
                seen[operation.id] = operation.events
        reports = await Notes(self.store, TENANT).page(kind="research", limit=200)
        completed = {operation.id for operation in operations if operation.status == "completed"}
        assert {note.id for note in reports} == completed

    async def check_log(self, operation: Operation) -> None:
        log = await self.operations.log(operation.id)
        assert [event.seq for event in log] == list(range(1, operation.events + 1))
        endings = [event for event in log if event.event in ("task.completed", "task.failed", "task.cancelled")]
        if operation.status in TERMINAL:
            assert endings == [log[-1]]
            assert log[-1].event == f"task.{operation.status}"
        else:
            assert operation.status in ACTIVE
            assert endings == []
        assert sum(event.event == "task.started" for event in log) == (operation.started_at is not None)
