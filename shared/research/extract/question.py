"""A question among what was read: its words, weighed by how rare they are there."""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from shared.research.extract.asked import phrasing, subject
from shared.research.extract.source import Source
from shared.research.extract.wording import spoken
from shared.search import words

_K = 1.2


class Question:
    """What is asked: its words, weighed by how rare they are among what was read."""

    def __init__(self, text: str, sources: Sequence[Source]) -> None:
        asked = subject(text)
        self.stems = words(asked)
        self._asked = frozenset(self.stems)
        self._match: dict[str, str] = {stem: stem for stem in self.stems}
        bags = [self.bag(f"{source.title} {source.text}") for source in sources]
        in_sources = {stem: sum(stem in bag for bag in bags) for stem in self.stems}
        self.seen = {stem for stem, count in in_sources.items() if count}
        rarity = {stem: math.log(1 + (len(bags) + 1) / (0.5 + count)) for stem, count in in_sources.items()}
        # Among a dozen sources a passing word can be the rarest; it may not outweigh the subject.
        ceiling = 2 * min(rarity.values(), default=1.0)
        self.weight = {stem: min(value, ceiling) for stem, value in rarity.items()}
        shaping = phrasing(asked)
        if not shaping.issuperset(self.stems):
            # `What helps against colds?` is answered by who never says `helps`.
            self.weight |= dict.fromkeys(shaping.intersection(self.stems) - self.seen, 0.0)
        self.naming = {stem for stem in self.stems if stem not in shaping} or set(self.stems)
        """Those that name what is asked about."""
        self.total = sum(self.weight.values()) or 1.0

    def bag(self, text: str) -> Counter[str]:
        """Which of the question's words the text says; `back up` says `backup`."""
        plain = spoken(text)
        bag = Counter({stem for word in plain if (stem := self._matching(word))})
        bag.update({pair for a, b in pairwise(plain) if (pair := a + b) in self._asked})
        return bag

    def _matching(self, word: str) -> str:
        """The question's word that this one is a form of, or nothing."""
        if word not in self._match:
            longer = (s for s in self.stems if len(s) >= 5 and word.startswith(s) and len(word) - len(s) <= 3)
            self._match[word] = next(longer, "")
        return self._match[word]

    def coverage(self, bag: Counter[str]) -> float:
        """The share of the question that these words touch."""
        return sum(self.weight[stem] for stem in bag) / self.total

    def score(self, bag: dict[str, float]) -> float:
        """Saturating: saying a word ten times is hardly better than saying it three times."""
        return sum(self.weight[stem] * times / (times + _K) for stem, times in bag.items()) / self.total
