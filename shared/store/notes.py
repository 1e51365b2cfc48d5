"""Notes in the store: the note, the parts of a long body, its trace and its entry in the search index."""

from collections.abc import Sequence
from typing import Literal

from pydantic import JsonValue

from shared.errors import Conflict, NotFound
from shared.events.trace import TRACE_EVENT, TraceEvent
from shared.models.base import JsonDict
from shared.models.ids import is_id, numbered
from shared.models.note import INLINE_BODY, Note
from shared.store.documents import Document, Documents, Expect, Query, Where, Write
from shared.store.records import MAX_BATCH, Stored, parse, until_settled

PART = 100_000
"""Bytes (UTF-8) in one part of a long body."""


def split(body: str) -> tuple[str, list[str]]:
    """A body's beginning and its further parts, cut between characters."""
    raw = body.encode()
    pieces: list[str] = []
    at = 0
    while at < len(raw):
        end = min(at + (INLINE_BODY if not pieces else PART), len(raw))
        while end < len(raw) and raw[end] & 0xC0 == 0x80:
            end -= 1
        pieces.append(raw[at:end].decode())
        at = end
    return (pieces[0], pieces[1:]) if pieces else ("", [])


class Notes:
    """The notes of one tenant."""

    def __init__(self, documents: Documents, tenant: str) -> None:
        self._documents = documents
        self._tenant = tenant
        self._parent = f"tenants/{tenant}"

    def path(self, note_id: str) -> str:
        """Where a note lives."""
        if not is_id(note_id):
            raise NotFound("There is no such note.", code="note_not_found")
        return f"{self._parent}/notes/{note_id}"

    async def find(self, note_id: str) -> Stored[Note] | None:
        """A note, in the bin or not, or None."""
        if not is_id(note_id):
            return None
        document = await self._documents.get(self.path(note_id))
        return _parsed(document) if document else None

    async def get(self, note_id: str) -> Stored[Note]:
        """A note, in the bin or not."""
        found = await self.find(note_id)
        if found is None:
            raise NotFound("There is no such note.", code="note_not_found")
        return found

    async def get_many(self, note_ids: Sequence[str]) -> list[Note]:
        """Those of the notes that exist, in the order asked."""
        found = await self._documents.get_many([self.path(note_id) for note_id in note_ids])
        return [_parsed(document).value for document in found if document]

    async def body(self, note: Note) -> str:
        """The whole body; Conflict where an edit replaced its parts since the note was read."""
        if not note.body_parts:
            return note.body
        parts = await self._documents.get_many([self._part(note, n) for n in range(1, note.body_parts + 1)])
        if not all(parts):
            raise Conflict("The note was changed while it was read.", next="Read it again.")
        return note.body + "".join(str(part.data["text"]) for part in parts if part)

    async def whole(self, note_id: str) -> Note:
        """A note with its whole body."""

        async def attempt() -> Note:
            note = (await self.get(note_id)).value
            return note.model_copy(update={"body": await self.body(note)}) if note.body_parts else note

        return await until_settled(attempt)

    def _part(self, note: Note, number: int) -> str:
        return f"{self.path(note.id)}/body/{numbered(note.body_version)}-{numbered(number)}"

    async def trace(self, note_id: str, limit: int = 100) -> list[TraceEvent]:
        """The newest events of the note's trace, oldest first."""
        query = Query("trace", self.path(note_id), descending=True, limit=limit)
        found = await self._documents.query(query)
        return [TRACE_EVENT.validate_python(document.data) for document in reversed(found)]

    async def next_seq(self, note_id: str) -> int:
        """Number of the trace's next event."""
        newest = await self._documents.query(Query("trace", self.path(note_id), descending=True, limit=1))
        return int(newest[0].id) + 1 if newest else 1

    async def page(
        self,
        *,
        kind: str | None = None,
        tag: str | None = None,
        deleted: bool = False,
        before: str | None = None,
        limit: int = 50,
    ) -> list[Note]:
        """Notes, newest first."""
        where = [Where("deleted", "==", deleted)]
        if kind:
            where.append(Where("kind", "==", kind))
        if tag:
            where.append(Where("tags", "contains", tag))
        query = Query("notes", self._parent, tuple(where), descending=True, before=before, limit=limit)
        return [_parsed(document).value for document in await self._documents.query(query)]

    def put(
        self, note: Note, expect: str | Expect, *, body: str | None = None, previous: Note | None = None
    ) -> list[Write]:
        """The writes that store a note; `body` is its whole new body where that changes.

        `previous` is the note as read: what has not changed of it is not written again.
        """
        note, parts = self._laid_out(note, body, previous)
        return [Write(self.path(note.id), _dressed(note), expect), *parts, *self._index(note, previous)]

    async def commit(
        self, note: Note, expect: str, *, body: str | None, previous: Note, also: Sequence[Write] = ()
    ) -> Note:
        """Store a changed note together with other writes; the note as it is stored."""
        note, parts = self._laid_out(note, body, previous)
        write = Write(self.path(note.id), _dressed(note), expect)
        await self._documents.commit([write, *parts, *self._index(note, previous), *also])
        return note

    def _laid_out(self, note: Note, body: str | None, previous: Note | None) -> tuple[Note, list[Write]]:
        """The note as its document holds it, and the writes of the parts that continue its body."""
        if body is None:
            return note, []
        head, texts = split(body)
        laid_out = note.model_copy(update={"body": head, "body_parts": len(texts), "body_version": note.revision})
        writes = [Write(self._part(laid_out, n), {"text": text}) for n, text in enumerate(texts, 1)]
        if previous:
            writes += [Write(self._part(previous, n), None) for n in range(1, previous.body_parts + 1)]
        return laid_out, writes

    def _index(self, note: Note, previous: Note | None) -> list[Write]:
        path = f"{self._parent}/search/{note.id}"
        if note.deleted_at:
            return [Write(path, None)] if previous and not previous.deleted_at else []
        if previous is None or previous.deleted_at or _indexed(previous) != _indexed(note):
            return [Write(path, _entry(note))]
        return []

    def trace_write(self, note_id: str, event: TraceEvent, expect: str | Expect = Expect.ABSENT) -> Write:
        """One trace event as a write."""
        return Write(f"{self.path(note_id)}/trace/{numbered(event.seq)}", event.model_dump(mode="json"), expect)

    async def children(self, note_id: str, collection: Literal["trace", "body"]) -> list[Write]:
        """Deletions of what is below a note, as much as a commit takes."""
        found = await self._documents.query(Query(collection, self.path(note_id), limit=MAX_BATCH))
        return [Write(document.path, None) for document in found]

    async def clear(self, note_id: str) -> None:
        """Delete everything below a note that is gone."""
        for collection in ("trace", "body"):
            while writes := await self.children(note_id, collection):
                await self._documents.commit(writes)

    def remove(self, note_id: str, expect: str | Expect) -> list[Write]:
        """Deletion of the note itself."""
        return [Write(f"{self._parent}/search/{note_id}", None), Write(self.path(note_id), None, expect)]


def _dressed(note: Note) -> JsonDict:
    # Stored beside deleted_at because a query can ask for a value, not for "any value".
    return {**note.document(), "deleted": note.deleted_at is not None}


def _parsed(document: Document) -> Stored[Note]:
    data = {key: value for key, value in document.data.items() if key != "deleted"}
    return parse(Note, Document(document.path, data, document.version))


def _indexed(note: Note) -> tuple[object, ...]:
    return note.title, note.body, note.url, note.tags, note.kind


def _entry(note: Note) -> JsonDict:
    from shared.beginning import indexed  # Its tables are needed where a note is written, and nowhere else.

    title = note.title or ""
    return {
        "tokens": list[JsonValue](indexed(title, f"{note.body}\n{note.url or ''}", note.tags)),
        "kind": note.kind,
        "tags": list(note.tags),
        "title": title,
    }
