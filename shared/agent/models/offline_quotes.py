"""Which sentences of the notes answer a question. It quotes nothing twice, and no question as an answer."""

import re
from collections.abc import Iterable, Sequence

from shared.agent.models.offline_reading import LONGEST, Note, best, sentences
from shared.enrichment.proposal import cut
from shared.search import words

OWN = ("", "capture", "link")
"""Kinds of notes that a person writes."""
ROUTINE = ("digest", "review")
"""Kinds that routines write from the others: no witness for what those say."""
_ASKS = re.compile(
    r"\W*(?:how|when|where|why|what|who|which|do|does|is|are|can|"
    r"wie|wann|wo|warum|was|wer|welche[rsnm]?|ist|sind|kann)\b",
    re.I,
)
# Of these few begin a sentence that says something: "Do not feed the cat" is none of them.
_NAMES_NONE = re.compile(r"\W*(?:how|when|where|why|what|who|which|wie|wann|wo|warum|was|wer|welche[rsnm]?)\b", re.I)
# A report's list of sources tells where things stand, not what is so.
_SOURCES = re.compile(r"^\W{0,6}(?:sources|quellen)\W{0,6}$", re.I | re.M)


def answering(found: Iterable[Note], question: str, *, shown: int, each: int, told: str = "") -> list[tuple[str, Note]]:
    """At most `each` sentences of at most `shown` notes, each with its note; the person's own notes before reports.

    What routines wrote from notes, and what only asks, counts where there is nothing else. `told` is what was answered
    before: no sentence of it comes again.
    """
    found = list(found)
    asking = only_asking(found)
    witnesses = [note for note in found if note.kind not in ROUTINE and note.id not in asking]
    return _lines(witnesses, question, shown, each, told) or _lines(
        [note for note in found if note not in witnesses], question, shown, each, told
    )


def only_asking(found: Sequence[Note]) -> set[str]:
    """Ids of the person's notes that say nothing: questions, and the topics of reports among the notes found."""
    topics = [set(words(note.title)) for note in found if note.kind == "research"]
    return {note.id for note in found if note.kind in OWN and _is_topic(note, topics)}


def _is_topic(note: Note, topics: Sequence[set[str]]) -> bool:
    said = sentences(note.text) or [note.title]
    if all(_is_question(sentence) for sentence in said):
        return True
    if len(said) > 1 or said[0].rstrip("\"'”’)*_ ").endswith((".", "!", "…")):
        return False
    asked = set(words(said[0]))
    return (_NAMES_NONE.match(said[0]) is not None and ":" not in said[0]) or any(asked <= topic for topic in topics)


def _lines(found: Sequence[Note], question: str, shown: int, each: int, told: str) -> list[tuple[str, Note]]:
    seen = _letters(told)
    known: set[str] = set()
    lines: list[tuple[str, Note]] = []
    for note in sorted(found, key=lambda note: note.kind == "research"):
        new: list[str] = []
        for sentence in _statements(note, question):
            key = _letters(cut(sentence, LONGEST))
            if key and key not in known and not (seen and key in seen):
                known.add(key)
                new.append(sentence)
        # What another note says, too, is known by then; of what is left the best is taken.
        chosen = best(new, question, each)
        known.difference_update(_letters(cut(sentence, LONGEST)) for sentence in new if sentence not in chosen)
        lines += [(sentence, note) for sentence in chosen]
        if chosen and len({note.id for _, note in lines}) == shown:
            break
    return lines


def _statements(note: Note, question: str) -> Sequence[str]:
    """The sentences of a note that say something; its title where there is no text."""
    text = _SOURCES.split(note.text, maxsplit=1)[0] if note.kind == "research" else note.text
    return [one for one in sentences(text) or [note.title] if not _only_asks(one, question)]


def _only_asks(sentence: str, question: str) -> bool:
    """Whether a sentence is a question, or the person's own one once more."""
    if _is_question(sentence):
        return True
    return _ASKS.match(sentence) is not None and set(words(sentence)) <= set(words(question))


def _is_question(sentence: str) -> bool:
    return sentence.rstrip("\"'”“’)*_ ").endswith(("?", "？"))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
