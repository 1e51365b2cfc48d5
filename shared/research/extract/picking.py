"""Which sentences a report takes from a section; a list comes with the sentence that announces it."""

from collections.abc import Sequence
from itertools import islice

from shared.research.extract.question import Question
from shared.research.extract.section import Section
from shared.research.extract.sentence import Sentence
from shared.research.extract.standing import leans, stands, weight
from shared.research.extract.wording import alike

MAX_SENTENCES = 5
MAX_ITEMS = 8
MAX_PICKED = 24
"""Sentences and items of one section."""


def picked(question: Question, section: Section, taken: list[str]) -> list[Sentence]:
    """The section's best sentences in their own order; a list comes with the sentence that announces it."""
    group = section.sentences
    usable = {
        at
        for at, one in enumerate(group)
        if stands(one, group[at + 1] if at + 1 < len(group) else None)
        and not any(alike(one.text, other) for other in taken)
    }
    about = section.about
    lists = _lists(group)
    wanted = [at for at in usable if about or _touches(question, group[at])]
    picked: set[int] = set()
    prose = 0
    for at in sorted(wanted, key=lambda at: (-weight(question, group, at), at)):
        if prose >= MAX_SENTENCES or len(picked) >= MAX_PICKED:
            break
        if at not in picked:
            marked = group[at].marker or group[at].lead
            more = _list_of(question, section, at, lists, usable) if marked else {at}
            prose += sum(not group[one].marker for one in more - picked)
            picked |= more
    kept: list[int] = []
    for at in sorted(picked):
        # The one before may stand in the introduction already: then it was read.
        before = at - 1 in kept or (at > 0 and group[at - 1].text in taken)
        orphan = group[at].marker and at - 1 in picked and not before
        if not orphan and (group[at].marker or before or not leans(group[at])):
            kept.append(at)
    return [group[at] for at in kept]


def _lists(group: Sequence[Sentence]) -> dict[int, dict[int, list[int]]]:
    """The lists in a section: block -> item -> where its sentences stand."""
    found: dict[int, dict[int, list[int]]] = {}
    for at, one in enumerate(group):
        if one.marker:
            found.setdefault(one.block, {}).setdefault(one.item, []).append(at)
    return found


def _touches(question: Question, sentence: Sentence) -> bool:
    """Whether it speaks of the question by itself; a whole list has to do so more plainly."""
    coverage = question.coverage(question.bag(sentence.text))
    return coverage > 0.5 if sentence.lead or sentence.marker else coverage > 0.3


def _list_of(
    question: Question, section: Section, at: int, lists: dict[int, dict[int, list[int]]], usable: set[int]
) -> set[int]:
    """The list that a lead or an item belongs to, from its lead on.

    Without a lead, the item alone; the whole list where the section's heading announces it.
    """
    group = section.sentences
    items = lists[group[at].block if group[at].marker else group[at + 1].block]
    first = next(iter(items.values()))[0]
    shown = [one for item in islice(items.values(), MAX_ITEMS) for one in item]
    if first - 1 not in usable or not group[first - 1].lead:
        if section.about and section.headed:
            return usable.intersection(shown)
        enough = 0.0 if section.about else 0.6
        item = usable.intersection(items[group[at].item]) if group[at].marker else set[int]()
        return item if question.coverage(question.bag(group[at].text)) > enough else set()
    return {first - 1} | usable.intersection(shown)
