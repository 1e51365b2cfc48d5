"""The record of a running turn: numbered events, stored before anyone hears of them, and the lease under which."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol

from shared.chat.turns import RENEW_SECONDS, Begun, Speaker, lease
from shared.errors import Conflict, NotFound
from shared.events.trace import TRACE_EVENT, TraceEvent
from shared.log import described
from shared.models.base import moment
from shared.models.chat import ChatSession, Gate, GraphRun, Spent, TurnStatus
from shared.store.documents import Write
from shared.store.records import until_settled

LOOK_SECONDS = 2.0
"""How often a running turn looks whether it is to stop."""
HOLD_SECONDS = 0.02
"""How long what may be done again waits for the next commit before it gets one of its own.

What is done within this (a rule's answer, a look into the notes) is no dearer to do again than a commit is.
"""

log = logging.getLogger("memex.chat")


class LeaseLost(Conflict):
    """Somebody else writes this conversation now; this process has to stop at once."""

    code = "lease_lost"


class Stopping(Exception):
    """The person stopped the turn while it came to a gate: it is not to wait any more."""


class Listener(Protocol):
    """Whoever follows the turn as it runs."""

    def delta(self, kind: str, text: str) -> None:
        """A piece of text that is not stored by itself."""

    def event(self, event: TraceEvent) -> None:
        """An event, once it is stored."""


class Record:
    """What one process writes of one turn. Events get their numbers here, one after the other."""

    def __init__(
        self,
        speaker: Speaker,
        begun: Begun,
        listener: Listener,
        *,
        now: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._speaker = speaker
        self._chats = speaker.chats
        self._session_id = begun.session.id
        self._run_id = begun.run.id
        self._now = now
        self._sleep = sleep
        self._listener = listener
        self._seq = begun.next_seq
        self._turn_taking = asyncio.Lock()
        self._held: list[Mapping[str, object]] = []
        self._held_beside: list[Write] = []
        self._storing: asyncio.Future[None] | None = None
        self._asleep = False
        self._refused = False
        self.written: list[TraceEvent] = [begun.asked] if begun.asked else []
        """What this process has stored of the turn."""
        if begun.asked:
            listener.event(begun.asked)

    @property
    def events(self) -> list[TraceEvent]:
        """What this process has told of the turn: what is stored, and what is held and will be before anything else."""
        return [*self.written, *self._numbered(self._held)]

    @property
    def next_seq(self) -> int:
        """Number of the next event."""
        return self._seq + len(self._held)

    def soon(self, *drafts: Mapping[str, object], also: Sequence[Write] = ()) -> None:
        """Have events and what belongs to them stored with the next commit, at the latest in `HOLD_SECONDS`.

        For what may be done again: a death before that takes them along. Nothing is stored without them, so that
        nothing is missing before it; but where a commit was refused, a turn that fails ends without them.
        """
        at = moment(self._now())
        self._held += [{"at": at, **draft} for draft in drafts]
        self._held_beside += also
        if self._storing is None or self._storing.done():
            self._asleep = True
            self._storing = asyncio.ensure_future(self._store_soon())
            # What goes wrong there is tried again, and told, with the next commit.
            self._storing.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def _store_soon(self) -> None:
        await self._sleep(HOLD_SECONDS)
        self._asleep = False
        await self.settle()

    async def settle(self) -> None:
        """Store what is held, where something is."""
        while self._held or self._held_beside:
            await self.add()

    def rest(self) -> None:
        """Nothing is stored any more of its own accord: who has ended, or lost the right to write, calls this."""
        if self._storing and self._asleep:
            self._storing.cancel()

    async def add(self, *drafts: Mapping[str, object], also: Sequence[Write] = ()) -> None:
        """Store events and what belongs to them in one commit, after what is held, then tell the listener.

        A turn that is stopped meanwhile still knows afterwards what is stored: the commit comes to its end first.
        """
        storing = asyncio.ensure_future(self._stored(drafts, also))
        try:
            await asyncio.shield(storing)
        except asyncio.CancelledError:
            await asyncio.wait({storing})
            raise

    async def _stored(self, drafts: Sequence[Mapping[str, object]], also: Sequence[Write]) -> None:
        async with self._turn_taking:
            taken = len(self._held), len(self._held_beside)
            try:
                events, beside = self._with_held(drafts, also)
                await self._speaker.documents.commit([*self._chats.put_events(self._session_id, events), *beside])
            except Conflict as conflict:
                raise LeaseLost("This conversation is written by another process.") from conflict
            except Exception:
                self._refused = True
                raise
            self._let_go(*taken)
            self._tell(events)

    def _with_held(
        self, drafts: Sequence[Mapping[str, object]], also: Sequence[Write]
    ) -> tuple[list[TraceEvent], list[Write]]:
        """The events of one commit, numbered, and what belongs to them."""
        return self._numbered([*self._held, *drafts]), [*self._held_beside, *also]

    def _let_go(self, drafts: int, writes: int) -> None:
        """What was held first is held no more. What came while it was being stored still is."""
        del self._held[:drafts], self._held_beside[:writes]

    async def end(
        self,
        *drafts: Mapping[str, object],
        status: TurnStatus,
        spent: Spent,
        outside: bool,
        calls: int,
        gate: Gate | None = None,
        graph: GraphRun | None = None,
        summary: tuple[str, int] | None = None,
        also: Sequence[Write] = (),
    ) -> ChatSession:
        """Store the last events and the turn's end, or its halt at a gate, in one commit; the session as it is then.

        Raises Stopping, with nothing stored, where it is to halt at a gate and the person has stopped it.
        """
        self.rest()
        async with self._turn_taking:
            if self._refused and status == "failed":
                self._let_go(len(self._held), len(self._held_beside))
            taken = len(self._held), len(self._held_beside)

            async def attempt() -> ChatSession:
                stored, run = await asyncio.gather(self._chats.get(self._session_id), self._chats.run(self._run_id))
                turn = stored.value.turn
                if turn is None or turn.id != self._run_id or turn.status != "running":
                    raise LeaseLost("This conversation is written by another process.")
                if status == "waiting" and turn.stopping:
                    raise Stopping
                usage = stored.value.usage
                fields: dict[str, object] = {
                    "turn": turn.model_copy(update={"status": status, "outside": outside}),
                    "usage": Spent(
                        tokens=usage.tokens + spent.tokens, cost_usd=round(usage.cost_usd + spent.cost_usd, 6)
                    ),
                }
                if summary:
                    fields |= {"summary": summary[0], "summarised": summary[1]}
                if outside:
                    fields["outside_seq"] = self._seq + len(events) - 1
                session = stored.value.changed(self._now(), **fields)
                await self._speaker.documents.commit(
                    [
                        self._chats.put(session, stored.version),
                        self._chats.put_run(
                            run.value.changed(self._now(), gate=gate, calls=calls, graph=graph), run.version
                        ),
                        *self._chats.put_events(self._session_id, events),
                        *beside,
                    ]
                )
                return session

            try:
                events, beside = self._with_held(drafts, also)
                session = await until_settled(attempt)
            except Stopping:
                raise
            except Exception:
                self._refused = True
                raise
            self._let_go(*taken)
            self._tell(events)
            return session

    def delta(self, kind: str, text: str) -> None:
        """Let a piece of text be heard."""
        self._listener.delta(kind, text)

    async def keep(self, stop: Callable[[], None]) -> None:
        """Renew the lease for as long as the turn runs; `stop` is called once when the person wants it to end.

        Ends with LeaseLost where the turn is no longer ours.
        """
        renewed = self._now()
        while True:
            await self._sleep(LOOK_SECONDS)
            due = self._now() - renewed >= RENEW_SECONDS
            try:
                if await until_settled(lambda due=due: self._look(renew=due)):  # type: ignore[misc]
                    stop()
            except LeaseLost:
                raise
            except NotFound as gone:
                raise LeaseLost("This conversation was deleted.") from gone
            except Exception as error:
                # The store is away for a moment; the lease outlives three such moments.
                log.warning("a lease could not be renewed: %s", described(error))
                continue
            if due:
                renewed = self._now()

    async def _look(self, *, renew: bool) -> bool:
        stored = await self._chats.get(self._session_id)
        turn = stored.value.turn
        if turn is None or turn.id != self._run_id or turn.status != "running":
            raise LeaseLost("This conversation is written by another process.")
        if renew:
            longer = turn.model_copy(update={"lease_until": moment(lease(self._now()))})
            await self._speaker.documents.commit(
                [self._chats.put(stored.value.changed(self._now(), turn=longer), stored.version)]
            )
        return turn.stopping

    def _numbered(self, drafts: Sequence[Mapping[str, object]]) -> list[TraceEvent]:
        stamp = {"at": moment(self._now()), "turn": self._run_id}
        events = [
            TRACE_EVENT.validate_python({**stamp, **draft, "seq": seq}) for seq, draft in enumerate(drafts, self._seq)
        ]
        return events

    def _tell(self, events: Sequence[TraceEvent]) -> None:
        # Counted once they are stored: a commit that fails leaves no gap.
        self._seq += len(events)
        self.written += events
        for event in events:
            self._listener.event(event)
