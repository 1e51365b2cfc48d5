"""Finding notes: the same search for the web client and for the agent. It leaves the bin out and ranks nothing."""

from shared.models.note import Kind, Note
from shared.search import words
from shared.store.documents import Documents
from shared.store.notes import Notes


async def find(
    documents: Documents, tenant: str, question: str, *, kind: Kind | None = None, tag: str | None = None, limit: int
) -> list[Note]:
    """The notes that hold any of the question's words, best first; of a long body only the beginning is there."""
    hits = await documents.search(tenant, words(question), kind=kind, tag=tag, limit=limit)
    found = await Notes(documents, tenant).get_many([hit.id for hit in hits])
    return [note for note in found if not note.deleted_at]
