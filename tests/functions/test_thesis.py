"""A thesis over HTTP: a person's word on it, seen as the page sees it."""

from infra.local.services import LocalServices
from shared.models.base import moment
from shared.models.ids import ulid
from shared.models.note import Note
from shared.models.thesis import Thesis
from shared.store.documents import Expect
from shared.store.notes import Notes
from tests.functions.conftest import Serve


async def test_a_person_judges_a_thesis(serve: Serve, product: LocalServices) -> None:
    now = product.now()
    made = Note(
        id=ulid(now),
        created_at=moment(now),
        updated_at=moment(now),
        kind="thesis",
        title="Walls ripen pears.",
        body="",
        thesis=Thesis(),
    )
    await product.documents.commit(Notes(product.documents, "default").put(made, Expect.ABSENT, body=""))
    path = f"/api/v1/notes/{made.id}"
    with serve("api") as client:
        judged = client.patch(path, json={"thesis": {"status": "active", "confidence": 60}}, headers={"If-Match": "1"})
        assert judged.status_code == 200
        assert judged.json()["note"]["thesis"]["confidence"] == 60
        stale = client.patch(path, json={"thesis": {"status": "draft"}}, headers={"If-Match": "1"})
        assert (stale.status_code, stale.json()["error"]["code"]) == (409, "revision_conflict")
        wrong = client.patch(path, json={"thesis": {"confidence": 160}})
        assert wrong.status_code == 422
        error = wrong.json()["error"]
        assert "thesis.confidence" in error["message"] and "160" not in error["message"] and error["next"]
        (event,) = client.get(path).json()["trace"]
    assert event["changes"] == {"status": ["draft", "active"], "confidence": [None, 60]}
