"""The planner: one to three steps for the researcher, and where to look first. It has no tools."""

import re
from collections.abc import Sequence

from shared.agent.board import Board
from shared.agent.model import Message, ModelFailed, Question
from shared.agent.prompt import as_data
from shared.agent.stage import Stage
from shared.agent.structured import structured
from shared.models.evidence import NAMES, SourceKind
from shared.models.graph import Plan

_STEPS = 3
_MARK = re.compile(r"\A\s*(?:[-*•]|\d+[.)])\s*")
_FORM = (
    "Answer with the form: the steps, a few words to look for, and which of these sources are worth asking: {sources}."
)


async def plan(stage: Stage, board: Board) -> None:
    """Set out what to do; a second time with what the critic said of the first plan."""
    kinds = [source.kind for source in await stage.sources()]
    made = _trivial(kinds) if stage.offline else await _asked(stage, board, kinds)
    named = [kind for kind in kinds if kind in made.sources]
    # What is remembered is known already, and the planner has not seen it.
    wanted = [kind for kind in kinds if kind in named or kind == "memory"] if named else kinds
    board.plan, board.query, board.wanted = made, made.query.strip() or stage.asked[:400], wanted
    stage.hands.tell({"type": "plan", "steps": made.steps, "sources": wanted, "attempt": board.attempt})


async def _asked(stage: Stage, board: Board, kinds: Sequence[SourceKind]) -> Plan:
    messages = [*stage.past, stage.request, *_sent_back(board)]
    question = Question(stage.instruction("planner"), tuple(messages))
    sources = ", ".join(f"{kind} ({NAMES[kind]})" for kind in kinds)
    form = Message("user", _FORM.format(sources=sources))
    try:
        if len(kinds) < 2:
            return _read((await stage.hands.ask(question, "planner")).text) or _trivial(kinds)
        return await structured(stage.model, Question(question.instruction, (*question.messages, form)), Plan)
    except ModelFailed:
        # A plan only helps: without one the researcher goes by the request.
        return _trivial(kinds)


def _sent_back(board: Board) -> list[Message]:
    if not board.passes or board.plan is None:
        return []
    last = board.passes[-1]
    told = as_data({"plan that was carried out": list(board.plan.steps), "what the reviewer said": last.judged})
    return [told, Message("user", "That plan did not lead there. Make another one.")]


def _read(said: str) -> Plan | None:
    lines = [_MARK.sub("", line).strip() for line in said.splitlines()]
    steps = [line[:300] for line in lines if line][:_STEPS]
    return Plan(steps=steps) if steps else None


def _trivial(kinds: Sequence[SourceKind]) -> Plan:
    """What is done where nobody plans: look, then answer."""
    steps = ["Look in what was written down.", "Answer from what is found."]
    return Plan(steps=steps if kinds else ["Answer the request, with tools where it names something to do."])
