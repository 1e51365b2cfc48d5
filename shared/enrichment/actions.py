"""What a note says is still to do: boxes, TODO marks, and requests to oneself. Rather none than a wrong one."""

import re
from collections.abc import Iterator

from shared.enrichment.proposal import TASK, TASKS, one_line
from shared.enrichment.sentences import spans
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

_MARK = (
    r"(?:@?to-?do|fixme|action(?: item)?|aufgabe|zu erledigen|noch zu tun|à faire|por hacer)(?:\s*\([^()]{1,40}\))?\s*:"
)
_TODO = re.compile(rf"^{_MARK}\s*(\S.*)", re.I)
_HINT = re.compile(r"to-?do|fixme|action|aufgabe|erledigen|zu tun|à faire|por hacer", re.I)
"""What every mark holds."""
_TODO_BARE = re.compile(r"^(?:TODO|ToDo)\s+(?=\S)(?!list|app|item)(.*)")
_LIST_LABEL = re.compile(
    r"^(?:my )?(?:to-?\s?dos?(?: list)?|tasks to do|action items?|aufgaben|offene aufgaben|zu erledigen|à faire"
    r"|tareas|por hacer)\s*:?$",
    re.I,
)
_LEAD = r"^(?:(?:please|and|also|but|so|oh)[, ] ?)*(?:(?:i |we )?(?:still )?(?:must |have to |need to |should ))?"
_FORGET = r"(?:don['’]?t|do not|must not|mustn['’]?t|can['’]?t|cannot|not to) forget"
_NO_FACT = r"(?!(?:dass|daß|wie|wenn|ob|was|warum|wer|wo|wann)\b)"
_REMEMBER = re.compile(
    rf"{_LEAD}(?:remember to|remind me to|{_FORGET} to|(?:reminder|{_FORGET})\s*:|note to self\s*[:,–-])\s*(\S.*)"
    r"|^(?:bitte )?(?:denk[et]?(?: bitte| auch| noch)* (?:daran|dran)|vergiss(?: bitte)? nicht"
    rf"|erinnere mich(?: bitte)? daran)(?:\s*[,:]\s*|\s+){_NO_FACT}(\S.*)"
    rf"|^(?:bitte )?(?:daran denken|nicht vergessen|erinnerung)\s*[,:]\s*{_NO_FACT}(\S.*)"
    r"|^(?:bitte )?denk(?: bitte| auch| noch)* an (?!(?:etwas|nichts|mich|dich|uns|was|ihn|sie)\b)(\S.{1,80})$"
    r"|^(?:bitte )?vergiss(?: bitte)? (?!(?:nicht|nie|mich|uns|es|das|ihn|sie)\b)(\S.{1,80}?) nicht[.!]*$"
    r"|^(?:ne pas oublier (?:de |d['’])|n['’]oublie pas (?:de |d['’])|rappel\s*:\s*)(\S.*)"
    r"|^(?:no olvidar(?: de)?|no te olvides de|recordatorio\s*:)\s+(\S.*)",
    re.I,
)
_FORGOTTEN = re.compile(
    rf"{_LEAD}{_FORGET}(?: about)? (?!(?:to|that|how|why|what|when|where|who|which|whether|if|i|you|we|he|she|they|it"
    r"|there|this|these|those)\b|it['’]|(?:me|us|him|her|them)[.!]*$)(\S.{1,80})$",
    re.I,
)
_STATED = re.compile(r"\b(?:is|are|was|were|has|have|had|will|would|can|could|comes?|goes|does|did|said)\b", re.I)
"""With such a verb, `don't forget the milk is sour` is something to know."""
_NEED = re.compile(
    r"^(?:(?:and|also|but|so|oh)[, ] ?)*i (?:still |also |just |really |urgently )?need to (?:also )?"
    r"(?!(?:be|know|admit|say|confess|feel|believe|understand|mention|stress|see|think|live|exist|have (?:been|had))\b)"
    r"([a-z][a-z-]+ \S.*)",
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
_GERMAN_MUST = re.compile(
    r"^ich (?:muss|muß) (?:(?:noch|unbedingt|dringend|auch|bald|endlich) )*(\S.{1,80}? (\w+(?:en|ern|eln)))[.!]*$", re.I
)
_GERMAN_STATES = frozenset(
    "sagen zugeben gestehen lachen weinen sein haben werden worden können wissen denken glauben arbeiten schlafen "
    "leben betonen erwähnen müssen wollen lassen bleiben leiden sterben".split()
)
_GERMAN_TIME = re.compile(r"\b(?:bis|heute|morgen|übermorgen|am \w+tag|nächste woche)\b", re.I)
_GERMAN_CALL = re.compile(r"^(?:ruf|rufe) (\S.{0,80}) an\b.*", re.I)
_GERMAN_LAST = re.compile(r"^([^,.!?]{3,90}?)[,]? (?:bitte )?nicht vergessen[.!]*$", re.I)
_QUOTED = re.compile(r"\"[^\"\n]{1,600}\"|“[^”\n]{1,600}”|„[^“”\n]{1,600}[“”]|«[^»\n]{1,600}»|»[^«\n]{1,600}«")
_REPORTED = re.compile(
    r"[,\"”“»«]\s+(?:\w+\s+){0,2}(?:said|says|wrote|asked|told|sagte|sagt|schrieb|meinte|fragte)\b[^,]{0,40}$", re.I
)
_DAYS = re.compile(r"(?:[📅📆🗓⏳⌛🛫➕✅❌]\ufe0f?\s?\d{4}-\d\d-\d\d[^\w#]{0,4})+$")
"""Due, scheduled, begun, done: as task plugins for Markdown note it."""
_HALVES = re.compile(r"(?<=;)\s+")
_LONGEST = 120
"""Characters of a line that may be a request to oneself without saying so."""
_LONGEST_SAID = 300
"""Characters of one that says so."""
_SMALL = frozenset(
    "the a an my our some please also and der die das den dem ein eine einen mein meine meinen unsere bitte noch "
    "auch".split()
)


def tasks(page: Page, kind: str, *, most: int | None = TASKS) -> list[str]:
    """What is to do, in the order of the note, each once; not what a ticked box says is done. None: all of it."""
    found: dict[str, str] = {}
    done: set[str] = set()
    for text, is_open in _candidates(page, kind):
        title = one_line(text, TASK).rstrip(" .,;:!")
        if not any(map(str.isalnum, title)):
            continue
        if is_open:
            found.setdefault(same(title), title)
        else:
            done.add(same(title))
    return [title for name, title in found.items() if name not in done][:most]


def ticked(page: Page) -> set[str]:
    """What its boxes say is done, and no open box says is still to do; each in the form that `same` gives."""
    return _boxes(page) - opened(page).keys()


def opened(page: Page) -> dict[str, str]:
    """What some open box says is to do: that form of it, and the title that its task has."""
    found: dict[str, str] = {}
    for block in page.blocks:
        name = same(one_line(block.text, TASK)) if block.box == " " and not block.struck else ""
        if name:
            found.setdefault(name, one_line(block.text, TASK).rstrip(" .,;:!"))
    return found


def _boxes(page: Page) -> set[str]:
    """What any box says, in that form."""
    return {same(one_line(block.text, TASK)) for block in page.blocks if block.box} - {""}


def same(title: str) -> str:
    """One form for a task in a box and the same words in a sentence: `Remember to call Anna`, `Call Anna`."""
    if said := _TODO.match(title) or _REMEMBER.match(title) or _FORGOTTEN.match(title) or _NEED.match(title):
        title = next(part for part in said.groups() if part)
    words = normalised(title).split()
    while len(words) > 1 and words[0] in _SMALL:
        del words[0]
    return " ".join(words)


def normalised(title: str) -> str:
    """One form for the spellings of one task, whatever days are noted behind it."""
    title = _DAYS.sub("", title)
    return " ".join(re.findall(r"\w+", title.casefold()))


def _candidates(page: Page, kind: str) -> Iterator[tuple[str, bool]]:
    """What may be to do, and whether it is open."""
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
        if block.struck and block.kind in ("item", "prose"):
            yield block.text, False
        elif block.box:
            yield block.text, block.box == " "
        elif block.kind == "item" and listed:
            yield block.text, True
        elif block.kind in ("item", "prose"):
            for text in _said(block, written):
                yield text, True


def _is_page(page: Page) -> bool:
    """Whether it reads like a document, where imperatives instruct the reader."""
    if any(block.kind == "code" or block.ordered for block in page.blocks):
        return True
    headings = sum(block.kind == "heading" for block in page.blocks)
    return headings > 3 or page.unread + sum(len(block.text) for block in page.blocks) > 4000


def _said(block: Block, written: bool) -> Iterator[str]:
    text = block.text.lstrip("•·–-→* ")
    if not written and not _HINT.search(text):
        return
    to_do: list[str] = []
    for sentence in _sentences(text):
        if marked := _TODO.match(sentence) or _TODO_BARE.match(sentence):
            to_do.append(marked[1])
        elif to_do:
            # What follows a mark on its line explains it.
            to_do[-1] += f" {sentence}"
        elif written:
            yield from _asked(sentence)
    yield from to_do


def _sentences(text: str) -> Iterator[str]:
    """The sentences; what stands in quotation marks is part of the one around it."""
    masked = _QUOTED.sub(lambda quote: "x" * (len(quote[0]) - 2) + quote[0][-2:], text)
    for start, end in spans(masked):
        at = start
        for half in _HALVES.split(masked[start:end]):
            at = masked.index(half, at)
            yield text[at : at + len(half)]
            at += len(half)


def _asked(sentence: str) -> Iterator[str]:
    """What a sentence asks of its writer: nothing where it is a question, or said by somebody else."""
    quoted = _QUOTED.match(sentence.rstrip(".!"))
    if len(sentence) > _LONGEST_SAID or sentence.endswith(("?", '?"', "?”")) or _REPORTED.search(sentence):
        return
    if quoted and quoted.end() >= len(sentence.rstrip(".!")):
        return
    if asked := _REMEMBER.match(sentence):
        yield next(part for part in asked.groups() if part)
    elif (named := _FORGOTTEN.match(sentence)) and not _STATED.search(named[1]):
        yield named[1]
    elif need := _NEED.match(sentence):
        yield need[1]
    elif len(sentence) > _LONGEST:
        return
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
    elif (must := _GERMAN_MUST.match(sentence)) and not _GERMAN_OTHER.search(must[1]):
        if must[2].lower() not in _GERMAN_STATES:
            yield must[1]
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
