"""What a new fact means for those that are there: a new one, a change of one, the end of some. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from infra.local.memory.extract import Said
from infra.local.memory.slot import same, value
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

    def drop(id: str) -> None:
        del state[id]
        if id in known:
            changes[id] = Change("DELETED", id, known[id])
        else:
            del changes[id]

    for one in said:
        if one.gone:
            for id in [id for id, fact in state.items() if _tells_of(one.fact, fact)]:
                drop(id)
            continue
        replaced = [id for id, fact in state.items() if _same_matter(fact, one.fact)]
        # "I no longer live there, I live here" is one memory that changes.
        replaced += [id for id in changes if id in known and id not in state and same(known[id], one.fact)]
        id = replaced[0] if replaced else f"new {len(changes)}"
        for other in replaced[1:]:
            if other in state and same(state[other], one.fact):
                drop(other)
        state[id] = one.fact
        changes[id] = Change("UPDATED", id, one.fact) if id in known else Change("CREATED", None, one.fact)
    return list(changes.values())


def distance(question: str, fact: str) -> float:
    """How far a fact is from a question: the share of the question's words that it lacks."""
    asked = set(words(question))
    return round(1 - len(asked & set(words(fact))) / len(asked), 4) if asked else 1.0


_LIKING = frozenset(word for verb in ("like", "love", "prefer", "enjoy", "mag", "liebe") for word in words(verb))
_DISLIKING = frozenset(word for verb in ("hate", "dislike", "avoid", "hasse") for word in words(verb))
_NOT = re.compile(r"\b(?:don['’]t|do not|never|nicht|keine?n?)\b", re.IGNORECASE)


def _same_matter(old: str, new: str) -> bool:
    """Whether the new fact takes the old one's place: the same again, nearly the same, or its opposite."""
    if same(old, new):
        return True
    before, after = set(words(old)), set(words(new))
    if not before or not after:
        return old.casefold() == new.casefold()
    if len(before & after) / len(before | after) >= 0.8:
        return True
    feelings = _LIKING | _DISLIKING
    felt = bool(before & feelings) and bool(after & feelings)
    return felt and before - feelings == after - feelings


def _tells_of(gone: str, fact: str) -> bool:
    """Whether what no longer holds is this fact: it names the same value of the same matter, or most of its words."""
    if same(gone, fact):
        over = set(words(value(gone)))
        return bool(over) and over <= set(words(value(fact)))
    about = set(words(_NOT.sub(" ", gone)))
    return bool(about) and len(about & set(words(fact))) / len(about) >= 0.75
