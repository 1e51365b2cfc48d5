"""Answers kept under an Idempotency-Key for 24 hours, written in the commit that they protect."""

from dataclasses import dataclass
from hashlib import sha256

from shared.errors import Conflict, Unprocessable
from shared.models.base import moment, rfc3339
from shared.store.documents import Documents, Expect, Write

KEPT_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True)
class Key:
    """One request's key: where it is kept, and the hash of what was asked."""

    path: str
    body_sha256: str


def key(tenant: str, route: str, header: str | None, body: bytes) -> Key | None:
    """The key of a request that carries one."""
    if header is None:
        return None
    if not 1 <= len(header) <= 200 or not header.isprintable():
        raise Unprocessable("Idempotency-Key: 1 to 200 printable characters", next="Send a fresh UUID.")
    name = sha256(f"{route}\x1f{header}".encode()).hexdigest()
    return Key(f"tenants/{tenant}/idempotency/{name}", sha256(body).hexdigest())


def write(kept: Key, target_id: str, now: float) -> Write:
    """The answer to keep: the id of what was made."""
    data = {
        "body_sha256": kept.body_sha256,
        "target_id": target_id,
        "expires_at": rfc3339(moment(now + KEPT_SECONDS)),
    }
    return Write(kept.path, dict(data), Expect.ABSENT)


async def known(documents: Documents, kept: Key, now: float) -> str | None:
    """The id that an earlier request with this key made; Conflict where that one asked for something else."""
    document = await documents.get(kept.path)
    if document is None:
        return None
    if str(document.data["expires_at"]) <= rfc3339(moment(now)):
        # Deleting it is the store's business (a TTL policy); until then it must not stand in the way.
        await documents.commit([Write(kept.path, None, document.version)])
        return None
    if document.data["body_sha256"] != kept.body_sha256:
        raise Conflict(
            "This Idempotency-Key was used for a different request.",
            code="idempotency_mismatch",
            next="Send a fresh key with a new request.",
        )
    return str(document.data["target_id"])
