"""What one step writes: events of the run, and with them in one commit the operation's log, figures and day."""

from collections.abc import Callable, Mapping, Sequence

from shared.errors import Conflict
from shared.events.trace import TRACE_EVENT, TraceEvent
from shared.models.base import moment
from shared.models.operation import Operation, Usage
from shared.operations.paid import charge
from shared.operations.transition import Change
from shared.services import Services
from shared.store.documents import Write
from shared.store.operations import Operations
from shared.store.records import until_settled
from shared.store.runs import Runs

LOGGED = 8_000
"""Bytes of one thing in the operation's log: a thought, a tool's input or output; the run's events have all of it."""
Say = Callable[[Change], None]


class Over(Conflict):
    """The operation no longer runs, or another execution drives it: this step has nothing to write any more."""

    code = "not_running"


class Behind(Conflict):
    """Another step of the same operation has written what this one was about to write."""

    code = "behind"


class Record:
    """The record of a run as this step continues it. Events get their numbers here."""

    def __init__(self, services: Services, tenant: str, operation: Operation, events: Sequence[TraceEvent]) -> None:
        self.operation = operation
        self.events = list(events)
        self._services = services
        self._tenant = tenant
        self._runs = Runs(services.documents, tenant)
        self._operations = Operations(services.documents, tenant)

    @property
    def next_seq(self) -> int:
        """Number of the next event."""
        return self.events[-1].seq + 1 if self.events else 1

    async def add(
        self,
        drafts: Sequence[Mapping[str, object]],
        say: Say,
        *,
        spent: Usage | None = None,
        also: Sequence[Write] = (),
    ) -> None:
        """Store events and what belongs to them. Raises Over or Behind, and then nothing was stored.

        `say` makes the change of the operation; `spent` is added to its figures and to the day's.
        """
        stamp = {"at": moment(self._services.now()), "turn": self.operation.id}
        fresh = [
            TRACE_EVENT.validate_python({**stamp, **draft, "seq": seq})
            for seq, draft in enumerate(drafts, self.next_seq)
        ]

        async def attempt() -> Operation:
            stored = await self._operations.get(self.operation.id)
            if stored.value.status != "running" or stored.value.execution != self.operation.execution:
                raise Over("The operation does not run here any more.", next="Look at how it ended.")
            change = Change(stored.value, self._services.now())
            say(change)
            writes = [*self._runs.put(self.operation.id, fresh), *also]
            if spent:
                writes += await charge(self._services, self._tenant, change, spent)
            writes += self._operations.put(change.operation, change.events, stored.version)
            try:
                await self._services.documents.commit(writes)
            except Conflict:
                # Read only now: mostly it is the operation alone that somebody else changed.
                if fresh and await self._runs.next_seq(self.operation.id) != fresh[0].seq:
                    raise Behind("Another step was faster.", next="Nothing is lost; it goes on.") from None
                raise
            return change.operation

        self.operation = await until_settled(attempt)
        self.events += fresh
