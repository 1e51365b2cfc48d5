"""Research by our own agents: the graph, a part of it at each look, with everything on the operation's record.

A look goes on with the run, and a second one at the same moment only sees it. Whatever ends it early leaves what was
found by then as an incomplete report.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress

from shared.agent.model import ModelBusy, ModelDown, ModelFailed
from shared.agent.prompt import text as prompt
from shared.agent_task.cast import Cast
from shared.agent_task.paid import Away, Hopeless, Refused
from shared.agent_task.record import Record
from shared.agent_task.team import Paused
from shared.agent_task.walk import Request, Walk
from shared.agents import prompts_of, read
from shared.errors import Conflict, Unreachable, UpstreamTimeout
from shared.events.trace import Evidence, ToolResult, TraceEvent, cut
from shared.models.base import JsonDict
from shared.models.evidence import Passage
from shared.models.operation import Operation, ResearchInput
from shared.operations import drive
from shared.operations.transition import Change
from shared.research import looks
from shared.research.engine import operation_of, own_run, why_instead
from shared.research.interaction import Annotation, Interaction, Part, Problem, Step
from shared.research.log import Log
from shared.research.pages import named, nothing, pages
from shared.research.reading import sought, whole
from shared.research.researchers import Researchers, chosen_cast
from shared.research.service import Busy
from shared.research.shown import shown
from shared.research.writing import Written, by_rule, written
from shared.services import Services
from shared.store.days import Days
from shared.store.operations import Operations
from shared.store.records import until_settled
from shared.store.runs import Runs

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
        cast, web, missing = await chosen_cast(services, self._tenant)
        linked = frozenset(named(self._asked.urls))
        team = Researchers(services, self._tenant, record, cast, self._asked, web, linked=linked)
        walk = Walk(services, self._tenant, record.operation.id, team)
        await walk.load()
        if missing:
            return await self._short(team, walk, "not_configured", missing)
        if drive.overdue(services, record.operation):
            return await self._short(team, walk, "deadline_exceeded", "Its time is over.")
        if record.operation.troubles > cast.preferences.max_retries:
            return await self._short(team, walk, "unavailable", record.operation.progress.message)
        return await self._walked(team, walk, cast)

    async def _walked(self, team: Researchers, walk: Walk, cast: Cast) -> None:
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

    async def _short(self, team: Researchers, walk: Walk, code: str, why: str) -> None:
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
        self, team: Researchers, walk: Walk | None, status: str, code: str = "", why: str = "", *, draft: str = ""
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
