"""Leases: who is at a piece of work that must not be done twice at once, and how often it was tried."""

from dataclasses import dataclass

from shared.errors import Conflict
from shared.store.documents import Document, Documents, Expect, Write


@dataclass(frozen=True, slots=True)
class Lease:
    """A lease that this process holds."""

    path: str
    attempts: int

    def release(self) -> Write:
        """The write that ends it; it belongs into the commit of the work's result."""
        return Write(self.path, None)

    def again(self) -> Write:
        """The write that lets the next attempt begin at once, and counts this one."""
        return Write(self.path, {"until": 0.0, "attempts": self.attempts})


async def take(documents: Documents, tenant: str, name: str, now: float, seconds: float) -> Lease | None:
    """The lease, or None while somebody else holds it."""
    path = f"tenants/{tenant}/leases/{name}"
    document = await documents.get(path)
    if document and float(str(document.data["until"])) > now:
        return None
    attempts = int(str(document.data["attempts"])) + 1 if document else 1
    try:
        await documents.commit(
            [
                Write(
                    path,
                    {"until": now + seconds, "attempts": attempts, "taken": now},
                    document.version if document else Expect.ABSENT,
                )
            ]
        )
    except Conflict:
        return None
    return Lease(path, attempts)


async def free(documents: Documents, found: Document, born: float) -> bool:
    """Let the next attempt begin at once where the lease was taken before `born` (unix seconds), when its holder died.

    The attempt counts. Whether it was one; a lease that was taken anew meanwhile stays.
    """
    taken, until = found.data.get("taken"), float(str(found.data["until"]))
    if taken is None or float(str(taken)) >= born or until <= born:
        return False
    try:
        await documents.commit([Write(found.path, {**found.data, "until": 0.0}, found.version)])
    except Conflict:
        return False
    return True
