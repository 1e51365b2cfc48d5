"""Tools over theses: write one down, add evidence. A thesis is a note; nothing here judges it."""

from typing import Any

from shared.edit import not_reserved
from shared.errors import Conflict, Forbidden
from shared.events.trace import NoteChanged, Undo, User
from shared.gateway.tool import Errand, Outcome, Tool
from shared.models.base import moment
from shared.models.ids import ulid
from shared.models.note import Note
from shared.models.thesis import AddEvidence, CreateThesis, Evidence, Finding, Thesis
from shared.net.address import normal, normals
from shared.store import effects
from shared.store.documents import Expect
from shared.store.notes import Notes
from shared.store.records import until_settled
from shared.thesis import room, thesis_of, told
from shared.tools.notes import alive
from shared.tools.shapes import ChangedNote, NoteDone, link, plain


async def _create(errand: Errand, asked: CreateThesis) -> Outcome:
    not_reserved(asked.tags or ())
    documents, now = errand.doors.documents, errand.doors.now()
    notes = Notes(documents, errand.tenant)

    async def attempt() -> Note:
        if done := await effects.known(documents, errand.effect, now):
            return (await notes.get(done.target_id)).value
        note = _drafted(asked, now)
        kept = effects.write(errand.effect, note.id, now, _made(note.id))
        await documents.commit([*notes.put(note, Expect.ABSENT, body=note.body), kept])
        return note

    note = await until_settled(attempt)
    done = ChangedNote(note_id=note.id, link=link(note.id), kind=note.kind, tags=note.tags)
    return Outcome(plain(NoteDone(note=done)), undo=_made(note.id))


def _made(note_id: str) -> NoteChanged:
    return NoteChanged(type="note_created", note_id=note_id)


def _drafted(asked: CreateThesis, now: float) -> Note:
    return Note(
        id=ulid(now),
        created_at=moment(now),
        updated_at=moment(now),
        kind="thesis",
        title=asked.statement.strip(),
        body=asked.text or "",
        tags=asked.tags or [],
        thesis=Thesis(
            status=asked.status,
            confidence=asked.confidence,
            supporting=[_evidence(one, now) for one in asked.evidence_for],
            opposing=[_evidence(one, now) for one in asked.evidence_against],
        ),
    )


def _evidence(finding: Finding, now: float) -> Evidence:
    return Evidence(text=finding.text, source=finding.source, added_at=moment(now))


async def _add(errand: Errand, asked: AddEvidence) -> Outcome:
    documents, now = errand.doors.documents, errand.doors.now()
    notes = Notes(documents, errand.tenant)

    async def attempt() -> Undo | None:
        found = await notes.get(asked.note_id)
        # After what the decision rests on: what is found in its way may be this very change.
        if done := await effects.known(documents, errand.effect, now):
            return done.undo
        thesis = _thesis(found.value)
        if thesis.holds(asked.stance, asked.finding):
            return None
        room(thesis)
        seq = await notes.next_seq(asked.note_id)
        event = User(seq=seq, at=moment(now), text="Evidence added", changes=told(asked.stance, asked.finding))
        way_back = NoteChanged(type="note_changed", note_id=asked.note_id, seq=seq)
        await notes.commit(
            found.value.changed(now, thesis=thesis.with_(asked.stance, _evidence(asked.finding, now))),
            found.version,
            body=None,
            previous=found.value,
            also=[notes.trace_write(asked.note_id, event), effects.write(errand.effect, asked.note_id, now, way_back)],
        )
        return way_back

    undo = await until_settled(attempt)
    done = ChangedNote(note_id=asked.note_id, link=link(asked.note_id), changed=["thesis"] if undo else [])
    return Outcome(plain(NoteDone(note=done, message=None if undo else "This evidence is there already.")), undo=undo)


def _thesis(note: Note) -> Thesis:
    if note.deleted_at:
        raise Conflict("The thesis is in the bin.", code="note_deleted", next="Restore it first.")
    return thesis_of(note)


async def possible(errand: Errand, asked: CreateThesis | AddEvidence) -> None:
    """What an agent proposes has to rest on something: notes that are there, pages that it was given or has read."""
    if isinstance(asked, AddEvidence):
        thesis = _thesis((await Notes(errand.doors.documents, errand.tenant).get(asked.note_id)).value)
        room(thesis)
        findings = [asked.finding]
    else:
        not_reserved(asked.tags or ())
        findings = [*asked.evidence_for, *asked.evidence_against]
    known = normals(errand.addresses)
    for finding in findings:
        if finding.note_id:
            await alive(errand, finding.note_id)
        elif normal(finding.source) not in known:
            raise Forbidden(
                "source: this page was neither given by the person nor read here",
                code="source_unread",
                next="Name a note or a page that was read.",
            )


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "create_thesis",
        "Write a thesis down: a statement that may be wrong, with evidence for and against, each with its source.",
        CreateThesis,
        _create,
        answer=NoteDone,
    ),
    Tool("add_evidence", "Add evidence for or against a thesis, with its source.", AddEvidence, _add, answer=NoteDone),
)
