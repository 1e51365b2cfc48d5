"""Finding notes: the same search for the web client and for the agent. It leaves the bin out."""

from shared import beginning
from shared.models.note import Kind, Note
from shared.search import words
from shared.store.documents import Documents
from shared.store.notes import Notes
from shared.witness import is_own

BEHIND = 0.66
"""What the score of a question, a report or a routine's note counts: its title repeats what was asked, and words in
a title count half as much again. So of equal words a person's own note comes first, whatever it is called."""

MORE = 20
"""Hits that are looked at beyond those that are asked for: a few runs of research on a subject make as many."""


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
    hits = await documents.search(tenant, wanted, kind=kind, tag=tag, limit=limit + MORE)
    scores = {hit.id: hit.score for hit in hits}
    found = [note for note in await Notes(documents, tenant).get_many(list(scores)) if not note.deleted_at]
    return sorted(found, key=lambda note: -scores[note.id] * (1.0 if is_own(note) else BEHIND))[:limit]
