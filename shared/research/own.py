"""Research by our own agents: the graph, a part of it at each look, with everything on the operation's record.

A look goes on with the run, and a second one at the same moment only sees it. Whatever ends it early leaves what was
found by then as an incomplete report.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from shared.agent.board import Board
from shared.agent.model import Message, ModelBusy, ModelDown, ModelFailed, ToolCall
from shared.agent.prompt import text as prompt
from shared.agent.retrieval import Source, servers
from shared.agent_task.cast import Cast
from shared.agent_task.paid import Away, Hopeless, Refused
from shared.agent_task.record import Record
from shared.agent_task.team import Paused, Team
from shared.agent_task.walk import Request, Walk
from shared.agents import prompts_of, read
from shared.errors import Conflict, NotConfigured, Unreachable, UpstreamTimeout
from shared.events.trace import Evidence, Plan, ToolResult, TraceEvent, cut
from shared.gateway.gateway import Asks, Done, Gateway, Policy
from shared.gateway.tool import Tool
from shared.models.base import JsonDict
from shared.models.evidence import Passage
from shared.models.ids import derived
from shared.models.operation import Operation, ResearchInput
from shared.net.guard import host_allowed
from shared.operations import drive
from shared.operations.transition import Change
from shared.preferences import preferences
from shared.research import looks
from shared.research.engine import operation_of, own_run, why_instead
from shared.research.interaction import Annotation, Interaction, Part, Problem, Step
from shared.research.log import Log
from shared.research.looks import Notes
from shared.research.pages import READS, drafts, named, nothing, pages, unread
from shared.research.reading import OwnNotes, Web, sought, whole
from shared.research.service import Busy
from shared.research.shown import shown
from shared.research.writing import Written, by_rule, written
from shared.services import Services
from shared.store.days import Days
from shared.store.operations import Operations
from shared.store.records import until_settled
from shared.store.runs import Runs
from shared.tools.catalog import built_in

TOOLS = ("search_notes", "get_note", "calculator", "current_time")
"""Of the researcher: it reads notes. Pages are read before it begins, so that nothing it read can send it to one."""
REPORT_BYTES = 50_000
"""Of a report; it is kept in one event."""
REPORT = "report"
"""Call id of the event that holds what the run came to; no model called it."""
_ASKED = 1_000
_BRIEF = (
    "Research the note below, and write the report that answers it. Everything below the line is the note.\n\n---\n\n"
)
_INSTEAD = "Deep Research could not be had, so Memex's own agents wrote this."
_UNSOURCED = "What the agents wrote named no source that was read, so here the sources speak for themselves."


class OwnResearch:
    """The research port, on the graph."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def create(self, question: str, labels: Mapping[str, str] | None = None) -> str:
        """Take over an operation that was meant for the service: what it would have cost is given back."""
        assert labels
        tenant, operation_id = labels["tenant"], labels["operation"]
        run_id = own_run(tenant, operation_id)

        async def attempt() -> None:
            operations = Operations(self._services.documents, tenant)
            stored = await operations.get(operation_id)
            change = Change(stored.value, self._services.now())
            change.set(interaction_id=run_id, budget_day=None, estimated_usd=0.0)
            writes = operations.put(change.operation, [], stored.version)
            if stored.value.budget_day:
                days = Days(self._services.documents, tenant)
                day = await days.get(stored.value.budget_day)
                writes.append(days.put(day, runs=-1, cost_usd=-stored.value.estimated_usd))
            await self._services.documents.commit(writes)

        await until_settled(attempt)
        return run_id

    async def cancel(self, interaction_id: str) -> None:
        """Nothing goes on but in steps, and these look whether they still may."""

    async def get(self, interaction_id: str) -> Interaction:
        """Go on with the run for a while; how it stands then."""
        tenant, operation_id = operation_of(interaction_id)
        operation = (await Operations(self._services.documents, tenant).get(operation_id)).value
        events = await Runs(self._services.documents, tenant).events(operation_id)
        record = Log(self._services, tenant, operation, events)
        if operation.status == "running" and _came_to(events) is None:
            # Another step may have been faster, or the operation ended: either way what is stored counts.
            with suppress(Paused, Away, Conflict):
                await _Run(self._services, tenant, record).on()
            operation = (await Operations(self._services.documents, tenant).get(operation_id)).value
        return _interaction(interaction_id, operation, record.events)


class _Run:
    """A run as this look finds it."""

    def __init__(self, services: Services, tenant: str, record: Record) -> None:
        self._services = services
        self._tenant = tenant
        self._record = record
        assert isinstance(record.operation.input, ResearchInput)
        self._asked = record.operation.input

    async def on(self) -> None:
        """As far as it gets now."""
        record, services = self._record, self._services
        if not record.events:
            await record.add([{"type": "user", "text": cut(self._asked.question)}], _silently)
        cast, web, missing = await _cast(services, self._tenant)
        linked = frozenset(named(self._asked.urls))
        team = _Researchers(services, self._tenant, record, cast, self._asked, web, linked=linked)
        walk = Walk(services, self._tenant, record.operation.id, team)
        await walk.load()
        if missing:
            return await self._short(team, walk, "not_configured", missing)
        if drive.overdue(services, record.operation):
            return await self._short(team, walk, "deadline_exceeded", "Its time is over.")
        if record.operation.troubles > cast.preferences.max_retries:
            return await self._short(team, walk, "unavailable", record.operation.progress.message)
        return await self._walked(team, walk, cast)

    async def _walked(self, team: "_Researchers", walk: Walk, cast: Cast) -> None:
        saved = prompts_of(await read(self._services.documents, self._tenant))
        prompts = {**saved, "researcher": f"{saved['researcher']}\n\n{prompt('nodes/report')}"}
        question = self._asked.question
        asked = sought(question) if cast.offline else " ".join(question.split())[:_ASKED]
        try:
            ended = await walk.on(cast, prompts, Request(_BRIEF + question, asked))
        except ModelBusy as error:
            raise Busy(error.message, retry_after=error.retry_after) from error
        except (ModelDown, Unreachable, UpstreamTimeout):
            raise
        except Refused as refused:
            await self._short(team, walk, "budget_exceeded", refused.reason)
        except Hopeless:
            await self._short(team, walk, "steps_failed", Hopeless.reason)
        except ModelFailed as error:
            await self._short(team, walk, "model_failed", error.message)
        else:
            await self._ends(team, walk, "completed", draft=ended.draft)

    async def _short(self, team: "_Researchers", walk: Walk, code: str, why: str) -> None:
        """It can't go on: the draft is what it came to, or else the sentences of what was read that answer.

        Reading costs nothing: where nothing was read yet, it is done now.
        """
        draft = walk.board.draft if walk.board else ""
        if not draft.strip() and not any(isinstance(event, Evidence) for event in self._record.events):
            team.taken()  # of a node that did not end
            team.tell(await looks.evidence(await team.wire(), sought(self._asked.question)))
            told, beside = team.taken()
            await self._record.add(told, _silently, also=beside)
        status = code if code == "budget_exceeded" else "incomplete"
        await self._ends(team, None, status, code, why, draft=draft)

    async def _ends(
        self, team: "_Researchers", walk: Walk | None, status: str, code: str = "", why: str = "", *, draft: str = ""
    ) -> None:
        """Store what it came to; a report that leans on nothing is none."""
        told = team.unread()
        checked = team.cited(draft)
        passages = _passages(self._record.events)
        report = written(checked.text, checked.citations, passages, told)
        remarks = [await self._instead(), why]
        if report is None:
            report = await self._by_rule(passages, told)
            remarks.append(_UNSOURCED if draft.strip() else "")
        if report is None:
            status, code, why = "failed", code or "no_sources", why or nothing(told)
        result: JsonDict = {"status": status, "code": code, "message": why}
        draft_of_event = {
            "type": "tool_result",
            "tool": REPORT,
            "call_id": REPORT,
            "ok": report is not None,
            "result": result,
        }
        told_by_nodes, beside = team.taken() if walk else ([], [])
        written_down: list[dict[str, object]] = [*told_by_nodes, draft_of_event]
        if report:
            from shared.research.extract.inert import sentence

            # Lines of a quotation: they are no part of the answer.
            above = "\n>\n".join(f"> {sentence(one)}" for one in remarks if one)
            result["text"] = cut(f"{above}\n\n{report.part.text}".lstrip(), REPORT_BYTES)
            # Of a source's quotes the first is kept.
            result["quotes"] = {one.url: one.quote for one in reversed(report.part.annotations)}
            draft_of_event["sources"] = list(report.citations)
        await self._record.add(written_down, _silently, also=[*beside, *(walk.writes() if walk else [])])

    async def _instead(self) -> str:
        """That the service was meant to do it, and why it did not; empty where our own agents were."""
        operation = self._record.operation
        if not operation.intent_at:
            return ""
        why = await why_instead(Operations(self._services.documents, self._tenant), operation.id)
        return f"{_INSTEAD} The reason: {why}" if why else _INSTEAD

    async def _by_rule(self, passages: Sequence[Passage], told: Sequence[str]) -> Written | None:
        """The sentences of what was read that answer; None where nothing touches the question."""
        with self._services.busy():
            sources = await whole(self._services, self._tenant, passages, list(pages(self._record.events).values()))
            return await asyncio.to_thread(by_rule, self._asked.question, sources, told)


def _silently(_change: Change) -> None:
    """Say nothing in the log."""


# -- who takes part


@dataclass(frozen=True, slots=True)
class _Outside:
    """The way out: its gateway, and whether a search is allowed."""

    gateway: Gateway
    searches: bool
    reads: bool


async def _cast(services: Services, tenant: str) -> tuple[Cast, _Outside, str]:
    """Who takes part; why nobody does but the rules, where the chosen model can't be had."""
    from shared.net.websearch import HOST

    chosen = await preferences(services.documents, services.settings, tenant)
    tools, open_to = built_in(), tuple(chosen.allowed_hosts) if chosen.egress_enabled else ()

    def gateway(*names: str) -> Gateway:
        policy = Policy(frozenset(names), chosen.approve_tools, chosen.egress_enabled, open_to, None)
        return Gateway({name: tools[name] for name in names}, policy, services.now)

    inside = gateway(*(TOOLS if chosen.use_tools else ()))
    reads = chosen.use_tools and chosen.egress_enabled
    outside = _Outside(gateway("web_search", "http_fetch"), reads and host_allowed(HOST, open_to), reads)
    try:
        return Cast(services.model(chosen.model), inside, chosen), outside, ""
    except NotConfigured as error:
        from shared.agent.models.offline import Offline

        return Cast(Offline(), inside, chosen), outside, f"{error.message} {error.next}"


class _Researchers(Team):
    """The hands of a run of research."""

    def __init__(
        self,
        services: Services,
        tenant: str,
        record: Record,
        cast: Cast,
        asked: ResearchInput,
        web: _Outside,
        *,
        linked: frozenset[str],
    ) -> None:
        super().__init__(services, tenant, record, cast, linked=linked)
        self._wanted = asked
        self._web = web
        self._asks = 0

    async def wire(self) -> tuple[Source, ...]:
        """Notes; pages and connected servers where the outside is open and there is a way to one.

        No memories: an operation does not know which person asked for it.
        """
        among = OwnNotes(self._services, self._tenant, self._wanted.note_id)
        found: list[Source] = [Notes(among, self._inside)]
        urls = named(self._wanted.urls)
        if self._web.reads and (urls or self._web.searches):
            found.append(Web(urls, self._out, self._web.searches))
        if self._web.reads and (connected := await self._servers()):
            found.append(connected)
        return tuple(found)

    async def _servers(self) -> Source | None:
        """The searches of MCP servers whose tools the person approved, and that the researcher may use."""
        from shared.tools.mcp import tools_for

        chosen = self._cast.preferences
        hosts = tuple(chosen.allowed_hosts)
        tools, problems = await tools_for(self._services, self._tenant, hosts)
        if not any(isinstance(event, Plan) for event in self._record.events):
            for problem in problems:
                self.tell({"type": "error", "code": "tools_missing", "message": problem})
        if not tools:
            return None
        without = (await read(self._services.documents, self._tenant)).disabled_tools()
        policy = Policy(frozenset(tools) - without, chosen.approve_tools, True, hosts, None)
        gateway = Gateway(tools, policy, self._services.now)
        return servers(gateway.specs(), lambda tool, arguments: self._through(gateway, tool, arguments))

    async def research(self, board: Board, instruction: str, messages: Sequence[Message]) -> str | None:
        """The draft; none without a language model: then the report is written by rule."""
        if self._cast.offline:
            return ""
        return await super().research(board, instruction, messages)

    async def _inside(self, tool: Tool[Any], arguments: JsonDict) -> Done | None:
        policy = Policy(None, approve_tools=False, egress_enabled=False, allowed_hosts=(), budget_left=None)
        return await self._through(Gateway({tool.name: tool}, policy, self._services.now), tool.name, arguments)

    async def _out(self, tool: str, arguments: JsonDict, addresses: frozenset[str]) -> Done | None:
        return await self._through(self._web.gateway, tool, arguments, addresses)

    async def _through(
        self, gateway: Gateway, tool: str, arguments: JsonDict, addresses: frozenset[str] = frozenset()
    ) -> Done | None:
        """A source's call, on record; None where a person would have to be asked: then it is not done."""
        self._asks += 1
        run_id = self._record.operation.id
        call = ToolCall(derived(run_id, "out", str(self._record.next_seq), str(self._asks)), tool, arguments)
        errand = self.errand(call, addresses)
        # A page is one that the person named or a search returned, whatever was read before. What is searched for may
        # be a model's words, and once it has read others' text these could carry something out.
        outside = self.outside and tool != READS
        reply = await gateway.call(errand, call, outside=outside)
        done = None if isinstance(reply, Asks) else reply
        self.beside(done or gateway.denied(errand, call, looks.NOBODY))
        if tool != READS:
            for draft in looks.drafts(call, done):
                self.tell(draft)
            return done
        known = pages(self._record.events).get(str(arguments.get("url")))
        # Judges look again for themselves.
        if not (known and known.text):
            for draft in drafts(call, done):
                self.tell(draft)
        return done

    def unread(self) -> list[str]:
        """What to tell of pages that the note names and that were not read."""
        return unread(self._wanted.urls, self._record.events, reads=self._web.reads)


# -- what is shown of it


def _came_to(events: Sequence[TraceEvent]) -> ToolResult | None:
    return next((one for one in events if isinstance(one, ToolResult) and one.call_id == REPORT), None)


def _passages(events: Sequence[TraceEvent]) -> list[Passage]:
    found: dict[str, Passage] = {}
    for event in events:
        if isinstance(event, Evidence):
            found.update((one.url, one) for one in event.passages)
    return list(found.values())


def _interaction(run_id: str, operation: Operation, events: Sequence[TraceEvent]) -> Interaction:
    """The run as the port shows one."""
    steps = shown([event for event in events if not (isinstance(event, ToolResult) and event.call_id == REPORT)])
    usage: JsonDict = {"total_tokens": operation.usage.tokens}
    ended = _came_to(events)
    if ended is None:
        going = "in_progress" if operation.status == "running" else operation.status
        return Interaction(run_id, going, tuple(steps), usage=usage)
    told = ended.result
    status, text = str(told["status"]), told.get("text")
    if not isinstance(text, str):
        problem = Problem(str(told["code"]), str(told["message"]))
        return Interaction(run_id, status, tuple(steps), (problem,), usage)
    quotes = told.get("quotes")
    notes = tuple(
        Annotation(one.url, one.title, str(quotes.get(one.url, "")) if isinstance(quotes, dict) else "")
        for one in ended.sources
    )
    return Interaction(run_id, status, (*steps, Step("model_output", (Part("text", text, notes),))), usage=usage)
