"""Changing notes by a person's word: edit, bin, restore, ask again. Every change leaves its old value in the trace."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field, JsonValue, field_validator, model_validator

from shared import thesis
from shared.changes import Recorded, pieces, recorded, told, told_new
from shared.errors import Conflict, NotFound, Unprocessable
from shared.events.trace import NoteChanged, TraceEvent, Undo, User
from shared.models.base import RESEARCH, RESERVED_TAGS, JsonDict, Model, Tags, moment
from shared.models.note import Enrichment, Note, Origin, web_address
from shared.models.thesis import ThesisChange
from shared.research.claim import wish
from shared.store import answers, effects
from shared.store.documents import Documents, Expect, Write
from shared.store.notes import Notes
from shared.store.records import Stored, until_settled
from shared.store.tasks import Tasks


class Edit(Model):
    """What a person changes of a note; what is left out stays, and null empties what may be empty."""

    title: str | None = Field(default=None, max_length=500)
    body: str | None = None
    summary: str | None = Field(default=None, max_length=2000)
    url: str | None = None
    tags: Tags | None = Field(default=None, max_length=50)
    thesis: ThesisChange | None = None
    """Of a thesis alone."""
    origin: Origin | None = None
    """For imports: the file as it is now; it must be the one that the note came from."""

    @model_validator(mode="after")
    def _never_null(self) -> "Edit":
        for field in ("body", "tags"):
            if field in self.model_fields_set and getattr(self, field) is None:
                raise ValueError(f"{field} may be empty, but not null")
        if self.thesis and {"title", "statement"} <= self.model_fields_set | self.thesis.model_fields_set:
            raise ValueError("a thesis' statement is its title: give one of them")
        return self

    @field_validator("url")
    @classmethod
    def _http_only(cls, url: str | None) -> str | None:
        return web_address(url) if url else None

    def values(self) -> dict[str, Any]:
        """The fields that change, those of a thesis among them."""
        asked = self.model_dump(exclude_unset=True, exclude={"origin", "thesis"})
        inner = self.thesis.model_dump(exclude_unset=True) if self.thesis else {}
        if "statement" in inner:
            inner["title"] = inner.pop("statement").strip()
        return {**asked, **inner}


@dataclass(frozen=True, slots=True)
class Revised:
    """A note after a change, and how that is taken back; `undo` is None where nothing changed."""

    note: Note
    undo: Undo | None


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a change is decided on."""

    note: Note
    body: str
    """The whole body."""
    events: Sequence[TraceEvent] = ()
    """The trace from the number that was asked for."""


@dataclass(frozen=True, slots=True)
class _Decision:
    """What a change makes of a note: its new fields, and its new body where that changes."""

    fields: dict[str, object]
    told: JsonDict
    """Each changed field with its value before and after, for the trace."""
    body: str | None = None


TAGS = 50
"""Tags of one note."""
_SLACK = 200
_OF_A_NOTE = 200
"""Tasks of one note that are looked at."""
_RESTORABLE = frozenset({"title", "summary", "url", "body", "tags"})


async def edit(
    documents: Documents,
    tenant: str,
    note_id: str,
    change: Edit,
    now: float,
    *,
    expected: int | None = None,
    key: answers.Key | None = None,
) -> Note:
    """Apply an edit; Conflict `revision_conflict` where the note is no longer the one that the person saw.

    A repeat under the same key changes nothing and answers the note as it is now.
    """
    return (await revise(documents, tenant, note_id, change, now, expected=expected, key=key)).note


async def revise(
    documents: Documents,
    tenant: str,
    note_id: str,
    change: Edit,
    now: float,
    *,
    expected: int | None = None,
    key: answers.Key | None = None,
    add_tags: Sequence[str] = (),
    by: Literal["person", "tool"] = "person",
) -> Revised:
    """As `edit`, and says how the change is taken back. `add_tags` are added to those that the note has by then.

    A tool leaves the bin and the reserved tags alone.
    """
    asked = change.values()

    def decide(seen: _Seen) -> _Decision:
        note, wanted = seen.note, dict(asked)
        if add_tags:
            wanted["tags"] = _with(wanted.get("tags", note.tags), add_tags)
        if change.thesis:
            thesis.thesis_of(note, "thesis")
        thesis.stated(note, wanted)
        old = _present(seen)
        fields = {field: value for field, value in wanted.items() if value != old[field]}
        changes: JsonDict = {field: [told(old[field]), told(value)] for field, value in fields.items()}
        if by == "tool":
            not_in_the_bin(note)
            not_reserved(tag for tag in fields.get("tags", ()) if tag not in note.tags)
        if RESEARCH in fields.get("tags", []) and RESEARCH not in note.tags:
            fields["research"] = wish(note)
        if change.origin and change.origin != note.origin:
            fields["origin"] = _same_file(note, change.origin)
        return _Decision(thesis.with_fields(note, fields), changes, fields.get("body"))

    return await _change(
        documents, tenant, note_id, now, "Edited", decide, expected=expected, key=key, undo="note_changed"
    )


def _present(seen: _Seen) -> dict[str, object]:
    """The values that an edit can change, as they are."""
    fields: dict[str, object] = seen.note.model_dump(include=set(_RESTORABLE))
    return {**fields, **thesis.values(seen.note), "body": seen.body}


def not_reserved(tags: Iterable[str]) -> None:
    """Unprocessable where one of the tags is reserved: a tag may not buy what nobody asked for."""
    if found := RESERVED_TAGS.intersection(tags):
        raise Unprocessable(
            f"tags: `{min(found)}` is reserved and can't be set by a tool",
            code="reserved_tag",
            next="Call start_research with the note's id where the person wants research; otherwise leave the tag out.",
        )


def not_in_the_bin(note: Note) -> None:
    """Conflict `note_deleted` where the note is in the bin."""
    if note.deleted_at:
        raise Conflict("The note is in the bin.", code="note_deleted", next="Restore it first.")


def _with(tags: list[str], more: Sequence[str]) -> list[str]:
    together = list(dict.fromkeys([*tags, *more]))
    if len(together) > TAGS and len(together) > len(tags):
        raise Unprocessable(f"add_tags: a note has at most {TAGS} tags", next="Take some off first.")
    return together


def _same_file(note: Note, origin: Origin) -> Origin:
    if note.origin is None or note.origin.path != origin.path:
        raise Unprocessable("origin: the note did not come from this file", next="Leave it out.")
    return origin


async def discard(
    documents: Documents,
    tenant: str,
    note_id: str,
    now: float,
    *,
    expected: int | None = None,
    key: answers.Key | None = None,
) -> Note:
    """Move a note to the bin, from where it can be restored for 30 days; a repeat under the same key does nothing."""
    return (await throw_away(documents, tenant, note_id, now, expected=expected, key=key)).note


async def throw_away(
    documents: Documents,
    tenant: str,
    note_id: str,
    now: float,
    *,
    expected: int | None = None,
    key: answers.Key | None = None,
) -> Revised:
    """As `discard`, and says how it is taken back."""

    def decide(seen: _Seen) -> _Decision:
        if seen.note.deleted_at:
            return _Decision({}, {})
        return _Decision({"deleted_at": moment(now)}, {"deleted": [False, True]})

    return await _change(
        documents, tenant, note_id, now, "Moved to the bin", decide, expected=expected, key=key, undo="note_deleted"
    )


async def restore(
    documents: Documents, tenant: str, note_id: str, now: float, *, key: answers.Key | None = None
) -> Note:
    """Bring a note back from the bin; a repeat under the same key does nothing."""

    def decide(seen: _Seen) -> _Decision:
        fields: dict[str, object] = {"deleted_at": None} if seen.note.deleted_at else {}
        return _Decision(fields, {"deleted": [True, False]})

    return (await _change(documents, tenant, note_id, now, "Restored", decide, key=key)).note


async def take_back(
    documents: Documents, tenant: str, note_id: str, seq: int, now: float, *, key: answers.Key | None = None
) -> Note:
    """Give a note the values that it had before the edit that begins with event `seq`: those of its fields alone.

    Conflict `changed_since` where one of these fields is no longer as that edit left it. Nothing is bought by it: a
    tag `research` that comes back is no wish. A repeat under the same key does nothing.
    """

    def decide(seen: _Seen) -> _Decision:
        change = recorded(seen.events, seq)
        own = set(change.old) - _RESTORABLE if change else set()
        if change is None or not change.old or (own and not thesis.restorable(own, seen.note)):
            raise NotFound(
                "The note's trace holds no edit there that could be taken back.",
                code="undo_unknown",
                next="Edit the note by hand; its trace shows the old values.",
            )
        not_in_the_bin(seen.note)
        if evidence := thesis.evidence_back(seen.note, change.old, change.new, now):
            return _Decision({"thesis": evidence[0]}, evidence[1])
        present = _present(seen)
        fields = {field: _before(seen.note, change, field, present[field]) for field in change.old}
        fields = {field: value for field, value in fields.items() if value != present[field]}
        changes: JsonDict = {field: [told(present[field]), told(value)] for field, value in fields.items()}
        body = fields.get("body")
        return _Decision(thesis.with_fields(seen.note, fields), changes, body if isinstance(body, str) else None)

    return (await _change(documents, tenant, note_id, now, "Taken back", decide, key=key, since=seq)).note


def _before(note: Note, change: Recorded, field: str, present: object) -> object:
    """The value that a field gets back."""
    old, new = change.old[field], change.new[field]
    as_left = told_new(present)
    grown: list[JsonValue] = []
    if isinstance(as_left, list) and isinstance(new, list):
        # Enrichment adds tags on its own; they are nobody's later word, and stay.
        grown = [tag for tag in as_left if tag not in new and tag in note.enrichment.tags]
        as_left = [tag for tag in as_left if tag not in grown]
    if field in change.later or as_left != new:
        raise Conflict(
            f"The note's {field} was changed again since; taking back the earlier change would undo that, too.",
            code="changed_since",
            next="Edit the note by hand; its trace shows the old values.",
        )
    return [*old, *(tag for tag in grown if tag not in old)] if isinstance(old, list) else old


async def enrich_again(documents: Documents, tenant: str, note_id: str, now: float) -> Note:
    """Ask for enrichment once more; the note's own trigger starts it."""

    def decide(seen: _Seen) -> _Decision:
        note = seen.note
        not_in_the_bin(note)
        pending = Enrichment(status="pending", tags=note.enrichment.tags)
        return _Decision({"enrichment": pending}, {"enrichment": [note.enrichment.status, "pending"]})

    return (await _change(documents, tenant, note_id, now, "Asked for enrichment", decide)).note


async def _change(
    documents: Documents,
    tenant: str,
    note_id: str,
    now: float,
    text: str,
    decide: Callable[[_Seen], _Decision],
    *,
    expected: int | None = None,
    key: answers.Key | None = None,
    undo: Literal["note_changed", "note_deleted"] | None = None,
    since: int | None = None,
) -> Revised:
    """Read, decide, commit the note with its trace event; a change of nothing writes no more than the key.

    The decision sees the trace from event `since` on. `undo` says as what the change can be taken back.
    """
    notes = Notes(documents, tenant)

    async def attempt() -> Revised:
        found = await notes.get(note_id)
        # More than there are: an event that comes between these two reads must not push the first one out.
        events = [] if since is None else await notes.trace(note_id, await notes.next_seq(note_id) - since + _SLACK)
        body = await notes.body(found.value)
        # After all that the decision rests on: what it finds in its way may be this very change, done by another.
        if key and (done := await effects.known(documents, key, now)):
            return Revised((await notes.get(note_id)).value, done.undo)
        _as_seen(found, expected)
        decision = decide(_Seen(found.value, body, events))
        if not decision.fields:
            if key:
                await documents.commit([effects.write(key, note_id, now, None)])
            return Revised(found.value, None)
        first = await notes.next_seq(note_id)
        way_back = NoteChanged(type=undo, note_id=note_id, seq=first) if undo else None
        kept = [effects.write(key, note_id, now, way_back)] if key else []
        fields = {field: value for field, value in decision.fields.items() if field != "body"}
        boxes = await _boxes(documents, tenant, found.value, body, decision.body, now)
        if boxes.task_ids is not None:
            fields["task_ids"] = boxes.task_ids
        told_of = [
            User(seq=seq, at=moment(now), text=text if seq > first else f"{text}{boxes.told}", changes=changes)
            for seq, changes in enumerate(pieces(decision.told), first)
        ]
        told_writes = [notes.trace_write(note_id, event) for event in told_of]
        note = await notes.commit(
            found.value.changed(now, **fields),
            found.version,
            body=decision.body,
            previous=found.value,
            also=[*told_writes, *boxes.writes, *kept],
        )
        return Revised(note, way_back)

    return await until_settled(attempt)


@dataclass(frozen=True, slots=True)
class _Boxes:
    """What a new body means for the note's tasks."""

    writes: Sequence[Write] = ()
    task_ids: Sequence[str] | None = None
    """The ids that the note has from now on; None where nothing was looked at."""
    told: str = ""
    """What the note's own text does not show of it, for the trace."""


async def _boxes(documents: Documents, tenant: str, note: Note, before: str, body: str | None, now: float) -> _Boxes:
    """The tasks made what their boxes say, where the new body has some turned, written, reworded or taken out.

    Here and not by enriching again: that would cost a model's answer for each edit, and change the note under the
    hands of whoever is editing it. Conflict where a task is changed meanwhile: that is somebody's word, to be read.
    """
    if body is None or not (note.task_ids or "[" in body):
        return _Boxes()
    tasks = Tasks(documents, tenant)
    from shared.enrichment.ticked import followed  # These read a whole text; few requests change a box.
    from shared.enrichment.written import id_of, reworded, taken_out, written

    found = {one.id: one for one in await tasks.page(source_note_id=note.id, limit=_OF_A_NOTE)}
    renamed = {one.id: one for one in reworded(note, before, body, list(found.values()), now)}
    own = list({**found, **renamed}.values())
    new = written(note, before, body, own, now)
    gone = taken_out(note, before, body, own, now)
    changed = {**renamed, **{one.id: one for one in [*followed(note, before, body, own, now), *gone, *new]}}
    # Beyond those that were looked at there may be more.
    known = found.keys() | await tasks.existing([one.id for one in new])
    stored = [await tasks.get(task_id) for task_id in changed if task_id in found]
    if any(one.value != found[one.value.id] for one in stored):
        raise Conflict("A task of the note was changed meanwhile.", next="Read it again.")
    turned = [tasks.put(changed[one.value.id], one.version) for one in stored]
    made = [one for one in new if one.id not in known]
    # By its new words the renamed one is found again, and no second one made of them; its old ones are free.
    ids = [*note.task_ids, *(one.id for one in new), *(id_of(note, one.title) for one in renamed.values())]
    free = {id_of(note, found[task_id].title) for task_id in renamed} - found.keys()
    return _Boxes(
        [*turned, *(tasks.put(one, Expect.ABSENT) for one in made)],
        [task_id for task_id in dict.fromkeys(ids) if task_id not in free],
        _told(dropped=len(gone), renamed=len(renamed)),
    )


def _told(*, dropped: int, renamed: int) -> str:
    """What became of tasks, as the end of a sentence; empty for nothing."""
    counts = ((dropped, "dropped"), (renamed, "renamed"))
    return "".join(f", {count} {'task' if count == 1 else 'tasks'} {what}" for count, what in counts if count)


def _as_seen(found: Stored[Note], expected: int | None) -> None:
    if expected is not None and expected != found.value.revision:
        raise Conflict(
            f"The note was changed meanwhile: it is at revision {found.value.revision}, you saw {expected}.",
            code="revision_conflict",
            next="Read it again and decide which version stays; nothing was overwritten.",
        )
