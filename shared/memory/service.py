"""The memory-service port, and what can go wrong at it. Errors carry no text of the service's: it may quote a fact."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Protocol

from shared.errors import Upstream
from shared.memory.scope import Scope
from shared.models.memory import Action


class Refused(Upstream):
    """The service said no (4xx); asking the same again changes nothing."""

    code = "memory_refused"


class Trouble(Upstream):
    """The service is at its limit or failed at answering (429, 5xx, nonsense)."""

    status = 503
    code = "memory_unavailable"
    retryable: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Row:
    """A memory as one read shows it. `source` is what its metadata names."""

    name: str
    fact: str
    scope: Scope
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None = None
    source: str | None = None

    @property
    def id(self) -> str:
        """Last part of the name."""
        return self.name.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class State:
    """One revision of a memory; `source` is what its labels name."""

    id: str
    fact: str
    created_at: datetime
    expires_at: datetime | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an operation did to one memory."""

    name: str
    action: Action


@dataclass(frozen=True, slots=True)
class Work:
    """A long-running operation as one look shows it."""

    name: str
    done: bool
    error_code: int | None = None
    outcomes: tuple[Outcome, ...] = ()
    """What a generation did; other work does what it was asked to."""
    memory: str | None = None
    """Full name of the memory that it is about, where it is about one."""
    purged: int = 0
    """How many a purge took, or would take."""


class MemoryBank(Protocol):
    """Where memories are kept. All raise Unreachable, UpstreamTimeout, Trouble and Refused."""

    async def generate(self, scope: Scope, said: Sequence[str], source: str) -> Work:
        """Have durable facts taken out of what a person said. After UpstreamTimeout or Trouble it may have begun."""
        ...

    async def create(self, scope: Scope, fact: str, source: str, *, ttl_seconds: int | None = None) -> Work:
        """Write one fact as it is; the operation names the memory."""
        ...

    async def operation(self, name: str) -> Work:
        """The operation as it is."""
        ...

    async def get(self, name: str) -> Row | None:
        """One memory by its full name; None where there is none (404)."""
        ...

    async def find(self, memory_id: str) -> Row | None:
        """One memory by the last part of its name."""
        ...

    async def listed(self, scope: Scope) -> list[Row]:
        """The bank's list, filtered by scope."""
        ...

    async def inventory(self, scope: Scope) -> list[Row]:
        """Everything in exactly this scope."""
        ...

    async def similar(self, scope: Scope, question: str, top_k: int) -> list[Row]:
        """The nearest to a question in exactly this scope, nearest first."""
        ...

    async def update(self, name: str, fact: str, source: str) -> Work:
        """Give a memory another text."""
        ...

    async def delete(self, name: str) -> Work:
        """Delete a memory; its revisions stay readable for a while."""
        ...

    async def purge(self, scope: Scope, *, force: bool) -> Work:
        """Delete, or with `force` False only count, everything of a scope."""
        ...

    async def revisions(self, name: str) -> list[State]:
        """A memory's revisions, newest first."""
        ...

    async def rollback(self, name: str, revision_id: str) -> Work:
        """Bring a revision back; later ones are dropped."""
        ...
