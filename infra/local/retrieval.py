"""What the stand-in researcher reads: the notes of the tenant whose run it is, whole, best first."""

from collections.abc import Mapping, Sequence

from infra.local.research.researcher import Passage, Retrieve
from shared.models.note import Note
from shared.search import words
from shared.store.documents import Documents
from shared.store.notes import Notes
from shared.witness import may_be_a_source


def retrieve(documents: Documents) -> Retrieve:
    """A search over the notes that may be a source: what research wrote itself is none."""

    async def search(labels: Mapping[str, str], question: str, limit: int) -> Sequence[Passage]:
        tenant = labels.get("tenant", "")
        hits = await documents.search(tenant, words(question), kind=None, tag=None, limit=5 * limit)
        notes = Notes(documents, tenant)
        found = [note for note in await notes.get_many([hit.id for hit in hits]) if may_be_a_source(note)]
        return [Passage(note.id, _title(note), await notes.body(note)) for note in found[:limit]]

    return search


def _title(note: Note) -> str:
    return note.title or note.body.strip().splitlines()[0][:80]
