"""Whose conversations a list finds, over every store; those from before there were owners are found once marked."""

import asyncio
from collections.abc import Sequence

import pytest

from shared.models.base import moment
from shared.models.chat import EVERYONE, ChatSession, Turn
from shared.models.ids import ulid
from shared.store import chats
from shared.store.chats import Chats
from shared.store.documents import Document, Documents, Expect, Query, Write

START = 1_700_000_000.0


async def kept(documents: Documents, at: float, subject: str | None) -> str:
    """A session; one without an owner is stored as it was before there were any."""
    session = ChatSession(id=ulid(at), created_at=moment(at), updated_at=moment(at), revision=7)
    data = {**session.document(), "subject": subject}
    if subject is None:
        del data["subject"]
    await documents.commit([Write(Chats(documents, "x").path(session.id), data, Expect.ABSENT)])
    return session.id


async def listed(documents: Documents, subject: str, limit: int) -> list[str]:
    found: list[str] = []
    while page := await Chats(documents, "x", subject).page(before=found[-1] if found else None, limit=limit):
        found += [session.id for session in page]
    return found


async def stored(documents: Documents) -> list[Document]:
    return await documents.query(Query("chat_sessions", "tenants/x"))


@pytest.mark.parametrize("limit", [1, 3, 100])
async def test_they_stand_behind_ones_own_however_many_there_are(
    documents: Documents, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr(chats, "MAX_BATCH", 2)
    before = [await kept(documents, START + number, None) for number in range(5)]
    mine = [await kept(documents, START + 10 + number, "me") for number in range(3)]
    theirs = await kept(documents, START + 20, "colleague")
    assert await listed(documents, "me", limit) == [*mine[::-1], *before[::-1]]
    assert await listed(documents, "colleague", limit) == [theirs, *before[::-1]]
    marked = (await stored(documents))[:5]
    # What a person has seen of it is still the newest.
    assert {(one.data["subject"], one.data["revision"]) for one in marked} == {(EVERYONE, 7)}


async def test_lists_at_the_same_moment_mark_them_once(documents: Documents) -> None:
    before = [await kept(documents, START + number, None) for number in range(5)]
    pages = await asyncio.gather(*[listed(documents, subject, 100) for subject in ("me", "colleague")])
    assert pages == [before[::-1]] * 2
    versions = [one.version for one in await stored(documents)]
    await listed(documents, "me", 100)
    assert [one.version for one in await stored(documents)] == versions


async def test_a_death_on_the_way_loses_none(documents: Documents, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chats, "MAX_BATCH", 2)
    before = [await kept(documents, START + number, None) for number in range(5)]
    commit, commits = type(documents).commit, 0

    async def dying(self: Documents, writes: Sequence[Write]) -> None:
        nonlocal commits
        commits += 1
        if commits == 2:
            raise RuntimeError("the process dies")
        await commit(self, writes)

    monkeypatch.setattr(type(documents), "commit", dying)
    with pytest.raises(RuntimeError):
        await listed(documents, "me", 100)
    # One that was marked otherwise, as everything is that is written, hides none of the others.
    (oldest, *_) = await stored(documents)
    assert oldest.data["subject"] == EVERYONE
    assert await listed(documents, "me", 100) == before[::-1]


async def test_the_house_sees_to_all(documents: Documents) -> None:
    made = [await kept(documents, START + at, subject) for at, subject in enumerate((None, "me", "colleague"))]
    assert [session.id for session in await Chats(documents, "x").page()] == made[::-1]
    assert [(await Chats(documents, "x").get(one)).value.id for one in made] == made


async def test_what_waits_is_found_for_its_person(documents: Documents) -> None:
    subjects = ("me", "colleague", EVERYONE, "me")
    for at, subject in enumerate(subjects):
        when = moment(START + at)
        turn = Turn(id=ulid(START), status="waiting" if at < 3 else "done", lease_until=when, first_seq=1)
        session = ChatSession(id=ulid(START + at), created_at=when, updated_at=when, subject=subject, turn=turn)
        await documents.commit([Chats(documents, "x").put(session, Expect.ABSENT)])
    for subject, found in (("me", [EVERYONE, "me"]), ("colleague", [EVERYONE, "colleague"])):
        assert [one.subject for one in await Chats(documents, "x", subject).waiting(5)] == found
    assert len(await Chats(documents, "x", "me").waiting(1)) == 1
