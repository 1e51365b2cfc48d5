"""The record of a run of our own agents, whose operation shows what its nodes did beside what its researcher says."""

from collections.abc import Mapping, Sequence

from shared.agent_task.record import LOGGED, Record, Say
from shared.events.trace import TRACE_EVENT, TraceEvent, cut
from shared.gateway.redact import redacted
from shared.gateway.size import fitted
from shared.models.base import JsonDict
from shared.models.operation import Usage
from shared.operations.transition import Change
from shared.research.interaction import Step
from shared.research.pages import GATHER
from shared.research.shown import shown
from shared.store.documents import Write

_OF_NODES = ("plan", "evidence", "critique", "verification", "error")


class Log(Record):
    """As any record; what nodes tell is said in the operation's log, in the commit that stores it."""

    async def add(
        self,
        drafts: Sequence[Mapping[str, object]],
        say: Say,
        *,
        spent: Usage | None = None,
        also: Sequence[Write] = (),
    ) -> None:
        """Store events and what belongs to them."""
        steps = [step for draft in drafts if _is_of_nodes(draft) for step in shown([_event(draft)])]

        def both(change: Change) -> None:
            say(change)
            for step in steps:
                _say(change, step)

        await super().add(drafts, both, spent=spent, also=also)


def _is_of_nodes(draft: Mapping[str, object]) -> bool:
    # Of calls the researcher's and the judges' are said by whoever makes them.
    return draft["type"] in _OF_NODES or (
        draft["type"] in ("tool_call", "tool_result") and draft.get("agent") == GATHER
    )


def _event(draft: Mapping[str, object]) -> TraceEvent:
    return TRACE_EVENT.validate_python({**draft, "seq": 1, "at": "1970-01-01T00:00:00Z"})


def _say(change: Change, step: Step) -> None:
    tool, _, part = step.type.rpartition("_")
    match part:
        case "thought":
            change.think(cut("".join(one.text for one in step.parts).replace("**", "", 2), LOGGED))
        case "call":
            change.called(tool, fitted(redacted(_field(step, "arguments")), LOGGED))
        case "result":
            change.answered(tool, fitted(_field(step, "result"), LOGGED))
        case _:
            pass


def _field(step: Step, name: str) -> JsonDict:
    value = step.fields.get(name)
    return value if isinstance(value, dict) else {}
