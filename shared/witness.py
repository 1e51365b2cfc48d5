"""Which notes bear witness: what a person kept says something; a question, a report or a routine's note does not.

One rule for research, tasks, digests and search. It reads a note's fields, and never its text.
"""

from shared.models.base import REPORT, RESEARCH
from shared.models.note import Note

ROUTINES = frozenset({"digest", "review"})
"""Kinds of notes that routines write."""


def reports(note: Note) -> bool:
    """Whether research wrote it: exported and imported again, it is an ordinary note with the tag of a report."""
    return note.kind == "research" or REPORT in note.tags


def asks(note: Note) -> bool:
    """Whether it is a question: such notes repeat the words best and answer nothing."""
    return RESEARCH in note.tags and not reports(note)


def is_own(note: Note) -> bool:
    """Whether a person kept it and it asks nothing."""
    return note.kind not in ROUTINES and not reports(note) and not asks(note)


def may_be_a_source(note: Note) -> bool:
    """Whether it says something that may be cited: a report is no witness for itself, nor is what quotes notes."""
    return note.deleted_at is None and is_own(note) and bool(note.body.strip())
