"""Sentences of the sources that answer a question, chosen by rule: whole ones, without marks, each once. Pure."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shared.agent_task.standing import Read
from shared.enrichment.sentences import ENDED, split
from shared.enrichment.text import read as blocks_of
from shared.models.result import Source
from shared.research.extract.asked import subject
from shared.search import words

MOST = 6
PER_SOURCE = 2
"""A note that answers says more than one thing; more than this would be that note once again."""
ASKED = 1_000
"""Characters of the question that are compared."""
_LEAST_WORDS = 3
"""Words that are no stop words: below it a sentence says nothing on its own."""
_WORTH = 0.5
"""Of the best sentence's weight: what holds less was found by chance."""
_TITLED = 0.25
"""What a word of the question weighs that stands in the title instead of the sentence."""
_ASKS = re.compile(r"[?؟？][\"'’”»)\]*]*$")
_NO_WORDS = re.compile(
    r"\s?\[cite:[^\]\n]{0,100}\]|!?\[\[|\]\]|\*\*|__|==|~~|`+|^\[[ xX]\]\s+|^\[![\w-]{1,30}\][-+]?\s*"
)
_GAP = re.compile(r"\s+(?=[.,](?:\s|$))")
"""Before a full stop, where an image or an icon stood."""
_LEFT_OPEN = ("…", "...", ":", ",", ";")


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence as a reader sees it, and where it stands."""

    text: str
    source: Source


def quotes(reads: Sequence[Read], question: str) -> list[Quote]:
    """The sentences that answer, the best first, and those of research reports behind all others.

    None where none holds two of the question's words, or all it has. Of a subject of one or two words, one is enough
    in what the person kept: that is what is asked for, and a report has both in every other sentence.
    """
    asked = words(subject(question[:ASKED])) or words(question[:ASKED])
    found: list[tuple[Read, str, set[str]]] = []
    seen = {_same(question)}
    for read in reads:
        for sentence in sentences(read.prose):
            held = set(words(sentence))
            if (same := _same(sentence)) not in seen and len(held) >= _LEAST_WORDS:
                seen.add(same)
                found.append((read, sentence, held))
    # A word that stands everywhere tells sentences less apart than one that is rare.
    known = Counter(word for _, _, held in found for word in held)
    weights = {word: math.log(1 + len(found) / known[word]) for word in asked if known[word]}
    titles = {id(read): set(words(read.source.title)) for read in reads}
    ranked: dict[bool, list[tuple[float, int, Quote]]] = {False: [], True: []}
    for at, (read, sentence, held) in enumerate(found):
        least = max(1, min(2 if read.report or len(asked) > 2 else 1, len(asked)))
        if len(held & weights.keys()) < least:
            continue
        title = titles[id(read)]
        weight = sum(
            value * (1.0 if word in held else _TITLED if word in title else 0.0) for word, value in weights.items()
        )
        ranked[read.report].append((-weight, at, Quote(sentence, read.source)))
    own, reported = (_chosen(sorted(some, key=lambda one: one[:2])) for some in (ranked[False], ranked[True]))
    return [*own, *reported[: max(0, MOST - len(own))]]


def _chosen(ranked: Sequence[tuple[float, int, Quote]]) -> list[Quote]:
    kept: list[Quote] = []
    each: Counter[str] = Counter()
    for weight, _, quote in ranked:
        if len(kept) == MOST or weight > ranked[0][0] * _WORTH:
            break
        if each[quote.source.id] < PER_SOURCE:
            each[quote.source.id] += 1
            kept.append(quote)
    return kept


def sentences(text: str) -> list[str]:
    """What a text states: no headings, questions, tables, code or scraps of lists, and nothing that an excerpt cut off.

    A note whose writer ends no sentence, as in a quick thought, is taken line by line.
    """
    said = list(_said(text))
    ended = [sentence for sentence, _ in said if ENDED.search(sentence)]
    return [
        sentence
        for sentence, listed in said
        if not sentence.endswith(_LEFT_OPEN)
        and not _ASKS.search(sentence)
        and (ENDED.search(sentence) or not (ended or listed))
    ]


def _said(text: str) -> Iterator[tuple[str, bool]]:
    """Sentence after sentence, and whether it is an item of a list."""
    text = text.strip()
    cut_off = text.startswith("…")
    for block in blocks_of(text.removeprefix("…")).blocks:
        if block.kind in ("prose", "item"):
            for sentence in split(" ".join(block.text.split())):
                if cut_off:
                    cut_off = False
                elif bare := _GAP.sub("", _NO_WORDS.sub("", sentence)).strip():
                    yield bare, block.kind == "item"


def _same(sentence: str) -> str:
    """One form for spellings of one sentence."""
    return " ".join(re.findall(r"\w+", sentence.casefold()))
