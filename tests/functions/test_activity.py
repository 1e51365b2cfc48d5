"""The activity record: read newest first, by conversation, never another tenant's; and messages that were given up."""

import asyncio
from typing import Any

import pytest

from infra.local.services import LocalServices
from infra.local.store.pump import Backoff
from infra.local.store.queue import Subscription
from shared.errors import Conflict
from shared.models.activity import Activity
from shared.models.base import JsonDict, moment
from shared.models.ids import ulid
from shared.store.activity import Activities
from tests.functions.conftest import Serve
from tests.functions.test_private import token

ACTIVITY = "/api/v1/activity"
CHATS = (ulid(1_700_000_000.0), ulid(1_700_000_001.0))


def entry(at: float, session_id: str = CHATS[0], **more: Any) -> Activity:
    values = {"subject": "me", "run_id": "run", "call_id": "call", "tool": "get_note", "decision": "allowed"}
    return Activity(
        id=ulid(at), at=moment(at), session_id=session_id, class_="read", arguments={"q": "pears"}, **{**values, **more}
    )


async def kept(product: LocalServices, *entries: Activity, tenant: str = "default") -> None:
    activities = Activities(product.documents, tenant)
    await product.documents.commit([activities.put(one) for one in entries])


async def test_activity_is_newest_first_and_paged(serve: Serve, product: LocalServices) -> None:
    entries = [entry(1_700_000_000.0 + number, CHATS[number % 2]) for number in range(5)]
    await kept(product, *entries)
    with serve("api") as client:
        listed: list[str] = []
        cursor = None
        while True:
            page = client.get(ACTIVITY, params={"limit": 2, **({"cursor": cursor} if cursor else {})}).json()
            listed += [one["id"] for one in page["activity"]]
            if not (cursor := page["next_cursor"]):
                break
        assert listed == [one.id for one in reversed(entries)]
        mine = client.get(ACTIVITY, params={"session_id": CHATS[1]}).json()["activity"]
        assert [one["id"] for one in mine] == [entries[3].id, entries[1].id]
        for params in ({"session_id": "x"}, {"cursor": "x"}, {"limit": 0}):
            assert client.get(ACTIVITY, params=params).status_code == 422


async def test_an_entry_says_all_that_was_decided(serve: Serve, product: LocalServices) -> None:
    one = entry(1_700_000_000.0, decision="refused", ok=False, code="egress_disabled", duration_ms=12)
    await kept(product, one)
    with serve("api") as client:
        (told,) = client.get(ACTIVITY).json()["activity"]
    assert told == {
        "kind": "tool",
        "id": one.id,
        "at": "2023-11-14T22:13:20.000000Z",
        "subject": "me",
        "session_id": CHATS[0],
        "run_id": "run",
        "call_id": "call",
        "tool": "get_note",
        "class": "read",
        "decision": "refused",
        "arguments": {"q": "pears"},
        "ok": False,
        "code": "egress_disabled",
        "duration_ms": 12,
    }


async def test_an_entry_is_never_written_over(product: LocalServices) -> None:
    one = entry(1_700_000_000.0)
    await kept(product, one)
    with pytest.raises(Conflict):
        await kept(product, one.model_copy(update={"decision": "denied"}))


async def test_another_tenants_activity_is_not_shown(serve: Serve, product: LocalServices) -> None:
    await kept(product, entry(1_700_000_000.0), tenant="other")
    with serve("api") as client:
        assert client.get(ACTIVITY).json() == {"activity": [], "next_cursor": None}
        assert client.get(ACTIVITY, params={"session_id": CHATS[0]}).json()["activity"] == []


# -- messages that were given up -------------------------------------------------------------------------------


async def test_a_message_that_is_given_up_here_is_shown(serve: Serve, product: LocalServices) -> None:
    async def refuse(_push: JsonDict) -> int:
        return 503

    product.connect_bus([Subscription("enrich", "note-events", refuse, max_attempts=3, backoff=Backoff(1, 2))])
    await product.bus.publish("note-events", {"tenant": "default", "note_id": "n", "enrich": "true"})
    delivering = asyncio.create_task(product.bus.run())
    async with asyncio.timeout(30):
        while product.bus.waiting():
            await product.clock.sleep(10)
    delivering.cancel()
    await asyncio.gather(delivering, return_exceptions=True)
    (dead,) = product.bus.dead_letters()
    with serve("api") as client:
        (told,) = client.get(ACTIVITY).json()["activity"]
    assert (told["kind"], told["subscription"], told["message_id"]) == (
        "dead_letter", "enrich", dead.delivery.message_id,
    )  # fmt: skip
    assert told["attributes"] == {"note_id": "n", "enrich": "true"}
    assert (told["attempts"], told["reason"]) == (3, "was answered 503")


def dead_push(product: LocalServices, **attributes: str) -> JsonDict:
    added = "CloudPubSubDeadLetterSource"
    return {
        "message": {
            "attributes": {
                **attributes,
                f"{added}Subscription": "research",
                f"{added}SubscriptionProject": "p",
                f"{added}DeliveryCount": "10",
                f"{added}TopicPublishTime": "2023-11-14T22:13:20.000Z",
            },
            "messageId": "77",
            # However old: nobody else would tell of it.
            "publishTime": moment(product.now() - 100_000).isoformat(),
        },
        "subscription": "projects/p/subscriptions/note-events-told",
    }


async def test_a_message_that_is_given_up_in_the_cloud_is_shown_once(serve: Serve, product: LocalServices) -> None:
    with serve("dispatch", key=None) as client:
        body = dead_push(product, tenant="default", note_id="n")
        assert client.post("/dead", json=body).status_code in (401, 403)
        for _ in range(2):
            assert client.post("/dead", json=body, headers=token(product, "dispatch")).status_code == 204
        nobodys = dead_push(product, note_id="n")
        assert client.post("/dead", json=nobodys, headers=token(product, "dispatch")).status_code == 204
        strange = dead_push(product, tenant="default/notes/x")
        assert client.post("/dead", json=strange, headers=token(product, "dispatch")).status_code == 204
    with serve("api") as client:
        (told,) = client.get(ACTIVITY).json()["activity"]
    assert (told["subscription"], told["message_id"], told["attempts"]) == ("research", "77", 10)
    assert told["attributes"] == {"note_id": "n"}
