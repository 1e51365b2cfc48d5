"""A message that was given up becomes an entry of its tenant's activity, so that somebody sees it, and nothing more.

What it asked for is found by the sweep; this is for a person who wonders why something came late.
"""

import logging
from collections.abc import Mapping

from shared.errors import Conflict
from shared.models.activity import DeadLetter
from shared.models.base import moment
from shared.models.ids import derived, ulid_floor
from shared.store.activity import Activities
from shared.store.documents import Documents

log = logging.getLogger("memex")


async def record(
    documents: Documents,
    *,
    subscription: str,
    message_id: str,
    attributes: Mapping[str, str],
    attempts: int,
    published_at: float,
    died_at: float,
    reason: str,
) -> bool:
    """Record it once, however often it is told; False where it names no tenant. Times are unix seconds."""
    tenant = attributes.get("tenant", "")
    if not tenant or "/" in tenant:
        log.error("a message that names no tenant was given up at %s", subscription)
        return False
    entry = DeadLetter(
        id=derived(ulid_floor(published_at), subscription, message_id),
        at=moment(died_at),
        subscription=subscription[:100],
        message_id=message_id[:100],
        attributes={key[:100]: value[:200] for key, value in list(attributes.items())[:20] if key != "tenant"},
        attempts=attempts,
        reason=reason[:200],
    )
    try:
        await documents.commit([Activities(documents, tenant).put(entry)])
    except Conflict:
        pass  # it was told twice
    return True
