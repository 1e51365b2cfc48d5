"""The implementations that each contract runs on. A new one is one more fixture and its name in the list."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from infra.local.clock import VirtualClock
from infra.local.store.documents import SqliteDocuments
from infra.local.store.pump import Backoff
from infra.local.store.queue import SqliteBus, Subscription
from shared.store.documents import Documents
from shared.store.firestore import FirestoreDocuments
from tests.contracts.subscribers import BusUnderTest, Subscriber
from tests.emulators.fixtures import firestore_emulator, project

__all__ = ["firestore_emulator", "project"]

DOCUMENTS = ["sqlite", "firestore"]
BUSES = ["sqlite"]


@pytest.fixture(params=DOCUMENTS)
def documents(request: pytest.FixtureRequest) -> Documents:
    found: Documents = request.getfixturevalue(f"{request.param}_documents")
    return found


@pytest.fixture
def sqlite_documents(tmp_path: Path) -> Iterator[SqliteDocuments]:
    with SqliteDocuments(tmp_path) as opened:
        yield opened


@pytest.fixture
async def firestore_documents(
    firestore_emulator: str, project: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[FirestoreDocuments]:
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", firestore_emulator)
    opened = FirestoreDocuments(project)
    yield opened
    await opened.close()


@pytest.fixture(params=BUSES)
def bus(request: pytest.FixtureRequest) -> BusUnderTest:
    found: BusUnderTest = request.getfixturevalue(f"{request.param}_bus")
    return found


@pytest.fixture
async def sqlite_bus(sqlite_documents: SqliteDocuments) -> AsyncIterator[BusUnderTest]:
    all_notes, research = Subscriber(), Subscriber()
    bus = SqliteBus(
        sqlite_documents,
        [
            Subscription("all", "note-events", all_notes),
            Subscription(
                "research",
                "note-events",
                research,
                filter={"research": "true"},
                backoff=Backoff(1, 4),
            ),
        ],
        clock=VirtualClock(),
    )
    yield BusUnderTest(bus, bus.run, all_notes, research)
