"""The hands of a graph in an operation: answers are bought at the till, calls pass the gateway, all of it on record.

A step ends where a node does, or between two answers of the researcher; the next goes on from what is on record.
Nobody is asked here: a call that would need a person's word is refused.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace

from shared.agent.board import Board
from shared.agent.citing import Checked, cited
from shared.agent.model import Answer, Delta, Message, Model, Question, ToolCall
from shared.agent.prompt import as_data
from shared.agent.replay import steps
from shared.agent.retrieval import Source
from shared.agent_task.answer import named, pay, put, whole
from shared.agent_task.asked import call_draft, errand, result_draft, unread
from shared.agent_task.cast import Cast
from shared.agent_task.paid import Bought, Till
from shared.agent_task.record import LOGGED, Behind, Record
from shared.events import trace
from shared.events.trace import Evidence, Text, ToolResult, TraceEvent, Usage, cut
from shared.gateway.classes import CLASSES
from shared.gateway.gateway import Asks, Done
from shared.gateway.policy import error
from shared.gateway.redact import redacted
from shared.gateway.size import fitted
from shared.gateway.tool import Errand
from shared.models.note import Citation
from shared.operations.transition import Change
from shared.services import Services
from shared.store.activity import Activities
from shared.store.documents import Write

STEP_SECONDS = 30.0
"""For how long one step begins further questions."""
_TRIES = 3
"""Of a commit that only says where the graph stands: somebody else says so, too."""
_SENT_BACK = "A reviewer sent your draft back; what was said about it stands above. Write the whole answer anew."
_NOBODY = "Nobody can be asked while this runs by itself."


class Paused(Exception):
    """There is more to do, and another step does it."""


class Team:
    """The hands of one step. `linked` are addresses that may be drawn as links although they are no sources."""

    def __init__(
        self,
        services: Services,
        tenant: str,
        record: Record,
        cast: Cast,
        *,
        linked: frozenset[str] = frozenset(),
    ) -> None:
        self._services = services
        self._tenant = tenant
        self._record = record
        self._cast = cast
        self._linked = linked
        self._till = Till(services, tenant, record, cast.model, cast.preferences)
        self._until = services.now() + STEP_SECONDS
        self._asked = False
        self._midway = False
        """A node has asked something that is on no record yet: it is not left before its end."""
        self._told: list[dict[str, object]] = []
        self._beside: list[Write] = []
        self._given: dict[str, Citation] = {}
        self.model: Model = _Bought(cast.model.name, self)

    # -- what nodes ask for

    @property
    def upto(self) -> int:
        """Number of the run's last event so far."""
        return self._record.next_seq - 1

    def tell(self, draft: Mapping[str, object]) -> None:
        """An event that is stored with the node's end."""
        self._told.append(dict(draft))

    async def ask(self, question: Question, agent: str) -> Answer:
        """One answer without tools."""
        return await self.said(replace(question, tools=()))

    async def wire(self) -> tuple[Source, ...]:
        """No sources, unless a kind of operation has some."""
        return ()

    def cited(self, draft: str) -> Checked:
        """The draft without links to what was never read, and what it leans on."""
        return cited(draft, self.sources, self._linked)

    def read(self, citations: Sequence[Citation], *, outside: bool) -> None:
        """What a model was given may be cited."""
        self._given.update((one.url, one) for one in citations)

    async def research(self, board: Board, instruction: str, messages: Sequence[Message]) -> str | None:
        """The researcher's draft, from what is on record of this pass and as many answers as it still takes."""
        chosen = self._cast.preferences
        while True:
            await self._answer_open()
            events = self._record.events
            since = board.passes[-1].upto if board.passes else 0
            _, draft = _standing([event for event in events if event.seq > since])
            if draft is not None:
                return cut(draft)
            answers, _ = _standing(events)
            # The last question is asked without tools, so that it ends in words.
            tools = self._cast.gateway.specs() if answers + 1 < chosen.max_iterations else ()
            seen = (*messages, *_so_far(board, events))
            await self._work(Question(instruction, seen, tools, think=chosen.think))

    async def verify(self, question: Question, agent: str, calls: int) -> str:
        """Look with tools that change nothing, in at most `calls` questions."""
        tools = tuple(tool for tool in self._cast.gateway.specs() if CLASSES.get(tool.name) == "read")
        if not tools:
            return ""
        messages = question.messages
        for left in reversed(range(calls)):
            said = await self.said(replace(question, messages=messages, tools=tools if left else ()))
            if not said.calls or not left:
                return said.text
            answers = [await self._looked(call, agent) for call in named(self._record, said.calls)]
            messages = (*messages, *steps([event.model_copy(update={"agent": ""}) for one in answers for event in one]))
        return ""

    # -- on record

    @property
    def sources(self) -> dict[str, Citation]:
        """What was read so far, by address."""
        found = dict(self._given)
        for event in self._record.events:
            if isinstance(event, Evidence):
                found.update((one.url, one.citation()) for one in event.passages)
            elif isinstance(event, ToolResult):
                found.update((one.url, one) for one in event.sources)
        return found

    @property
    def outside(self) -> bool:
        """Whether text was read that others may have written."""
        return any(
            (isinstance(event, Evidence) and bool(event.passages))
            or (isinstance(event, ToolResult) and "mark" in event.result)
            for event in self._record.events
        )

    async def store(self, writes: list[Write]) -> None:
        """A node's end: what it told, and where the graph stands, in one commit."""
        told, beside = self.taken()

        async def store() -> None:
            tries = 0

            def say(change: Change) -> None:
                nonlocal tries
                tries += 1
                if tries > _TRIES:
                    raise Behind("Another step was faster.", next="Nothing is lost; it goes on.")

            await self._record.add(told, say, also=[*beside, *writes])

        # A node may have paid for what it tells.
        await self._till.insist(store)
        self._midway = False

    def taken(self) -> tuple[list[dict[str, object]], list[Write]]:
        """What nodes told, and what belongs beside it, that is not stored yet; from here on it counts as stored."""
        told, beside = self._told, self._beside
        self._told, self._beside = [], []
        return told, beside

    async def said(self, question: Question) -> Answer:
        """One answer, paid for; what it says is its node's to tell."""
        bought = await self._buy(question)
        self._midway = True
        await self._till.keep(bought, lambda: pay(self._record, bought))
        return bought.value

    async def _work(self, question: Question) -> None:
        """One answer of the researcher, on record before anything follows from it."""
        bought = await self._buy(question)
        said = bought.value
        calls = named(self._record, said.calls if question.tools else ())
        # What can't be read is answered at once: nobody could tell later what it was.
        refused = [_unread_draft(call, why) for call in calls if (why := unread(call))]
        text = cut(said.text, LOGGED)
        await self._till.keep(bought, lambda: put(self._record, bought, calls, text, refused))

    async def _buy(self, question: Question) -> Bought[Answer]:
        if self._asked and not self._midway and self._services.now() >= self._until:
            raise Paused

        async def work(model: Model) -> Answer:
            return await whole(model, question, calls=bool(question.tools))

        bought = await self._till.buy(question, work, streamed=False)
        self._asked = True
        return bought

    # -- calls

    async def _answer_open(self) -> None:
        """Answer the calls that have no answer on record."""
        events = self._record.events
        answered = {event.call_id for event in events if isinstance(event, ToolResult)}
        for event in [one for one in events if isinstance(one, trace.ToolCall)]:
            if event.call_id not in answered:
                call = ToolCall(event.call_id, event.tool, event.arguments, signature=event.signature)
                await self._answered(call, await self._reply(call))

    async def _answered(self, call: ToolCall, reply: Done) -> None:
        def say(change: Change) -> None:
            change.answered(call.tool, fitted(reply.result, LOGGED))

        await self._record.add([result_draft(call, reply)], say, also=[self._entry(reply)])

    async def _looked(self, call: ToolCall, agent: str) -> list[TraceEvent]:
        """A judge's call and its answer, stored together: what breaks off in between begins anew."""
        reply = await self._reply(call)
        before = len(self._record.events)
        drafts = [{**draft, "agent": agent} for draft in (call_draft(call, call.id), result_draft(call, reply))]

        def say(change: Change) -> None:
            change.called(call.tool[:100], fitted(redacted(call.arguments), LOGGED))
            change.answered(call.tool[:100], fitted(reply.result, LOGGED))

        await self._record.add(drafts, say, also=[self._entry(reply)])
        return self._record.events[before:]

    async def _reply(self, call: ToolCall) -> Done:
        errand = self.errand(call)
        reply = await self._cast.gateway.call(errand, call, outside=self.outside)
        return self._cast.gateway.denied(errand, call, _NOBODY) if isinstance(reply, Asks) else reply

    def errand(self, call: ToolCall, addresses: frozenset[str] = frozenset()) -> Errand:
        """What the gateway is told about a call."""
        return errand(self._services, self._tenant, self._record.operation.id, call, addresses)

    def _entry(self, reply: Done | Asks) -> Write:
        return Activities(self._services.documents, self._tenant).put(reply.entry)

    def beside(self, reply: Done | Asks) -> None:
        """Have the activity's entry about a source's call stored with the node's end."""
        self._beside.append(self._entry(reply))


class _Bought:
    """The model, every answer of which is paid for."""

    def __init__(self, name: str, team: Team) -> None:
        self.name = name
        self._team = team

    async def stream(self, question: Question) -> AsyncIterator[Delta | Answer]:
        """The whole answer; nobody reads along."""
        yield await self._team.said(question)


def _standing(events: Sequence[TraceEvent]) -> tuple[int, str | None]:
    """How many answers the researcher gave in these events, and its draft once it called nothing more."""
    answers, said, spoke = 0, None, False
    draft: str | None = None
    for event in events:
        match event:
            case Text():
                said, spoke = event.text, True
            case trace.ToolCall() if not event.agent:
                said, spoke = None, True
            case Usage() if spoke:
                answers, draft, said, spoke = answers + 1, said, None, False
            case _:
                pass
    return answers, draft


def _so_far(board: Board, events: Sequence[TraceEvent]) -> list[Message]:
    """The passes up to here: each with what was said of it, then the steps of this one."""
    found: list[Message] = []
    below = 0
    for one in board.passes:
        found += _steps([event for event in events if below < event.seq <= one.upto])
        found += [as_data({f"what the {one.judge} said": one.judged}), Message("user", _SENT_BACK)]
        below = one.upto
    return [*found, *_steps([event for event in events if event.seq > below])]


def _steps(events: Sequence[TraceEvent]) -> tuple[Message, ...]:
    """What was said, called and answered; what was read before any model asked for it stands elsewhere."""
    called = {event.call_id for event in events if isinstance(event, trace.ToolCall)}
    return steps([event for event in events if not isinstance(event, ToolResult) or event.call_id in called])


def _unread_draft(call: ToolCall, why: str) -> dict[str, object]:
    told = error(
        "invalid_arguments", f"They can't be read: {cut(why, 200)}", "Correct the arguments and call it again."
    )
    return {"type": "tool_result", "tool": call.tool[:100], "call_id": call.id, "ok": False, "result": told}
