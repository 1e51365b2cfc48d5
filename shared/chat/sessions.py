"""Conversations as a person handles them: begin, rename, delete, find the change that is to be taken back."""

from shared.chat.turns import alive
from shared.errors import Conflict, NotFound
from shared.events.trace import ToolResult, Undo
from shared.models.base import moment
from shared.models.chat import ChatSession
from shared.models.ids import ulid
from shared.store import answers
from shared.store.chats import HOUSE, Chats
from shared.store.documents import Documents, Expect, Query, Where, Write
from shared.store.records import MAX_BATCH, until_settled

KEPT = ("events", "asked", "begun")
"""What may stand below a run; the ledger of effects stays, it holds ids alone."""


async def begin(
    documents: Documents,
    tenant: str,
    now: float,
    *,
    subject: str,
    title: str | None,
    incognito: bool,
    key: answers.Key | None,
) -> ChatSession:
    """Store a new conversation of this person's; a repeat of the same request answers the one that is there."""
    chats = Chats(documents, tenant, subject)

    async def attempt() -> ChatSession:
        if key and (known := await answers.known(documents, key, now)):
            return (await chats.get(known)).value
        session = ChatSession(
            id=ulid(now),
            created_at=moment(now),
            updated_at=moment(now),
            subject=subject,
            title=title,
            incognito=incognito,
        )
        writes = [chats.put(session, Expect.ABSENT)]
        if key:
            writes.append(answers.write(key, session.id, now))
        await documents.commit(writes)
        return session

    return await until_settled(attempt)


async def rename(
    documents: Documents, tenant: str, session_id: str, title: str, now: float, *, subject: str, expected: int | None
) -> ChatSession:
    """Give it another title; Conflict `revision_conflict` where it is no longer the one that the person saw."""
    chats = Chats(documents, tenant, subject)

    async def attempt() -> ChatSession:
        stored = await chats.get(session_id)
        if expected is not None and stored.value.revision != expected:
            raise Conflict("The conversation went on meanwhile.", code="revision_conflict", next="Read it again.")
        session = stored.value.changed(now, title=title.strip())
        await documents.commit([chats.put(session, stored.version)])
        return session

    return await until_settled(attempt)


async def delete(documents: Documents, tenant: str, session_id: str, now: float, *, subject: str = HOUSE) -> None:
    """Delete it with all its events. Conflict `turn_running` while an answer is being written."""
    chats = Chats(documents, tenant, subject)

    async def attempt() -> None:
        stored = await chats.get(session_id)
        if stored.value.turn and alive(stored.value.turn, now):
            raise Conflict(
                "An answer is still being written in this conversation.",
                code="turn_running",
                next="Wait for it, or stop it; then delete.",
            )
        # From here on nobody can say anything in it.
        await documents.commit([chats.put(stored.value.changed(now, deleted=True), stored.version)])

    await until_settled(attempt)
    await forget(documents, tenant, session_id)


async def forget(documents: Documents, tenant: str, session_id: str) -> None:
    """Remove what a deleted conversation still holds; a repeat goes on where a death ended it."""
    chats = Chats(documents, tenant)
    # Children first: a session that is gone could not lead to them.
    while writes := await chats.children(session_id):
        await documents.commit(writes)
    await _forget_runs(documents, tenant, session_id)
    await documents.commit([Write(chats.path(session_id), None)])


async def _forget_runs(documents: Documents, tenant: str, session_id: str) -> None:
    """The runs of a conversation, and what those of several agents kept to go on with."""
    where = (Where("session_id", "==", session_id),)
    while found := await documents.query(Query("runs", f"tenants/{tenant}", where, limit=100)):
        for run in found:
            for kept in KEPT:
                while below := await documents.query(Query(kept, run.path, limit=MAX_BATCH)):
                    await documents.commit([Write(document.path, None) for document in below])
        await documents.commit([Write(run.path, None) for run in found])


async def change(documents: Documents, tenant: str, session_id: str, seq: int, *, subject: str) -> Undo:
    """What the tool result with this number changed."""
    chats = Chats(documents, tenant, subject)
    await chats.get(session_id)
    found = await chats.events(session_id, after=seq - 1, limit=1)
    event = found[0] if found and found[0].seq == seq else None
    if not isinstance(event, ToolResult) or event.undo is None:
        raise NotFound(
            "Nothing was changed at this point of the conversation.",
            code="nothing_to_undo",
            next="Choose a step that changed a note or a task.",
        )
    return event.undo
