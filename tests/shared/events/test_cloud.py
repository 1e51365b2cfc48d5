import json

import pytest

from shared.errors import Invalid
from shared.events.cloud import document_event, pushed

HEADERS = {
    "ce-id": "6f1e",
    "ce-type": "google.cloud.firestore.document.v1.written",
    "ce-document": "tenants/default/notes/n1",
    "ce-time": "2026-11-01T00:00:00.123456Z",
}


def test_a_firestore_event_is_its_path_id_and_time() -> None:
    event = document_event(HEADERS, b"\x0a\x80")
    assert (event.id, event.path) == ("6f1e", "tenants/default/notes/n1")
    assert event.at == pytest.approx(1793491200.123456)


@pytest.mark.parametrize("kind", ["created", "updated", "deleted", "written", "written.withAuthContext"])
def test_every_kind_of_write_is_taken(kind: str) -> None:
    headers = {**HEADERS, "ce-type": f"google.cloud.firestore.document.v1.{kind}"}
    assert document_event(headers, b"").path == HEADERS["ce-document"]


@pytest.mark.parametrize("body", [b"", b"\x00", b"{}", b"truncated \xff"])
def test_the_body_is_never_looked_at(body: bytes) -> None:
    assert document_event(HEADERS, body).id == "6f1e"


@pytest.mark.parametrize(
    "changed",
    [
        {"ce-id": ""},
        {"ce-document": ""},
        {"ce-time": ""},
        {"ce-time": "soon"},
        {"ce-type": "google.cloud.storage.object.v1.finalized"},
        {"ce-type": "google.cloud.firestore.document.v1.writtenX"},
    ],
)
def test_what_is_no_such_event_is_refused(changed: dict[str, str]) -> None:
    with pytest.raises(Invalid):
        document_event({**HEADERS, **changed}, b"")


def test_the_fallback_envelope_carries_the_same_event() -> None:
    body = {"message": {"attributes": {**HEADERS, "ce-document": "notes/n 1 "}, "data": "", "messageId": "1"}}
    assert document_event({}, json.dumps(body).encode()).path == "notes/n 1 "


def test_a_push_is_its_attributes() -> None:
    message = {
        "attributes": {"k": "v"},
        "messageId": "123",
        "message_id": "123",
        "publishTime": "2026-11-01T00:00:00.000Z",
        "publish_time": "2026-11-01T00:00:00.000Z",
        "orderingKey": "",
    }
    push = pushed(json.dumps({"message": message, "subscription": "s", "deliveryAttempt": 5}).encode())
    assert (push.id, push.attributes, push.attempt) == ("123", {"k": "v"}, 5)


def test_a_push_without_attributes_or_attempt_is_the_first() -> None:
    push = pushed(b'{"message": {"data": "e30=", "messageId": "1"}, "subscription": "s"}')
    assert (push.attributes, push.attempt, push.at) == ({}, 1, None)


@pytest.mark.parametrize("body", [b"", b"[]", b'{"message": null}', b'{"message": {"attributes": {"a": 1}}}', b"\xff"])
def test_what_is_no_push_is_refused(body: bytes) -> None:
    with pytest.raises(Invalid):
        pushed(body)
