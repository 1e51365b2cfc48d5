"""Gathering: the planned sources are asked side by side."""

from shared.agent.board import Board
from shared.agent.retrieval import gather as ask_all
from shared.agent.stage import Stage


async def gather(stage: Stage, board: Board) -> None:
    """Ask the sources that the plan names."""
    chosen = [source for source in await stage.sources() if source.kind in board.wanted]
    board.gathered = await ask_all(chosen, board.query or stage.asked)
