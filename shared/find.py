"""Finding notes: the same search for the web client and for the agent. It leaves the bin out and ranks nothing."""

from shared import beginning
from shared.models.note import Kind, Note
from shared.search import words
from shared.store.documents import Documents
from shared.store.notes import Notes


async def find(
    documents: Documents,
    tenant: str,
    question: str,
    *,
    kind: Kind | None = None,
    tag: str | None = None,
    limit: int,
    typing: bool = False,
) -> list[Note]:
    """The notes that hold any of the question's words, best first; of a long body only the beginning is there.

    Where the question is `typing`, its last word may be one that only begins so.
    """
    wanted = words(question)
    if typing and (begun := beginning.asked(question)):
        wanted.append(begun)
    hits = await documents.search(tenant, wanted, kind=kind, tag=tag, limit=limit)
    found = await Notes(documents, tenant).get_many([hit.id for hit in hits])
    return [note for note in found if not note.deleted_at]
