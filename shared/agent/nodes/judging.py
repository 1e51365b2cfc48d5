"""What both judges do: look facts up for themselves, put the draft before the model, send it back or let it go."""

from shared.agent.board import Board
from shared.agent.model import Message, Question
from shared.agent.prompt import as_data
from shared.agent.retrieval import gather
from shared.agent.rrf import fuse
from shared.agent.stage import Stage, evidence_message
from shared.chat.record import LeaseLost
from shared.errors import MemexError
from shared.models.evidence import Evidence
from shared.models.graph import MAX_ATTEMPTS

TOOL_ITERATIONS = 2
"""Questions to the model in a judge's pass with tools."""
TOKENS = 2_000
"""Of what a judge looked up again."""
_DRAFT = 300


async def case(stage: Stage, board: Board, judge: str, *, check: bool) -> tuple[tuple[Message, ...], bool]:
    """What a judge is given, and whether it holds anything that was looked up for this judgement."""
    draft = stage.hands.cited(board.draft).text
    found = await _checked(stage, board, judge) if check else []
    told = [as_data({"links that were taken off": "some led to nothing that was read"})] if draft != board.draft else []
    ask = Message("user", "This is the request, and the draft that answers it. Judge the draft.")
    material = [*stage.past, *await evidence_message(stage, board), *found, *told, ask, stage.request]
    return (*material, Message("model", draft or "(nothing)"), Message("user", "Your verdict?")), bool(found)


async def _checked(stage: Stage, board: Board, judge: str) -> list[Message]:
    """Two independent looks; either may fail or find nothing without stopping anyone."""
    return [*await _looked_up(stage, board), *await _tried(stage, board, judge)]


async def _looked_up(stage: Stage, board: Board) -> list[Message]:
    # A recall is asked once a turn, and what it allows stands in the evidence.
    sources = [one for one in await stage.sources() if one.kind != "memory"]
    if not sources:
        return []
    again = await gather(sources, f"{stage.asked} {board.draft[:_DRAFT]}")
    passages = fuse(again.found, TOKENS)
    stage.hands.read([], outside=bool(passages))
    told = [{"title": one.title, "link": one.url, "text": one.text} for one in passages]
    said = Evidence(passages=passages, nothing=again.nothing, failed=again.failed).told()
    return [as_data({"looked up again": said, "found": list(told)})]  # type: ignore[arg-type]  # plain JSON


async def _tried(stage: Stage, board: Board, judge: str) -> list[Message]:
    claims = as_data({"draft": board.draft})
    question = Question(stage.instruction("check"), (stage.request, claims, Message("user", "Check its claims.")))
    try:
        said = await stage.hands.verify(question, judge, TOOL_ITERATIONS)
    except LeaseLost:
        raise
    except MemexError:
        return []
    return [as_data({"checked with tools": said})] if said.strip() else []


def may_send_back(board: Board) -> bool:
    """Whether the researcher has a pass left."""
    return board.attempt < MAX_ATTEMPTS
