"""The researcher: the one agent that acts. It goes by plan and evidence, and stops where a call has to wait."""

from shared.agent.board import Board
from shared.agent.model import Message
from shared.agent.prompt import as_data
from shared.agent.stage import Stage, evidence_message

ANSWERED, BLOCKED = "answered", "blocked"


async def research(stage: Stage, board: Board) -> str:
    """Write the draft, or stop at the calls that a person has to decide about."""
    if board.evidence:
        citations = [one.citation() for one in board.evidence.passages]
        stage.hands.read(citations, outside=bool(citations))
    draft = await stage.hands.research(board, stage.instruction("researcher"), await _seed(stage, board))
    if draft is None:
        return BLOCKED
    board.draft, board.waiting, board.decided = draft, None, None
    return ANSWERED


async def _seed(stage: Stage, board: Board) -> list[Message]:
    given = [as_data({"plan": list(board.plan.steps)})] if board.plan else []
    return [*stage.past, *given, *await evidence_message(stage, board), stage.request]
