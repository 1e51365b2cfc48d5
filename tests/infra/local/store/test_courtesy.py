"""Background work lets people go first between its steps, for a while; people's own reads and writes never wait."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from infra.local.store import courtesy
from infra.local.store.courtesy import courteous
from infra.local.store.documents import SqliteDocuments
from shared.store.documents import Write

NOTE = "tenants/t/notes/01arz3ndektsv4rrffq69g5fav"


@pytest.fixture
def documents(tmp_path: Path) -> Iterator[SqliteDocuments]:
    with SqliteDocuments(tmp_path) as opened:
        yield opened


@pytest.mark.parametrize("step", ["read", "commit"])
async def test_each_step_of_background_work_waits_while_a_person_waits(documents: SqliteDocuments, step: str) -> None:
    nobody_waits = asyncio.Event()

    async def give_way() -> None:
        await nobody_waits.wait()

    async def background() -> None:
        with courteous(give_way):
            await (documents.get(NOTE) if step == "read" else documents.commit([Write(NOTE, {"by": "background"})]))

    work = asyncio.create_task(background())
    await documents.commit([Write(NOTE, {"by": "a person"})])
    assert (found := await documents.get(NOTE)) and found.data == {"by": "a person"}
    assert not work.done()
    nobody_waits.set()
    await work


async def test_a_request_that_arrives_just_now_is_seen() -> None:
    open_requests: list[str] = []
    seen: list[bool] = []
    loop = asyncio.get_running_loop()

    async def give_way() -> None:
        seen.append(bool(open_requests))

    def read() -> None:  # as a server does: bytes are read, a task is made of them, and it begins
        loop.call_soon(open_requests.append, "request")

    loop.call_soon(read)
    with courteous(give_way):
        await courtesy.step()
    assert seen == [True]


async def test_patience_ends_and_the_piece_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    given = 0

    async def give_way() -> None:
        nonlocal now, given
        now += courtesy.PATIENCE * 0.6
        given += 1

    monkeypatch.setattr(courtesy, "time", SimpleNamespace(monotonic=lambda: now))
    for _ in range(2):
        with courteous(give_way):
            for _ in range(5):
                await courtesy.step()
    assert given == 4, "two steps of each piece"
