"""Durable facts out of what a person says: their own sentences about themselves, word for word. It infers nothing."""

import re
from dataclasses import dataclass

from shared.enrichment.sentences import split

LONGEST = 300
"""Characters of a fact; what is longer is a story."""


@dataclass(frozen=True, slots=True)
class Said:
    """A fact; `gone` means that the person says it holds no longer."""

    fact: str
    gone: bool = False


def facts(text: str) -> list[Said]:
    """The facts of a message, in order."""
    found: list[Said] = []
    for line in text.splitlines():
        for sentence in split(line):
            if len(sentence) <= LONGEST and not sentence.rstrip("\"'”’») ").endswith("?"):
                found += [said for clause in _JOINT.split(sentence) if (said := _said(clause))]
    return found


_JOINT = re.compile(r",?\s+(?:and|but|und|aber)\s+(?=(?:I|I'm|I’m|my|ich|meine?)\b)", re.IGNORECASE)
_REMEMBER = re.compile(
    r"^(?:please\s+|bitte\s+)?(?:remember|note|merke?\s+dir)(?:\s+(?:that)\b|,?\s+dass\b)?\s*:?\s*(?P<fact>.+)$",
    re.IGNORECASE,
)
_FORGET = re.compile(
    r"^(?:please\s+|bitte\s+)?(?:forget|vergiss)(?:\s+(?:that|about)\b|,?\s+dass\b)?\s*:?\s*(?P<fact>.+)$",
    re.IGNORECASE,
)
_NO_LONGER = (
    re.compile(r"^(?P<who>I)\s+no\s+longer\s+(?P<what>.+)$", re.IGNORECASE),
    re.compile(
        r"^(?P<who>I)(?:\s+don['’]t|\s+do\s+not|['’]m\s+not|\s+am\s+not)\s+(?P<what>.+?)\s+(?:any\s?more|any\s+longer)$",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?P<who>Ich)\s+(?P<what>.+?)\s+(?:nicht|kein(?:e[nmrs]?)?)\s+(?P<more>.*?)\s*\bmehr\b(?P<rest>.*)$",
        re.IGNORECASE,
    ),
)
_DURABLE = re.compile(
    r"^(?:call\s+me|nenn\s+mich|my\s+[\w\s'’-]{1,60}?\s+(?:is|are|was|has)|meine?\s+[\w\s-]{1,60}?\s+(?:ist|sind|hei[sß]{1,2}t)"
    r"|(?:I|we)(?:['’]m|['’]ve|\s+(?:always|never|usually|often|only|really|also|do\s+not|don['’]t|can['’]t|cannot))*"
    r"\s+(?:am|are|like|love|prefer|enjoy|hate|dislike|avoid|drink|eat|live|moved|work|have|own|keep|speak|use|play|"
    r"study|studied|grew|was|were|wear|drive|read|write|run|teach|learn|collect|celebrate|believe)\b"
    r"|(?:I|we)['’]m\s+\w+"
    r"|ich\s+(?:bin|hei[sß]{1,2}e|wohne|lebe|arbeite|trinke|esse|mag|liebe|hasse|bevorzuge|habe|spreche|nutze|spiele|lese))",
    re.IGNORECASE,
)
# First person, and yet nothing about the person: a wish to the agent, or what they are doing just now.
_PASSING = re.compile(
    r"^I(?:['’]m|\s+am)?\s+(?:have\s+(?:a|one|another)\s+(?:question|request)|have\s+to|(?:just\s+)?(?:asking|looking|trying|wondering|not\s+sure|sure|sorry|afraid)\b"
    r"|was\s+(?:wondering|asking)|read\s+(?:that|your)|like\s+(?:that|this|it|your)\b|use\s+you)",
    re.IGNORECASE,
)


def _said(clause: str) -> Said | None:
    text = clause.strip().strip("\"'“”„»«").rstrip(".!… ").strip()
    if forget := _FORGET.match(text):
        return Said(_sentence(forget["fact"]), gone=True)
    if marked := _REMEMBER.match(text):
        return Said(_sentence(marked["fact"]))
    for pattern in _NO_LONGER:
        if over := pattern.match(text):
            return Said(_sentence(" ".join(part for part in over.groups() if part)), gone=True)
    if _DURABLE.match(text) and not _PASSING.match(text):
        return Said(_sentence(text))
    return None


def _sentence(text: str) -> str:
    text = " ".join(text.split()).rstrip(".!… ")
    return f"{text[:1].upper()}{text[1:]}" if "=" in text else f"{text[:1].upper()}{text[1:]}."
