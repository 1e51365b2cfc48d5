"""Follow-up questions as requests that stand on their own; they anchor what is looked up, and replace nothing."""

import re
from collections.abc import Sequence

from shared.agent.model import Answer, Message, Model, Question
from shared.agent.prompt import text
from shared.errors import MemexError
from shared.search import words

_LEANS = re.compile(
    r"\b(it|its|that|this|those|these|them|they|there|he|she|him|her|same|one|ones|former|latter|above|"
    r"das|dies|diese[rsmn]?|es|sie|ihn|ihm|davon|dazu|dar[üu]ber|damit|dort|jene[rsmn]?|beides?)\b|"
    r"^\W*(and|or|but|so|what about|how about|why|also|und|oder|aber|was ist mit|wie w[äa]re|warum|auch)\b",
    re.IGNORECASE,
)
_LONG = 400
"""Characters beyond which a message is taken to say all that it means."""


def leans_on_what_was_said(message: str) -> bool:
    """Whether a message may need the conversation to be understood."""
    return len(message) <= _LONG and (_LEANS.search(message) is not None or len(message.split()) <= 3)


async def rewrite(model: Model, past: Sequence[Message], message: str, *, offline: bool) -> str:
    """The request on its own, or "" where the message is clear, is the first, or can't be rewritten."""
    if not past or not leans_on_what_was_said(message):
        return ""
    if offline:
        return _joined(past, message)
    question = Question(text("rewrite"), (*past[-6:], Message("user", message)))
    try:
        async for piece in model.stream(question):
            if isinstance(piece, Answer):
                return _usable(piece.text, message)
    except MemexError:
        # The turn asks the same model next; if it is down, the person hears it there.
        return ""
    return ""


def _usable(answer: str, message: str) -> str:
    line = " ".join(answer.split()).strip("\"'“”„")
    same = line.casefold().rstrip(".?! ") == " ".join(message.split()).casefold().rstrip(".?! ")
    return "" if same or not line or len(line) > 1000 else line


def topic(message: str) -> str:
    """What a follow-up asks about by a name of its own ("And quinces?"); "" where it is none, or says only "they"."""
    lead = _LEAD.match(message)
    if not lead or _POINTS.search(message):
        return ""
    named = message[lead.end() :].strip().rstrip("?!. ")
    return named if any(map(str.isalnum, named)) else ""


def _joined(past: Sequence[Message], message: str) -> str:
    """Without a model: a follow-up with the words of the person's request before it that it lacks.

    A topic of its own leads, since the old one is no answer to it.
    """
    if not _FOLLOWS.search(message):
        return ""
    before = next((one.text for one in reversed(past) if one.role == "user"), "")
    here = set(words(message))
    missing = [
        word for word in _WORD.findall(before) if len(word) > 3 and word.lower() not in _ASKING and _new(word, here)
    ][:6]
    return f"{topic(message) or message.strip()} ({', '.join(dict.fromkeys(missing))})" if missing else ""


def _new(word: str, here: set[str]) -> bool:
    found = words(word)
    return bool(found) and here.isdisjoint(found)


_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_FOLLOWS = re.compile(
    r"^\W*(and|or|but|what about|how about|und|oder|aber|was ist mit|wie w[äa]re)\b"
    r"|\b(it|its|them|they|those|these|davon|dazu|dar[üu]ber|damit|ihn|ihm|ihnen)\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"\W*(?:(?:and|or|but|so|also|und|oder|aber|auch)\b[\s,]+(?:(?:what|how)\s+about\s+|was\s+ist\s+mit\s+|"
    r"wie\s+(?:steht|sieht|ist)\s+es\s+(?:mit|bei)\s+|wie\s+w[äa]re\s+es\s+mit\s+|(?:about|[üu]ber|zu)\s+)?"
    r"|(?:what|how)\s+about\s+|was\s+ist\s+mit\s+|wie\s+(?:steht|sieht|ist)\s+es\s+(?:mit|bei)\s+)",
    re.IGNORECASE,
)
"""How a follow-up begins that goes on to something else."""
_POINTS = re.compile(
    r"\b(it|its|that|this|those|these|them|they|he|she|him|her|"
    r"das|dies|diese[rsmn]?|es|sie|ihn|ihm|ihnen|davon|dazu|dar[üu]ber|damit)\b",
    re.IGNORECASE,
)
_ASKING = frozenset(
    "about find found have know note noted notes show tell there what when where which write wrote "
    "etwas finde gibt habe meine meinen notiert notiz notizen such suche über welche weiß wann woher zeig".split()
)
