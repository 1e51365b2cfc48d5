"""What every bus does: nothing published is lost, failures come again, filters and pushes look like Pub/Sub's."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.contracts.subscribers import BusUnderTest, attributes


@pytest.fixture
async def running(bus: BusUnderTest) -> AsyncIterator[BusUnderTest]:
    async def run() -> None:
        await bus.run()

    task = asyncio.create_task(run())
    yield bus
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_a_message_reaches_every_subscription_that_wants_it(running: BusUnderTest) -> None:
    await running.bus.publish("note-events", {"note_id": "n1", "research": "true"})
    (one,), (other,) = await running.all_notes.take(1), await running.research.take(1)
    assert attributes(one) == attributes(other) == {"note_id": "n1", "research": "true"}


async def test_a_filter_keeps_out_what_does_not_match(running: BusUnderTest) -> None:
    await running.bus.publish("note-events", {"note_id": "n1", "research": "false"})
    await running.bus.publish("note-events", {"note_id": "n2"})
    await running.bus.publish("note-events", {"note_id": "n3", "research": "true"})
    assert {str(attributes(push)["note_id"]) for push in await running.all_notes.take(3)} == {"n1", "n2", "n3"}
    # Where filters hold nothing, consumers look for themselves.
    wanted = {"n3"} if running.filters else {"n1", "n2", "n3"}
    assert {str(attributes(push)["note_id"]) for push in await running.research.take(len(wanted))} == wanted
    assert running.research.got.empty()


async def test_another_topic_is_not_delivered(running: BusUnderTest) -> None:
    await running.bus.publish("operation-events", {"tenant": "x"})
    await running.bus.publish("note-events", {"note_id": "n1"})
    (only,) = await running.all_notes.take(1)
    assert attributes(only) == {"note_id": "n1"}


@pytest.mark.parametrize("failure", [500, 404, 302, ConnectionError("refused")])
async def test_what_fails_comes_again_with_its_attempt_counted(running: BusUnderTest, failure: int | Exception) -> None:
    running.research.answers = [failure, failure]
    await running.bus.publish("note-events", {"note_id": "n1", "research": "true"})
    pushes = await running.research.take(3)
    assert [push.get("deliveryAttempt") for push in pushes] == ([1, 2, 3] if running.counts else [None] * 3)
    assert len({str(push["message"]["messageId"]) for push in pushes}) == 1  # type: ignore[index,call-overload]  # a push


async def test_a_message_that_fails_does_not_hold_up_the_others(running: BusUnderTest) -> None:
    running.research.answers = [500]
    for number in range(20):
        await running.bus.publish("note-events", {"note_id": f"n{number}", "research": "true"})
    got = [str(attributes(push)["note_id"]) for push in await running.research.take(21)]
    assert set(got) == {f"n{number}" for number in range(20)}


async def test_a_push_has_the_shape_of_pubsub(running: BusUnderTest) -> None:
    await running.bus.publish("note-events", {"note_id": "n1", "word": "größe 東京"})
    (push,) = await running.all_notes.take(1)
    message = push["message"]
    assert isinstance(message, dict)
    assert set(message) >= {"attributes", "messageId", "message_id", "publishTime", "publish_time"}
    assert message["messageId"] == message["message_id"]
    assert message["publishTime"] == message["publish_time"]
    assert str(message["publishTime"]).endswith("Z")
    assert str(push["subscription"]).startswith("projects/")
    assert attributes(push)["word"] == "größe 東京"


async def test_what_is_published_before_anyone_listens_is_delivered(bus: BusUnderTest) -> None:
    await bus.bus.publish("note-events", {"note_id": "early"})

    async def run() -> None:
        await bus.run()

    task = asyncio.create_task(run())
    (push,) = await bus.all_notes.take(1)
    assert attributes(push) == {"note_id": "early"}
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
