"""What a new fact means for those that are there: a new one, a change of one, the end of some. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from infra.local.memory.extract import Said
from shared.models.memory import Action
from shared.search import words


@dataclass(frozen=True, slots=True)
class Change:
    """What happens to one memory; `id` is None for a new one."""

    action: Action
    id: str | None
    fact: str


def consolidate(known: Mapping[str, str], said: Sequence[Said]) -> list[Change]:
    """The changes that a message makes to the facts of one scope (id -> fact); of one memory only the last."""
    state: dict[str, str] = dict(known)
    changes: dict[str, Change] = {}
    for one in said:
        if one.gone:
            for id in [id for id, fact in state.items() if _tells_of(one.fact, fact)]:
                del state[id]
                if id in known:
                    changes[id] = Change("DELETED", id, known[id])
                else:
                    del changes[id]
            continue
        old = next((id for id, fact in state.items() if _same_matter(fact, one.fact)), None)
        id = old or f"new {len(changes)}"
        state[id] = one.fact
        changes[id] = Change("UPDATED", id, one.fact) if id in known else Change("CREATED", None, one.fact)
    return list(changes.values())


def distance(question: str, fact: str) -> float:
    """How far a fact is from a question: the share of the question's words that it lacks."""
    asked = set(words(question))
    return round(1 - len(asked & set(words(fact))) / len(asked), 4) if asked else 1.0


# Of these a person has one at a time, so a second statement replaces the first.
_SINGLE = (
    re.compile(r"^(?P<key>[\w .-]{1,60}?)\s*=", re.IGNORECASE),
    re.compile(r"^(?:call me|my name is|nenn mich|ich hei[sß]{1,2}e|mein name ist)\b(?P<key>)", re.IGNORECASE),
    re.compile(r"^(?:I|we) (?:live|moved)\b(?P<key>)|^ich (?:wohne|lebe)\b", re.IGNORECASE),
    re.compile(r"^I work (?:at|for|as|in)\b(?P<key>)|^ich arbeite (?:bei|als|in)\b", re.IGNORECASE),
    re.compile(r"^(?:I am|I['’]m) \d+(?P<key>) years old|^ich bin \d+ jahre", re.IGNORECASE),
    re.compile(r"^(?:I|we) only (?P<key>\w+)", re.IGNORECASE),
    re.compile(r"^(?:my|meine?) (?P<key>[\w\s'’-]{1,60}?) (?:is|are|was|has|ist|sind|hei[sß]{1,2}t)\b", re.IGNORECASE),
)
_LIKING = frozenset(word for verb in ("like", "love", "prefer", "enjoy", "mag", "liebe") for word in words(verb))
_DISLIKING = frozenset(word for verb in ("hate", "dislike", "avoid", "hasse") for word in words(verb))
_NOT = re.compile(r"\b(?:don['’]t|do not|never|nicht|keine?n?)\b", re.IGNORECASE)


def _same_matter(old: str, new: str) -> bool:
    """Whether the new fact takes the old one's place: the same again, nearly the same, or its opposite."""
    slot = _slot(old)
    if slot is not None and slot == _slot(new):
        return True
    before, after = set(words(old)), set(words(new))
    if not before or not after:
        return old.casefold() == new.casefold()
    if len(before & after) / len(before | after) >= 0.8:
        return True
    feelings = _LIKING | _DISLIKING
    felt = bool(before & feelings) and bool(after & feelings)
    return felt and before - feelings == after - feelings


def _slot(fact: str) -> tuple[int, str] | None:
    for number, pattern in enumerate(_SINGLE):
        if found := pattern.match(fact):
            return number, " ".join((found["key"] or "").casefold().split())
    return None


def _tells_of(gone: str, fact: str) -> bool:
    """Whether what no longer holds is this fact: most of its words are in it."""
    about = set(words(_NOT.sub(" ", gone)))
    return bool(about) and len(about & set(words(fact))) / len(about) >= 0.75
