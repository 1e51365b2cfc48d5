"""The tool calls of one turn: each through the gateway, its answer on record, and what the turn learned from it.

It asks nobody: a call that waits for a person is kept, and whoever plays the turn suspends it.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from shared.agent.addresses import addresses
from shared.agent.cast import Cast
from shared.agent.model import ToolCall
from shared.chat.record import Record
from shared.chat.turns import Begun, Speaker
from shared.events.trace import ToolResult, TraceEvent, User
from shared.gateway.gateway import Asks, Done
from shared.gateway.policy import only_reads, outward
from shared.gateway.redact import redacted
from shared.gateway.tool import Errand
from shared.models.base import JsonDict
from shared.models.chat import PendingCall
from shared.models.note import Citation
from shared.services import Services
from shared.store import ledger
from shared.store.activity import Activities
from shared.store.documents import Write


@dataclass(slots=True)
class Known:
    """What the turn has read, made and spent so far."""

    sources: dict[str, Citation] = field(default_factory=dict)
    linked: set[str] = field(default_factory=set)
    addresses: set[str] = field(default_factory=set)
    outside: bool = False
    tokens: int = 0
    calls: int = 0
    summary: tuple[str, int] | None = None

    def heard(self, text: str) -> None:
        """What the person typed they may see linked, and have read."""
        typed = addresses(text)
        self.addresses |= typed
        self.linked |= typed

    def learn(self, sources: Sequence[Citation], undo: JsonDict) -> None:
        """What was read may be cited, what was made may be linked."""
        self.sources.update((source.url, source) for source in sources)
        self.addresses |= {source.url for source in sources if source.source_kind == "web"}
        if note_id := undo.get("note_id"):
            self.linked.add(f"#/notes/{note_id}")

    def recall(self, events: Sequence[TraceEvent]) -> None:
        """What the turn knew when it was suspended."""
        for event in events:
            if isinstance(event, User):
                self.heard(event.text)
            elif isinstance(event, ToolResult):
                self.learn(event.sources, event.undo.model_dump() if event.undo else {})


class Calls:
    """The way of one turn's calls to its tools and back. `pending` are those that wait for a person."""

    def __init__(self, services: Services, speaker: Speaker, begun: Begun, cast: Cast, record: Record) -> None:
        self._services = services
        self._speaker = speaker
        self._begun = begun
        self._cast = cast
        self._record = record
        self.known = Known(calls=begun.run.calls)
        self.pending: list[PendingCall] = []
        self.asked: list[Write] = []
        """The entries about them, for the commit that suspends the turn."""

    async def act(self, call: ToolCall) -> JsonDict | None:
        """One call through the gateway, its answer on record; None where it waits for the person."""
        reply = await self.tried(call)
        if isinstance(reply, Asks):
            self.wait(call, reply)
            return None
        await self.answered(call, reply)
        return reply.result

    async def tried(self, call: ToolCall, *, approved: bool = False) -> Done | Asks:
        """The call through the gateway, its answer not yet on record."""
        errand = self.errand(call)
        gateway, outside = self._cast.gateway, self.known.outside
        work = asyncio.ensure_future(gateway.call(errand, call, outside=outside, approved=approved))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            # What changes documents takes moments, and must not be left half known: it ends, and is told.
            if outward(call.tool):
                work.cancel()
            await asyncio.wait({work})
            if not work.cancelled() and not work.exception() and isinstance(reply := work.result(), Done):
                await self.answered(call, reply)
            raise

    def wait(self, call: ToolCall, reply: Asks, blocked_host: str = "") -> None:
        """Keep a call until a person has decided."""
        self.pending.append(
            PendingCall(
                call_id=call.id,
                tool=call.tool,
                arguments=call.arguments,
                shown=reply.shown,
                why=reply.why,
                blocked_host=blocked_host,
            )
        )
        self.asked.append(self.entry(reply))

    async def decided(self, call: ToolCall, *, allowed: bool, why: str = "The person said no.") -> None:
        """Do as the person decided about a call, and put what came of it on record."""
        if allowed:
            reply = await self.tried(call, approved=True)
        else:
            reply = self._cast.gateway.denied(self.errand(call), call, why)
        assert isinstance(reply, Done)
        await self.answered(call, reply)

    def errand(self, call: ToolCall) -> Errand:
        """What the gateway is told about a call."""
        settings, run = self._cast.preferences, self._begun.run
        return Errand(
            doors=self._services,
            tenant=self._speaker.tenant,
            subject=self._speaker.subject,
            session_id=self._begun.session.id,
            run_id=run.id,
            effect=ledger.key(self._speaker.tenant, run.id, call.id, call.tool, call.arguments),
            allowed_hosts=tuple(settings.allowed_hosts) if settings.egress_enabled else (),
            addresses=frozenset(self.known.addresses),
        )

    async def answered(self, call: ToolCall, reply: Done, agent: str = "") -> None:
        """Put a call's answer on record; what only looks may be done again, so that nobody waits for its answer."""
        draft: dict[str, object] = {
            "type": "tool_result",
            "tool": call.tool[:100],
            "call_id": call.id,
            "ok": reply.ok,
            "result": reply.result,
            "agent": agent,
        }
        if reply.outcome:
            draft |= {"undo": reply.outcome.undo, "sources": list(reply.outcome.sources)[:20]}
        self.learned(reply)
        if only_reads(call.tool):
            self._record.soon(draft, also=[self.entry(reply)])
        else:
            await self._record.add(draft, also=[self.entry(reply)])

    async def told(self, call: ToolCall, result: JsonDict, agent: str = "") -> None:
        """Put on record what is to be said of a call that is not run (again)."""
        draft = {"type": "tool_result", "tool": call.tool[:100], "call_id": call.id, "ok": False}
        await self._record.add({**draft, "result": result, "agent": agent})

    def learned(self, reply: Done) -> None:
        """What the turn knows from now on."""
        if reply.outcome:
            undo = reply.outcome.undo
            self.known.learn(reply.outcome.sources, undo.model_dump() if undo else {})
            self.known.addresses.update(reply.outcome.addresses)
        self.known.outside |= reply.outside

    def entry(self, reply: Done | Asks) -> Write:
        """What the activity says of it."""
        return Activities(self._speaker.documents, self._speaker.tenant).put(reply.entry)


def call_draft(call: ToolCall, agent: str = "") -> dict[str, object]:
    """A call as an event."""
    return {
        "type": "tool_call",
        "tool": call.tool[:100],
        "call_id": call.id,
        "arguments": redacted(call.arguments),
        "signature": call.signature,
        "agent": agent,
    }
