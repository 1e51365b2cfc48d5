"""The ends of a run: the one answer that counts, or none."""

from shared.agent.board import Board
from shared.agent.stage import Stage


async def finalize(stage: Stage, board: Board) -> None:
    """The draft is the answer. It is stored with the turn's end."""
    stage.ended = board


async def rejected(stage: Stage, board: Board) -> None:
    """The person did not want the answer: there is none."""
    stage.ended = board
