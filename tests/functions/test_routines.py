from typing import Any

import pytest

from infra.local.services import LocalServices
from shared.models.base import moment
from shared.models.operation import Failure
from shared.operations.amend import amend
from shared.operations.ending import fail
from shared.operations.transition import Change
from shared.routines.due import start_due
from shared.store.operations import Operations
from tests.functions.conftest import Serve
from tests.functions.test_private import token

ROUTINES = "/api/v1/routines"
DAY = 86_400


async def failed(product: LocalServices) -> None:
    """What is due starts, and fails."""

    def started(change: Change) -> bool:
        change.start(deadline=change.now + 60)
        return True

    assert await start_due(product) == 1
    (queued,) = await Operations(product.documents, "default").page(statuses=("queued",))
    await amend(product, "default", queued.id, started)
    await fail(product, "default", queued.id, Failure(code="model_down", message="It is down.", next="Wait."))


async def test_both_routines_are_listed_and_off(serve: Serve) -> None:
    with serve("api") as client:
        listed = client.get(ROUTINES).json()
    assert [(one["name"], one["at"], one["enabled"]) for one in listed["routines"]] == [
        ("daily_review", "07:00", False),
        ("nightly_digest", "21:00", False),
    ]
    assert {one["next_due_at"] for one in listed["routines"]} == {None}
    assert listed["next_cursor"] is None


async def test_it_is_switched_on_moved_and_off(serve: Serve, product: LocalServices) -> None:
    with serve("api") as client:
        client.put("/api/v1/settings", json={"time_zone": "Asia/Kathmandu"})
        on = client.patch(f"{ROUTINES}/daily_review", json={"enabled": True, "at": "06:30"}).json()["routine"]
        stale = client.patch(f"{ROUTINES}/daily_review", json={"at": "08:00"}, headers={"If-Match": "0"})
        same = client.patch(f"{ROUTINES}/daily_review", json={"at": "06:30"}).json()["routine"]
        off = client.patch(f"{ROUTINES}/daily_review", json={"enabled": False}).json()["routine"]
    assert (on["enabled"], on["at"], on["time_zone"]) == (True, "06:30", "Asia/Kathmandu")
    assert on["next_due_at"].endswith("T00:45:00.000000Z")
    assert (stale.status_code, same["revision"]) == (409, on["revision"])
    assert (off["enabled"], off["next_due_at"]) == (False, None)


@pytest.mark.parametrize("wrong", [{"at": "7:00"}, {"at": "24:00"}, {"enabled": "yes"}, {"zone": "UTC"}, {"at": 7}])
async def test_what_is_no_setting_is_refused(serve: Serve, wrong: dict[str, Any]) -> None:
    with serve("api") as client:
        assert client.patch(f"{ROUTINES}/daily_review", json=wrong).status_code == 422
        for method, path in (("PATCH", "weekly"), ("POST", "weekly/run")):
            answer = client.request(method, f"{ROUTINES}/{path}", json={} if method == "PATCH" else None)
            assert (answer.status_code, answer.json()["error"]["code"]) == (404, "routine_not_found")


async def test_it_is_run_now_and_shows_among_the_runs(serve: Serve) -> None:
    with serve("api") as client:
        first = client.post(f"{ROUTINES}/nightly_digest/run", headers={"Idempotency-Key": "k"})
        again = client.post(f"{ROUTINES}/nightly_digest/run", headers={"Idempotency-Key": "k"})
        runs = client.get(f"{ROUTINES}/runs").json()
        digest = client.get(ROUTINES).json()["routines"][1]
    operation = first.json()["operation"]
    assert (first.status_code, operation["kind"], again.json()["operation"]["id"]) == (202, "routine", operation["id"])
    assert [(run["id"], run["by"], run["status"]) for run in runs["runs"]] == [(operation["id"], "person", "queued")]
    assert [run["id"] for run in digest["last_runs"]] == [operation["id"]]


async def test_runs_are_paged(serve: Serve, product: LocalServices) -> None:
    with serve("api") as client:
        client.patch(f"{ROUTINES}/daily_review", json={"enabled": True})
        for _ in range(3):
            product.clock.advance(DAY)
            assert await start_due(product) == 1
        first = client.get(f"{ROUTINES}/runs", params={"limit": 2}).json()
        rest = client.get(f"{ROUTINES}/runs", params={"limit": 2, "cursor": first["next_cursor"]}).json()
    due = [run["due_at"] for run in first["runs"] + rest["runs"]]
    assert len(due) == 3 and due == sorted(due, reverse=True)


async def test_a_paused_routine_says_why_and_is_resumed(serve: Serve, product: LocalServices) -> None:
    with serve("api") as client:
        client.patch(f"{ROUTINES}/daily_review", json={"enabled": True})
        for _ in range(3):
            product.clock.advance(DAY)
            await failed(product)
        paused = client.get(ROUTINES).json()["routines"][0]
        resumed = client.patch(f"{ROUTINES}/daily_review", json={"resume": True}).json()["routine"]
    assert "It is down. Wait." in paused["paused"]["reason"]
    assert (paused["failures"], paused["enabled"], paused["next_due_at"]) == (3, True, None)
    assert (resumed["paused"], resumed["failures"]) == (None, 0)
    assert resumed["next_due_at"] > moment(product.now()).isoformat()[:19]


async def test_a_tick_that_comes_twice_starts_what_is_due_once(serve: Serve, product: LocalServices) -> None:
    with serve("api") as client:
        client.patch(f"{ROUTINES}/daily_review", json={"enabled": True})
    with serve("tick", key=None) as tick:
        product.clock.advance(DAY)
        answers = [tick.post("/", headers=token(product, "tick")).json()["routines"] for _ in range(2)]
    assert answers == [1, 0]
