"""Conversations in the store: the session, its numbered events, and the runs that can be resumed.

Here, and nowhere else, it is decided which conversations a person may see.
"""

from collections.abc import Sequence

from shared.errors import Forbidden, NotFound
from shared.events.trace import TRACE_EVENT, TraceEvent
from shared.models.chat import EVERYONE, OPEN, ChatSession, Run
from shared.models.ids import is_id, numbered
from shared.store.documents import Document, Documents, Expect, Query, Where, Write
from shared.store.records import MAX_BATCH, Stored, parse, write

HAS_OPEN_TURN = Where("turn.status", "in", list(OPEN))
"""The sessions in which a turn runs or waits."""

IS_DELETED = Where("deleted", "==", True)
"""The sessions of which a death may have left something."""
IS_WAITING = Where("turn.status", "==", "waiting")
"""The sessions whose turn waits for a person's word."""
HOUSE = ""
"""In the place of a person: the product itself, which sees to the conversations of all."""
TURN_PAGE, TURN = 500, 5_000
"""Events of one turn that are read at once, and in all; what an engine lets a turn do has fewer."""


def tenant_of(document: Document) -> str:
    """Whose session this is."""
    return document.path.split("/")[1]


class Chats:
    """The conversations of one tenant that one person may see; those of all of them where the house looks."""

    def __init__(self, documents: Documents, tenant: str, subject: str = HOUSE) -> None:
        self._documents = documents
        self._parent = f"tenants/{tenant}"
        self._subject = subject

    def path(self, session_id: str) -> str:
        """Where a session lives."""
        if not is_id(session_id):
            raise NotFound("There is no such conversation.", code="session_not_found")
        return f"{self._parent}/chat_sessions/{session_id}"

    def run_path(self, run_id: str) -> str:
        """Where a run lives."""
        if not is_id(run_id):
            raise NotFound("There is no such run.", code="run_not_found")
        return f"{self._parent}/runs/{run_id}"

    async def get(self, session_id: str) -> Stored[ChatSession]:
        """One session; Forbidden where it is another person's."""
        document = await self._documents.get(self.path(session_id))
        if document is None or document.data.get("deleted"):
            raise NotFound("There is no such conversation.", code="session_not_found")
        found = parse(ChatSession, document)
        if self._subject != HOUSE and found.value.subject not in (self._subject, EVERYONE):
            raise Forbidden(
                "This conversation belongs to someone else.", code="not_yours", next="Begin one of your own."
            )
        return found

    async def run(self, run_id: str) -> Stored[Run]:
        """One run."""
        document = await self._documents.get(self.run_path(run_id))
        if document is None:
            raise NotFound("There is no such run.", code="run_not_found")
        return parse(Run, document)

    async def runs(self, run_ids: Sequence[str]) -> list[Run]:
        """Those of the runs that are there."""
        found = await self._documents.get_many([self.run_path(run_id) for run_id in run_ids])
        return [parse(Run, document).value for document in found if document]

    async def page(self, *, before: str | None = None, limit: int = 20) -> list[ChatSession]:
        """The person's sessions, newest first."""
        query = Query("chat_sessions", self._parent, self._mine(), descending=True, before=before, limit=limit)
        found = await self._documents.query(query)
        return [session for session in (parse(ChatSession, one).value for one in found) if not session.deleted]

    async def waiting(self, limit: int) -> list[ChatSession]:
        """The person's sessions whose turn waits for their word, newest first."""
        where = (IS_WAITING, *self._mine())
        query = Query("chat_sessions", self._parent, where, descending=True, limit=limit)
        found = [parse(ChatSession, document).value for document in await self._documents.query(query)]
        return [session for session in found if not session.deleted]

    def _mine(self) -> tuple[Where, ...]:
        return (Where("subject", "in", [self._subject, EVERYONE]),) if self._subject != HOUSE else ()

    async def events(self, session_id: str, after: int = 0, limit: int = 200) -> list[TraceEvent]:
        """The events after a number, in order."""
        return await self._events(Query("events", self.path(session_id), after=numbered(after), limit=limit))

    async def of_turn(self, session_id: str, first_seq: int) -> list[TraceEvent]:
        """The events of the last turn, all of them, in order."""
        found: list[TraceEvent] = []
        while page := await self.events(session_id, found[-1].seq if found else first_seq - 1, limit=TURN_PAGE):
            found += page
            if len(page) < TURN_PAGE or len(found) >= TURN:
                break
        return found

    async def newest(self, session_id: str, before: int | None = None, limit: int = 200) -> list[TraceEvent]:
        """The last events, or those before a number, in order."""
        bound = None if before is None else numbered(before)
        query = Query("events", self.path(session_id), descending=True, before=bound, limit=limit)
        return list(reversed(await self._events(query)))

    async def spoken(self, session_id: str, limit: int) -> list[TraceEvent]:
        """The last things that the person and the model said, in order."""
        said = (Where("type", "in", ["user", "text"]),)
        query = Query("events", self.path(session_id), said, descending=True, limit=limit)
        return list(reversed(await self._events(query)))

    async def next_seq(self, session_id: str) -> int:
        """Number of the next event."""
        newest = await self._documents.query(Query("events", self.path(session_id), descending=True, limit=1))
        return int(newest[0].id) + 1 if newest else 1

    async def _events(self, query: Query) -> list[TraceEvent]:
        return [TRACE_EVENT.validate_python(document.data) for document in await self._documents.query(query)]

    def put(self, session: ChatSession, expect: str | Expect) -> Write:
        """One session as a write."""
        return write(self.path(session.id), session, expect)

    def put_run(self, run: Run, expect: str | Expect) -> Write:
        """One run as a write."""
        return write(self.run_path(run.id), run, expect)

    def put_events(self, session_id: str, events: Sequence[TraceEvent]) -> list[Write]:
        """Events as writes; a number that is taken means that somebody else writes this session."""
        path = self.path(session_id)
        return [
            Write(f"{path}/events/{numbered(event.seq)}", event.model_dump(mode="json"), Expect.ABSENT)
            for event in events
        ]

    async def children(self, session_id: str) -> list[Write]:
        """Deletions of a session's events, as many as a commit takes."""
        found = await self._documents.query(Query("events", self.path(session_id), limit=MAX_BATCH))
        return [Write(document.path, None) for document in found]
