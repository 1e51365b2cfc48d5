"""Merging: what the sources found becomes one numbered list of evidence, within its part of the context."""

from shared.agent.board import Board
from shared.agent.rrf import fuse
from shared.agent.stage import Stage
from shared.models.evidence import Evidence

PART = 4
"""Evidence may fill one such part of the context."""
MOST_TOKENS = 8_000


async def merge(stage: Stage, board: Board) -> None:
    """Fuse what was found; what was not found is kept as well, to be said."""
    gathered = board.gathered
    assert gathered
    tokens = min(MOST_TOKENS, stage.context_tokens // PART)
    evidence = Evidence(passages=fuse(gathered.found, tokens), nothing=gathered.nothing, failed=gathered.failed)
    board.evidence, board.gathered = evidence, None
    told = evidence.model_dump(mode="json")
    stage.hands.tell({"type": "evidence", "text": evidence.told(), **told})
