"""Ticking a box in a note closes the task that came from it, in the same commit, and starts nothing."""

from infra.local.services import LocalServices
from shared.capture import Capture, capture
from tests.functions.conftest import Serve
from tests.functions.test_enrich import deliver

BODY = "- [ ] buy milk\n- [ ] call Anna\n- [ ] pay Ben"


async def test_a_box_that_is_ticked_by_an_edit_closes_its_task(serve: Serve, product: LocalServices) -> None:
    note_id = (await capture(product.documents, "default", Capture(text=BODY), product.now())).note.id
    assert deliver(serve, product, note_id) == 204
    with serve("api") as client:

        def statuses() -> dict[str, str]:
            listed = client.get("/api/v1/tasks", params={"source_note_id": note_id}).json()["tasks"]
            return {one["title"]: one["status"] for one in listed}

        ben = next(one for one in client.get("/api/v1/tasks").json()["tasks"] if one["title"] == "pay Ben")
        client.patch(f"/api/v1/tasks/{ben['id']}", json={"tags": ["mine"]})
        before = client.get(f"/api/v1/notes/{note_id}").json()["note"]
        client.patch(f"/api/v1/notes/{note_id}", json={"body": BODY.replace("[ ] buy", "[x] buy")})
        assert statuses() == {"buy milk": "done", "call Anna": "open", "pay Ben": "open"}
        client.patch(f"/api/v1/notes/{note_id}", json={"body": BODY.replace("[ ]", "[x]")})
        assert statuses() == {"buy milk": "done", "call Anna": "done", "pay Ben": "open"}, "one was changed by hand"
        after = client.get(f"/api/v1/notes/{note_id}").json()["note"]
        assert after["task_ids"] == before["task_ids"] and after["enrichment"]["status"] == "enriched"
        assert after["revision"] == before["revision"] + 2, "nothing but the two edits"
        client.patch(f"/api/v1/notes/{note_id}", json={"body": BODY})
        assert statuses()["buy milk"] == "done", "a box that is emptied again opens nothing"
