"""Durable facts out of what a person says: their own sentences about themselves, word for word. It infers nothing.

No fact are errands ("remember to buy milk"), words that point elsewhere ("remember that"), and whatever holds a secret.
"""

import re
from dataclasses import dataclass

from shared.enrichment.sentences import split
from shared.gateway.redact import MASK, holds_a_secret

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
            if len(sentence) > LONGEST:
                continue
            plain = _bare(sentence)
            if wish := _WISH.match(plain):
                plain = plain[wish.end() : -1]
            if not plain.rstrip("\"'”’») ").endswith("?"):
                for clause in _JOINT.split(plain):
                    found += _clause(clause)
    return found


_I = r"(?:I|my|we|ich|wir|meine?)\b"
_NOW = r"(?:now|nowadays|these\s+days|currently|instead|jetzt|inzwischen)"
_JOINT = re.compile(
    rf"\s*;\s+|,?\s+(?:and|but|und|aber)\s+(?:that\s+|dass\s+)?(?:(?:{_NOW}|also|auch)\s+)?(?={_I})", re.IGNORECASE
)
_SPLICE = re.compile(rf",\s+(?=(?:(?:so|{_NOW})\s+)?{_I}|(?:please\s+|bitte\s+)?(?:remember|note|forget|merk)\b)", re.I)
# What a sentence about the person may begin with: it says how the sentence is meant.
_LEAD = re.compile(
    r"^(?:(?:actually|now|well|ok|okay|so|no|nope|yes|yeah|sorry|correction|by the way|btw|fyi|hi|hello|hey(?: there)?"
    r"|also|and|but|these days|nowadays|currently|from now on|to be honest|übrigens|nein|ja|hallo|eigentlich|jetzt)"
    rf"\b[,:!]?\s+)+(?={_I}|I['’]|call\s+me|nenn\s+mich|please\b|bitte\b|remember\b|note\b|merke?\b|forget\b|vergiss\b)",
    re.IGNORECASE,
)
_TURNED = re.compile(r"^(?:jetzt|inzwischen|mittlerweile|nun)\s+(\w+)\s+ich\s+(.+)$", re.IGNORECASE)
_SINCE = re.compile(rf",?\s+{_NOW}$", re.IGNORECASE)
_MARK = (
    r"(?:remember|note(?:\s+down)?|keep\s+in\s+mind|(?:don['’]t|do\s+not|never)\s+forget|merke?\s+dir|vergiss\s+nicht)"
)
_WISH = re.compile(rf"^(?:can|could|will|would)\s+you\s+(?:please\s+)?(?={_MARK}\s+that\b)(?=[^?]*\?$)", re.IGNORECASE)
_TAIL = re.compile(
    rf"(?:^|[,:–-]?\s+)(?:and\s+|so\s+|und\s+)?(?:please\s+|bitte\s+)?(?:{_MARK}|keep)\s+(?:that|this|it|das|es)"
    r"(?:\s+(?:down|in\s+mind|please|for\s+(?:me|later|next\s+time)|bitte))?$",
    re.IGNORECASE,
)
_REMEMBER = re.compile(
    rf"^(?:please\s+|bitte\s+)?{_MARK}(?P<that>,?\s+(?:that|dass)\b(?:\s+down\b)?\s*[:,]?|(?:\s+(?:this|the\s+following|das))?\s*:)?"
    r"[\s,]*(?P<fact>.+)$",
    re.IGNORECASE,
)
_FORGET = re.compile(
    r"^(?:please\s+|bitte\s+)?(?:forget|vergiss(?!\s+nicht\b)|(?:don['’]t|do\s+not)\s+remember)(?:\s+(?:that|about)\b|,?\s+dass\b)?\s*:?"
    r"\s*(?P<fact>.+)$",
    re.IGNORECASE,
)
# It points at something that was said elsewhere, and says nothing itself.
_POINTER = re.compile(
    r"^(?:that|this|it|so|me|us|you|him|her|them|these|those|everything|anything|nothing|all|what|when|where|who|how|why"
    r"|which|if|whether|about|das|es|alles|nichts|mich|was|wann|wo|wie|ob)\b",
    re.IGNORECASE,
)
_ERRAND = re.compile(
    r"^(?:(?:I|we)(?:['’]ve|\s+still)?\s+(?:need|have|want|ought|got)\s+to\s+|(?:I|we)\s+(?:must|should)\s+|to\s+)"
    r"(?:buy|get|fetch|pick|call|phone|ring|email|mail|send|pay|book|order|cancel|renew|return|reply|answer|ask|tell|text"
    r"|water|feed|clean|wash|fix|finish|submit|schedule|arrange|check|bring|pack|print|post|update|write|review|prepare"
    r"|visit)\b"
    r"|^(?:to|zu)\s|^(?:buy|get|fetch|pick\s+up|call(?!\s+me\b)|phone|email|mail|send|pay|book|order|cancel|renew|return"
    r"|reply|answer|ask|tell|water|feed|clean|wash|fix|finish|submit|schedule|arrange|check|bring|take|pack|print|post"
    r"|update|write|review|prepare|do|make|go|visit)\b|\bzu\s+\w+e?n$",
    re.IGNORECASE,
)
_STATES = re.compile(
    r"=|\b(?:is|are|was|were|am|has|have|had|can|can['’]t|will|likes?|loves?|hates?|lives?|works?|needs?|ist|sind|war|hat"
    r"|hei[sß]{1,2}t|mag)\b",
    re.IGNORECASE,
)
_WHO = r"(?P<who>(?:(?:I|we)(?:['’](?:m|re|ve)|\s+(?:am|are|can|have))?|my\s+[\w\s'’-]{1,60}?\s+(?:is|are)))"
_NO_LONGER = (
    re.compile(rf"^{_WHO}\s+no\s+longer\s+(?P<what>.+)$", re.IGNORECASE),
    re.compile(
        r"^(?P<who>I|we|my\s+[\w\s'’-]{1,60}?\s+(?:is|are))"
        r"(?:\s+don['’]t|\s+do\s+not|['’](?:m|re)\s+not|\s+(?:am|are)\s+not|n['’]t|\s+not)\s+"
        r"(?P<what>.+?)\s+(?:any\s?more|any\s+longer)(?P<more>,?\s+but\s.+)?$",
        re.IGNORECASE,
    ),
    re.compile(r"^(?P<who>I|we)\s+used\s+to\s+(?P<what>(?!be\s+able\b).+)$", re.IGNORECASE),
    re.compile(r"^(?P<who>I|we)(?:['’]ve)?\s+(?:stopped|quit|gave\s+up|given\s+up)\s+(?P<what>\w+ing\b.*)$", re.I),
    # Of these a person has one, so that a denial leaves nothing to be known.
    re.compile(r"^(?P<who>I|we)\s+(?:don['’]t|do\s+not)\s+(?P<what>(?:live|reside|work)\s.+)$", re.IGNORECASE),
    re.compile(
        r"^(?P<who>my\s+(?:\w+\s+)?(?:name|favou?rite\s[\w\s-]{1,40}?)\s+(?:is|are))(?:n['’]t|\s+not)\s+(?P<what>.+)$",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?P<who>Ich)\s+(?P<what>.+?)\s+(?:nicht|kein(?:e[nmrs]?)?)\s+(?P<more>.*?)\s*\bmehr\b(?P<rest>.*)$",
        re.IGNORECASE,
    ),
    re.compile(r"^(?P<who>Ich)\s+(?P<what>wohne|lebe|arbeite)\s+nicht\s+(?P<more>(?:in|bei|als)\s.+)$", re.IGNORECASE),
)
_BUT = re.compile(
    r",?\s+(?:but|sondern)\s+(?:(?:now|instead|jetzt)\s+)?(?:it(?:['’]s|\s+is)\s+(?:now\s+)?)?"
    r"|,\s+(?:now\s+)?it(?:['’]s|\s+is)\s+(?:now\s+)?",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\b(?:in|at|for|as|near|bei|als)\s", re.IGNORECASE)
_DURABLE = re.compile(
    r"^(?:call\s+me|nenn\s+mich|my\s+name['’]s|my\s+[\w\s'’-]{1,60}?\s+(?:is|are|was|has)"
    r"|meine?\s+[\w\s-]{1,60}?\s+(?:ist|sind|hei[sß]{1,2}t)"
    r"|(?:I|we)(?:['’]m|['’]re|['’]ve|\s+(?:always|never|usually|often|only|really|also|now|currently|still|just|recently"
    r"|have|am|are|do\s+not|don['’]t|can['’]t|cannot))*"
    r"\s+(?:am|are|like|love|prefer|enjoy|hate|dislike|avoid|drink|eat|live|living|working|based|moved\s+(?:to|from|in|into)"
    r"|work|have|own|keep|speak|use|play|study|studied|grew|was|were|wear|drive|read|write|run|teach|learn|collect"
    r"|celebrate|believe)\b"
    r"|(?:I|we)['’](?:m|re)\s+\w+"
    r"|ich\s+(?:bin|hei[sß]{1,2}e|wohne|lebe|arbeite|trinke|esse|mag|liebe|hasse|bevorzuge|habe|spreche|nutze|spiele|lese))",
    re.IGNORECASE,
)
# First person, and yet nothing about the person: a wish to the agent, or what they are doing just now.
_PASSING = re.compile(
    r"^(?:I|we)(?:['’](?:m|re|ve)|\s+(?:am|are))?\s+(?:have\s+(?:(?:a|one|another)\s+(?:question|request|problem)"
    r"|an\s+idea|no\s+idea)|have\s+to|(?:just\s+|still\s+)?(?:asking|looking|trying|wondering|thinking|going|about|done"
    r"|ready|back|here|busy|tired|stuck|confused|curious|not\s+sure|unsure|sure|certain|sorry|glad|afraid(?!\s+of))\b"
    r"|was\s+(?:wondering|asking|thinking)|read\s+(?:that|your)"
    r"|(?:like|love|hate|dislike|prefer|enjoy|use|have|keep|believe)\s+(?:that|this|it|these|those|you|your|so)\b)"
    r"|^my\s+(?:\w+\s+)?(?:question|point|guess|problem|idea|request|issue|bad|mistake|understanding|notes?)\b",
    re.IGNORECASE,
)


def _bare(text: str) -> str:
    """A sentence without its quotes, its end, and what says only how it is meant."""
    text = _LEAD.sub("", text.strip().strip("\"'“”„»«").rstrip(".!…;, ").strip())
    return _TURNED.sub(r"Ich \1 \2", text)


def _clause(text: str) -> list[Said]:
    """What a clause says. A comma parts two statements; what follows a condition is none."""
    for comma in _SPLICE.finditer(text):
        if first := _said(text[: comma.start()]):
            return [*first, *_clause(text[comma.end() :])]
    return _said(text)


def _said(clause: str) -> list[Said]:
    text = _TAIL.sub("", _bare(clause)).rstrip(", ")
    if not text or MASK in text or holds_a_secret(text):
        return []
    if marked := _REMEMBER.match(text):
        fact = _bare(marked["fact"])
        sound = not (_POINTER.match(fact) or _ERRAND.search(fact))
        return _said_of(fact, told=bool(marked["that"]) or "=" in fact) if sound else []
    if forget := _FORGET.match(text):
        return [] if _POINTER.match(forget["fact"]) else [Said(_sentence(forget["fact"]), gone=True)]
    return _said_of(text, told=False, passing=bool(_PASSING.match(text)))


def _said_of(text: str, *, told: bool, passing: bool = False) -> list[Said]:
    """What a statement says; `told` means that it was marked as one, whatever it looks like."""
    for pattern in _NO_LONGER:
        if over := pattern.match(text):
            who, *what = (part.strip() for part in over.groups() if part)
            return _over(who, " ".join(what))
    text = _SINCE.sub("", text)
    if told or (_DURABLE.match(text) and not passing):
        return [Said(_sentence(text))]
    return []


def _over(who: str, what: str) -> list[Said]:
    """What holds no longer, and what has taken its place: "live in Leiden but in Delft", "green, it is black"."""
    former, *now = _BUT.split(what, maxsplit=1)
    found = [Said(_sentence(f"{who} {_SINCE.sub('', former)}"), gone=True)]
    place = _PLACE.search(former)
    if now and place and _PLACE.match(now[0]):
        found.append(Said(_sentence(f"{who} {former[: place.start()]}{_SINCE.sub('', now[0])}")))
    elif now and who.lower().startswith("my"):
        found.append(Said(_sentence(f"{who} {_SINCE.sub('', now[0])}")))
    return found


def _sentence(text: str) -> str:
    text = " ".join(text.split()).rstrip(".!… ")
    return f"{text[:1].upper()}{text[1:]}" if "=" in text else f"{text[:1].upper()}{text[1:]}."
