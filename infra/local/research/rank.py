"""Which sections of what was read answer a question. It counts words and weighs them; it knows nothing."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from infra.local.research.prose import Sentence, length, sentences
from shared.enrichment.words import language, stop_words
from shared.search import tokens, words


@dataclass(frozen=True, slots=True)
class Source:
    """Something that was read: a note or a page."""

    title: str
    url: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """The sentences under one heading of one source, with how well they answer."""

    source: Source
    headings: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    score: float
    coverage: float
    """Share of the question (rare words weigh more) that the section touches, its titles included."""
    named: float
    """Share that its titles alone touch: at 1 the section is about the question, whatever words it uses."""


_K = 1.2
_TITLE, _HEADING = 2.0, 1.5


# Words that ask or compare: in a handful of notes they can look rare, and would pass for the subject.
_ASKING = frozenset(
    "best better between compare compared compares comparing comparison contrast describe detail details detailed "
    "differ difference differences different differs differing discuss elaborate explain explained explanation "
    "find get give go good help know like list make many may might more most much must need needs one other "
    "overview please pros cons report research say says show summarise summarize summary tell tells telling thing "
    "things use used uses using versus vs want way way's ways whats work works bitte beschreibe besser beste "
    "besten bester bestes erklär erkläre erklären nenne sag sage sagen überblick unterschied unterschiede "
    "unterscheiden unterscheidet vergleich vergleiche vergleichen zeig zeige zusammenfassen comparer comparez "
    "différence différences explique expliquer expliquez meilleur meilleure façon comparar compara diferencia "
    "diferencias explica explicar mejor manera zwischen".split()
)
_PHRASING = _ASKING | frozenset(
    "advantage advantages approach approaches come disadvantage disadvantages does doing easiest easily effective "
    "efficient example examples exactly generally happen happens happening important kind kinds look main mean "
    "means possible quick quickly reason reasons recommend recommended simple simply step steps suggest sort "
    "sorts think tip tips type types typical understand usual usually worse worst worth beispiel beispiele "
    "einfach einfachsten funktioniert genau gibt grund gründe möglichkeit möglichkeiten nachteil nachteile "
    "schritt schritte vorteil vorteile weise wichtig wichtigsten".split()
)
"""More words that shape a question. They may be its subject, so they are looked for; missing, they are no news."""


_NAMED = re.compile(r"\w[\w'-]*+")
_ABOUT_NOTES = re.compile(
    r"^(?:what|anything|everything|tell|show|did|do|have)\b[^?.!]{0,60}?\b(?:i|me|my)\b[^?.!]{0,40}?"
    r"\b(?:about|regarding|concerning)\s+(?=\w)",
    re.IGNORECASE,
)
"""How people ask for what they wrote: `What did I note about`, `What do my notes say about`."""


def subject(text: str) -> str:
    """The question without the words that only ask."""
    text = _ABOUT_NOTES.sub("", text.strip(), count=1) or text
    kept = [word for word in text.split() if _bare(word) not in _ASKING]
    return " ".join(kept) or text


def content_words(text: str) -> list[str]:
    """The words of a question that name something, as they are spelt there, each once; not those of its phrasing."""
    spelt = [word.rstrip("'-").removesuffix("'s") for word in _NAMED.findall(text.replace("’", "'"))]
    # Of the question's own language: `car` is a small word in French.
    small = stop_words(language([word.lower() for word in spelt]) or "en")
    found: dict[str, str] = {}
    for word in spelt:
        found.setdefault(word.lower(), word)
    return [word for lower, word in found.items() if lower not in _PHRASING and lower not in small]


def _bare(word: str) -> str:
    return word.strip("?!.,;:'\"()[]*_`“”„‘’«»…").replace("’", "'").lower()


class Question:
    """What is asked: its words, weighed by how rare they are among what was read."""

    def __init__(self, text: str, sources: Sequence[Source]) -> None:
        self.stems = words(subject(text))
        self._asked = frozenset(self.stems)
        self._match: dict[str, str] = {stem: stem for stem in self.stems}
        bags = [self.bag(f"{source.title} {source.text}") for source in sources]
        in_sources = {stem: sum(stem in bag for bag in bags) for stem in self.stems}
        self.seen = {stem for stem, count in in_sources.items() if count}
        rarity = {stem: math.log(1 + (len(bags) + 1) / (0.5 + count)) for stem, count in in_sources.items()}
        # Among a dozen sources a passing word can be the rarest; it may not outweigh the subject.
        ceiling = 2 * min(rarity.values(), default=1.0)
        self.weight = {stem: min(value, ceiling) for stem, value in rarity.items()}
        self.total = sum(self.weight.values()) or 1.0

    def bag(self, text: str) -> Counter[str]:
        """Which of the question's words the text says; `back up` says `backup`."""
        plain = _tokens(text)
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


def sections(question: Question, sources: Sequence[Source]) -> list[Section]:
    """Every section that touches the question, best first."""
    found: list[Section] = []
    for source in sources:
        title = question.bag(source.title)
        groups: dict[tuple[str, ...], list[Sentence]] = {}
        for sentence in sentences(source.text):
            groups.setdefault(sentence.headings, []).append(sentence)
        for headings, group in groups.items():
            found.append(_section(question, source, title, headings, group))
    found = [section for section in found if section.score > 0]
    return sorted(found, key=lambda section: -section.score)


def _section(
    question: Question, source: Source, title: Counter[str], headings: tuple[str, ...], group: list[Sentence]
) -> Section:
    heading = question.bag(" ".join(headings))
    body = sum((question.bag(sentence.text) for sentence in group), Counter[str]())
    # A long section says everything somewhere; what counts is how densely it speaks of the question.
    size = max(1.0, sum(length(sentence.text) for sentence in group) / 120)
    mixed: dict[str, float] = {}
    for bag, weight in ((title, _TITLE), (heading, _HEADING), (body, 1 / size**0.5)):
        for stem, times in bag.items():
            mixed[stem] = mixed.get(stem, 0.0) + min(times, 3) * weight
    score = question.score(mixed) if body or heading or not headings else 0.0
    if not headings:
        # What a note says before its first heading is what it is about.
        score *= 1 + 0.3 * question.coverage(title)
    named = question.coverage(title + heading)
    return Section(source, headings, tuple(group), score, question.coverage(title + heading + body), named)


def alike(left: str, right: str) -> bool:
    """Whether two sentences say nearly the same."""
    a, b = _said(left), _said(right)
    return len(a & b) >= 0.7 * max(1, len(a | b))


@lru_cache(maxsize=4096)
def _said(text: str) -> frozenset[str]:
    return frozenset(_tokens(text))


_CHUNK = re.compile(r"\S{100}")


def _tokens(text: str) -> list[str]:
    """The words of a text, a hundred characters at a time where nothing parts them: long chains cost too much."""
    return tokens("", _CHUNK.sub(r"\g<0> ", text), [])
