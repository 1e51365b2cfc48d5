"""What every turn has, however it is answered: what was said before, the loop of the researcher, and one end.

Nothing here raises: what goes wrong is an event of the turn, and a turn whose lease is lost is another's business.
"""

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Sequence
from contextlib import aclosing, suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from shared.agent import engine
from shared.agent.calls import Calls, call_draft
from shared.agent.cast import Cast
from shared.agent.citing import cited
from shared.agent.loop import Act
from shared.agent.model import Answer, Delta, Message, Question
from shared.agent.prompt import as_data
from shared.agent.rewrite import rewrite
from shared.agent.watch import watched
from shared.agent.window import SPOKEN, window
from shared.chat.live import Live
from shared.chat.loose import answers_for
from shared.chat.record import LeaseLost, Record, Stopping
from shared.chat.turns import Begun, Speaker
from shared.doors import wake
from shared.errors import MemexError
from shared.events.trace import Text, TraceEvent, User, cut
from shared.gateway.policy import only_reads
from shared.log import described
from shared.models.base import JsonDict, moment
from shared.models.chat import Gate, GateReason, GraphRun, Spent, TurnStatus
from shared.models.ids import derived
from shared.models.note import Citation
from shared.services import Services
from shared.store.documents import Write

if TYPE_CHECKING:
    from shared.memory.recall import Recalled

CHARACTERS_PER_TOKEN = 3
"""A careful guess: fewer characters make a token in other scripts than in English."""

log = logging.getLogger("memex.agent")


class Played:
    """A turn in this process. Whoever plays it says what is done; this says how it is watched, told and ended."""

    def __init__(self, services: Services, speaker: Speaker, begun: Begun, cast: Cast, live: Live) -> None:
        self._services = services
        self._speaker = speaker
        self._session = begun.session
        self._run = begun.run
        self._cast = cast
        self._live = live
        self._record = Record(speaker, begun, live, now=services.now, sleep=services.sleep)
        self._calls = Calls(services, speaker, begun, cast, self._record)
        self._known = self._calls.known
        self._final: Answer | None = None
        self._named = 0

    # -- what the model is given

    @property
    def _first_seq(self) -> int:
        assert self._session.turn
        return self._session.turn.first_seq

    async def _past(self, before: int) -> tuple[Message, ...]:
        """The conversation before this turn."""
        # Before the first word nothing was said.
        said = await self._speaker.chats.spoken(self._session.id, SPOKEN) if before > 1 else []
        spoken = [event for event in said if event.seq < before]
        characters = self._cast.preferences.context_tokens * CHARACTERS_PER_TOKEN // 2
        seen = window(spoken, self._session.summary, self._session.summarised, characters)
        if (seen.summary, seen.summarised) != (self._session.summary, self._session.summarised):
            self._known.summary = seen.summary, seen.summarised
        self._known.outside |= 0 < seen.first_seq <= self._session.outside_seq
        for event in spoken:
            if isinstance(event, User):
                self._known.heard(event.text)
            elif isinstance(event, Text):
                # What an earlier answer links was checked when it was stored.
                self._known.linked.update(event.links)
        before_that: list[Message] = []
        if seen.summary:
            before_that.append(as_data({"earlier in this conversation": seen.summary}))
        if carried := self._cast.gateway.carried():
            # Words of others, too, although a person approved them once: what they say may be in what comes.
            self._known.outside = True
            before_that.append(as_data({"what the servers of these tools say of them": carried}))
        return (*before_that, *seen.messages)

    async def _seed(self, text: str) -> tuple[tuple[Message, ...], str]:
        """The conversation before this turn, and the request as it is understood on its own."""
        past = (*await self._remembered(text), *await self._past(before=self._first_seq))
        self._known.heard(text)
        told: list[JsonDict] = [
            {"type": "error", "code": "tools_missing", "message": problem} for problem in self._cast.problems
        ]
        spoken = [message for message in past if message.role == "model" or not message.text.startswith('{"data"')]
        interpreted = await rewrite(self._cast.model, spoken, text, offline=self._cast.offline)
        if interpreted:
            told.append({"type": "context", "text": interpreted})
        if told:
            await self._record.add(*told)
        return past, interpreted

    async def _remembered(self, text: str) -> tuple[Message, ...]:
        """What may be used of earlier conversations, as data."""
        found = await self._recalled(text)
        return (as_data(found.data),) if found and found.data else ()

    @property
    def _remembers(self) -> bool:
        """Whether this turn may know of others, and they of it."""
        return self._cast.preferences.memory_enabled and not self._session.incognito

    async def _recalled(self, text: str) -> "Recalled | None":
        """The turn's one recall, told in its trace; None where memory is off, or is to leave no trace."""
        if not self._remembers:
            return None
        from shared.memory.recall import recall

        found = await recall(self._services, self._speaker.tenant, self._speaker.subject, text, self._run.id)
        if found.problem:
            await self._record.add({"type": "error", "code": "memory_unavailable", "message": found.problem})
        if found.event:
            await self._record.add(found.event)
        return found

    def _to_remember(self) -> list[Write]:
        """What has the person's words in this turn remembered, for the commit of its end."""
        if not self._remembers:
            return []
        from shared.memory.remember import remember

        speaker, now = self._speaker, self._services.now()
        return remember(speaker.documents, speaker.tenant, self._session, self._run.id, self._cast.preferences, now)

    async def _recall(self) -> None:
        """What the turn knew when it was suspended."""
        self._known.recall(await self._events())
        assert self._session.turn
        self._known.outside |= self._session.turn.outside

    async def _events(self) -> list[TraceEvent]:
        return await self._speaker.chats.of_turn(self._session.id, self._first_seq)

    # -- the loop

    async def _loop(self, question: Question, act: Act) -> None:
        pieces = self._pieces(question, act, max(1, self._cast.preferences.max_iterations - self._known.calls))
        assert isinstance(pieces, AsyncGenerator)  # closed at once where the turn breaks off, not when it is collected
        async with aclosing(pieces):
            async for piece in pieces:
                if isinstance(piece, Delta):
                    self._record.delta(piece.kind, piece.text)
                else:
                    await self._said(piece)

    def _pieces(self, question: Question, act: Act, max_calls: int) -> AsyncIterator[Delta | Answer]:
        """What the model says in answer, and between it what the tools do."""
        return engine.run(self._cast.model, question, act, max_calls=max_calls, name_call=self._name_call)

    def _name_call(self) -> str:
        self._named += 1
        return derived(self._run.id, str(self._run.revision), str(self._named))

    async def _said(self, answer: Answer) -> None:
        """Put a whole answer on record; the last one waits for the turn's end, to be stored with it.

        A call is stored before its tool runs; one that only looks, soon, because it may be done again.
        """
        self._known.calls += 1
        self._known.tokens += answer.tokens_in + answer.tokens_out
        drafts: list[dict[str, object]] = []
        if answer.thinking:
            drafts.append({"type": "thinking", "text": cut(answer.thinking)})
        if answer.calls:
            if answer.text.strip():
                drafts.append(self._text(answer.text)[0])
            drafts += [call_draft(call) for call in answer.calls]
        else:
            self._final = answer
        if answer.calls and all(only_reads(call.tool) for call in answer.calls):
            self._record.soon(*drafts, also=self._kept(answer))
        elif drafts:
            await self._record.add(*drafts, also=self._kept(answer))

    def _kept(self, answer: Answer) -> Sequence[Write]:
        """What is stored beside an answer's events."""
        return ()

    # -- the end

    async def _watched(self, work: Coroutine[Any, Any, None]) -> None:
        """Play until done, stopped, out of time or out of lease; then store how it ended."""
        seconds = self._cast.preferences.turn_timeout_seconds
        try:
            ended = await watched(
                self._busy(work),
                stopped=self._live.stop.wait(),
                late=self._services.sleep(seconds),
                keeping=self._record.keep(self._live.stop.set),
            )
            if ended == "stopped":
                await self._stopped()
            elif ended == "late":
                await self._broken_off("failed", "turn_timeout", _LATE.format(seconds=seconds))
            else:
                await self._ended()
        except LeaseLost:
            log.warning("run %s is written by another process; this one stops", self._run.id)
        except Exception as error:
            await self._failed(error)
        finally:
            # Who has lost the right to write stores nothing any more.
            self._record.rest()
            self._live.over()

    async def _busy(self, work: Coroutine[Any, Any, None]) -> None:
        with self._services.busy():
            await work

    async def _ended(self) -> None:
        try:
            await self._played()
        except Stopping:
            await self._stopped()

    async def _stopped(self) -> None:
        await self._broken_off("cancelled", "stopped", "Stopped. What was done by then stands above.")

    async def _played(self) -> None:
        """What ends a turn that was neither stopped nor broken: its answer, or a gate."""
        if self._calls.pending:
            await self._suspend(self._gate("approve_tool"))
        else:
            await self._finish()

    async def _finish(self) -> None:
        assert self._final
        text, citations = self._text(self._final.text)
        drafts: list[dict[str, object]] = [text]
        if citations:
            drafts.append({"type": "citations", "citations": citations})
        remembering = self._to_remember()
        await self._end(drafts, "done", also=remembering)
        if remembering:
            try:
                await wake(self._services, self._speaker.tenant)
            except MemexError as error:
                # The turn has ended well all the same, and the sweep finds what waits.
                log.warning("nobody was told what is to be remembered of run %s: %s", self._run.id, error.code)

    def _text(self, said: str) -> tuple[dict[str, object], list[Citation]]:
        """What the model said as an event, with the links that may be drawn in it, and the sources it leans on."""
        checked = cited(cut(said), self._known.sources, self._known.linked)
        return {"type": "text", "text": checked.text, "links": checked.links}, checked.citations

    def _gate(self, reason: GateReason, answer: str = "", critique: str = "") -> Gate:
        expires_at = moment(self._services.now()) + timedelta(hours=self._cast.preferences.gate_hours)
        return Gate(reason=reason, pending=self._calls.pending, expires_at=expires_at, answer=answer, critique=critique)

    async def _suspend(self, gate: Gate) -> None:
        await self._end([requested(self._run.id, gate)], "waiting", gate=gate, also=self._calls.asked)

    async def _failed(self, error: Exception) -> None:
        try:
            if isinstance(error, MemexError):
                await self._broken_off("failed", error.code, f"{error.message} {error.next}".strip())
            else:
                log.error("unforeseen %s in run %s", described(error), self._run.id)
                await self._broken_off("failed", "internal", _INTERNAL)
        except Exception as second:
            # The store does not take the end either; the lease runs out, and the turn shows as interrupted.
            log.error("the end of run %s could not be stored: %s", self._run.id, described(second))
            unstored = MemexError(
                _UNSTORED, code="not_stored", next="Open the conversation in a minute, and go on there."
            )
            self._live.failed(second if isinstance(second, MemexError) else unstored)

    async def _broken_off(self, status: TurnStatus, code: str, message: str) -> None:
        """End a turn early: what became of its open calls, then why."""
        with suppress(Exception):  # what refuses these will be told of with the end
            await self._record.settle()
        loose = await answers_for(
            self._speaker.documents, self._speaker.tenant, self._session, "interrupted", self._services.now()
        )
        drafts: list[dict[str, object]] = [result.model_dump(exclude={"seq", "at", "turn"}) for result in loose]
        await self._end([*drafts, {"type": "error", "code": code, "message": message}], status)

    async def _end(
        self,
        drafts: Sequence[dict[str, object]],
        status: TurnStatus,
        *,
        gate: Gate | None = None,
        also: Sequence[Write] = (),
    ) -> None:
        usage = [{"type": "usage", "tokens": self._known.tokens}] if self._known.tokens else []
        await self._record.end(
            *drafts,
            *usage,
            status=status,
            spent=Spent(tokens=self._known.tokens),
            outside=self._known.outside,
            calls=self._known.calls,
            gate=gate,
            graph=self._graph_after(status),
            summary=self._known.summary,
            also=also,
        )

    def _graph_after(self, status: TurnStatus) -> GraphRun | None:
        """What the run keeps to go on with; a turn of one agent keeps nothing."""
        return self._run.graph


def requested(run_id: str, gate: Gate) -> dict[str, object]:
    """What a gate asks the person, as an event."""
    draft: dict[str, object] = {
        "type": "approval_request",
        "run_id": run_id,
        "reason": gate.reason,
        "expires_at": gate.expires_at,
        "answer": gate.answer,
        "links": gate.links,
        "critique": gate.critique,
    }
    if gate.pending:
        first = gate.pending[0]
        draft |= {"tool": first.tool, "call_id": first.call_id, "arguments": first.shown, "why": first.why}
        draft["blocked_host"] = first.blocked_host
    return draft


_LATE = (
    "The answer took longer than {seconds:.0f} seconds and was ended. What was done by then stands above. "
    "Ask for less at once, or raise the limit in Settings."
)
_UNSTORED = "The end of this answer could not be stored. What was done by then is in the conversation."
_INTERNAL = "Something went wrong on our side. What was done by then stands above; ask again to go on."
