"""The implementations that each contract runs on. A new one is one more fixture and its name in the list."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from infra.local.clock import VirtualClock
from infra.local.store.documents import SqliteDocuments
from infra.local.store.pump import Backoff
from infra.local.store.queue import SqliteBus, Subscription
from shared.events.pubsub import PubSubBus
from shared.store.documents import Documents
from shared.store.firestore import FirestoreDocuments
from tests.contracts.subscribers import BusUnderTest, Subscriber
from tests.emulators import server
from tests.emulators.fixtures import firestore_emulator, project, pubsub_emulator

__all__ = ["firestore_emulator", "project", "pubsub_emulator"]

DOCUMENTS = ["sqlite", "firestore"]
BUSES = ["sqlite", "pubsub"]


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


@pytest.fixture
async def pubsub_bus(
    pubsub_emulator: str, project: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[BusUnderTest]:
    monkeypatch.setenv("PUBSUB_EMULATOR_HOST", pubsub_emulator)
    all_notes, research = Subscriber(), Subscriber()
    listening = server.listen()
    async with httpx.AsyncClient(base_url=f"http://{pubsub_emulator}/v1/projects/{project}", trust_env=False) as client:
        for topic in ("note-events", "operation-events"):
            (await client.put(f"/topics/{topic}", json={})).raise_for_status()
        for name in ("all", "research"):
            subscription = {
                "topic": f"projects/{project}/topics/note-events",
                "pushConfig": {"pushEndpoint": f"http://{server.address(listening)}/{name}"},
                "retryPolicy": {"minimumBackoff": "0.1s", "maximumBackoff": "0.2s"},
            }
            (await client.put(f"/subscriptions/{name}", json=subscription)).raise_for_status()
    app = Starlette(routes=[_push("all", all_notes), _push("research", research)])

    async def run() -> None:
        async with server.serving(app, listening):
            await asyncio.Event().wait()

    bus = PubSubBus(project)
    yield BusUnderTest(bus, run, all_notes, research, filters=False, counts=False)
    await bus.close()
    listening.close()


def _push(name: str, subscriber: Subscriber) -> Route:
    async def take(request: Request) -> Response:
        try:
            return Response(status_code=await subscriber(await request.json()))
        except ConnectionError:
            return Response(status_code=503)  # as whatever stands before a function that broke off

    return Route(f"/{name}", take, methods=["POST"])
