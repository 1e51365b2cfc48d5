"""One turn, played: the seed, the loop, every call through the gateway, every event on record, and one end."""

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal

from shared.agent import engine
from shared.agent.addresses import addresses, note_links
from shared.agent.cast import Cast
from shared.agent.citing import cited
from shared.agent.model import Answer, Delta, Message, Question, ToolCall
from shared.agent.prompt import as_data, instruction, request
from shared.agent.replay import replay
from shared.agent.rewrite import rewrite
from shared.agent.watch import watched
from shared.agent.window import SPOKEN, window
from shared.chat.live import Live
from shared.chat.loose import EVENTS, answers_for
from shared.chat.record import LeaseLost, Record
from shared.chat.turns import Begun, Speaker
from shared.errors import MemexError
from shared.events.trace import Text, ToolResult, TraceEvent, User, cut
from shared.gateway.classes import CLASSES, MCP
from shared.gateway.gateway import Asks, Done
from shared.gateway.redact import redacted
from shared.gateway.tool import Errand
from shared.log import described
from shared.models.base import JsonDict, moment
from shared.models.chat import Gate, PendingCall, Spent, TurnStatus
from shared.models.ids import derived
from shared.models.note import Citation
from shared.services import Services
from shared.store import ledger
from shared.store.activity import Activities
from shared.store.documents import Write

Decision = Literal["approve", "reject"]
CHARACTERS_PER_TOKEN = 3
"""A careful guess: fewer characters make a token in other scripts than in English."""

log = logging.getLogger("memex.agent")


@dataclass(slots=True)
class _Known:
    """What the turn has read, made and spent so far."""

    sources: dict[str, Citation] = field(default_factory=dict)
    linked: set[str] = field(default_factory=set)
    addresses: set[str] = field(default_factory=set)
    outside: bool = False
    tokens: int = 0
    calls: int = 0
    summary: tuple[str, int] | None = None


class Play:
    """A turn in this process: `begin` or `go_on` plays it to its end or its next gate, once.

    Neither raises: what goes wrong is an event of the turn, and a turn whose lease is lost is another's business.
    """

    def __init__(self, services: Services, speaker: Speaker, begun: Begun, cast: Cast, live: Live) -> None:
        self._services = services
        self._speaker = speaker
        self._session = begun.session
        self._run = begun.run
        self._cast = cast
        self._live = live
        self._record = Record(speaker, begun, services.now, live)
        self._known = _Known(calls=begun.run.calls)
        self._pending: list[PendingCall] = []
        self._asked: list[Write] = []
        self._final: Answer | None = None
        self._named = 0

    async def begin(self, text: str) -> None:
        """Answer a person's message."""

        async def work() -> None:
            await self._loop(await self._seed(text))

        await self._watched(work())

    async def go_on(self, gate: Gate, decision: Decision) -> None:
        """Do as the person decided about the call that waits, then go on."""

        async def work() -> None:
            await self._recall()
            await self._decided(gate.pending[0], decision)
            self._pending = gate.pending[1:]
            if self._pending:
                return
            events = await self._events()
            await self._loop((*await self._past(before=self._first_seq), *replay(events)))

        await self._watched(work())

    # -- what the model is given

    @property
    def _first_seq(self) -> int:
        assert self._session.turn
        return self._session.turn.first_seq

    async def _past(self, before: int) -> tuple[Message, ...]:
        """The conversation before this turn."""
        spoken = [event for event in await self._speaker.chats.spoken(self._session.id, SPOKEN) if event.seq < before]
        characters = self._cast.preferences.context_tokens * CHARACTERS_PER_TOKEN // 2
        seen = window(spoken, self._session.summary, self._session.summarised, characters)
        if (seen.summary, seen.summarised) != (self._session.summary, self._session.summarised):
            self._known.summary = seen.summary, seen.summarised
        self._known.outside |= 0 < seen.first_seq <= self._session.outside_seq
        for event in spoken:
            if isinstance(event, User):
                self._heard(event.text)
            elif isinstance(event, Text):
                # What an earlier answer links was checked when it was stored.
                self._known.linked |= note_links(event.text)
        before_that: list[Message] = []
        if seen.summary:
            before_that.append(as_data({"earlier in this conversation": seen.summary}))
        if carried := self._cast.gateway.carried():
            before_that.append(as_data({"what the servers of these tools say of them": carried}))
        return (*before_that, *seen.messages)

    async def _seed(self, text: str) -> tuple[Message, ...]:
        past = await self._past(before=self._first_seq)
        self._heard(text)
        told: list[JsonDict] = [
            {"type": "error", "code": "tools_missing", "message": problem} for problem in self._cast.problems
        ]
        spoken = [message for message in past if message.role == "model" or not message.text.startswith('{"data"')]
        interpreted = await rewrite(self._cast.model, spoken, text, offline=self._cast.offline)
        if interpreted:
            told.append({"type": "context", "text": interpreted})
        if told:
            await self._record.add(*told)
        return (*past, request(text, interpreted))

    async def _recall(self) -> None:
        """What the turn knew when it was suspended."""
        for event in await self._events():
            if isinstance(event, User):
                self._heard(event.text)
            elif isinstance(event, ToolResult):
                self._learn(event.sources, event.undo.model_dump() if event.undo else {})
        assert self._session.turn
        self._known.outside |= self._session.turn.outside

    async def _events(self) -> list[TraceEvent]:
        return await self._speaker.chats.events(self._session.id, after=self._first_seq - 1, limit=EVENTS)

    # -- the loop

    async def _loop(self, messages: tuple[Message, ...]) -> None:
        settings = self._cast.preferences
        question = Question(
            instruction(moment(self._services.now()), settings.time_zone),
            messages,
            self._cast.gateway.specs(),
            think=settings.think,
        )
        pieces = engine.run(
            self._cast.model,
            question,
            self._act,
            max_calls=max(1, settings.max_iterations - self._known.calls),
            name_call=self._name_call,
        )
        async for piece in pieces:
            if isinstance(piece, Delta):
                self._record.delta(piece.kind, piece.text)
            else:
                await self._said(piece)

    def _name_call(self) -> str:
        self._named += 1
        return derived(self._run.id, str(self._run.revision), str(self._named))

    async def _said(self, answer: Answer) -> None:
        """Put a whole answer on record; the last one waits for the turn's end, to be stored with it."""
        self._known.calls += 1
        self._known.tokens += answer.tokens_in + answer.tokens_out
        drafts: list[dict[str, object]] = []
        if answer.thinking:
            drafts.append({"type": "thinking", "text": cut(answer.thinking)})
        if answer.calls:
            if answer.text.strip():
                drafts.append({"type": "text", "text": cut(answer.text)})
            drafts += [_call_draft(call) for call in answer.calls]
        else:
            self._final = answer
        if drafts:
            await self._record.add(*drafts)

    # -- calls

    async def _act(self, call: ToolCall) -> JsonDict | None:
        """One call through the gateway, its answer on record; None where it waits for the person."""
        errand = self._errand(call)
        work = asyncio.ensure_future(self._cast.gateway.call(errand, call, outside=self._known.outside))
        reply = await _finished(work, wait=CLASSES.get(call.tool, MCP) in ("write", "destructive"))
        if isinstance(reply, Asks):
            self._pending.append(
                PendingCall(call_id=call.id, tool=call.tool, arguments=call.arguments, shown=reply.shown, why=reply.why)
            )
            self._asked.append(self._activity(reply))
            return None
        await self._answered(call, reply)
        return reply.result

    async def _decided(self, pending: PendingCall, decision: Decision) -> None:
        call = ToolCall(pending.call_id, pending.tool, pending.arguments)
        errand = self._errand(call)
        if decision == "reject":
            reply: Done | Asks = self._cast.gateway.denied(errand, call, "The person said no.")
        else:
            reply = await self._cast.gateway.call(errand, call, outside=self._known.outside, approved=True)
        assert isinstance(reply, Done)
        await self._answered(call, reply)

    def _errand(self, call: ToolCall) -> Errand:
        settings = self._cast.preferences
        return Errand(
            doors=self._services,
            tenant=self._speaker.tenant,
            subject=self._speaker.subject,
            session_id=self._session.id,
            run_id=self._run.id,
            effect=ledger.key(self._speaker.tenant, self._run.id, call.id, call.tool, call.arguments),
            allowed_hosts=tuple(settings.allowed_hosts) if settings.egress_enabled else (),
            addresses=frozenset(self._known.addresses),
        )

    async def _answered(self, call: ToolCall, reply: Done) -> None:
        draft: dict[str, object] = {
            "type": "tool_result",
            "tool": call.tool,
            "call_id": call.id,
            "ok": reply.ok,
            "result": reply.result,
        }
        if reply.outcome:
            undo = reply.outcome.undo
            draft |= {"undo": undo, "sources": list(reply.outcome.sources)[:20]}
            self._learn(reply.outcome.sources, undo.model_dump() if undo else {})
            self._known.addresses.update(reply.outcome.addresses)
        self._known.outside |= reply.outside
        await self._record.add(draft, also=[self._activity(reply)])

    def _activity(self, reply: Done | Asks) -> Write:
        return Activities(self._speaker.documents, self._speaker.tenant).put(reply.entry)

    def _heard(self, text: str) -> None:
        """What the person typed they may see linked, and have read."""
        typed = addresses(text)
        self._known.addresses |= typed
        self._known.linked |= typed

    def _learn(self, sources: Sequence[Citation], undo: JsonDict) -> None:
        self._known.sources.update((source.url, source) for source in sources)
        self._known.addresses |= {source.url for source in sources if source.source_kind == "web"}
        if note_id := undo.get("note_id"):
            self._known.linked.add(f"#/notes/{note_id}")

    # -- the end

    async def _watched(self, work: Coroutine[Any, Any, None]) -> None:
        """Play until done, stopped, out of time or out of lease; then store how it ended."""
        seconds = self._cast.preferences.turn_timeout_seconds
        try:
            ended = await watched(
                self._busy(work),
                stopped=self._live.stop.wait(),
                late=self._services.sleep(seconds),
                keeping=self._record.keep(self._services.sleep, self._live.stop.set),
            )
            if ended == "stopped":
                await self._broken_off("cancelled", "stopped", "Stopped. What was done by then stands above.")
            elif ended == "late":
                await self._broken_off("failed", "turn_timeout", _LATE.format(seconds=seconds))
            elif self._pending:
                await self._suspend()
            else:
                await self._finish()
        except LeaseLost:
            log.warning("run %s is written by another process; this one stops", self._run.id)
        except Exception as error:
            await self._failed(error)
        finally:
            self._live.over()

    async def _busy(self, work: Coroutine[Any, Any, None]) -> None:
        with self._services.busy():
            await work

    async def _finish(self) -> None:
        assert self._final
        text, citations = cited(self._final.text, self._known.sources, self._known.linked)
        drafts: list[dict[str, object]] = [{"type": "text", "text": cut(text)}]
        if citations:
            drafts.append({"type": "citations", "citations": citations})
        await self._end(drafts, "done")

    async def _suspend(self) -> None:
        gate = Gate(
            reason="approve_tool",
            pending=self._pending,
            expires_at=moment(self._services.now()) + timedelta(hours=self._cast.preferences.gate_hours),
        )
        first = self._pending[0]
        draft: dict[str, object] = {
            "type": "approval_request",
            "run_id": self._run.id,
            "reason": gate.reason,
            "tool": first.tool,
            "call_id": first.call_id,
            "arguments": first.shown,
            "why": first.why,
            "expires_at": gate.expires_at,
        }
        await self._end([draft], "waiting", gate=gate, also=self._asked)

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

    async def _broken_off(self, status: TurnStatus, code: str, message: str) -> None:
        """End a turn early: what became of its open calls, then why."""
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
            summary=self._known.summary,
            also=also,
        )


_LATE = (
    "The answer took longer than {seconds:.0f} seconds and was ended. What was done by then stands above. "
    "Ask for less at once, or raise the limit in Settings."
)
_INTERNAL = "Something went wrong on our side. What was done by then stands above; ask again to go on."


def _call_draft(call: ToolCall) -> dict[str, object]:
    return {
        "type": "tool_call",
        "tool": call.tool[:100],
        "call_id": call.id,
        "arguments": redacted(call.arguments),
        "signature": call.signature,
    }


async def _finished(work: "asyncio.Future[Done | Asks]", *, wait: bool) -> Done | Asks:
    """The call's answer. One that changes notes is not left half known when the turn is stopped: it takes moments."""
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        if wait:
            await asyncio.wait({work})
        work.cancel()
        raise
