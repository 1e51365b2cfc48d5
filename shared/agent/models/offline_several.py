"""Several requests in one message, and the moves that do one after the other. It parts only what is plainly two."""

import re
from dataclasses import replace

from shared.agent.models.offline_moves import next_move
from shared.agent.models.offline_requests import SHORT, Request, understand
from shared.agent.models.offline_tables import Kind, Language
from shared.agent.models.offline_talk import Move, Talk

MOST = 3
"""Requests of one message; a turn has only so many calls."""
_DOES: frozenset[Kind] = frozenset({
    "note", "tag", "untag", "title", "append", "rewrite", "delete", "research", "research_note", "tasks", "remind",
    "task_done", "task_open", "task_dropped", "task_moved",
})  # fmt: skip
_SHOWS: frozenset[Kind] = frozenset({"recent", "links", "digest", "list_tasks", "list_done", "time", "count_notes"})
_FIRST: frozenset[Kind] = _DOES | _SHOWS | {"statement", "thanks", "forget"}
_JOINT = re.compile(
    r"(?<=[.;!?])\s+(?:(?:and|then|und|dann)\s+)?|,?\s+(?:and|und|then|dann)\s+(?:(?:then|also|dann|auch)\s+)?", re.I
)
_TELLS = re.compile(r"(?:i|we|you|he|she|it|they|the|my|our|ich|wir|er|sie|es|die|der|das|mein\w*|unser\w*)\b", re.I)
"""How a part begins that goes on with the sentence before it, and orders nothing."""
_GOVERNS = re.compile(
    r"\b(?:to|must|should|will|would|can|could|may|might|let|zu|muss|soll\w*|will|kann|könnte)\b", re.I
)
"""Words that "and" may go on from: in "call Ann and research flights" both are one reminder."""
_ADDRESSED = re.compile(
    r"""
    (?:(?:please|bitte)\s+)?
    (?:remind\s+me|(?:show|tell|give)\s+me|what
      |(?:add|make|create)\s+(?:me\s+)?(?:a|an|another)\s+(?:new\s+)?(?:task|to-?do|note|reminder)
      |(?:note|remember)(?:\s+down)?\s+that
      |\w+\s+(?:my|this|that)\s+(?:(?:last|latest|newest)\s+)?note
      |erinnere?\s+mich|zeige?\s+mir|notiere?,?\s+dass|merke?\s+dir
      |(?:neue|füge?\s+eine|erstelle?\s+eine)\s+(?:aufgabe|notiz)
      |\w+\s+(?:meine|diese)\s+(?:letzte\s+)?notiz)\b
    """,
    re.I | re.X,
)
"""What speaks to the helper whatever stands before it."""


def requests(said: str, spoken: Language, most: int = MOST) -> tuple[Request, ...]:
    """What a message asks for, in its order; more than one only where each part is plain by itself."""
    text = said.strip()
    if most > 1 and len(text) <= SHORT and "\n" not in text:
        for joint in _JOINT.finditer(text):
            first, rest = text[: joint.start()], text[joint.end() :]
            if _is_two(first, rest, spoken, sentence=first[-1:] in ".;!?"):
                return (understand(first, spoken), *requests(rest, spoken, most - 1))
    return (understand(said, spoken),)


def _is_two(first: str, rest: str, spoken: Language, *, sentence: bool) -> bool:
    """Whether both parts are requests of their own; `sentence` says that the first one ends as a sentence."""
    if _is_open(first) or _TELLS.match(rest):
        return False
    before, after = understand(first, spoken), understand(rest, spoken)
    if before.kind == "search":
        # Whatever was asked or told before it, a reminder is one.
        return sentence and after.kind in ("remind", "tasks")
    if before.kind not in _FIRST or after.kind not in _DOES | _SHOWS:
        return False
    return _ADDRESSED.match(rest) is not None or not (before.kind in ("tasks", "remind") or _GOVERNS.search(first))


def _is_open(text: str) -> bool:
    """Whether a quotation that begins in a text doesn't end in it."""
    begins, ends = ("„", "“") if "„" in text else ("“", "”")
    return text.count('"') % 2 == 1 or text.count(begins) > text.count(ends)


def next_of(talk: Talk) -> Move:
    """The next move for a message: each of its requests has the answers to its own calls, which come in their order."""
    answers, told = talk.answers, list[str]()
    for request in (talk.request, *talk.then):
        for count in range(len(answers) + 1):
            move = next_move(replace(talk, request=request, answers=answers[:count]))
            if not move.tool:
                break
        else:
            return move
        told.append(move.text)
        answers = answers[count:]
    return Move("\n\n".join(told))
