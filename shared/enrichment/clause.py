"""Which words of an English sentence only say what a thing does or is like, told by their form and place.

It knows small words and endings, and no dictionary, so it is right often and not always: a word that it takes for a
verb is no tag, and one tag fewer does less harm than half a sentence for a tag.
"""

from collections.abc import Sequence

from shared.enrichment.words import COMMON, ENGLISH, PAST

_DETERMINERS = frozenset(
    "the a an my our your his her its their this that these those some any every each no both another".split()
)
_ARTICLES = frozenset("the a an my our your his her its their".split())
_OPENERS = frozenset(
    "and but or because when whenever if that which who while whereas although though since until unless so as than "
    "where after before once whether then".split()
)
"""After them another subject may begin."""
_AUXILIARIES = frozenset(
    "is are was were be been has have had will would can could shall should may might must does do did isn't aren't "
    "wasn't weren't won't can't don't doesn't didn't".split()
)
_PARTICLES = frozenset("up down out off away back".split())
_AFTER_VERBS = (
    _ARTICLES | _PARTICLES | frozenset("me us him them at through into because when while until if than".split())
)
_CAUSES = frozenset("make makes made making keep keeps kept leave leaves left get gets got find finds found".split())
_OBJECTS = frozenset("me us you him her them it".split())
_COPULAS = frozenset(
    "is are was were be been am i'm it's they're we're isn't aren't wasn't weren't seems seem seemed looks look looked "
    "feels feel felt tastes taste tasted smells smell smelled sounds sound sounded gets get got stays stay stayed "
    "becomes become became turned turns".split()
)
_DEGREES = frozenset("too very so quite really rather pretty more most less not still always never almost".split())
_NOUN_ENDINGS = ("ing", "tion", "ness", "ment", "er", "or", "ity", "age", "ism", "ist", "al", "ic", "ship", "ance")
_BREAKS = frozenset('.!?…,;:()[]\n"“”|–—`')


def verbs(tokens: Sequence[str], gaps: Sequence[str]) -> frozenset[int]:
    """Places of the words that are a clause's verb or say how its subject is.

    `gaps` are the texts before each token; one more tells what stands behind the last.
    """
    if len(tokens) < 3:
        return frozenset()
    found: set[int] = set()
    described: set[int] = set()
    lower = [token.lower().replace("’", "'") for token in tokens]
    clause = _Clause()
    for at, word in enumerate(lower):
        if not _BREAKS.isdisjoint(gaps[at]):
            clause = _Clause()
        if word in _OPENERS:
            clause = _Clause()
            continue
        follows = lower[at + 1] if at + 1 < len(tokens) and _BREAKS.isdisjoint(gaps[at + 1]) else ""
        goes_on = at > 1 and lower[at - 1] in ("and", "but", "or") and at - 2 in described and not follows
        if goes_on or _describes(lower, gaps, at, follows):
            described.add(at)
        elif clause.takes(tokens[at], word, gaps[at], follows):
            found.add(at)
    return frozenset(found | described)


class _Clause:
    """What was read of a clause: whether its verb is still to come, and the noun that would be its subject."""

    def __init__(self) -> None:
        self._open = True
        self._begun = False
        self._determined = False
        self._noun = ""

    def takes(self, token: str, word: str, gap: str, follows: str) -> bool:
        """Whether this next word is the verb."""
        begins, self._begun = not self._begun, True
        if word in _DETERMINERS:
            self._determined, self._noun = self._determined or begins, ""
            return False
        if word in ENGLISH:
            self._open, self._noun = False, ""
            return False
        if begins and follows in _ARTICLES and word.isalpha():
            # `Fold the corners`, `Finished the book`.
            self._open = False
            return True
        if not begins and word[:-1] in COMMON and word.endswith("s") and follows in _PARTICLES:
            return True
        noun, adjacent = self._noun, gap == " "
        if self._open and noun and adjacent and token.islower() and self._is_verb(noun, word, follows):
            self._open, self._noun = False, ""
            return word not in COMMON
        self._noun = "" if word in COMMON else word
        return False

    def _is_verb(self, noun: str, word: str, follows: str) -> bool:
        if word in COMMON:
            return True
        if follows in _AUXILIARIES or follows in PAST:
            return False
        if not _is_plural(noun):
            # `Water boils at`, `The cat sleeps`; but `Wild pears on clay` has no verb.
            known = word[:-1] in COMMON and bool(follows)
            adverb = follows.endswith("ly") or (follows.endswith("er") and follows[:-2] in COMMON)
            return _is_plural(word) and (self._determined or known or adverb or follows in _AFTER_VERBS)
        return not _is_plural(word) and not word.endswith(_NOUN_ENDINGS) and (not follows or _is_small(follows))


def _describes(lower: Sequence[str], gaps: Sequence[str], at: int, follows: str) -> bool:
    """Whether a word says how something is: `is dry`, `tastes too sweet`, and no noun comes behind it."""
    word = lower[at]
    if at == 0 or word in ENGLISH or gaps[at] != " " or (follows and not _is_small(follows)):
        return False
    before = at - 1
    degree = lower[before] in _DEGREES
    while before > 0 and lower[before] in _DEGREES and gaps[before] == " ":
        before -= 1
    if degree and lower[at - 1] in ("too", "very", "quite"):
        return True
    caused = before > 0 and lower[before] in _OBJECTS and lower[before - 1] in _CAUSES
    return (caused or lower[before] in _COPULAS) and not _is_plural(word)


def _is_plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s", "ics", "ous"))


def _is_small(word: str) -> bool:
    return word in ENGLISH or word in COMMON or word.endswith("ly") or word.isdigit()
