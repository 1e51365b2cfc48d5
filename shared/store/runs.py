"""What an agent's run did, in the store: numbered trace events below the run. It keeps no state of its own."""

from collections.abc import Sequence

from shared.events.trace import TRACE_EVENT, TraceEvent
from shared.models.ids import is_id, numbered
from shared.store.documents import Documents, Expect, Query, Write

PAGE = 200
MOST = 2_000
"""Events of one run that are read; a run of fifty questions to a model has fewer."""


class Runs:
    """The runs of one tenant."""

    def __init__(self, documents: Documents, tenant: str) -> None:
        self._documents = documents
        self._parent = f"tenants/{tenant}/runs"

    def _path(self, run_id: str) -> str:
        assert is_id(run_id)
        return f"{self._parent}/{run_id}"

    async def events(self, run_id: str) -> list[TraceEvent]:
        """All events, in order."""
        found: list[TraceEvent] = []
        while len(found) < MOST:
            after = numbered(found[-1].seq) if found else numbered(0)
            page = await self._documents.query(Query("events", self._path(run_id), after=after, limit=PAGE))
            found += [TRACE_EVENT.validate_python(document.data) for document in page]
            if len(page) < PAGE:
                break
        return found

    async def next_seq(self, run_id: str) -> int:
        """Number of the next event."""
        newest = await self._documents.query(Query("events", self._path(run_id), descending=True, limit=1))
        return int(newest[0].id) + 1 if newest else 1

    def put(self, run_id: str, events: Sequence[TraceEvent]) -> list[Write]:
        """Events as writes; a number that is taken means that somebody else works on this run."""
        return [
            Write(f"{self._path(run_id)}/events/{numbered(event.seq)}", event.model_dump(mode="json"), Expect.ABSENT)
            for event in events
        ]
