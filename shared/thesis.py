"""A thesis' own fields beside those of its note: how an edit changes them and a change is taken back. Pure."""

from collections.abc import Iterable, Mapping

from pydantic import JsonValue

from shared.errors import Conflict, Unprocessable
from shared.models.base import JsonDict, moment
from shared.models.note import Note
from shared.models.thesis import MAX_EVIDENCE, Evidence, Finding, Stance, Thesis

FIELDS = frozenset({"status", "confidence"})
"""A thesis' fields that an edit changes; its statement is the note's title."""
_FOR, _AGAINST = "evidence_for", "evidence_against"
_STANCES: dict[str, Stance] = {_FOR: "for", _AGAINST: "against"}
EVIDENCE = frozenset(_STANCES)
"""As the trace names a piece of evidence that came, or went."""


def thesis_of(note: Note, field: str = "note_id") -> Thesis:
    """The note's thesis; Unprocessable `not_a_thesis`, naming the field, where it is none."""
    if note.kind != "thesis" or note.thesis is None:
        raise Unprocessable(
            f"{field}: this note is no thesis", code="not_a_thesis", next="Name a thesis; write one down where none is."
        )
    return note.thesis


def room(thesis: Thesis) -> None:
    """Unprocessable `thesis_full` where no more evidence fits."""
    if thesis.size >= MAX_EVIDENCE:
        raise Unprocessable(
            f"note_id: the thesis holds {MAX_EVIDENCE} pieces of evidence, and no more fit",
            code="thesis_full",
            next="Write what it comes to into its text, or begin a narrower thesis.",
        )


def stated(note: Note, fields: Mapping[str, object]) -> None:
    """Unprocessable where an edit would leave a thesis without its statement."""
    if note.thesis is not None and "title" in fields and not str(fields["title"] or "").strip():
        raise Unprocessable(
            "title: it is the thesis' statement, and can't be empty", next="Say in one sentence what may be so."
        )


def values(note: Note) -> dict[str, object]:
    """What an edit can change of the note's thesis; empty where it is none."""
    return {} if note.thesis is None else {"status": note.thesis.status, "confidence": note.thesis.confidence}


def with_fields(note: Note, fields: Mapping[str, object]) -> dict[str, object]:
    """The note's new fields, the thesis' ones put into its thesis."""
    inner = {field: value for field, value in fields.items() if field in FIELDS}
    outer = {field: value for field, value in fields.items() if field not in FIELDS}
    return {**outer, "thesis": thesis_of(note, "thesis").model_copy(update=inner)} if inner else outer


def told(stance: Stance, finding: Finding) -> JsonDict:
    """Added evidence as the trace has it: nothing before, this piece after."""
    return {_FOR if stance == "for" else _AGAINST: [None, _piece(finding)]}


def evidence_back(note: Note, old: JsonDict, new: JsonDict, now: float) -> tuple[Thesis, JsonDict] | None:
    """The thesis with its evidence as before a change, and how that is told; None where the change was not about it.

    Each piece stands for itself: others that came since stay. Conflict `changed_since` where this one is no longer as
    the change left it.
    """
    fields = sorted(EVIDENCE.intersection(old))
    if not fields:
        return None
    thesis, changes = thesis_of(note), JsonDict()
    for field in fields:
        stance, came, went = _STANCES[field], _finding(new[field]), _finding(old[field])
        if (came and not thesis.holds(stance, came)) or (went and thesis.holds(stance, went)):
            raise Conflict(
                "The evidence was changed again since; there is nothing left to take back.",
                code="changed_since",
                next="Look at the thesis: its trace shows what came and went.",
            )
        if came:
            thesis = thesis.without(stance, came)
        if went:
            room(thesis)
            thesis = thesis.with_(stance, Evidence(text=went.text, source=went.source, added_at=moment(now)))
        changes[field] = [new[field], old[field]]
    return thesis, changes


def restorable(fields: Iterable[str], note: Note) -> bool:
    """Whether all these are a thesis' fields, and the note is one."""
    return note.thesis is not None and (FIELDS | EVIDENCE).issuperset(fields)


def _piece(finding: Finding) -> JsonValue:
    return {"text": finding.text, "source": finding.source}


def _finding(piece: JsonValue) -> Finding | None:
    return None if piece is None else Finding.model_validate(piece)
