"""Records over documents: what the stores of single collections share. It knows no collection of its own."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from shared.errors import Conflict
from shared.models.base import Record
from shared.store.documents import Document, Documents, Expect, Write

R = TypeVar("R", bound=Record)
T = TypeVar("T")

ATTEMPTS = 25
"""Tries of read, decide, commit before a conflict is given up; fifty writers on one document need fewer."""
MAX_BATCH = 400
"""Writes in one commit; Firestore takes 500."""


@dataclass(frozen=True, slots=True)
class Stored(Generic[R]):
    """A record with the version it was read at, which a commit can expect."""

    value: R
    version: str


def parse(model: type[R], document: Document) -> Stored[R]:
    """The record in a document."""
    return Stored(model.model_validate({**document.data, "id": document.id}, strict=False), document.version)


def write(path: str, record: Record, expect: str | Expect) -> Write:
    """One record as a write."""
    return Write(path, record.document(), expect)


async def until_settled(attempt: Callable[[], Awaitable[T]]) -> T:
    """Run *read, decide, commit* until no one else was faster; waits a little longer after each conflict."""
    for turn in range(ATTEMPTS):
        try:
            return await attempt()
        except Conflict as conflict:
            if conflict.code != Conflict.code or turn == ATTEMPTS - 1:
                raise
        await asyncio.sleep(random.uniform(0, 0.005 * 2 ** min(turn, 7)))
    raise AssertionError("unreachable")


async def in_batches(documents: Documents, writes: Sequence[Write]) -> None:
    """Commit writes that need not be atomic, as many as a commit takes at a time."""
    for start in range(0, len(writes), MAX_BATCH):
        await documents.commit(writes[start : start + MAX_BATCH])
