"""What a note says is still to do: boxes, TODO marks, and requests to oneself. Rather none than a wrong one."""

import re
from collections.abc import Iterator

from shared.enrichment.proposal import TASK, TASKS, one_line
from shared.enrichment.text import Block, Page

_SURE = (
    "call phone ring email e-mail mail text message buy pay book renew cancel return order reply remind invite "
    "collect fetch pick water feed wash iron vacuum mow register apply rsvp transfer refund reschedule schedule"
)
_WITH_A_TIME = (
    "ask bring check clean fill finish fix get give install invoice meet plan prepare print read repair replace "
    "review send sign sort submit take talk tell update visit write file pack post publish deploy contact confirm"
)
_GERMAN_ENDINGS = (
    "anrufen zurückrufen kaufen einkaufen besorgen bezahlen zahlen überweisen buchen bestellen abholen abgeben "
    "abschicken schicken senden zurückschicken zurückgeben schreiben vereinbaren ausmachen absagen kündigen "
    "verlängern reparieren putzen gießen mitbringen einreichen ausfüllen beantworten vorbereiten aufräumen "
    "erledigen anmelden abmelden ummelden reservieren verschicken fragen einladen waschen wechseln erneuern"
)
_TIMED_VERBS = frozenset(_WITH_A_TIME.split())
VERBS = frozenset(_SURE.split()) | _TIMED_VERBS | frozenset(_GERMAN_ENDINGS.split())
"""Verbs with which people begin a line for themselves."""

_TODO = re.compile(
    r"^(?:@?to-?do|fixme|action(?: item)?|aufgabe|à faire|por hacer)(?:\s*\([^()]{1,40}\))?\s*:\s*(\S.*)", re.I
)
_TODO_BARE = re.compile(r"^(?:TODO|ToDo)\s+(?=\S)(?!list|app|item)(.*)")
_LIST_LABEL = re.compile(
    r"^(?:my )?(?:to-?\s?dos?(?: list)?|tasks to do|action items?|aufgaben|offene aufgaben|zu erledigen|à faire"
    r"|tareas|por hacer)\s*:?$",
    re.I,
)
_REMEMBER = re.compile(
    r"^(?:please |and |also |i )?(?:must |have to |need to )?(?:remember to|don['’]?t forget to|do not forget to"
    r"|remind me to|note to self\s*:|reminder\s*:)\s*(\S.*)"
    r"|^(?:bitte )?(?:denk(?:e)? (?:bitte )?(?:daran|dran)|daran denken|vergiss (?:bitte )?nicht|nicht vergessen"
    r"|erinnere mich daran|erinnerung)\s*[,:]\s*(\S.*)"
    r"|^(?:ne pas oublier (?:de |d['’])|n['’]oublie pas (?:de |d['’])|rappel\s*:\s*)(\S.*)"
    r"|^(?:no olvidar(?: de)?|no te olvides de|recordatorio\s*:)\s+(\S.*)",
    re.I,
)
_OWN = re.compile(
    r"^(?:i|we)(?:['’]ve got| have got| still)?\s*(?:need|have|must|ought|gotta)(?: still)?(?: to)?\s+"
    r"((?:" + "|".join(sorted({*_SURE.split(), *_TIMED_VERBS})) + r")\s+\S.*)",
    re.I,
)
_TIME = re.compile(
    r"\b(?:today|tonight|tomorrow|asap|(?:by|on|before|until|this|next) "
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:this|next) (?:week|month|weekend|morning|evening|afternoon)"
    r"|by (?:noon|tonight|tomorrow|the end of|end of|eod|\d)|before (?:noon|lunch|the (?:meeting|trip|weekend|end))"
    r"|at \d{1,2}(?::\d\d)?\s?(?:am|pm|h)?)\b",
    re.I,
)
_OBJECT = re.compile(
    r"^(?:the|a|an|my|our|his|her|their|some|more|new|back|up|him|them|mum|mom|dad|grandma|grandpa|"
    r"[A-Z][\w'’-]+|\d+)\b"
)
_VERB = re.compile(r"^(?:[Pp]lease |[Aa]lso |[Tt]hen )?([A-Za-z-]{3,10})(?: (?:to|for|at|with|about))? (\S.*)")
_NOT_A_TASK = re.compile(
    r"^(?:and|or|vs\.?|is|are|was|were|has|had|it a|attention|me|of|from|center|centre|quality|review|club|low|side)\b",
    re.I,
)
_GERMAN = re.compile(
    r"^(?:(?:ich |wir )?(?:muss|muß|müssen) (?:noch |unbedingt )*)?([\w„“\"'.,&+/ -]{2,90}?\b(?:"
    + "|".join(_GERMAN_ENDINGS.split())
    + r"))(?: (?:bis |am )?"
    r"(?:heute|morgen|übermorgen|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|nächste woche))?[.!]*$",
    re.I,
)
_GERMAN_OTHER = re.compile(
    r"\b(?:kann|kannst|können|könnte|will|wollen|wollte|wird|werden|würde|möchte|darf|dürfen|soll|sollte|sollten|man|wer|wie"
    r"|was|warum|wo|wann|ob|dass|wenn|um|zu|statt|ohne|hat|haben|habe|hatte|ist|war|nicht|nie|lassen|er|sie|es|du|ihr)\b",
    re.I,
)
_GERMAN_OWN = re.compile(r"^(?:ich muss|wir müssen) (?:noch|unbedingt|dringend|heute|morgen) (\S.{2,90}en)[.!]*$", re.I)
_GERMAN_TIME = re.compile(r"\b(?:bis|heute|morgen|übermorgen|am \w+tag|nächste woche)\b", re.I)
_GERMAN_CALL = re.compile(r"^(?:ruf|rufe) (\S.{0,80}) an\b.*", re.I)
_GERMAN_LAST = re.compile(r"^([^,.!?]{3,90}?)[,]? (?:bitte )?nicht vergessen[.!]*$", re.I)
_SENTENCES = re.compile(r"(?<=[.!?;])\s+")
_LONGEST = 120
"""Characters of a line that may be a request to oneself without saying so."""


def tasks(page: Page, kind: str) -> list[str]:
    """What is to do, in the order of the note, each once."""
    found: dict[str, str] = {}
    for text in _candidates(page, kind):
        title = one_line(text, TASK).rstrip(" .,;:!")
        if any(map(str.isalnum, title)):
            found.setdefault(normalised(title), title)
        if len(found) == TASKS:
            break
    return list(found.values())


def normalised(title: str) -> str:
    """One form for the spellings of one task."""
    return " ".join(re.findall(r"\w+", title.casefold()))


def _candidates(page: Page, kind: str) -> Iterator[str]:
    blocks = page.blocks
    written = kind in ("capture", "link") and not _is_page(page)
    listed = False
    for block in blocks:
        if block.kind == "code" or (block.quoted and not block.box):
            continue
        label = bool(_LIST_LABEL.match(block.text)) and block.kind in ("heading", "prose")
        if block.kind != "item":
            listed = label
        if label:
            continue
        if block.box:
            if block.box == " ":
                yield block.text
        elif block.kind == "item" and listed:
            yield block.text
        elif block.kind in ("item", "prose"):
            yield from _said(block, written)


def _is_page(page: Page) -> bool:
    """Whether it reads like a document, where imperatives instruct the reader."""
    if any(block.kind == "code" or block.ordered for block in page.blocks):
        return True
    headings = sum(block.kind == "heading" for block in page.blocks)
    return headings > 3 or sum(len(block.text) for block in page.blocks) > 4000


def _said(block: Block, written: bool) -> Iterator[str]:
    text = block.text.lstrip("•·–-→* ")
    if marked := _TODO.match(text) or _TODO_BARE.match(text):
        yield marked[1]
        return
    if not written:
        return
    for sentence in _SENTENCES.split(text):
        if len(sentence) > _LONGEST or sentence.endswith("?"):
            continue
        if asked := _REMEMBER.match(sentence):
            yield next(part for part in asked.groups() if part)
        elif own := _OWN.match(sentence):
            yield own[1]
        elif _is_english_order(sentence):
            yield sentence
        else:
            yield from _german(sentence)


def _is_english_order(sentence: str) -> bool:
    order = _VERB.match(sentence)
    if not order:
        return False
    verb, rest = order[1].lower(), order[2]
    if verb not in VERBS or _NOT_A_TASK.match(rest):
        return False
    timed = bool(_TIME.search(rest))
    if verb in _TIMED_VERBS:
        return timed
    return timed or verb == "buy" or (bool(_OBJECT.match(rest)) and len(rest.split()) <= 10)


def _german(sentence: str) -> Iterator[str]:
    if last := _GERMAN_LAST.match(sentence):
        yield last[1]
    elif _GERMAN_CALL.match(sentence):
        yield sentence
    elif own := _GERMAN_OWN.match(sentence):
        yield own[1]
    elif _is_german_order(sentence):
        yield sentence
    else:
        clause = sentence.partition(",")[0]
        if clause != sentence and _GERMAN_TIME.search(clause) and _is_german_order(clause):
            yield clause


def _is_german_order(text: str) -> bool:
    order = _GERMAN.match(text)
    words = order[1].split() if order else []
    return 1 < len(words) <= 12 and not _GERMAN_OTHER.search(" ".join(words[:-1]))
