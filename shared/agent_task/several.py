"""A task worked on by several agents: the chat's graph up to its draft. What follows is the form, as for one agent."""

from collections.abc import Mapping

from pydantic import JsonValue

from shared.agent.model import ToolCall
from shared.agent.prompt import as_data
from shared.agent.prompt import text as prompt
from shared.agent.retrieval import Reach, Source, wired
from shared.agent_task.calls import Calls
from shared.agent_task.cast import Cast
from shared.agent_task.record import Record
from shared.agent_task.standing import GATHER, Standing, standing
from shared.agent_task.team import Paused, Team
from shared.agent_task.walk import Request, Walk
from shared.agents import prompts_of, read
from shared.events.trace import ToolResult
from shared.gateway.gateway import Asks, Done
from shared.gateway.marks import marked
from shared.models.base import JsonDict
from shared.models.evidence import Evidence
from shared.models.ids import derived
from shared.operations.transition import Change
from shared.services import Services

GRAPH = "graph"
"""Call id of the event that says that the graph came to its end."""
_ASKED = 1_000


def graph_ended(record: Record) -> bool:
    """Whether this run's graph is through; that of a run which it goes on from is none of its own."""
    run_id = record.operation.id
    return any(isinstance(one, ToolResult) and one.call_id == GRAPH and one.turn == run_id for one in record.events)


class Several:
    """The graph of one task."""

    def __init__(self, services: Services, tenant: str, record: Record, cast: Cast) -> None:
        self._services = services
        self._tenant = tenant
        self._record = record
        self._cast = cast

    async def step(self, stand: Standing) -> bool:
        """Go on as far as one step gets; False where a call waits for the person, or the operation ended."""
        record = self._record
        team = _TaskTeam(self._services, self._tenant, record, self._cast, linked=frozenset(stand.addresses))
        walk = Walk(self._services, self._tenant, record.operation.id, team)
        await walk.load()
        saved = prompts_of(await read(self._services.documents, self._tenant))
        prompts = {**saved, "researcher": f"{saved['researcher']}\n\n{prompt('task')}"}
        given = [one.result for one in record.events if isinstance(one, ToolResult) and one.call_id == GATHER]
        past = tuple(map(as_data, given)) if stand.sources else ()
        asked = Request(stand.question, " ".join(stand.question.split())[:_ASKED], past)
        try:
            await walk.on(self._cast, prompts, asked)
        except Paused:
            return record.operation.status == "running"
        told, beside = team.taken()
        ended = {"type": "tool_result", "tool": GRAPH, "call_id": GRAPH, "ok": True, "result": {}}
        await record.add([*told, ended], _doing, also=[*beside, *walk.writes()])
        return True


def _doing(change: Change) -> None:
    change.progress(80, "Several agents have agreed on an answer")


class _TaskTeam(Team):
    """The hands of a task: its calls may wait for the person, and what was gathered is a source of its claims."""

    async def wire(self) -> tuple[Source, ...]:
        """Notes and reports."""
        if not self._cast.preferences.use_tools:
            return ()
        specs = self._cast.gateway.specs()
        return await wired(Reach(self._services, self._tenant, self._cast.preferences, specs, self._quiet))

    def tell(self, draft: Mapping[str, object]) -> None:
        """An event; evidence stands beside it as what was read, for claims to name."""
        super().tell(draft)
        if draft.get("type") != "evidence":
            return
        found = Evidence.model_validate({name: draft[name] for name in ("passages", "nothing", "failed")})
        read: list[JsonValue] = [{"title": one.title, "link": one.url, "text": one.text} for one in found.passages]
        call_id = derived(self._record.operation.id, "evidence", str(self._record.next_seq))
        super().tell(
            {
                "type": "tool_result",
                "tool": "search_notes",
                "call_id": call_id,
                "ok": True,
                "result": marked({"evidence": read}),
                "sources": [one.citation() for one in found.passages],
            }
        )

    async def _answer_open(self) -> None:
        if not standing(self._record.events, self._record.operation.id).open:
            return
        operation = await Calls(self._services, self._tenant, self._record, self._cast).run({})
        self._record.operation = operation
        if operation.status != "running" or standing(self._record.events, operation.id).open:
            raise Paused

    async def _quiet(self, tool: str, arguments: JsonDict) -> Done | None:
        """A source's tool; None where a person would have to be asked."""
        call = ToolCall(derived(self._record.operation.id, tool, str(self._record.next_seq)), tool, arguments)
        reply = await self._cast.gateway.call(self.errand(call), call, outside=self.outside)
        self.beside(reply)
        return None if isinstance(reply, Asks) else reply
