"""The bus on Pub/Sub: attributes alone are sent, what may pass is tried again briefly, and errors have our words."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.pubsub_v1 import PublishRequest, PublishResponse

from shared.errors import MemexError, NotConfigured, Unreachable, Upstream, UpstreamTimeout
from shared.events import pubsub
from shared.events.pubsub import PubSubBus

MEANING: dict[grpc.StatusCode, type[MemexError]] = {
    grpc.StatusCode.CANCELLED: Upstream,
    grpc.StatusCode.UNKNOWN: Unreachable,
    grpc.StatusCode.INVALID_ARGUMENT: Upstream,
    grpc.StatusCode.DEADLINE_EXCEEDED: UpstreamTimeout,
    grpc.StatusCode.NOT_FOUND: NotConfigured,
    grpc.StatusCode.ALREADY_EXISTS: Upstream,
    grpc.StatusCode.PERMISSION_DENIED: Upstream,
    grpc.StatusCode.RESOURCE_EXHAUSTED: Upstream,
    grpc.StatusCode.FAILED_PRECONDITION: Upstream,
    grpc.StatusCode.ABORTED: Unreachable,
    grpc.StatusCode.OUT_OF_RANGE: Upstream,
    grpc.StatusCode.UNIMPLEMENTED: Upstream,
    grpc.StatusCode.INTERNAL: Unreachable,
    grpc.StatusCode.UNAVAILABLE: Unreachable,
    grpc.StatusCode.DATA_LOSS: Upstream,
    grpc.StatusCode.UNAUTHENTICATED: Upstream,
}
PASSING = [code for code, meaning in MEANING.items() if meaning is Unreachable]


class Publisher:
    """Pub/Sub's side: refuses as told, else keeps what comes."""

    def __init__(self) -> None:
        self.refusals: list[grpc.StatusCode] = []
        self.always: grpc.StatusCode | None = None
        self.silent = False
        self.tried = 0
        self.got: list[PublishRequest] = []

    async def publish(self, request: PublishRequest, context: Any) -> PublishResponse:
        self.tried += 1
        if self.silent:
            await asyncio.Event().wait()
        if code := self.refusals.pop(0) if self.refusals else self.always:
            await context.abort(code, "the note says: secret")
        self.got.append(request)
        return PublishResponse(message_ids=["1"])

    def handlers(self) -> Any:
        method = grpc.unary_unary_rpc_method_handler(
            self.publish, PublishRequest.deserialize, PublishResponse.serialize
        )
        return grpc.method_handlers_generic_handler("google.pubsub.v1.Publisher", {"Publish": method})


@pytest.fixture
async def publisher(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Publisher]:
    made = Publisher()
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((made.handlers(),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    monkeypatch.setenv("PUBSUB_EMULATOR_HOST", f"127.0.0.1:{port}")
    monkeypatch.setattr(pubsub, "RETRY_SECONDS", 0.3)
    yield made
    await server.stop(0)


@pytest.fixture
async def bus(publisher: Publisher) -> AsyncIterator[PubSubBus]:
    made = PubSubBus("p")
    yield made
    await made.close()


async def test_a_message_is_attributes_and_nothing_else(bus: PubSubBus, publisher: Publisher) -> None:
    await bus.publish("note-events", {"tenant": "x", "note_id": "größe"})
    (request,) = publisher.got
    assert request.topic == "projects/p/topics/note-events"
    (message,) = request.messages
    assert dict(message.attributes) == {"tenant": "x", "note_id": "größe"}
    assert (message.data, message.ordering_key) == (b"", "")


async def test_the_bus_can_be_used_after_it_was_closed(bus: PubSubBus, publisher: Publisher) -> None:
    await bus.close()
    for _ in range(2):
        await bus.publish("operation-events", {"tenant": "x"})
        await bus.close()
    assert len(publisher.got) == 2


@pytest.mark.parametrize("refusals", [PASSING[:2], PASSING[2:]])
async def test_trouble_that_passes_is_not_noticed(
    bus: PubSubBus, publisher: Publisher, monkeypatch: pytest.MonkeyPatch, refusals: Sequence[grpc.StatusCode]
) -> None:
    monkeypatch.setattr(pubsub, "RETRY_SECONDS", 10.0)
    publisher.refusals = list(refusals)
    await bus.publish("note-events", {"note_id": "n"})
    assert publisher.tried == 3
    assert len(publisher.got) == 1


def test_every_status_has_a_meaning() -> None:
    assert MEANING.keys() == set(grpc.StatusCode) - {grpc.StatusCode.OK}


@pytest.mark.parametrize("code", MEANING, ids=lambda code: code.name)
async def test_each_refusal_becomes_its_word_and_says_nothing_of_the_message(
    bus: PubSubBus, publisher: Publisher, code: grpc.StatusCode
) -> None:
    publisher.always = code
    with pytest.raises(MemexError) as caught:
        await bus.publish("note-events", {"note_id": "n"})
    assert type(caught.value) is MEANING[code]
    assert caught.value.next
    assert "secret" not in f"{caught.value.message} {caught.value.next}"
    assert (publisher.tried > 1) == (code in PASSING)


async def test_nobody_waits_for_a_bus_that_can_not_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUBSUB_EMULATOR_HOST", "127.0.0.1:1")
    monkeypatch.setattr(pubsub, "RETRY_SECONDS", 1.0)
    bus = PubSubBus("p")
    began = time.monotonic()
    with pytest.raises(Unreachable):
        await bus.publish("note-events", {"note_id": "n"})
    assert time.monotonic() - began < pubsub.RETRY_SECONDS + 5
    await bus.close()


async def test_nobody_waits_for_a_bus_that_does_not_answer(
    bus: PubSubBus, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pubsub, "CALL_SECONDS", 0.2)
    publisher.silent = True
    with pytest.raises(UpstreamTimeout):
        await bus.publish("note-events", {"note_id": "n"})
    assert publisher.tried == 1


async def test_a_bus_without_credentials_says_whom_to_ask(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PUBSUB_EMULATOR_HOST", raising=False)
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "none.json"))
    with pytest.raises(Upstream) as caught:
        await PubSubBus("p").publish("note-events", {"note_id": "n"})
    assert "account" in caught.value.next
