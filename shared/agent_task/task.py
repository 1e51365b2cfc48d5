"""One step of a task: read, or one answer of the model with its calls, or the form, or the end. It may be repeated.

Every answer of the model is on record before anything follows from it, and every call's effect lies under a key of its
own: a step that dies is done again from there. What was paid for and lost with its process is counted as spent.
"""

from collections.abc import Mapping

from shared.agent.model import Answer, Model, ModelBusy, ModelDown, ModelFailed
from shared.agent.structured import structured
from shared.agent_task.answer import named, put, whole
from shared.agent_task.asked import unread
from shared.agent_task.calls import Calls
from shared.agent_task.cast import Cast, cast
from shared.agent_task.failure import failure
from shared.agent_task.finish import finish, out_of_time
from shared.agent_task.former import former_events
from shared.agent_task.kind import AGENT_TASK
from shared.agent_task.material import gather
from shared.agent_task.messages import form_question, work_question
from shared.agent_task.paid import Till
from shared.agent_task.record import LOGGED, Behind, Over, Record
from shared.agent_task.standing import FORM, GATHER, Standing, standing
from shared.errors import MemexError, NotConfigured, Unreachable, UpstreamTimeout
from shared.events.trace import TraceEvent, cut
from shared.gateway.size import fitted, size
from shared.models.base import JsonDict, moment
from shared.models.base import Model as Shape
from shared.models.operation import TERMINAL, AgentInput, Failure, Operation
from shared.models.result import Form
from shared.operations import drive
from shared.operations.ending import Ended, fail
from shared.operations.paid import Away, Hopeless, Refused
from shared.operations.transition import Change
from shared.services import Services
from shared.store.operations import Operations
from shared.store.runs import Runs

FORM_BYTES = 50_000
AWAY_SECONDS = 10
"""Until the next look where another step asks the model, or died while it did."""
LONGEST_WAIT = 60
_TRANSIENT = (ModelBusy, ModelDown, Unreachable, UpstreamTimeout)


class Progress(Shape):
    """Where the operation is after a step: `running`, or how it stopped running here."""

    status: str
    wait_seconds: int = 0


GO_ON = Progress(status="running")


async def step(services: Services, tenant: str, operation: Operation) -> Progress:
    """Do what is next for a running task."""
    events = await Runs(services.documents, tenant).events(operation.id)
    try:
        return await _Task(services, tenant, Record(services, tenant, operation, events)).step()
    except Behind:
        return Progress(status="running", wait_seconds=1)
    except Over:
        return _seen((await Operations(services.documents, tenant).get(operation.id)).value)


def _seen(operation: Operation) -> Progress:
    """An operation that stopped running while a step was at work."""
    return Progress(status="deduped" if operation.status in TERMINAL else "superseded")


def _stopped(operation: Operation) -> Progress:
    """An operation after its calls were answered, or one of them waits."""
    if operation.status == "running":
        return GO_ON
    return Progress(status="waiting") if operation.status == "waiting_for_input" else _seen(operation)


class _Task:
    """A task as this step finds it."""

    _cast: Cast

    def __init__(self, services: Services, tenant: str, record: Record) -> None:
        self._services = services
        self._tenant = tenant
        self._record = record

    @property
    def _asked(self) -> AgentInput:
        assert isinstance(self._record.operation.input, AgentInput)
        return self._record.operation.input

    async def step(self) -> Progress:
        """The next thing."""
        if drive.overdue(self._services, self._record.operation):
            return await self._late()
        if not self._record.events:
            await self._gather()
            return GO_ON
        try:
            self._cast = await cast(self._services, self._tenant, self._asked)
        except NotConfigured as error:
            return self._told(await self._fail(failure("not_configured", error.message)))
        stand = standing(self._record.events, self._record.operation.id)
        if stand.open:
            return await self._calls({})
        if stand.form is not None or self._cast.offline or (stand.draft is not None and not stand.sources):
            return await self._finish()
        try:
            return await self._next(stand)
        except Refused as refused:
            return await self._finish(refused.reason, failure("budget_exceeded", refused.reason))
        except Away as away:
            return Progress(status="running", wait_seconds=1 if away.soon else AWAY_SECONDS)
        except Hopeless:
            return await self._short_of(stand, failure("steps_failed"))
        except _TRANSIENT as error:
            return await self._later(stand, error)
        except ModelFailed as error:
            return await self._short_of(stand, failure("model_failed", error.message))

    async def _next(self, stand: Standing) -> Progress:
        """What only a model can do: one more answer of the one agent, as much of the graph as a step gets, the form."""
        if self._cast.preferences.agent_mode != "single":
            # It loads ADK, which one agent does without.
            from shared.agent_task.several import Several, graph_ended

            if not graph_ended(self._record):
                several = Several(self._services, self._tenant, self._record, self._cast)
                return GO_ON if await several.step(stand) else _stopped(self._record.operation)
        elif stand.draft is None and stand.answers < self._cast.preferences.max_iterations:
            return await self._work(stand)
        return await self._form(stand) if stand.sources else await self._finish()

    # -- reading

    async def _gather(self) -> None:
        """Read what there is, and take over what a former run on the same had paid for."""
        material = await gather(self._services, self._tenant, self._asked)
        former = await former_events(self._services, self._tenant, self._record.operation)
        drafts: list[dict[str, object]] = [
            {"type": "user", "text": cut(self._asked.question)},
            {
                "type": "tool_result",
                "tool": "search_notes",
                "call_id": GATHER,
                "ok": True,
                "result": material.data,
                "sources": list(material.sources),
            },
            *(_as_draft(event) for event in former),
        ]
        titles: JsonDict = {"notes": [one.title for one in material.sources]}

        def say(change: Change) -> None:
            asked: JsonDict = {"query": cut(self._asked.question, LOGGED // 2), "picked": [*self._asked.note_ids]}
            change.called("search_notes", asked)
            change.answered("search_notes", fitted(titles, LOGGED))
            count = len(material.sources)
            read = f"Read {count} note{'' if count == 1 else 's'}"
            change.progress(5, f"{read}; goes on from an earlier run" if former else read)

        await self._record.add(drafts, say)

    # -- the model's answers

    async def _work(self, stand: Standing) -> Progress:
        chosen = self._cast.preferences
        await self._doing(
            10 + 70 * stand.answers // chosen.max_iterations,
            f"Working on it (answer {stand.answers + 1} of at most {chosen.max_iterations})",
        )
        tools = self._cast.gateway.specs()
        question = work_question(self._record.events, stand, tools, chosen, moment(self._services.now()))

        async def work(model: Model) -> Answer:
            return await whole(model, question, calls=True)

        bought = await self._till.buy(question, work, streamed=True)
        calls = named(self._record, bought.value.calls)
        await self._till.keep(bought, lambda: put(self._record, bought, calls, bought.rest))
        refused = {call.id: why for call in calls if (why := unread(call))}
        return await self._calls(refused) if calls else GO_ON

    async def _form(self, stand: Standing) -> Progress:
        """The last question: the result as a form."""
        await self._doing(85, "Writing the result")
        question = form_question(stand, self._cast.preferences, moment(self._services.now()))

        async def work(model: Model) -> Form:
            return await structured(model, question, Form)

        bought = await self._till.buy(question, work, streamed=False)
        result: JsonDict = {"form": _bounded(bought.value), "partial": self._cut_short(stand)}
        drafts: list[dict[str, object]] = [
            {"type": "usage", "tokens": bought.spent.tokens, "cost_usd": bought.spent.cost_usd},
            {"type": "tool_result", "tool": FORM, "call_id": FORM, "ok": True, "result": result},
        ]

        async def store() -> None:
            await self._record.add(drafts, _well, spent=bought.spent, also=[bought.release])

        await self._till.keep(bought, store)
        return await self._finish()

    def _cut_short(self, stand: Standing) -> str | None:
        if stand.draft is not None:
            return None
        most = self._cast.preferences.max_iterations
        return f"It used up the {most} answers of the model that one task may have (max_iterations)."

    @property
    def _till(self) -> Till:
        return Till(self._services, self._tenant, self._record, self._cast.model, self._cast.preferences)

    async def _doing(self, percent: int, what: str) -> None:
        """Say what it does now; the last look whether it still may, before something is paid."""
        await self._record.add([], lambda change: change.progress(percent, what))

    async def _calls(self, unread: Mapping[str, str]) -> Progress:
        return _stopped(await Calls(self._services, self._tenant, self._record, self._cast).run(unread))

    # -- trouble, and the end

    async def _later(self, stand: Standing, error: MemexError) -> Progress:
        """Trouble that may pass: wait longer each time, and not for ever."""
        troubles = self._record.operation.troubles + 1
        if troubles > self._cast.preferences.max_retries:
            return await self._short_of(stand, failure("unavailable", error.message))
        pause = min(LONGEST_WAIT, 2**troubles)
        if isinstance(error, ModelBusy) and error.retry_after is not None:
            pause = min(LONGEST_WAIT, max(pause, int(error.retry_after) + 1))

        def say(change: Change) -> None:
            change.set(troubles=troubles)
            told = f"{error.message} Next try in {pause} s ({troubles} so far)."
            change.progress(change.operation.progress.percent, told, self._services.now() + pause)

        await self._record.add([], say)
        return Progress(status="running", wait_seconds=pause)

    async def _short_of(self, stand: Standing, why: Failure) -> Progress:
        """It can't go on. What was worked out so far is kept; where that is nothing, it failed."""
        return await self._finish(why.message, why) if stand.worked else self._told(await self._fail(why))

    async def _late(self) -> Progress:
        operation = self._record.operation
        if await out_of_time(self._services, self._tenant, operation):
            return Progress(status="completed")
        return self._told(await self._fail(AGENT_TASK.late))

    async def _finish(self, partial: str | None = None, otherwise: Failure | None = None) -> Progress:
        operation, events = self._record.operation, self._record.events
        return self._told(
            await finish(self._services, self._tenant, operation, events, partial=partial, otherwise=otherwise)
        )

    async def _fail(self, why: Failure) -> Ended:
        return await fail(self._services, self._tenant, self._record.operation.id, why)

    def _told(self, ended: Ended) -> Progress:
        return Progress(status=ended.operation.status) if ended.here else _seen(ended.operation)


def _well(change: Change) -> None:
    change.set(troubles=0)


def _as_draft(event: TraceEvent) -> dict[str, object]:
    return event.model_dump(exclude={"seq"})


def _bounded(form: Form) -> JsonDict:
    """The form as an event can hold it: the last claims go first."""
    kept = form
    while size(kept.model_dump(mode="json")) > FORM_BYTES and kept.claims:
        kept = kept.model_copy(update={"claims": kept.claims[: len(kept.claims) * 3 // 4]})
    told = kept.model_dump(mode="json")
    return told if size(told) <= FORM_BYTES else {**fitted(told, FORM_BYTES), "claims": []}
