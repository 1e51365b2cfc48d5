"""How a sentence stands: by itself, or only with what stood around it; and how well it answers."""

import re
from collections.abc import Sequence

from shared.research.extract.question import Question
from shared.research.extract.sentence import Sentence, length

_DANGLING = re.compile(
    r"\b(?:below|above|shown here|this page|this section|this article|this guide|read this|screenshot|see also)\b"
    r"|^(?:here's|here is|here are|see|refer to|for more|learn more|or|for example,?:?$)\b",
    re.I,
)
_LEANING = re.compile(
    r"^(?:(?:while |if |when |as )?(?:this|these|those|it|its|they|their)|however|but|and|or|additionally|also|then"
    r"|instead|otherwise|yes|no|for example|in (?:this|that) case|to avoid this|similarly|likewise|therefore|thus)\b",
    re.I,
)
"""How a sentence begins that means nothing without the one before it."""


def stands(sentence: Sentence, following: Sentence | None) -> bool:
    """Whether the sentence says something without what stood around it."""
    if sentence.lead:
        return following is not None and bool(following.marker)
    if not sentence.marker and (sentence.text.endswith(("?", "？")) or length(sentence.text) < 4):
        return False
    return not _DANGLING.search(sentence.text)


def leans(sentence: Sentence) -> bool:
    """Whether it means nothing without the one before it."""
    return bool(_LEANING.match(sentence.text))


def weight(question: Question, group: Sequence[Sentence], at: int) -> float:
    """How well the sentence at this place of its section answers; the first ones say what it is about."""
    own = question.bag(group[at].text)
    return question.score({stem: float(times) for stem, times in own.items()}) + 0.15 / (1 + at)
