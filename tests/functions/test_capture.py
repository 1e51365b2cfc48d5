import json
from pathlib import Path

import pytest

from infra.local.services import LocalServices
from shared.models.base import moment, rfc3339
from shared.research import claim
from shared.store.documents import Query
from shared.store.notes import Notes
from shared.sweep import BIN_SECONDS, sweep
from tests.functions.conftest import Serve

CAPTURES = "/api/v1/captures"


async def count(product: LocalServices, collection: str = "notes") -> int:
    return len(await product.documents.query(Query(collection, None, limit=100)))


def test_a_thought_becomes_a_note(serve: Serve) -> None:
    with serve("capture") as client:
        answer = client.post(CAPTURES, json={"text": "Tea is a leaf.", "tags": ["Hot Drinks", "#a/b"]})
    assert answer.status_code == 201
    note = answer.json()["note"]
    assert note["kind"] == "capture"
    assert note["body"] == "Tea is a leaf."
    assert note["tags"] == ["hot-drinks", "a/b"]
    assert note["enrichment"]["status"] == "pending"
    assert note["research"]["requested"] is False


def test_the_research_tag_and_the_switch_ask_for_research(serve: Serve) -> None:
    with serve("capture") as client:
        tagged = client.post(CAPTURES, json={"text": "a", "tags": ["Research"]}).json()["note"]
        switched = client.post(CAPTURES, json={"text": "a", "research": True}).json()["note"]
        imported = client.post(CAPTURES, json={"text": "a", "tags": ["research"], "source": "import"}).json()["note"]
    assert tagged["research"]["requested"] is True
    assert switched["tags"] == ["research"]
    assert switched["research"]["requested"] is True
    assert imported["research"]["requested"] is False


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("{}", 422, "invalid_field"),
        ('{"text": "  \\n"}', 422, "invalid_field"),
        ('{"text": "a", "surprise": 1}', 422, "invalid_field"),
        ('{"text": 5}', 422, "invalid_field"),
        ('{"text": "a", "tags": "x"}', 422, "invalid_field"),
        ('{"text": "a", "tags": ["a\\u0007b"]}', 422, "invalid_field"),
        ('{"text": "a", "tags": ["!!!"]}', 422, "invalid_field"),
        ('{"url": "javascript:alert(1)"}', 422, "invalid_field"),
        ('{"url": "ftp://a.example/"}', 422, "invalid_field"),
        ('{"url": "https://a b"}', 422, "invalid_field"),
        ('{"text": "\\ud800"}', 422, "invalid_field"),
        ('{"text": "a"', 400, "invalid_json"),
        ("", 422, "invalid_field"),
        ("[]", 422, "invalid_field"),
        ('{"text": "a", "research": "perhaps"}', 422, "invalid_field"),
    ],
)
async def test_what_can_not_be_stored_is_named_and_nothing_is_stored(
    serve: Serve, product: LocalServices, body: str, status: int, code: str
) -> None:
    with serve("capture") as client:
        answer = client.post(CAPTURES, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert error["code"] == code
    assert error["message"]
    assert await count(product) == 0


def test_an_error_never_echoes_what_was_sent(serve: Serve) -> None:
    marker = "MARKER-7f3a"
    with serve("capture") as client:
        for body in (
            {"text": {"x": marker}},
            {"url": f"gopher://{marker}"},
            {"text": "a", "tags": [f"\u0007{marker}"]},
        ):
            assert marker not in client.post(CAPTURES, json=body).text


def test_a_note_lies_where_its_time_says(serve: Serve) -> None:
    with serve("capture") as client:
        now = client.post(CAPTURES, json={"text": "now"}).json()["note"]
        old = client.post(CAPTURES, json={"text": "old", "created_at": "2021-03-01T10:00:00+02:00"}).json()["note"]
        batch = {"captures": [{"text": "first", "created_at": "1970-01-01T00:00:00Z"}, {"text": "last"}]}
        results = client.post(f"{CAPTURES}/batch", json=batch).json()["results"]
    assert [result["status"] for result in results] == [201, 201]
    assert old["created_at"] == "2021-03-01T08:00:00.000000Z"
    assert old["updated_at"] == now["updated_at"]
    with serve("api") as client:
        seen = client.get("/api/v1/notes", params={"limit": 3}).json()
        rest = client.get("/api/v1/notes", params={"limit": 3, "cursor": seen["next_cursor"]}).json()
    # Those of the same millisecond come in any order.
    assert {note["body"] for note in seen["notes"][:2]} == {"now", "last"}
    assert [note["body"] for note in (seen["notes"] + rest["notes"])[2:]] == ["old", "first"]


@pytest.mark.parametrize(
    "created_at",
    [
        "2021-03-01T10:00:00",
        "2021-03-01",
        "2021-02-30T10:00:00Z",
        "1969-12-31T23:59:59Z",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "1614592800",
        1614592800,
        True,
        "yesterday",
        "",
        ["2021-03-01T10:00:00Z"],
    ],
)
async def test_a_time_that_can_not_be_kept_is_named_and_nothing_is_stored(
    serve: Serve, product: LocalServices, created_at: object
) -> None:
    entry = {"text": "a", "created_at": created_at}
    with serve("capture") as client:
        answer = client.post(CAPTURES, json=entry)
        (result,) = client.post(f"{CAPTURES}/batch", json={"captures": [entry]}).json()["results"]
    assert (answer.status_code, result["status"]) == (422, 422)
    for error in (answer.json()["error"], result["error"]):
        assert error["code"] == "invalid_field"
        assert error["message"].startswith("created_at: ")
    assert await count(product) == 0


def test_a_clock_that_is_a_minute_ahead_is_forgiven(serve: Serve, product: LocalServices) -> None:
    statuses = []
    with serve("capture") as client:
        for ahead in (60, 61):
            at = rfc3339(moment(product.now() + ahead))
            statuses.append(client.post(CAPTURES, json={"text": "a", "created_at": at}).status_code)
    assert statuses == [201, 422]


async def test_a_retry_of_a_dated_capture_makes_one_note(serve: Serve, product: LocalServices) -> None:
    entry = {"text": "once", "created_at": "2021-03-01T10:00:00Z"}
    with serve("capture") as client:
        answers = [client.post(CAPTURES, json=entry, headers={"Idempotency-Key": "k"}) for _ in range(2)]
        product.clock.advance(23 * 3600)
        answers.append(client.post(CAPTURES, json=entry, headers={"Idempotency-Key": "k"}))
        later = {**entry, "created_at": "2021-03-02T10:00:00Z"}
        other = client.post(CAPTURES, json=later, headers={"Idempotency-Key": "k"})
    assert [answer.status_code for answer in answers] == [201, 200, 200]
    assert len({answer.json()["note"]["id"] for answer in answers}) == 1
    assert (other.status_code, other.json()["error"]["code"]) == (409, "idempotency_mismatch")
    assert await count(product) == 1


async def test_an_old_note_can_be_researched_today(serve: Serve, product: LocalServices) -> None:
    entry = {"text": "Why?", "research": True, "created_at": "2021-03-01T10:00:00Z"}
    with serve("capture") as client:
        note = client.post(CAPTURES, json=entry).json()["note"]
    operation = await claim.claim(product, "default", note["id"])
    assert operation and operation.created_at == moment(product.now())
    assert operation.id > note["id"]
    assert await claim.claim(product, "default", note["id"]) is None


async def test_an_old_note_waits_in_the_bin_as_long_as_a_new_one(serve: Serve, product: LocalServices) -> None:
    with serve("capture") as client:
        note = client.post(CAPTURES, json={"text": "a", "created_at": "2021-03-01T10:00:00Z"}).json()["note"]
    with serve("api") as client:
        assert client.delete(f"/api/v1/notes/{note['id']}").status_code == 200
    product.clock.advance(BIN_SECONDS - 1)
    assert (await sweep(product))["purged"] == 0
    product.clock.advance(2)
    assert (await sweep(product))["purged"] == 1
    assert await Notes(product.documents, "default").find(note["id"]) is None


async def test_an_old_note_is_not_taken_for_one_that_waits_for_long(serve: Serve, product: LocalServices) -> None:
    with serve("capture") as client:
        client.post(CAPTURES, json={"text": "a", "created_at": "2021-03-01T10:00:00Z"})
    assert (await sweep(product))["enrichments"] == 0


def test_nobody_can_capture_a_report(serve: Serve) -> None:
    with serve("capture") as client:
        forged: list[dict[str, object]] = [{"kind": "research"}, {"citations": []}, {"source_note_id": "0" * 26}]
        for fields in forged:
            assert client.post(CAPTURES, json={"text": "a", **fields}).status_code == 422


async def test_a_body_that_is_too_large_is_refused_whole(serve: Serve, product: LocalServices) -> None:
    with serve("capture") as client:
        answer = client.post(CAPTURES, json={"text": "x" * 900_001})
        streamed = client.post(
            CAPTURES, content=(b"x" * 100_000 for _ in range(10)), headers={"Content-Type": "application/json"}
        )
    for refused in (answer, streamed):
        assert refused.status_code == 413
        assert refused.json()["error"]["code"] == "too_large"
    assert await count(product) == 0


async def test_a_long_text_comes_back_whole(serve: Serve) -> None:
    text = "größer 漢字 🫖 " * 30_000
    with serve("capture") as client:
        note_id = client.post(CAPTURES, json={"text": text}).json()["note"]["id"]
    with serve("api") as client:
        assert client.get(f"/api/v1/notes/{note_id}").json()["note"]["body"] == text


async def test_a_retry_with_the_same_key_makes_one_note(serve: Serve, product: LocalServices) -> None:
    headers = {"Idempotency-Key": "k1"}
    with serve("capture") as client:
        first = client.post(CAPTURES, json={"text": "once"}, headers=headers)
        again = client.post(CAPTURES, json={"text": "once"}, headers=headers)
        other = client.post(CAPTURES, json={"text": "else"}, headers=headers)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["note"]["id"] == again.json()["note"]["id"]
    assert other.status_code == 409
    assert other.json()["error"]["code"] == "idempotency_mismatch"
    assert await count(product) == 1


async def test_a_bad_entry_of_a_batch_does_not_fail_the_rest(serve: Serve, product: LocalServices) -> None:
    batch = {"captures": [{"text": "one"}, {"text": ""}, {"url": "x"}, {"text": "two", "nope": 1}, {"text": "three"}]}
    with serve("capture") as client:
        answer = client.post(f"{CAPTURES}/batch", json=batch)
        assert answer.status_code == 207
        assert [result["status"] for result in answer.json()["results"]] == [201, 422, 422, 422, 201]
        assert client.post(f"{CAPTURES}/batch", json={"captures": [{"text": "a"}] * 21}).status_code == 422
        halves = {"captures": [{"text": "good"}, {"text": "HALF"}, {"text": "last"}]}
        raw = json.dumps(halves).replace("HALF", "\\ud800").encode()
        answer = client.post(f"{CAPTURES}/batch", content=raw, headers={"Content-Type": "application/json"})
        assert [result["status"] for result in answer.json()["results"]] == [201, 422, 201]
    assert await count(product) == 4


async def test_the_same_file_is_imported_once(serve: Serve, product: LocalServices) -> None:
    origin = {"path": "vault/a.md", "front_matter": "", "content_sha256": "0" * 64}
    with serve("capture") as client:
        statuses = [
            client.post(CAPTURES, json={"text": "a", "source": "import", "origin": origin}).status_code
            for _ in range(3)
        ]
    assert statuses == [201, 200, 200]
    assert await count(product) == 1


@pytest.mark.parametrize(("key", "status"), [(None, 401), ("wrong", 401), ("", 401)])
async def test_without_a_known_key_nothing_happens(
    serve: Serve, product: LocalServices, key: str | None, status: int
) -> None:
    with serve("capture", key=key) as client:
        answer = client.post(CAPTURES, json={"text": "a"})
    assert answer.status_code == status
    assert answer.json()["error"]["code"] == "unauthorized"
    assert await count(product) == 0


@pytest.mark.parametrize("table", [None, "", "{}", "not json", '{"d": {"key_sha256": "short"}}'])
def test_while_no_key_is_configured_nobody_is_let_in(serve: Serve, product: LocalServices, table: str | None) -> None:
    file = Path(product.settings.device_keys_file)
    file.unlink()
    if table is not None:
        file.write_text(table)
    with serve("capture") as client:
        answer = client.post(CAPTURES, json={"text": "a"})
    assert answer.status_code == 503
    assert answer.json()["error"]["code"] == "not_configured"


def test_a_revoked_key_is_refused_within_a_minute(serve: Serve, product: LocalServices) -> None:
    with serve("capture") as client:
        assert client.post(CAPTURES, json={"text": "a"}).status_code == 201
        table = {"other": {"key_sha256": "0" * 64, "tenant": "default", "subject": "me"}}
        Path(product.settings.device_keys_file).write_text(json.dumps(table))
        product.clock.advance(61)
        assert client.post(CAPTURES, json={"text": "a"}).status_code == 401


def test_health_needs_no_key(serve: Serve) -> None:
    with serve("capture", key=None) as client:
        assert client.get("/api/v1/health").json() == {"status": "ok"}


@pytest.mark.parametrize(("method", "path", "status"), [("GET", CAPTURES, 405), ("POST", "/api/v1/nothing", 404)])
def test_wrong_addresses_answer_in_the_same_shape(serve: Serve, method: str, path: str, status: int) -> None:
    with serve("capture") as client:
        answer = client.request(method, path)
    assert answer.status_code == status
    assert set(answer.json()["error"]) == {"code", "message", "next"}
