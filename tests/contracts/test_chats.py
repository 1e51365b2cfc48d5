"""Whose conversations a list finds, over every store."""

import pytest

from shared.errors import Forbidden
from shared.models.base import moment
from shared.models.chat import EVERYONE, ChatSession, Turn
from shared.models.ids import ulid
from shared.store.chats import Chats
from shared.store.documents import Document, Documents, Expect, Query

START = 1_700_000_000.0


async def kept(documents: Documents, at: float, subject: str) -> str:
    session = ChatSession(id=ulid(at), created_at=moment(at), updated_at=moment(at), subject=subject)
    await documents.commit([Chats(documents, "x").put(session, Expect.ABSENT)])
    return session.id


async def listed(documents: Documents, subject: str, limit: int) -> list[str]:
    found: list[str] = []
    while page := await Chats(documents, "x", subject).page(before=found[-1] if found else None, limit=limit):
        found += [session.id for session in page]
    return found


async def stored(documents: Documents) -> list[Document]:
    return await documents.query(Query("chat_sessions", "tenants/x"))


@pytest.mark.parametrize("limit", [1, 3, 100])
async def test_a_list_holds_ones_own_and_everyones(documents: Documents, limit: int) -> None:
    everyones = [await kept(documents, START + number, EVERYONE) for number in range(5)]
    mine = [await kept(documents, START + 10 + number, "me") for number in range(3)]
    theirs = await kept(documents, START + 20, "colleague")
    before = await stored(documents)
    assert await listed(documents, "me", limit) == [*mine[::-1], *everyones[::-1]]
    assert await listed(documents, "colleague", limit) == [theirs, *everyones[::-1]]
    assert await stored(documents) == before


async def test_anothers_is_forbidden(documents: Documents) -> None:
    theirs = await kept(documents, START, "colleague")
    with pytest.raises(Forbidden) as caught:
        await Chats(documents, "x", "me").get(theirs)
    assert (caught.value.status, caught.value.code) == (403, "not_yours")
    assert (await Chats(documents, "x", "colleague").get(theirs)).value.id == theirs


async def test_the_house_sees_to_all(documents: Documents) -> None:
    made = [await kept(documents, START + at, subject) for at, subject in enumerate((EVERYONE, "me", "colleague"))]
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
