"""What TTL policies do in the cloud: documents whose `expires_at` is past are deleted. It reads no others."""

import asyncio
from contextlib import closing

from infra.local.store import paths, schema
from infra.local.store.documents import SqliteDocuments
from shared.errors import Conflict
from shared.models.base import moment, rfc3339
from shared.store.documents import Write

COLLECTIONS = ("idempotency", "memory_canaries", "memory_names", "receipts")
"""Those that infra/gcp/firestore.tf has a policy for."""
BATCH = 400
_PAST = """SELECT scope, id, version FROM documents
    WHERE collection = ? AND json_extract(data, '$.expires_at') <= ? LIMIT ?"""


async def end(documents: SqliteDocuments) -> int:
    """Delete what is past its time; how many documents that were."""
    ended = 0
    for collection in COLLECTIONS:
        while writes := await asyncio.to_thread(_past, documents, collection):
            try:
                await documents.commit(writes)
            except Conflict:
                break  # one of them was written anew just now; the next round looks again
            ended += len(writes)
    return ended


def _past(documents: SqliteDocuments, collection: str) -> list[Write]:
    now = rfc3339(moment(documents.now()))
    with closing(schema.connect(documents.folder, writes=False)) as db:
        found = db.execute(_PAST, (collection, now, BATCH)).fetchall()
    return [Write(f"{paths.folder(scope)}/{id}", None, str(version)) for scope, id, version in found]
