"""Merging: what the sources found becomes one numbered list of evidence, within its part of the context."""

from collections.abc import Mapping, Sequence

from shared.agent.board import Board
from shared.agent.rrf import fuse
from shared.agent.stage import Stage
from shared.models.evidence import Evidence, Passage, SourceKind

PART = 4
"""Evidence may fill one such part of the context."""
MOST_TOKENS = 8_000


async def merge(stage: Stage, board: Board) -> None:
    """Fuse what was found; what was not found is kept as well, to be said."""
    gathered = board.gathered
    assert gathered
    tokens = min(MOST_TOKENS, stage.context_tokens // PART)
    passages = [_stored(one) for one in fuse(await _with_words(stage, gathered.found), tokens)]
    evidence = Evidence(passages=passages, nothing=gathered.nothing, failed=gathered.failed)
    board.evidence, board.gathered = evidence, None
    told = evidence.model_dump(mode="json")
    stage.hands.tell({"type": "evidence", "text": evidence.told(), **told})


async def _with_words(
    stage: Stage, found: Mapping[SourceKind, Sequence[Passage]]
) -> Mapping[SourceKind, Sequence[Passage]]:
    """The same with the words of memories, which take room like all others."""
    memories = found.get("memory")
    if not memories:
        return found
    usable = await stage.remembered()
    told = [one.model_copy(update={"text": usable[one.url].fact}) for one in memories if one.url in usable]
    return {**found, "memory": told}


def _stored(passage: Passage) -> Passage:
    """A memory is kept by reference: its words stand nowhere but in the memory service."""
    return passage.model_copy(update={"text": ""}) if passage.source_kind == "memory" else passage
