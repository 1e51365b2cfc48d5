from typing import Any

import pytest

from infra.local.services import LocalServices
from shared.approvals.revise import FIRST_LINES
from shared.gateway.tool import Errand
from shared.models.base import JsonDict
from shared.models.ids import ulid
from shared.store.answers import Key
from shared.store.notes import Notes
from shared.tools.catalog import built_in
from tests.functions.conftest import Serve
from tests.functions.test_api import captured

APPROVALS = "/api/v1/approvals"
WEEK = 7 * 86_400


async def proposed(product: LocalServices, tool: str, arguments: JsonDict, tenant: str = "default") -> str:
    product.clock.advance(1)
    queue = built_in()["queue_approval"]
    call = ulid(product.now())
    errand = Errand(
        doors=product,
        tenant=tenant,
        subject="me",
        session_id="",
        run_id="",
        effect=Key(f"tenants/{tenant}/idempotency/{call}", "0" * 64),
    )
    asked = queue.arguments.model_validate({"action": {"tool": tool, "arguments": arguments}, "reason": "Because."})
    return str((await queue.run(errand, asked)).result["approval_id"])


async def test_the_queue_is_newest_first_paged_and_filtered(serve: Serve, product: LocalServices) -> None:
    made = [await proposed(product, "create_note", {"text": f"note {n}"}) for n in range(3)]
    with serve("api") as client:
        first = client.get(APPROVALS, params={"limit": 2}).json()
        rest = client.get(APPROVALS, params={"limit": 2, "cursor": first["next_cursor"]}).json()
        client.post(f"{APPROVALS}/{made[0]}/reject")
        waiting = client.get(APPROVALS, params={"status": "pending"})
        refused = client.get(APPROVALS, params={"status": "rejected"}).json()["approvals"]
        unchanged = client.get(
            APPROVALS, params={"status": "pending"}, headers={"If-None-Match": waiting.headers["etag"]}
        )
        wrong = client.get(APPROVALS, params={"status": "open"})
    assert [one["id"] for one in first["approvals"] + rest["approvals"]] == made[::-1]
    assert rest["next_cursor"] is None
    assert [one["id"] for one in waiting.json()["approvals"]] == [made[2], made[1]]
    assert [one["id"] for one in refused] == [made[0]]
    assert (unchanged.status_code, wrong.status_code) == (304, 422)


async def test_a_list_carries_first_lines_and_one_approval_the_whole(serve: Serve, product: LocalServices) -> None:
    made = await proposed(product, "create_note", {"text": "x" * 5_000})
    with serve("api") as client:
        (listed,) = client.get(APPROVALS).json()["approvals"]
        whole = client.get(f"{APPROVALS}/{made}").json()
    assert len(listed["action"]["arguments"]["text"]) == FIRST_LINES + 1
    assert len(whole["approval"]["action"]["arguments"]["text"]) == 5_000


async def test_an_approval_shows_what_it_would_change_and_whether_that_is_old(
    serve: Serve, product: LocalServices
) -> None:
    note_id = await captured(product, "one\ntwo", title="Old")
    made = await proposed(product, "update_note", {"note_id": note_id, "changes": {"body": "one\nthree"}})
    with serve("api") as client:
        fresh = client.get(f"{APPROVALS}/{made}").json()
        product.clock.advance(1)
        client.patch(f"/api/v1/notes/{note_id}", json={"body": "one\nfour"})
        stale = client.get(f"{APPROVALS}/{made}").json()
        client.post(f"{APPROVALS}/{made}/approve")
        decided = client.get(f"{APPROVALS}/{made}").json()
    (field,) = fresh["diff"]["fields"]
    assert field == {
        "field": "body",
        "before": "one\ntwo",
        "after": "one\nthree",
        "lines": ["@@ -1,2 +1,2 @@", " one", "-two", "+three"],
    }
    assert fresh["diff"]["target"] == {"id": note_id, "title": "Old", "link": f"#/notes/{note_id}"}
    assert (fresh["stale"], stale["stale"]) == (False, True)
    assert stale["diff"]["fields"][0]["before"] == "one\nfour"
    assert (decided["diff"], decided["approval"]["status"]) == (None, "approved")


@pytest.mark.survival(9)
async def test_approve_reject_and_their_losers(serve: Serve, product: LocalServices) -> None:
    made = await proposed(product, "create_note", {"text": "Pears."})
    other = await proposed(product, "create_note", {"text": "Plums."})
    with serve("api") as client:
        done = client.post(f"{APPROVALS}/{made}/approve")
        again = client.post(f"{APPROVALS}/{made}/approve", json={})
        late = client.post(f"{APPROVALS}/{made}/reject")
        refused = client.post(f"{APPROVALS}/{other}/reject", json={"reason": "No plums."})
        notes = client.get("/api/v1/notes").json()["notes"]
    approval = done.json()["approval"]
    assert (done.status_code, approval["status"], approval["ok"]) == (200, "approved", True)
    assert approval["resolved_by"] and approval["resolved_at"] and approval["undo"]["type"] == "note_created"
    for answer in (again, late):
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "already_resolved")
        assert answer.json()["error"]["next"]
    assert (refused.json()["approval"]["status"], refused.json()["approval"]["rejection"]) == ("rejected", "No plums.")
    assert [note["body"] for note in notes] == ["Pears."]


async def test_an_edited_yes_is_checked_before_anything_happens(serve: Serve, product: LocalServices) -> None:
    made = await proposed(product, "create_note", {"text": "Pears."})
    with serve("api") as client:
        wrong = client.post(f"{APPROVALS}/{made}/approve", json={"changes": {"text": 7}})
        unknown = client.post(f"{APPROVALS}/{made}/approve", json={"change": {}})
        done = client.post(f"{APPROVALS}/{made}/approve", json={"changes": {"text": "Plums."}}).json()["approval"]
        notes = client.get("/api/v1/notes").json()["notes"]
    assert (wrong.status_code, unknown.status_code) == (422, 422)
    assert "text" in wrong.json()["error"]["message"]
    assert [note["body"] for note in notes] == ["Plums."]
    assert done["proposed"]["arguments"]["text"] == "Pears."


async def test_what_was_approved_can_be_undone_once(serve: Serve, product: LocalServices) -> None:
    made = await proposed(product, "create_note", {"text": "Pears."})
    with serve("api") as client:
        early = client.post(f"{APPROVALS}/{made}/undo")
        client.post(f"{APPROVALS}/{made}/approve")
        undone = [client.post(f"{APPROVALS}/{made}/undo") for _ in range(2)]
        left = client.get("/api/v1/notes").json()["notes"]
    assert (early.status_code, early.json()["error"]["code"]) == (409, "nothing_to_undo")
    assert [one.status_code for one in undone] == [200, 200]
    assert undone[0].json()["undone"]["undone"] == "note_created" and left == []


async def test_after_its_time_it_is_shown_as_expired_and_answers_410(serve: Serve, product: LocalServices) -> None:
    note_id = await captured(product, "stays")
    made = await proposed(product, "delete_note", {"note_id": note_id})
    product.clock.advance(WEEK + 1)
    with serve("api") as client:
        (listed,) = client.get(APPROVALS).json()["approvals"]
        waiting = client.get(APPROVALS, params={"status": "pending"}).json()["approvals"]
        answers: list[Any] = [client.post(f"{APPROVALS}/{made}/{word}") for word in ("approve", "reject", "approve")]
        shown = client.get(f"{APPROVALS}/{made}").json()
    assert (listed["status"], waiting, shown["approval"]["status"], shown["diff"]) == ("expired", [], "expired", None)
    assert {(one.status_code, one.json()["error"]["code"]) for one in answers} == {(410, "approval_expired")}
    assert (await Notes(product.documents, "default").get(note_id)).value.deleted_at is None
