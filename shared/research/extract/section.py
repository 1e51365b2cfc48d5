"""Which sections of what was read answer a question. It counts words and weighs them; it knows nothing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from shared.research.extract.question import Question
from shared.research.extract.sentence import Sentence, length, sentences
from shared.research.extract.source import Source

_TITLE, _HEADING = 2.0, 1.5


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
    headed: float
    """Share that its headings touch, its source's title left out."""

    @property
    def about(self) -> bool:
        """Whether its titles say all that is asked about."""
        return self.named > 0.99


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
    return Section(
        source,
        headings,
        tuple(group),
        score,
        question.coverage(title + heading + body),
        named,
        question.coverage(heading),
    )
