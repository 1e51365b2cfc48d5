"""Reciprocal rank fusion: several ranked lists become one, within a budget of tokens. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shared.models.evidence import Passage, SourceKind

K = 60
"""The constant of the method: the larger, the less the first places weigh."""
FLOOR = 1
"""Passages of each source that are kept, whatever the others have."""
CHARACTERS_PER_TOKEN = 3


@dataclass(slots=True)
class _Candidate:
    passage: Passage
    score: float = 0.0
    merged_from: list[SourceKind] = field(default_factory=list)


def fuse(
    ranked: Mapping[SourceKind, Sequence[Passage]], tokens: int, *, k: int = K, floor: int = FLOOR
) -> list[Passage]:
    """The best passages of all sources, numbered from 1, within `tokens`.

    What several sources found is one passage, whose score is the sum. Each source keeps its first `floor` passages, cut
    where they don't fit; beyond that none may have more than its share, so that a chatty one leaves room.
    """
    candidates = _scored(ranked, k)
    chosen = _with_floor(ranked, candidates, tokens, floor)
    return [
        one.model_copy(update={"number": number})
        for number, one in enumerate(sorted(chosen, key=lambda one: _rank(candidates, one)), 1)
    ]


def tokens_of(text: str) -> int:
    """About how many tokens a text is."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def _scored(ranked: Mapping[SourceKind, Sequence[Passage]], k: int) -> dict[str, _Candidate]:
    found: dict[str, _Candidate] = {}
    for kind, passages in ranked.items():
        for rank, url in enumerate(dict.fromkeys(one.url for one in passages), 1):
            passage = next(one for one in passages if one.url == url)
            candidate = found.setdefault(url, _Candidate(passage))
            candidate.score += 1 / (k + rank)
            candidate.merged_from.append(kind)
    for candidate in found.values():
        candidate.passage = candidate.passage.model_copy(update={"merged_from": candidate.merged_from})
    return found


def _rank(candidates: Mapping[str, _Candidate], passage: Passage) -> tuple[float, int]:
    return -candidates[passage.url].score, list(candidates).index(passage.url)


def _with_floor(
    ranked: Mapping[SourceKind, Sequence[Passage]], candidates: Mapping[str, _Candidate], tokens: int, floor: int
) -> list[Passage]:
    sources = [kind for kind, passages in ranked.items() if passages]
    if not sources:
        return []
    best = sorted((one.passage for one in candidates.values()), key=lambda one: _rank(candidates, one))
    share, room = -(-2 * tokens // (len(sources) + 1)), tokens // (len(sources) * floor)
    chosen: dict[str, Passage] = {}
    spent: dict[SourceKind, int] = dict.fromkeys(sources, 0)

    def take(passage: Passage, most: int) -> None:
        kept = passage.model_copy(update={"text": passage.text[: most * CHARACTERS_PER_TOKEN]})
        chosen[passage.url] = kept
        for kind in passage.merged_from:
            spent[kind] += tokens_of(kept.text)

    for kind in sources:
        for passage in [one for one in best if kind in one.merged_from][:floor]:
            if passage.url not in chosen:
                take(passage, room)
    for passage in best:
        left = tokens - sum(tokens_of(one.text) for one in chosen.values())
        cost = tokens_of(passage.text)
        if passage.url not in chosen and cost <= left and spent[passage.merged_from[0]] + cost <= share:
            take(passage, cost)
    return list(chosen.values())
