"""Memories: what is remembered of whoever asks, why it may be used or not, and the receipts. Never anybody else's."""

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import Field

from shared import services
from shared.errors import NotFound
from shared.http import Person
from shared.models.base import Model
from shared.models.memory import Memory, Receipt, Revision
from shared.paging import Cursor, Key, Limit, answer, before, cursor_after
from shared.store import answers

if TYPE_CHECKING:
    from shared.memory.change import Person as Owner

router = APIRouter(prefix="/api/v1/memories")
MemoryId = Annotated[str, Path(min_length=1, max_length=63)]
FACT = 2_000
"""Characters of a fact."""


class MemoriesAnswer(Model):
    """A page of memories, the last changed first."""

    memories: list[Memory]
    next_cursor: str | None


class ChangedAnswer(Model):
    """A memory after a change, and the proof of the change; None where it is not to be seen now."""

    memory: Memory | None
    receipt: Receipt


class ForgottenAnswer(Model):
    """How many memories were to be forgotten, and the proof that they are."""

    forgotten: int
    receipt: Receipt


class RevisionsAnswer(Model):
    """A memory's revisions, newest first; there are never so many that they need a second page."""

    revisions: list[Revision]
    next_cursor: str | None = None


class ReceiptsAnswer(Model):
    """A page of receipts, newest first."""

    receipts: list[Receipt]
    next_cursor: str | None


class CanaryAnswer(Model):
    """What became of the canary: the receipts of its write and of its cleanup."""

    healthy: bool
    written: Receipt | None
    cleaned: Receipt | None
    problem: str


class Corrected(Model):
    """What a memory shall say."""

    fact: str = Field(min_length=1, max_length=FACT, pattern=r"\S")


class Back(Model):
    """Which revision shall be the present one."""

    revision_id: str = Field(min_length=1, max_length=30, pattern=r"^[0-9A-Za-z-]+$")


async def _owner(person: Person) -> "Owner":
    # Loaded here: where memory is off, nobody asks, and nothing of it is loaded.
    from shared.memory import change

    return await change.person(services.current(), person.tenant, person.subject)


async def _now(owner: "Owner", memory_id: str) -> Memory | None:
    from shared.memory import change

    try:
        return await change.shown(owner, memory_id)
    except NotFound:
        return None  # the receipt says what is wrong


@router.get("", response_model=MemoriesAnswer)
async def page(
    request: Request,
    person: Person,
    limit: Limit = 50,
    cursor: Annotated[str | None, Query(max_length=63)] = None,
) -> Response:
    """What is remembered of me, and whether each may be used."""
    from shared.memory import change

    found = await change.everything(await _owner(person))
    if cursor is not None:
        at = next((number for number, one in enumerate(found) if one.id == cursor), len(found))
        found = found[at + 1 :]
    following = found[limit - 1].id if len(found) > limit else None
    return answer(request, MemoriesAnswer(memories=found[:limit], next_cursor=following))


@router.delete("")
async def forget_all(person: Person) -> ForgottenAnswer:
    """Forget everything that is remembered of me."""
    from shared.memory import change

    count, receipt = await change.forget_all(await _owner(person))
    return ForgottenAnswer(forgotten=count, receipt=receipt)


@router.get("/receipts", response_model=ReceiptsAnswer)
async def receipts(request: Request, person: Person, limit: Limit = 50, cursor: Cursor = None) -> Response:
    """The proofs of what was done with my memories, and of each time that they were looked for."""
    owner = await _owner(person)
    scope = owner.references.scope(owner.scope)
    found = await owner.memories.receipts(scope, before=before(cursor), limit=limit)
    following = cursor_after([one.id for one in found], limit)
    return answer(request, ReceiptsAnswer(receipts=found, next_cursor=following))


@router.post("/canary")
async def canary(request: Request, person: Person, idempotency_key: Key = None) -> CanaryAnswer:
    """Try the memory service with a harmless fact of nobody's; one test at a time. 409 `canary_running` beside it."""
    from shared.memory.canary import sing_once

    kept = answers.key(person.tenant, request.url.path, idempotency_key, b"")
    song = await sing_once(services.current(), person.tenant, kept)
    return CanaryAnswer(healthy=song.healthy, written=song.written, cleaned=song.cleaned, problem=song.problem)


@router.patch("/{memory_id}")
async def edit(memory_id: MemoryId, wanted: Corrected, person: Person) -> ChangedAnswer:
    """Correct a memory."""
    from shared.memory import change

    owner = await _owner(person)
    receipt = await change.edit(owner, memory_id, wanted.fact.strip())
    return ChangedAnswer(memory=await _now(owner, memory_id), receipt=receipt)


@router.delete("/{memory_id}")
async def forget(memory_id: MemoryId, person: Person) -> ForgottenAnswer:
    """Forget one memory."""
    from shared.memory import change

    return ForgottenAnswer(forgotten=1, receipt=await change.forget(await _owner(person), memory_id))


@router.get("/{memory_id}/revisions", response_model=RevisionsAnswer)
async def revisions(memory_id: MemoryId, request: Request, person: Person) -> Response:
    """What a memory said before."""
    from shared.memory import change

    return answer(request, RevisionsAnswer(revisions=await change.revisions(await _owner(person), memory_id)))


@router.post("/{memory_id}/rollback")
async def roll_back(memory_id: MemoryId, wanted: Back, person: Person) -> ChangedAnswer:
    """Bring an earlier revision back; later ones are dropped."""
    from shared.memory import change

    owner = await _owner(person)
    receipt = await change.roll_back(owner, memory_id, wanted.revision_id)
    return ChangedAnswer(memory=await _now(owner, memory_id), receipt=receipt)
