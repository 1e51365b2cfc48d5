"""Where a graph run stands, as ADK's sessions see it: its events below the run, written in batches.

ADK appends one event after the other, and each would be a document and a commit. Here they are kept until a node's end
that is worth one, and go out as one document together with what the node told the trace, so that both are stored or
neither is. What is kept when a gate suspends the run, or when it ends, goes out in the commit that does so (`writes`).
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from google.adk.events.event import Event
from google.adk.sessions.base_session_service import BaseSessionService, GetSessionConfig, ListSessionsResponse
from google.adk.sessions.session import Session

from shared.models.ids import is_id, numbered
from shared.store.documents import Documents, Expect, Query, Write

APP, PERSON = "memex", "person"
MOST = 1_000
"""Batches of one run that are read; a run with many gates has some twenty."""
LARGEST = 400_000
"""Bytes of one batch, before JSON writes its quotes twice; an event that is larger has a document of its own."""


class Checkpoint(BaseSessionService):
    """The one session of one run. `boundary` says after which events what is kept has to be stored."""

    def __init__(
        self,
        documents: Documents,
        tenant: str,
        run_id: str,
        *,
        boundary: Callable[[Session, Event], bool],
        store: Callable[[list[Write]], Awaitable[None]],
    ) -> None:
        """`store` commits writes, and must raise where somebody else has gone on with the run."""
        assert is_id(run_id)
        self._documents = documents
        self._path = f"tenants/{tenant}/runs/{run_id}"
        self._boundary = boundary
        self._store = store
        self._kept: list[Event] = []
        self._stored = 0
        self.session = Session(id=run_id, app_name=APP, user_id=PERSON)

    async def load(self) -> Session:
        """Read what is stored: afterwards the session stands where the last commit left it."""
        query = Query("events", self._path, limit=MOST)
        for document in await self._documents.query(query):
            batch = document.data["events"]
            assert isinstance(batch, list)
            for text in batch:
                self._commit_event_to_session(self.session, Event.model_validate_json(str(text)))
            self._stored += len(batch)
        return self.session

    def writes(self) -> list[Write]:
        """What is not stored yet, for one commit; from here on it counts as stored."""
        writes: list[Write] = []
        for batch in _batches(self._kept):
            # Under the number of its first event: who goes on from the same place as another finds it taken.
            path = f"{self._path}/events/{numbered(self._stored + 1)}"
            writes.append(Write(path, {"events": list(batch)}, Expect.ABSENT))
            self._stored += len(batch)
        self._kept = []
        return writes

    async def append_event(self, session: Session, event: Event) -> Event:
        """Take the event in, and store all that is kept where it ends a node."""
        # A failed node has no outcome: left out, it runs again when the run goes on.
        if event.partial or event.error_code:
            return event
        event = await super().append_event(session, event)
        self._kept.append(event)
        if self._boundary(session, event):
            await self._store(self.writes())
        return event

    async def get_session(
        self, *, app_name: str, user_id: str, session_id: str, config: GetSessionConfig | None = None
    ) -> Session | None:
        """The run's session."""
        return self.session if session_id == self.session.id else None

    async def create_session(
        self,
        *,
        app_name: str,
        user_id: str,
        state: dict[str, Any] | None = None,
        session_id: str | None = None,
    ) -> Session:
        """The run's session: there is no other."""
        return self.session

    async def list_sessions(self, *, app_name: str, user_id: str | None = None) -> ListSessionsResponse:
        """The run's session."""
        return ListSessionsResponse(sessions=[self.session])

    async def delete_session(self, *, app_name: str, user_id: str, session_id: str) -> None:
        """Runs are deleted with their conversation, and not by ADK."""
        raise NotImplementedError


def _batches(events: Sequence[Event]) -> list[list[str]]:
    """The events as texts, because one may hold lists in lists, which Firestore does not take."""
    found: list[list[str]] = []
    room = 0
    for event in events:
        text = event.model_dump_json(exclude_none=True, exclude_defaults=True)
        size = len(text.encode())
        if size > room:
            found.append([])
            room = LARGEST
        found[-1].append(text)
        room -= size
    return found
