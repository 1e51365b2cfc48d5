"""The hands of a graph run: what its nodes store, stream and have done by tools, and how open calls are taken up again.

The researcher's inner memory is the turn's own trace: what a tool has answered there is never asked of it again.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from shared.agent import loop
from shared.agent.board import Board
from shared.agent.calls import call_draft
from shared.agent.citing import Checked, cited
from shared.agent.ensemble import Ensemble, repeats
from shared.agent.model import Answer, Delta, Message, Model, Question, ToolCall, ToolSpec
from shared.agent.prompt import as_data
from shared.agent.replay import steps
from shared.agent.retrieval import Reach, Source, wired
from shared.agent.turn import Played
from shared.chat.live import Live
from shared.chat.loose import unanswered
from shared.chat.turns import Begun, Speaker
from shared.errors import MemexError
from shared.events.trace import Context, Evidence, TraceEvent, cut
from shared.gateway.classes import CLASSES
from shared.gateway.gateway import Asks, Done
from shared.gateway.policy import MCP_PREFIX, error, outward
from shared.gateway.redact import redacted
from shared.models.base import JsonDict
from shared.models.chat import GateReason
from shared.models.graph import Waiting
from shared.models.ids import derived
from shared.models.memory import ADDRESS
from shared.models.note import Citation
from shared.services import Services
from shared.store.calls import CallsOfRun
from shared.store.documents import Write

if TYPE_CHECKING:
    from shared.memory.recall import Remembered

_SENT_BACK = "A reviewer sent your draft back; what was said about it stands above. Write the whole answer anew."
_UNKNOWN = error("outcome_unknown", "The process ended while this was under way.", "Look before you do it again.")
_NO_FORMS = frozenset({"ask_user", "generate_artifact"})
"""They change nothing, but are none of a judge's business."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The model, every answer of which is counted."""

    inner: Model
    hands: "Troupe"

    @property
    def name(self) -> str:
        """The model, as the person knows it."""
        return self.inner.name

    async def stream(self, question: Question) -> AsyncIterator[Delta | Answer]:
        """As the model itself."""
        async for piece in self.inner.stream(question):
            if isinstance(piece, Answer):
                self.hands.count(piece)
            yield piece


class Troupe(Played):
    """A turn of several agents, up to the graph itself."""

    def __init__(self, services: Services, speaker: Speaker, begun: Begun, taking_part: Ensemble, live: Live) -> None:
        super().__init__(services, speaker, begun, taking_part.cast, live)
        self._prompts = taking_part.prompts
        self._of_run = CallsOfRun(speaker.documents, speaker.tenant, begun.run.id)
        self._begun_here = begun.asked is not None
        self._before: list[TraceEvent] | None = None
        self._told: list[dict[str, object]] = []
        self._beside: list[Write] = []
        self._usable: dict[str, Remembered] = {}
        self.model: Model = Counted(taking_part.cast.model, self)

    def count(self, answer: Answer) -> None:
        """Its tokens belong to the turn."""
        self._known.tokens += answer.tokens_in + answer.tokens_out

    # -- what nodes ask for

    @property
    def upto(self) -> int:
        """Number of the turn's last event so far."""
        return self._record.next_seq - 1

    def tell(self, draft: Mapping[str, object]) -> None:
        """An event that is stored with the node's end."""
        self._told.append(dict(draft))

    async def ask(self, question: Question, agent: str) -> Answer:
        """One answer without tools; what streams of it are thoughts, for it is no answer to the person."""
        answer = Answer()
        async for piece in self.model.stream(replace(question, tools=())):
            if isinstance(piece, Delta):
                self._record.delta("thinking", piece.text)
            else:
                answer = piece
        return answer

    def cited(self, draft: str) -> Checked:
        """The draft without links to what was never read, and what it leans on."""
        return cited(draft, self._known.sources, self._known.linked)

    def read(self, citations: Sequence[Citation], *, outside: bool) -> None:
        """What a model was given may be cited, and may have been written by others."""
        self._known.learn(citations, {})
        # What is remembered of the person is nobody else's text.
        own = bool(citations) and all(one.url.startswith(ADDRESS) for one in citations)
        self._known.outside |= outside and not own

    async def wire(self) -> tuple[Source, ...]:
        """The sources that there are for this person now."""
        settings = self._cast.preferences
        if not settings.use_tools:
            return ()
        specs = self._cast.gateway.specs()
        known = self._usable if self._remembers else None
        return await wired(Reach(self._services, self._speaker.tenant, settings, specs, self._quiet, known))

    async def _remembered(self, text: str) -> tuple[Message, ...]:
        """Nothing where sources are asked: what may be used of earlier conversations is one of them then."""
        if not self._cast.preferences.use_tools:
            return await super()._remembered(text)
        found = await self._recalled(text)
        self._usable.clear()
        self._usable.update((one.passage.url, one) for one in (found.allowed if found else ()))
        return ()

    async def research(self, board: Board, instruction: str, messages: Sequence[Message]) -> str | None:
        """The researcher's draft; None where calls wait, which the board then holds."""
        await self._take_up(board)
        if not self._calls.pending:
            self._final = None
            seen = (*messages, *self._so_far(board, await self._events()))
            think = self._cast.preferences.think
            await self._loop(Question(instruction, seen, self._cast.gateway.specs(), think=think), self._act)
        if pending := self._calls.pending:
            board.asked += 1
            reason: GateReason = "egress_approval" if pending[0].blocked_host else "approve_tool"
            board.waiting = Waiting(id=f"call-{board.asked}", reason=reason, pending=pending)
            return None
        assert self._final
        return cut(self._final.text)

    def _so_far(self, board: Board, events: Sequence[TraceEvent]) -> list[Message]:
        """The passes up to here: steps and drafts that were sent back, then the steps of this one."""
        found: list[Message] = []
        below = 0
        for one in board.passes:
            found += steps([event for event in events if below < event.seq <= one.upto])
            judged = as_data({f"what the {one.judge} said": one.judged})
            found += [Message("model", one.draft), judged, Message("user", _SENT_BACK)]
            below = one.upto
        return [*found, *steps([event for event in events if event.seq > below])]

    def _kept(self, answer: Answer) -> Sequence[Write]:
        masked = [call for call in answer.calls if call.broken or redacted(call.arguments) != call.arguments]
        return [self._of_run.made(call.id, call.arguments, call.broken) for call in masked]

    # -- calls

    async def _act(self, call: ToolCall) -> JsonDict | None:
        """One call of the researcher's; None where it waits for a person's word about it, or about its host."""
        reply = await self._calls.tried(call)
        host = "" if isinstance(reply, Asks) else self._blocked(call, reply)
        if isinstance(reply, Done) and not host:
            await self._calls.answered(call, reply)
            return reply.result
        self._wait(call, reply, host)
        return None

    def _wait(self, call: ToolCall, reply: Asks | Done, host: str) -> None:
        """Keep a call until a person has decided about it, or about the host that it would reach."""
        if isinstance(reply, Done):
            why = f"It would reach {host}, which is not among the allowed hosts."
            if led_to(reply):
                why = f"The page leads on to {host}, which is not among the allowed hosts."
                # It came back without anything, so that running it again after a yes is no second time.
                self._calls.asked.append(self._of_run.came_back(call.id))
            reply = Asks(
                why, redacted(call.arguments), reply.entry.model_copy(update={"decision": "asked", "ok": None})
            )
        self._calls.wait(call, reply, host)

    def _blocked(self, call: ToolCall, reply: Done) -> str:
        """The host that a person may allow for this call; empty where that is not what keeps it from running."""
        if reply.result.get("error") != "egress_blocked":
            return ""
        if call.tool == "web_search":
            from shared.net.websearch import HOST

            return HOST
        # An address that nobody gave is refused whatever is allowed: nobody must be asked about it.
        return str(reply.result.get("blocked_host") or led_to(reply)) if self._was_given(call) else ""

    def _was_given(self, call: ToolCall) -> bool:
        from shared.net.address import normal, normals

        try:
            url = normal(str(call.arguments.get("url")))
        except MemexError:
            return False
        known = normals(self._known.addresses)
        return url in known or url.replace("https://", "http://", 1) in known

    async def _take_up(self, board: Board) -> None:
        """Answer the calls that have no answer on record: as the person decided, or as it turned out."""
        self._calls.pending = []
        raw = {one.call_id: one.arguments for one in (board.waiting.pending if board.waiting else ())}
        for event in unanswered(await self._events(), self._run.id):
            kept = await self._of_run.arguments(event.call_id)
            arguments, broken = kept or (raw.get(event.call_id, event.arguments), "")
            call = ToolCall(event.call_id, event.tool, arguments, broken, event.signature)
            decided = board.decided if board.decided and board.decided.call_id == call.id else None
            if repeats(call.tool) and await self._of_run.begun(call.id):
                # What began outside is not done twice.
                await self._calls.told(call, dict(_UNKNOWN))
            elif decided and decided.allowed:
                await self._allowed(call)
            elif decided:
                await self._calls.decided(call, allowed=False, why=decided.why)
            else:
                await self._act(call)

    async def _close_looks(self, events: Sequence[TraceEvent]) -> None:
        """Say of the looks of a judge whose process died what became of them: the judge begins anew."""
        for event in unanswered(list(events), self._run.id):
            if event.agent:
                call = ToolCall(event.call_id, event.tool, event.arguments)
                await self._calls.told(call, dict(_UNKNOWN), event.agent)

    async def _allowed(self, call: ToolCall) -> None:
        """Run a call that a person said yes to; where it leads on to one more host, they are asked about that, too."""
        reply = await self._calls.tried(call, approved=True)
        assert isinstance(reply, Done)
        if host := self._blocked(call, reply):
            self._wait(call, reply, host)
        else:
            await self._calls.answered(call, reply)

    # -- a judge's look with tools

    async def verify(self, question: Question, agent: str, calls: int) -> str:
        """Look with tools that change nothing; what would have to ask is not done."""
        tools = tuple(tool for tool in self._cast.gateway.specs() if _harmless(tool))
        if not tools:
            return ""

        async def act(call: ToolCall) -> JsonDict:
            if all(tool.name != call.tool for tool in tools):
                return error("not_permitted", "Judges don't use this tool.", "Do without it.")
            await self._record.add(call_draft(call, agent))
            reply = await self._calls.tried(call)
            if isinstance(reply, Asks):
                reply = self._cast.gateway.denied(self._calls.errand(call), call, "Nobody is asked for a judge.")
            await self._calls.answered(call, reply, agent)
            return reply.result

        said = ""
        question = replace(question, tools=tools)
        pieces = loop.run(self.model, question, act, max_calls=calls, name_call=self._name_call)
        assert isinstance(pieces, AsyncGenerator)
        async with aclosing(pieces):
            async for piece in pieces:
                if isinstance(piece, Answer) and not piece.calls:
                    said = piece.text
        return said

    async def _quiet(self, tool: str, arguments: JsonDict) -> Done | None:
        """A source's tool; None where a person would have to be asked. It is on record in the activity."""
        self._named += 1
        call = ToolCall(derived(self._run.id, str(self._run.revision), str(self._named)), tool, arguments)
        reply = await self._calls.tried(call)
        self._beside.append(self._calls.entry(reply))
        if isinstance(reply, Asks):
            return None
        self._calls.learned(reply)
        return reply

    async def _events(self) -> list[TraceEvent]:
        """The turn's events so far: those that were there are read once, the others were written here."""
        if self._before is None:
            self._before = [] if self._begun_here else await super()._events()
        return [*self._before, *self._record.events]

    async def _recall(self) -> None:
        """What the turn knew when it was suspended; what was gathered stays readable and citable."""
        await super()._recall()
        for event in await self._events():
            if isinstance(event, Evidence):
                self.read([one.citation() for one in event.passages], outside=bool(event.passages))

    async def _interpreted(self) -> str | None:
        """The request as it was understood when the turn began; None where that was not stored."""
        return next((event.text for event in await self._events() if isinstance(event, Context)), None)


def led_to(reply: Done) -> str:
    """The host that a page redirects to and that is not allowed; empty where that is not what happened."""
    data = reply.result.get("data")
    return str(data.get("blocked_host") or "") if isinstance(data, dict) else ""


def _harmless(tool: ToolSpec) -> bool:
    if tool.name in _NO_FORMS:
        return False
    return tool.name.startswith(MCP_PREFIX) or outward(tool.name) or CLASSES.get(tool.name) == "read"
