"""What a note asks: a title for the answer, words to look for, those that name something. It knows no source."""

import re
from itertools import islice
from typing import NamedTuple

from shared.enrichment.words import language, stop_words
from shared.search import words


class Asked(NamedTuple):
    """What a note asks."""

    title: str
    """Of the answer."""
    words: str
    """To look for: the note's questions and its first line."""


# Text of others: no pattern may cost more than the text is long.
_URL = re.compile(r"https?://[^\s<>\"')\]]++")
_TAG = re.compile(r"(?<!\S)#[\w/-]++")
_LINE_MARKS = re.compile(r"[#>\-*\s]*+")
_PHRASE = re.compile(r"[^.!?]*+[.!?]?")
_LONGEST_LINE = 5_000


def focus(text: str) -> Asked:
    """What a note asks by its questions, or by its first line where it has none."""
    bare = _TAG.sub("", _URL.sub("", text))
    lines = [_LINE_MARKS.sub("", line[:_LONGEST_LINE], count=1).strip() for line in bare.splitlines()]
    lines = [line for line in lines if line]
    if not lines:
        return Asked("", "")
    phrases = (one.strip() for line in lines for one in _PHRASE.findall(line))
    asked = list(islice((one for one in phrases if one.endswith("?")), 3))
    first = re.split(r"(?<=[.!?])\s", lines[0], maxsplit=1)[0][:300]
    if not asked:
        return Asked(first, first)
    sought = " ".join(dict.fromkeys((first if len(first) <= 80 else "", *asked)))[:500].strip()
    return Asked(asked[0][:300], sought)


def addresses(text: str) -> list[str]:
    """The addresses that a text names, each once."""
    return list(dict.fromkeys(match.rstrip(".,;:!?") for match in _URL.findall(text)))


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
    "against bad badly beneficial benefit benefits better differently effect effects good harm harmful harms helped "
    "helpful helping helps hurt hurts improve improves influence influences matter matters useful "
    "schadet schaden hilft helfen nützt nutzt bringt gegen anders beeinflusst wirkt "
    "advantage advantages approach approaches come disadvantage disadvantages does doing easiest easily effective "
    "efficient example examples exactly generally happen happens happening important kind kinds look main mean "
    "means possible quick quickly reason reasons recommend recommended simple simply step steps suggest sort "
    "sorts think tip tips type types typical understand usual usually worse worst worth beispiel beispiele "
    "einfach einfachsten funktioniert genau gibt grund gründe möglichkeit möglichkeiten nachteil nachteile "
    "schritt schritte vorteil vorteile weise wichtig wichtigsten".split()
)
"""More words that shape a question. They may be its subject, so they are looked for; missing, they are no news."""


def phrasing(text: str) -> set[str]:
    """The words of a question that only shape it, as they are searched for."""
    return {stem for word in text.split() if _bare(word) in _PHRASING for stem in words(word)}


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
