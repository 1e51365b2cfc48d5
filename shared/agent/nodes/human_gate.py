"""The gate before an answer counts: a person sees it, with what the critic said."""

from shared.agent.board import Board
from shared.agent.stage import Stage
from shared.models.graph import Waiting


async def human_gate(stage: Stage, board: Board, word: str | None) -> Waiting | None:
    """Wait for the person, or take their word."""
    if word is None:
        return Waiting(id="answer", reason="approve_answer")
    board.accepted = word == "approve"
    return None
