"""Doors for the acts of research: a real store, and outside services that do what the test says.

`crash_at` kills the process at the n-th use of a door, before or after the door did its work: between them these
are all the moments at which a death leaves something different behind.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from infra.local.store.documents import SqliteDocuments
from shared.config import Settings
from shared.events.bus import Topic
from shared.operations.execution import ExecutionState
from shared.research.interaction import Interaction, parse_interaction
from shared.store.documents import Documents

START = 1_800_000_000.0


class Killed(BaseException):
    """The process died here; nothing of it runs on, no handler included."""


@dataclass
class Crash:
    """Counts the uses of all doors, and kills at one of them."""

    at: int | None = None
    after: bool = False
    uses: int = 0

    async def around(self, act: Callable[[], Awaitable[Any]]) -> Any:
        self.uses += 1
        here = self.uses == self.at
        if here and not self.after:
            raise Killed
        answer = await act()
        if here:
            raise Killed
        return answer


class Door:
    """A door whose every call is a moment to die at."""

    def __init__(self, inner: object, crash: Crash) -> None:
        self._inner = inner
        self._crash = crash

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if name in ("name",):
            return found

        async def call(*args: object, **kwargs: object) -> Any:
            return await self._crash.around(lambda: found(*args, **kwargs))

        return call


@dataclass
class ScriptedResearch:
    """The research service: one interaction for each create, answering `looks` one after the other."""

    looks: list[object] = field(default_factory=list)
    creates: list[str] = field(default_factory=list)
    cancels: list[str] = field(default_factory=list)
    gets: int = 0
    create_error: list[Exception] = field(default_factory=list)
    cancel_error: Exception | None = None

    async def create(self, question: str, labels: Mapping[str, str] | None = None) -> str:
        if self.create_error:
            raise self.create_error.pop(0)
        self.creates.append(question)
        return f"v1_{len(self.creates)}"

    async def get(self, interaction_id: str) -> Interaction:
        self.gets += 1
        look = self.looks.pop(0) if len(self.looks) > 1 else self.looks[0]
        if isinstance(look, Exception):
            raise look
        assert isinstance(look, dict)
        return parse_interaction({"id": interaction_id, **look})

    async def cancel(self, interaction_id: str) -> None:
        self.cancels.append(interaction_id)
        if self.cancel_error:
            raise self.cancel_error


@dataclass
class ListedExecutions:
    """Workflow executions as a list; the test moves them."""

    states: dict[str, ExecutionState] = field(default_factory=dict)
    error: Exception | None = None

    def name(self, workflow: str, execution_id: str) -> str:
        return f"projects/p/locations/l/workflows/{workflow}/executions/{execution_id}"

    async def create(self, workflow: str, argument: dict[str, str]) -> str:
        if self.error:
            raise self.error
        name = self.name(workflow, f"e{len(self.states) + 1}")
        self.states[name] = "ACTIVE"
        return name

    async def state(self, name: str) -> ExecutionState | None:
        return self.states.get(name)

    async def cancel(self, name: str) -> None:
        self.states[name] = "CANCELLED"


@dataclass
class HeardBus:
    """A bus that only remembers."""

    heard: list[tuple[Topic, dict[str, str]]] = field(default_factory=list)

    async def publish(self, topic: Topic, attributes: dict[str, str]) -> None:
        self.heard.append((topic, attributes))


class Desk:
    """All doors; `reborn` gives those of the next process, with the same world behind them."""

    def __init__(self, home: Path | Documents, **settings: Any) -> None:
        """`home` is a folder for a store of its own, or a store, which stays its owner's to close."""
        self.settings = Settings(project="p", region="l", device_keys_file="none", **settings)
        self.crash = Crash()
        self._own: SqliteDocuments | None = None
        if isinstance(home, Path):
            self._own = home = SqliteDocuments(home)
        self.store: Documents = home
        self.world = (self.store, HeardBus(), ListedExecutions(), ScriptedResearch())
        self.time = START
        self.bank: object = None
        self._wire()

    def _wire(self) -> None:
        self.documents: Any = Door(self.world[0], self.crash)
        self.bus: Any = Door(self.world[1], self.crash)
        self.executions: Any = Door(self.world[2], self.crash)
        self.research: Any = Door(self.world[3], self.crash)
        self.memory: Any = Door(self.bank, self.crash)

    @property
    def service(self) -> ScriptedResearch:
        return self.world[3]

    @property
    def engine(self) -> ListedExecutions:
        return self.world[2]

    def reborn(self, crash: Crash | None = None) -> None:
        self.crash = crash or Crash()
        self._wire()

    def now(self) -> float:
        return self.time

    def close(self) -> None:
        if self._own:
            self._own.close()
