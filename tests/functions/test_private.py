"""The functions that nobody outside may call: who they let in, and what they do with what comes."""

import base64
import json

import pytest

from infra.local.identity import ISSUER, LocalIdentity
from infra.local.services import LocalServices
from infra.local.store.queue import Subscription
from shared.capture import Capture, capture
from shared.models.base import JsonDict, moment, rfc3339
from shared.store.notes import Notes
from shared.store.operations import Operations
from shared.store.tasks import Tasks
from tests.functions.conftest import Serve

PRIVATE = ["fanout", "enrich", "research", "dispatch", "tick"]


class Heard:
    """A subscriber that keeps what it hears."""

    def __init__(self, product: LocalServices) -> None:
        self.messages: list[dict[str, str]] = []
        product.connect_bus([Subscription("all", "note-events", self._take)])

    async def _take(self, push: JsonDict) -> int:
        message = push["message"]
        assert isinstance(message, dict)
        attributes = message["attributes"]
        assert isinstance(attributes, dict)
        self.messages.append({key: str(value) for key, value in attributes.items()})
        return 204


def token(product: LocalServices, name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {product.identity.sign(product.function_url(name))}"}


def event(path: str, at: float, **changed: str) -> dict[str, str]:
    headers = {
        "ce-specversion": "1.0",
        "ce-id": "e1",
        "ce-type": "google.cloud.firestore.document.v1.written",
        "ce-source": "//firestore.googleapis.com/projects/p/databases/(default)",
        "ce-time": rfc3339(moment(at)),
        "ce-document": path,
        "content-type": "application/protobuf",
    }
    return {**headers, **changed}


def push(**attributes: str) -> dict[str, object]:
    return {"message": {"attributes": attributes, "messageId": "1"}, "subscription": "s", "deliveryAttempt": 1}


async def captured(product: LocalServices, text: str, **fields: object) -> str:
    entry = Capture.model_validate({"text": text, **fields})
    return (await capture(product.documents, "default", entry, product.now())).note.id


@pytest.mark.parametrize("name", PRIVATE)
def test_private_functions_refuse_everybody_but_their_callers(
    serve: Serve, product: LocalServices, name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    now = product.now()
    stranger = LocalIdentity(_fresh_key(), product.now)
    mine = product.identity
    forged = {
        "missing": None,
        "device key": "Bearer test-key",
        "foreign key": f"Bearer {stranger.sign(product.function_url(name))}",
        "foreign audience": f"Bearer {mine.sign('http://elsewhere.memex.internal')}",
        "expired": _signed(mine, product, name, now - 7200),
        "not yet": _signed(mine, product, name, now + 7200),
        "wrong caller": _signed(mine, product, name, now, email="mallory@memex.local"),
        "unverified": _signed(mine, product, name, now, email_verified=False),
        "wrong issuer": _signed(mine, product, name, now, iss="https://evil.example"),
        "unsigned": f"Bearer {_unsigned(product, name)}",
    }
    with serve(name, key=None) as client:
        for what, header in forged.items():
            answer = client.post("/", headers={"Authorization": header} if header else {}, json={})
            assert answer.status_code in (401, 403), what
        assert client.get("/api/v1/health").status_code == 200


def _fresh_key() -> bytes:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _claims(product: LocalServices, name: str, at: float, **changed: object) -> dict[str, object]:
    claims = {
        "iss": ISSUER,
        "aud": product.function_url(name),
        "email": "services@memex.local",
        "email_verified": True,
        "iat": int(at),
        "exp": int(at) + 3600,
    }
    return {**claims, **changed}


def _signed(identity: LocalIdentity, product: LocalServices, name: str, at: float, **changed: object) -> str:
    import jwt

    claims = _claims(product, name, at, **changed)
    return f"Bearer {jwt.encode(claims, identity._private, algorithm='EdDSA', headers={'kid': 'local'})}"  # type: ignore[arg-type]


def _unsigned(product: LocalServices, name: str) -> str:
    parts = ({"alg": "none", "kid": "local"}, _claims(product, name, product.now()))
    encoded = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts]
    return ".".join([*encoded, ""])


async def test_fanout_tells_what_a_note_needs_and_never_its_text(serve: Serve, product: LocalServices) -> None:
    heard = Heard(product)
    note_id = await captured(product, "my secret", tags=["research"])
    headers = event(f"tenants/default/notes/{note_id}", product.now())
    with serve("fanout", key=None) as client:
        for _ in range(2):
            answer = client.post("/", headers={**headers, **token(product, "fanout")}, content=b"\x0a\x00garbage")
            assert answer.status_code == 204
    waiting = [delivery.attributes for delivery in product.bus.waiting()]
    expected = {"tenant": "default", "note_id": note_id, "enrich": "true", "research": "true"}
    assert waiting == [expected, expected]
    assert heard.messages == []


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({}, 204),
        ({"ce-document": "tenants/default/tasks/x"}, 204),
        ({"ce-document": "tenants/default/notes/x/trace/000001"}, 204),
        ({"ce-document": "tenants/default/notes/unknown"}, 204),
        ({"ce-type": "google.cloud.pubsub.topic.v1.messagePublished"}, 400),
        ({"ce-id": ""}, 400),
        ({"ce-time": "yesterday"}, 400),
    ],
)
async def test_fanout_bears_every_event(
    serve: Serve, product: LocalServices, changed: dict[str, str], status: int
) -> None:
    Heard(product)
    headers = event("tenants/default/notes/00000000000000000000000000", product.now(), **changed)
    with serve("fanout", key=None) as client:
        answer = client.post("/", headers={**headers, **token(product, "fanout")})
    assert answer.status_code == status
    assert product.bus.waiting() == []


async def test_fanout_leaves_what_is_old_to_the_sweep(serve: Serve, product: LocalServices) -> None:
    Heard(product)
    note_id = await captured(product, "a")
    headers = event(f"tenants/default/notes/{note_id}", product.now() - 3700)
    with serve("fanout", key=None) as client:
        assert client.post("/", headers={**headers, **token(product, "fanout")}).status_code == 204
    assert product.bus.waiting() == []


async def test_fanout_reads_the_envelope_where_headers_could_not_carry_the_event(
    serve: Serve, product: LocalServices
) -> None:
    Heard(product)
    note_id = await captured(product, "a")
    attributes = event(f"tenants/default/notes/{note_id}", product.now())
    body = {"message": {"attributes": attributes, "data": "", "messageId": "1"}, "subscription": "s"}
    with serve("fanout", key=None) as client:
        path = "/?__GCP_CloudEventsMode=CE_PUBSUB_BINDING"
        assert client.post(path, headers=token(product, "fanout"), json=body).status_code == 204
    assert len(product.bus.waiting()) == 1


async def test_enrichment_fills_what_is_empty_and_keeps_the_text(serve: Serve, product: LocalServices) -> None:
    text = "# Espalier\n\nPears grow flat against a sunny wall.\n\n- [ ] order two trees\n"
    note_id = await captured(product, text, tags=["garden"])
    with serve("enrich", key=None) as client:
        for _ in range(3):
            message = push(tenant="default", note_id=note_id)
            assert client.post("/", headers=token(product, "enrich"), json=message).status_code == 204
    note = (await Notes(product.documents, "default").get(note_id)).value
    assert note.body == text
    assert note.title == "Espalier"
    assert note.enrichment.status == "enriched"
    assert note.tags[0] == "garden"
    assert set(note.tags[1:]) == set(note.enrichment.tags)
    tasks = await Tasks(product.documents, "default").page(source_note_id=note_id)
    assert [task.title for task in tasks] == ["order two trees"]
    assert note.revision == 2


async def test_research_claims_once_and_the_steps_answer_the_workflow(serve: Serve, product: LocalServices) -> None:
    note_id = await captured(product, "q", tags=["research"])
    with serve("research", key=None) as client:
        for _ in range(3):
            message = push(tenant="default", note_id=note_id)
            assert client.post("/", headers=token(product, "research"), json=message).status_code == 204
        operations = await Operations(product.documents, "default").page()
        assert [operation.status for operation in operations] == ["queued"]
        step = {"tenant": "default", "operation_id": operations[0].id, "execution_id": "e", "poll_seconds": 30}
        answer = client.post("/poll", headers=token(product, "research"), json=step)
        assert answer.json() == {"status": "superseded", "wait_seconds": 0}


@pytest.mark.parametrize("name", ["enrich", "research", "dispatch"])
@pytest.mark.parametrize(
    "message", [push(), push(tenant="nobody", note_id="../x"), push(tenant="default", note_id="0" * 26)]
)
def test_messages_about_nothing_are_acknowledged(
    serve: Serve, product: LocalServices, name: str, message: dict[str, object]
) -> None:
    with serve(name, key=None) as client:
        assert client.post("/", headers=token(product, name), json=message).status_code == 204


@pytest.mark.parametrize("name", ["enrich", "research", "dispatch"])
@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"message": 5}'])
def test_what_is_no_push_is_refused(serve: Serve, product: LocalServices, name: str, body: bytes) -> None:
    with serve(name, key=None) as client:
        answer = client.post("/", headers=token(product, name), content=body)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "not_a_push"


async def test_tick_finds_what_lost_messages_would_have_told(serve: Serve, product: LocalServices) -> None:
    Heard(product)
    wish = await captured(product, "q", tags=["research"])
    await captured(product, "never heard of")
    product.clock.advance(3600)
    with serve("tick", key=None) as client:
        counts = client.post("/", headers=token(product, "tick"), json={}).json()
    assert counts["wishes"] == 1
    assert counts["enrichments"] == 1
    note = (await Notes(product.documents, "default").get(wish)).value
    assert note.research.status in ("queued", "running")
