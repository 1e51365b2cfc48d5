"""Plain requests in English and German, told from their words. What it does not know is a question about the notes."""

import re
from dataclasses import dataclass

from shared.agent.models.offline_patterns import patterns
from shared.agent.models.offline_sums import expression
from shared.agent.models.offline_tables import Kind, Language
from shared.agent.rewrite import topic


@dataclass(frozen=True, slots=True)
class Request:
    """What a person asks for.

    `what` is the text, question, title, address or sum; `about` says which note or task in words, and is empty for
    the last note; `values` are tags or tasks.
    """

    kind: Kind
    what: str = ""
    about: str = ""
    values: tuple[str, ...] = ()
    days: int = 0
    save: bool = False
    """Whether the digest is to become a note, too."""
    ago: int | None = None
    """Of a digest of one day: how many days before today it is."""
    follows: bool = False
    """Whether a search goes on from the request before, with `what` in place of what that one was about."""
    loose: bool = False
    """Whether a search is a guess: no line took the words, and they ask nothing."""


_POLITE = re.compile(
    r"(?:(?:hey|hi|hello|hallo)[, ]+memex|memex|please|(?:could|can|would|will) you(?: please)?|i want you to|ok|okay|"
    r"bitte|(?:kannst|könntest|würdest) du(?: bitte| mal| bitte mal)?)[,:!]?\s+",
    re.I,
)
_GERMAN = re.compile(
    r"[äöüß]|\b(?:ich|in|mir|mein[a-z]{0,2}|letzte[nrms]?|diese[nrms]?|notiz(?:en)?|notier\w*|aufgaben?|und|oder|was|wie|"
    r"wo|wann|wer|warum|welche[rsn]?|ist|sind|der|die|das|den|dem|ein|eine[nrms]?|über|ueber|zu|zum|zur|von|mit|nach|"
    r"für|nicht|kannst|du|bist|bitte|hallo|danke|heute|gestern|tage[n]?|woche|recherchier\w*|lösche|loesche|suche?|zeig\w*|hake?|"
    r"merke?|erinner\w*|erledigt|rechne|berechne|speicher\w*|lies|ruf\w*|fass\w*|hilfe?|dank\w*|moin|servus|prima|mehr|"
    r"alle[sn]?|jede[nrs]?|vergleich\w*|davon|dazu|steht|liegt|setz\w*|schreib\w*)\b",
    re.I,
)
_ENGLISH = re.compile(
    r"\b(?:i|my|the|an?|to|of|and|or|is|are|was|what|when|where|who|why|how|which|did|do|does|about|with|for|note|"
    r"notes|task|tasks|last|this|that|me|you|please|hello|thanks|today|week|days|delete|search|remind|mark|done|show|"
    r"find|remember|research|read|add|save|in|it|on|know)\b",
    re.I,
)


_ASKS = re.compile(
    r"\W*(?:how|when|where|why|what|who|whose|whom|which|any|do|does|did|is|are|was|were|am|can|could|should|will|would|"
    r"has|have|had|may|wie|wann|wo|woher|wohin|warum|wieso|was|wer|wem|wen|welche[rsnm]?|ist|sind|war|waren|kann|hat|"
    r"habe|hatte|gibt|soll|darf|wird)\b|.*\?\W*\Z",
    re.I | re.S,
)
_TELLS = re.compile(
    r"""
    (?:I|we)(?:['’](?:m|ve|d|ll|re))?\s+
    (?!(?:(?:am|was|have\s+been)\s+)?(?:looking|searching|wondering|asking)\b
      |(?:(?:do\s+not|don.?t|can.?t|cannot|have\s+to|must)\s+)?(?:would\s+)?(?:like\s+to|want|need|wonder|look|search|forgot|know|remember
      |recall|find|ask|wrote|noted|saved|captured|mentioned))\w
    |(?:my|our)\s+\S+(?:\s+\S+){0,5}?\s+(?:is|are|was|were|has|have|likes?|lives?)\s+\S
    |(?:ich|wir)\s+(?!(?:suche?n?|frage?n?|möchte?n?|will|wollen|brauche?n?|wei(?:ß|ss)|finde?n?|schrieb|notierte)\b)\w
    |(?:meine?|unsere?)\s+\S+(?:\s+\S+){0,5}?\s+(?:ist|sind|war|waren|hat|haben|hei(?:ß|ss)t|mag|wohnt)\s+\S
    |(?:call\s+me|nenn\s+mich)\s+\S
    """,
    re.I | re.X,
)
"""How people tell of themselves: that asks for nothing, whatever the notes hold."""

SHORT = 1_000
"""Characters of a request; what is longer holds a text to keep, and only that is looked for."""
_SENTENCE = 3
"""Words from which on it is more than a name to look for."""
LONG_KINDS = frozenset({"note", "tasks", "remind", "research"})

_COMMAND = re.compile(
    r"(?:delete|remove|erase|clear|empty|archive|merge|move|copy|share|send|e-?mail|forward|translate|rewrite|draft|write|"
    r"create|make|generate|schedule|set|change|update|edit|rename|add|put|export|import|pin|sort|mark|print|upload|"
    r"download|turn|play|order|book|tell|give)\s+(?:all|my|the|an?|me|it|this|that|these|those|them|every|everything)\b"
    r"|(?:lösche?|loesche?|entferne?|leere|archiviere|verschiebe?|kopiere|teile?|schicke?|sende|maile?|übersetze?|schreibe?|"
    r"erstelle?|mache?|plane|setze?|ändere?|benenne?|füge?|trage?|exportiere|importiere|sortiere|markiere|drucke|buche|"
    r"bestelle?|gib)\s+(?:alle[sn]?|mein\w{0,2}|die|der|das|den|dem|eine?[nrms]?|mir|es|sie|diese\w?)\b"
    r"|how many (?:notes|tasks|to-?dos|reports|tags|links|conversations)\b"
    r"|wie ?viele (?:notizen|aufgaben|to-?dos|berichte|tags|links|gespräche)\b",
    re.I,
)
"""How a request begins that wants something done or counted: its words are nothing to look for in the notes."""


def language(texts: list[str]) -> Language:
    """The language of the newest text whose words tell it; English where none does."""
    for text in texts:
        german, english = len(_GERMAN.findall(text)), len(_ENGLISH.findall(text))
        if german != english:
            return "de" if german > english else "en"
    return "en"


def understand(said: str, spoken: Language) -> Request:
    """The request; anything else than the plain ones is a question about the notes."""
    text = said.strip()
    while polite := _POLITE.match(text):
        text = text[polite.end() :]
    text = re.sub(r",?\s+(?:please|bitte)(?=[.!?]?$)", "", text, flags=re.I).strip()
    if not text:
        return Request("help")
    if sum := expression(text, comma=spoken == "de"):
        return Request("sum", what=sum)
    named = topic(text) if len(text) <= SHORT else ""
    if (made := _plain(text, spoken)) and not (named and made.kind == "search"):
        return made
    if named and not _tells(named):
        # "And my tasks?" is a plain request, too; any other name is what is looked for now.
        return _plain(named, spoken) or Request("search", what=named, follows=True)
    if len(text) <= SHORT and _COMMAND.match(text):
        return Request("cannot")
    if _tells(named or text):
        return Request("statement")
    asks = _ASKS.match(text[:SHORT]) is not None
    return Request("search", what=text[:SHORT], loose=not asks and len(text.split()) >= _SENTENCE)


def _tells(text: str) -> bool:
    return len(text) <= SHORT and not _ASKS.match(text) and _TELLS.match(text) is not None


def _plain(text: str, spoken: Language) -> Request | None:
    """What the first line of the tables that fits makes of it; the person's language first."""
    for kind, pattern in (*patterns(spoken), *patterns("en" if spoken == "de" else "de")):
        if len(text) > SHORT and kind not in LONG_KINDS:
            continue
        if (found := pattern.fullmatch(text)) and (made := _made(kind, text, found)):
            return made
    return None


def _made(kind: Kind, text: str, found: re.Match[str]) -> Request | None:
    """The request of a line; None where its words turn out to mean something else."""
    groups = {name: value or "" for name, value in found.groupdict().items()}
    what, about = groups.get("what", "").strip(), _bare(groups.get("about", ""))
    match kind:
        case "tag" | "untag":
            values = tuple(part for raw in _parts(groups["values"]) if (part := raw.strip("#\"'“”„ .")))
            return Request(kind, about=about, values=values) if values else None
        case "tasks" | "remind":
            many = groups.get("many") or ((groups.get("list") or "\n" in what) and what)
            values = items(many) if many else (_task(what),)
            beside = groups.get("when") or _list(groups.get("list", ""))
            values = tuple(f"{value} ({beside})" if beside else value for value in values if value)
            return Request(kind, values=values) if values else None
        case "digest":
            return _digest(groups.get("rest", ""), save=bool(_SAVE.search(text)))
        case "links":
            rest = groups.get("rest", "")
            return Request(kind, days=_days(rest) if rest else 0, ago=_ago(rest))
        case "note" | "research":
            return Request(kind, what=_as_written(text, found))
        case "append" | "rewrite":
            last = not any(map(str.isalnum, text[found.end("what") :]))
            return Request(kind, what=_as_written(text, found) if last else what, about=about)
        case "list_tasks" | "task_moved":
            return Request(kind, what=_BEFORE_DAY.sub("", what), about=about)
        case "search" | "web" | "memory":
            return Request(kind, what=what.rstrip("?!. "))
        case "fetch":
            return Request("fetch", what=what.rstrip(".,;!?)>\"'"))
        case _:
            return Request(kind, what=what, about=about)


_BEFORE_DAY = re.compile(r"\A(?:(?:on|by|for|until|am|bis|für)\s+)?(?:the\s+)?", re.I)


def _as_written(text: str, found: re.Match[str]) -> str:
    """The words up to the end of the message: full stops and quotes belong to them."""
    start = found.start("what")
    return text[start - (text[start - 1] in "\"“„'") :].strip()


# Only what asks for it saves: "what did I save today" is a question.
_SAVE = re.compile(
    r"(?:\A|,\s*|\b(?:and|then|und|dann)\s+)(?:save|store|keep|file|speicher|sicher|leg)\w*\b.*"
    r"|\bas a (?:note|digest)\b|\bals notiz\b",
    re.I | re.S,
)
_NUMBER = re.compile(r"\b(\d{1,3})\s*(?:days?|tagen?|tage)\b", re.I)
_WEEKS = re.compile(r"\b(\d{1,2})\s*(?:weeks?|wochen?)\b", re.I)
_PERIODS = (
    (re.compile(r"\b(?:yesterday(?:['’]?s)?|gestern|gestrigen)\b", re.I), 2),
    (re.compile(r"\b(?:today(?:['’]?s)?|daily|heute|heutigen)\b", re.I), 1),
    (re.compile(r"\b(?:two|zwei) (?:weeks|wochen)\b", re.I), 14),
    (re.compile(r"\b(?:week|weekly|woche|wöchentlich\w*)\b", re.I), 7),
    (re.compile(r"\b(?:month|monthly|monats?|monat)\b", re.I), 30),
)
_OTHER = re.compile(
    r"\b(?:about|on|über|ueber|zum|zur|zu)\s+(?P<what>\S.*)|\b(?:last|latest|letzten?r?) (?:note|notiz)\b", re.I
)
_MY_NOTES = re.compile(
    r"\b(?:of|about|on|from|über|ueber|zu|von)\s+(?:all\s+|allen\s+)?(?:my|the|meinen?|den|die)\s+(?=notes\b|notizen\b)",
    re.I,
)
_OF_NOTES = re.compile(
    r"\b(?:notes?|notizen|captures?|days?|tagen?|weeks?|wochen?|months?|monat\w*|(?:today|yesterday)(?:['’]?s)?|heute|gestern|lately|recently|zuletzt"
    r"|weekly|daily|monthly)\b",
    re.I,
)
_DAY = re.compile(r"\b(today|heute|yesterday|gestern)(?:['’]?s)?\b", re.I)
_AGO = {"today": 0, "heute": 0, "yesterday": 1, "gestern": 1}
_SINCE = re.compile(r"\b(?:since|seit|(?:and|und) (?:today|yesterday|heute|gestern))\b", re.I)
USUAL_DAYS = 7
"""Of a digest whose days were not said."""


def _digest(rest: str, *, save: bool) -> Request | None:
    plain = _MY_NOTES.sub("", _SAVE.sub("", rest)).strip(" ,.")
    other = _OTHER.search(plain)
    if other:
        return Request("search", what=other["what"].rstrip("?!. ")) if other["what"] else None
    if plain and not _OF_NOTES.search(plain):
        return None
    return Request("digest", days=_days(plain), save=save, ago=_ago(plain))


def _ago(text: str) -> int | None:
    """Of a text that names one day: how many days before today it is."""
    day = _DAY.search(text) if not _SINCE.search(text) else None
    return _AGO[day[1].lower()] if day else None


def _days(text: str) -> int:
    if number := _NUMBER.search(text):
        return max(1, int(number[1]))
    if weeks := _WEEKS.search(text):
        return max(1, 7 * int(weeks[1]))
    return next((days for period, days in _PERIODS if period.search(text)), USUAL_DAYS)


_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+|^\s*\[[ x]\]\s+", re.I)
_JOINT = re.compile(r"\s*[,;]\s*(?:(?:and|und)\s+)?|\s+(?:and|und)\s+", re.I)


def items(text: str) -> tuple[str, ...]:
    """The things of a list: its lines, or what commas and "and" part where it is one line."""
    lines = [_BULLET.sub("", line) for line in text.splitlines() if line.strip()]
    return tuple(task for part in (lines if len(lines) > 1 else _parts(text)) if (task := _task(part)))


def _parts(text: str) -> list[str]:
    return _JOINT.split(text.strip())


def _task(text: str) -> str:
    words = _BULLET.sub("", " ".join(text.split())).strip(' .;,"“”„')
    return re.sub(r"^(?:to|that i (?:should|must|need to|have to))\s+(?=\S)", "", words, flags=re.I)[:500]


def _list(name: str) -> str:
    """How a list is named beside what stands on it."""
    return name if not name or name.lower().endswith("liste") else f"{name} list"


def _bare(text: str) -> str:
    return text.strip(" \"'“”„.!?,")
