import json
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from infra.local.services import LocalServices
from shared.capture import Capture, capture
from shared.models.base import moment
from shared.models.ids import ulid
from shared.models.operation import AgentInput, MemoryInput, RoutineInput
from shared.operations import waiting
from shared.operations.dispatch import dispatch
from shared.operations.start import start as submit
from shared.operations.transition import Change
from shared.research import claim
from shared.store.operations import Operations
from tests.fakes.desk import ListedExecutions
from tests.functions.conftest import Serve, digest

NOTES = "/api/v1/notes"


async def captured(product: LocalServices, text: str, tenant: str = "default", **fields: object) -> str:
    entry = Capture.model_validate({"text": text, **fields})
    return (await capture(product.documents, tenant, entry, product.now())).note.id


async def test_the_feed_is_newest_first_and_paged(serve: Serve, product: LocalServices) -> None:
    made = []
    for number in range(5):
        product.clock.advance(1)
        made.append(await captured(product, f"note {number}"))
    with serve("api") as client:
        first = client.get(NOTES, params={"limit": 2}).json()
        second = client.get(NOTES, params={"limit": 2, "cursor": first["next_cursor"]}).json()
        last = client.get(NOTES, params={"limit": 2, "cursor": second["next_cursor"]}).json()
    listed = [note["id"] for page in (first, second, last) for note in page["notes"]]
    assert listed == made[::-1]
    assert last["next_cursor"] is None


async def test_an_unchanged_feed_costs_no_bytes(serve: Serve, product: LocalServices) -> None:
    await captured(product, "a")
    with serve("api") as client:
        first = client.get(NOTES)
        unchanged = client.get(NOTES, headers={"If-None-Match": first.headers["etag"]})
        await captured(product, "b")
        changed = client.get(NOTES, headers={"If-None-Match": first.headers["etag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert changed.status_code == 200


async def test_kind_and_tag_filter_the_feed(serve: Serve, product: LocalServices) -> None:
    link = await captured(product, "", url="https://a.example/", tags=["read"])
    await captured(product, "thought")
    with serve("api") as client:
        assert [note["id"] for note in client.get(NOTES, params={"kind": "link"}).json()["notes"]] == [link]
        assert [note["id"] for note in client.get(NOTES, params={"tag": "read"}).json()["notes"]] == [link]
        assert client.get(NOTES, params={"kind": "nonsense"}).status_code == 422


async def test_search_answers_a_whole_question_with_the_best_note_first(serve: Serve, product: LocalServices) -> None:
    await captured(product, "Bread wants flour and water.")
    best = await captured(product, "Espaliered pears want a sunny wall.")
    await captured(product, "What we want to do in spring: paint the wall.")
    with serve("api") as client:
        found = client.get(NOTES, params={"q": "where do I plant an espaliered pear tree?"}).json()["notes"]
    assert found[0]["id"] == best


async def test_a_search_shows_where_each_note_says_it(serve: Serve, product: LocalServices) -> None:
    long = "Filler.\n" * 200 + "Die grünen Häuser am Fluss."
    below = await captured(product, long, title="Walks")
    named = await captured(product, "Nothing of that in the text.", title="Houses: Haus")
    with serve("api") as client:
        found = client.get(NOTES, params={"q": "gruenes haus häuser"}).json()
        assert client.get(NOTES).json()["hits"] == []
    hits = {hit["note_id"]: hit for hit in found["hits"]}
    assert [hit["note_id"] for hit in found["hits"]] == [note["id"] for note in found["notes"]]
    assert {"text": "Häuser", "hit": True} in hits[below]["passage"]
    assert all(not piece["hit"] for piece in hits[below]["title"])
    assert hits[named]["passage"] == []
    assert {"text": "Haus", "hit": True} in hits[named]["title"]


async def test_a_word_is_found_while_it_is_typed(serve: Serve, product: LocalServices) -> None:
    note_id = await captured(product, "Call the landlord about the heating.", tags=["ideas"])
    await captured(product, "Land ahead.")
    with serve("api") as client:
        found = client.get(NOTES, params={"q": "landlo"}).json()
        tagged = client.get(NOTES, params={"q": "#idea"}).json()
        complete = client.get(NOTES, params={"q": "landlo "}).json()
    (hit,) = found["hits"]
    assert hit["note_id"] == note_id
    assert {"text": "landlord", "hit": True} in hit["title"]
    assert [note["id"] for note in tagged["notes"]] == [note_id]
    assert complete["notes"] == []


async def test_an_edit_keeps_the_old_value_in_the_trace(serve: Serve, product: LocalServices) -> None:
    note_id = await captured(product, "before")
    with serve("api") as client:
        edited = client.patch(f"{NOTES}/{note_id}", json={"body": "after", "tags": ["x"]}, headers={"If-Match": "1"})
        assert edited.json()["note"]["body"] == "after"
        assert edited.json()["note"]["revision"] == 2
        stale = client.patch(f"{NOTES}/{note_id}", json={"body": "lost"}, headers={"If-Match": "1"})
        assert stale.status_code == 409
        assert stale.json()["error"]["code"] == "revision_conflict"
        whole = client.get(f"{NOTES}/{note_id}").json()
    assert whole["note"]["body"] == "after"
    assert [event["type"] for event in whole["trace"]] == ["user"]
    assert whole["trace"][0]["changes"] == {"body": ["before", "after"], "tags": [[], ["x"]]}


async def test_an_edit_of_nothing_changes_nothing(serve: Serve, product: LocalServices) -> None:
    note_id = await captured(product, "same")
    with serve("api") as client:
        answer = client.patch(f"{NOTES}/{note_id}", json={"body": "same"})
    assert answer.json()["note"]["revision"] == 1


async def test_only_a_newly_added_research_tag_asks_for_research(serve: Serve, product: LocalServices) -> None:
    note_id = await captured(product, "q")
    with serve("api") as client:
        added = client.patch(f"{NOTES}/{note_id}", json={"tags": ["#Research"]}).json()["note"]
        assert added["research"]["requested"] is True
        assert await claim.claim(product, "default", note_id)
        stays = client.patch(f"{NOTES}/{note_id}", json={"tags": ["research", "more"]}).json()["note"]
    assert stays["research"]["requested"] is False


async def test_a_long_body_can_be_edited_shorter_and_longer(serve: Serve, product: LocalServices) -> None:
    note_id = await captured(product, "ö" * 200_000)
    with serve("api") as client:
        for text in ("short", "ä" * 150_000, "z" * 5):
            client.patch(f"{NOTES}/{note_id}", json={"body": text})
            assert client.get(f"{NOTES}/{note_id}").json()["note"]["body"] == text


async def test_a_deleted_note_waits_in_the_bin_and_comes_back(serve: Serve, product: LocalServices) -> None:
    note_id = await captured(product, "espalier")
    with serve("api") as client:
        assert client.delete(f"{NOTES}/{note_id}").json()["note"]["deleted_at"]
        assert client.get(NOTES).json()["notes"] == []
        assert client.get(NOTES, params={"q": "espalier"}).json()["notes"] == []
        assert [note["id"] for note in client.get(NOTES, params={"deleted": True}).json()["notes"]] == [note_id]
        assert client.post(f"{NOTES}/{note_id}/research").status_code == 409
        assert client.post(f"{NOTES}/{note_id}/restore").json()["note"]["deleted_at"] is None
        assert [note["id"] for note in client.get(NOTES, params={"q": "espalier"}).json()["notes"]] == [note_id]


@pytest.mark.parametrize("note_id", ["0" * 26, "nope", "..", "a b", "%2e%2e", "01H8XGJWBWBAQ4Z4Z4Z4Z4Z4Z4"])
def test_unknown_ids_are_not_found(serve: Serve, note_id: str) -> None:
    with serve("api") as client:
        for method, path in (
            ("GET", f"{NOTES}/{note_id}"),
            ("PATCH", f"{NOTES}/{note_id}"),
            ("DELETE", f"{NOTES}/{note_id}"),
            ("POST", f"{NOTES}/{note_id}/restore"),
            ("POST", f"{NOTES}/{note_id}/enrich"),
            ("POST", f"{NOTES}/{note_id}/research"),
            ("GET", f"/api/v1/operations/{note_id}"),
            ("POST", f"/api/v1/operations/{note_id}/cancel"),
            ("POST", f"/api/v1/operations/{note_id}/retry"),
            ("GET", f"/api/v1/operations/{note_id}/events"),
            ("PATCH", f"/api/v1/tasks/{note_id}"),
        ):
            answer = client.request(method, path, json={} if method == "PATCH" else None)
            assert answer.status_code in (404, 405), (method, path, answer.text)
            assert answer.json()["error"]["code"].endswith(("not_found", "not_allowed"))


async def test_another_tenant_sees_and_changes_nothing(serve: Serve, product: LocalServices) -> None:
    theirs = await captured(product, "secret espalier", tenant="other")
    operation = await claim.request(product, "other", theirs)
    with serve("api") as client:
        assert client.get(NOTES).json()["notes"] == []
        assert client.get(NOTES, params={"q": "espalier"}).json()["notes"] == []
        assert client.get("/api/v1/operations").json()["operations"] == []
        for method, path in (
            ("GET", f"{NOTES}/{theirs}"),
            ("PATCH", f"{NOTES}/{theirs}"),
            ("DELETE", f"{NOTES}/{theirs}"),
            ("POST", f"{NOTES}/{theirs}/research"),
            ("GET", f"/api/v1/operations/{operation.id}"),
            ("POST", f"/api/v1/operations/{operation.id}/cancel"),
            ("GET", f"/api/v1/operations/{operation.id}/events"),
        ):
            assert client.request(method, path, json={} if method == "PATCH" else None).status_code == 404
        start = client.post("/api/v1/operations", json={"kind": "deep_research", "input": {"note_id": theirs}})
        assert start.status_code == 404
    table = {"d": {"key_sha256": digest("their-key"), "tenant": "other", "subject": "them"}}
    Path(product.settings.device_keys_file).write_text(json.dumps(table))
    product.clock.advance(61)
    with serve("api", key="their-key") as client:
        assert client.get(f"{NOTES}/{theirs}").status_code == 200


async def test_research_can_be_asked_for_once_at_a_time(serve: Serve, product: LocalServices) -> None:
    note_id = await captured(product, "q")
    headers = {"Idempotency-Key": "k"}
    with serve("api") as client:
        first = client.post(f"{NOTES}/{note_id}/research", headers=headers)
        again = client.post(f"{NOTES}/{note_id}/research", headers=headers)
        other = client.post(f"{NOTES}/{note_id}/research")
        assert (first.status_code, again.status_code, other.status_code) == (202, 202, 409)
        assert first.json()["operation"]["id"] == again.json()["operation"]["id"]
        assert other.json()["error"]["code"] == "already_running"
        operation_id = first.json()["operation"]["id"]
        active = client.get("/api/v1/operations", params={"status": "active"}).json()["operations"]
        assert [operation["id"] for operation in active] == [operation_id]
        cancelled = client.post(f"/api/v1/operations/{operation_id}/cancel").json()["operation"]
        assert cancelled["status"] == "cancelled"
        assert client.post(f"/api/v1/operations/{operation_id}/cancel").json()["operation"]["status"] == "cancelled"
        assert client.post(f"/api/v1/operations/{operation_id}/retry").status_code == 202


async def test_an_operations_log_is_read_as_json_and_as_a_stream(serve: Serve, product: LocalServices) -> None:
    note_id = await captured(product, "q")
    operation = await claim.request(product, "default", note_id)
    path = f"/api/v1/operations/{operation.id}"
    with serve("api") as client:
        client.post(f"{path}/cancel")
        events = client.get(f"{path}/events").json()["events"]
        assert [(event["seq"], event["event"]) for event in events] == [(1, "task.progress"), (2, "task.cancelled")]
        assert [event["seq"] for event in client.get(f"{path}/events", params={"after": 1}).json()["events"]] == [2]
        stream = client.get(f"{path}/events", headers={"Accept": "text/event-stream", "Last-Event-ID": "1"})
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert "id: 2\nevent: task.cancelled\n" in stream.text
    assert "id: 1\n" not in stream.text
    assert stream.text.endswith('event: done\ndata: {"status":"cancelled"}\n\n')


async def test_the_page_of_an_operation_shows_that_its_execution_was_cancelled_elsewhere(
    serve: Serve, product: LocalServices
) -> None:
    engine = product.executions = ListedExecutions()
    operation = await submit(product, "default", "agent_task", AgentInput(question="When do pears ripen?"))
    await dispatch(product, "default")
    path = f"/api/v1/operations/{operation.id}"
    with serve("api") as client:
        assert client.get(path).json()["operation"]["status"] == "running"
        engine.states = dict.fromkeys(engine.states, "CANCELLED")
        product.clock.advance(61)
        assert client.get(path).json()["operation"]["status"] == "cancelled"
        events = client.get(f"{path}/events").json()["events"]
    assert events[-1]["event"] == "task.cancelled"


async def test_the_list_of_work_leaves_out_what_goes_on_by_itself(serve: Serve, product: LocalServices) -> None:
    asked_for: list[str] = []
    beside: list[str] = []
    for number in range(5):
        product.clock.advance(1)
        task = await submit(product, "default", "agent_task", AgentInput(question=f"Question {number}?"))
        asked_for.insert(0, task.id)
        for _ in range(3):
            product.clock.advance(1)
            said = MemoryInput(session_id=task.id, turn=ulid(product.clock.now()))
            made = await submit(product, "default", "memory_generation", said)
            beside.insert(0, made.id)

    def listed(client: TestClient, **params: str | int) -> list[str]:
        """All pages of two."""
        found: list[str] = []
        page = client.get("/api/v1/operations", params={"limit": 2, **params}).json()
        while True:
            assert len(page["operations"]) <= 2
            found += [one["id"] for one in page["operations"]]
            if page["next_cursor"] is None:
                return found
            params["cursor"] = page["next_cursor"]
            page = client.get("/api/v1/operations", params={"limit": 2, **params}).json()

    with serve("api") as client:
        assert listed(client) == listed(client, status="active") == listed(client, upkeep="false") == asked_for
        assert listed(client, upkeep="true") == sorted([*asked_for, *beside], reverse=True)
        assert listed(client, kind="memory_generation") == beside, "who names a kind gets it"
        assert listed(client, kind="agent_task", upkeep="true") == asked_for


async def asked(product: LocalServices, question: str, note_ids: list[str] | None = None) -> str:
    """A task that runs and has asked its person something."""
    wanted = AgentInput(question=question, note_ids=note_ids or [])
    operation = await submit(product, "default", "agent_task", wanted)
    operations = Operations(product.documents, "default")
    stored = await operations.get(operation.id)
    change = Change(stored.value, product.now())
    change.start(product.now() + 300)
    await product.documents.commit(operations.put(change.operation, change.events, stored.version))
    await waiting.wait(product, "default", operation.id, "Which pear?", ["Conference", "Comice"])
    return operation.id


async def test_a_task_is_submitted_once_under_a_key(serve: Serve, product: LocalServices) -> None:
    note_id = await captured(product, "Pears ripen at a south wall.")
    wanted = {"kind": "agent_task", "input": {"question": "  When do pears ripen?  ", "note_ids": [note_id, note_id]}}
    with serve("api") as client:
        headers = {"Idempotency-Key": "k"}
        first, again = (client.post("/api/v1/operations", json=wanted, headers=headers) for _ in range(2))
        other = client.post("/api/v1/operations", json=wanted)
        changed = client.post("/api/v1/operations", json={**wanted, "input": {"question": "Else?"}}, headers=headers)
    assert (first.status_code, again.status_code, other.status_code, changed.status_code) == (202, 202, 202, 409)
    operation = first.json()["operation"]
    assert again.json()["operation"]["id"] == operation["id"] != other.json()["operation"]["id"]
    assert (operation["kind"], operation["status"]) == ("agent_task", "queued")
    assert operation["input"] == {"question": "When do pears ripen?", "note_ids": [note_id]}
    assert (operation["budget_usd"], operation["budget_tokens"]) == (5.0, 1_000_000)


async def test_a_task_reads_no_note_from_the_bin_and_a_repeat_is_still_the_same_task(
    serve: Serve, product: LocalServices
) -> None:
    note_id = await captured(product, "Pears ripen at a south wall.")
    wanted = {"kind": "agent_task", "input": {"question": "When do pears ripen?", "note_ids": [note_id]}}
    with serve("api") as client:
        headers = {"Idempotency-Key": "k"}
        first = client.post("/api/v1/operations", json=wanted, headers=headers)
        client.delete(f"/api/v1/notes/{note_id}")
        refused = client.post("/api/v1/operations", json=wanted)
        again = client.post("/api/v1/operations", json=wanted, headers=headers)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "note_deleted")
    assert (again.status_code, again.json()["operation"]["id"]) == (202, first.json()["operation"]["id"])


@pytest.mark.parametrize(
    ("wanted", "status"),
    [
        ({"kind": "agent_task", "input": {"question": " "}}, 422),
        ({"kind": "agent_task", "input": {"question": "q", "note_ids": ["x"]}}, 422),
        ({"kind": "agent_task", "input": {"question": "q", "note_ids": ["01arz3ndektsv4rrffq69g5fav"]}}, 404),
        ({"kind": "agent_task", "input": {"note_id": "01arz3ndektsv4rrffq69g5fav"}}, 422),
        ({"kind": "deep_research", "input": {"question": "q"}}, 422),
        ({"kind": "routine", "input": {}}, 422),
        ({"input": {"question": "q"}}, 422),
    ],
)
def test_work_that_can_not_be_is_refused(serve: Serve, wanted: dict[str, object], status: int) -> None:
    with serve("api") as client:
        answer = client.post("/api/v1/operations", json=wanted)
        assert answer.status_code == status
        assert answer.json()["error"]["next"]
        assert client.get("/api/v1/operations").json()["operations"] == []


async def test_an_operation_takes_one_answer(serve: Serve, product: LocalServices) -> None:
    operation_id = await asked(product, "When do they ripen?")
    path = f"/api/v1/operations/{operation_id}"
    with serve("api") as client:
        waits = client.get(path).json()["operation"]
        assert waits["asked"]["text"] == "Which pear?"
        assert waits["asked"]["options"] == ["Conference", "Comice"]
        assert client.post(f"{path}/input", json={"text": "  "}).status_code == 422
        first, again = (client.post(f"{path}/input", json={"text": "Comice"}) for _ in range(2))
        other = client.post(f"{path}/input", json={"text": "Conference"})
    assert (first.status_code, again.status_code, other.status_code) == (202, 202, 409)
    assert first.json()["operation"]["answer"] == "Comice"
    assert first.json()["operation"]["status"] == "waiting_for_input"
    assert other.json()["error"]["code"] == "not_waiting"
    assert other.json()["error"]["next"]


async def test_an_answer_that_comes_too_late_is_gone_and_ends_the_wait(serve: Serve, product: LocalServices) -> None:
    path = f"/api/v1/operations/{await asked(product, 'When?')}"
    product.clock.advance(25 * 3600)
    with serve("api") as client:
        late = client.post(f"{path}/input", json={"text": "Comice"})
        assert (late.status_code, late.json()["error"]["code"]) == (410, "input_expired")
        ended = client.get(path).json()["operation"]
        assert (ended["status"], ended["error"]["code"]) == ("cancelled", "input_expired")
        assert client.post(f"{path}/input", json={"text": "Comice"}).status_code == 409


async def test_nobody_answers_for_another_tenant(serve: Serve, product: LocalServices) -> None:
    path = f"/api/v1/operations/{await asked(product, 'When?')}"
    table = {"d": {"key_sha256": digest("their-key"), "tenant": "other", "subject": "them"}}
    Path(product.settings.device_keys_file).write_text(json.dumps(table))
    product.clock.advance(61)
    with serve("api", key="their-key") as client:
        assert client.post(f"{path}/input", json={"text": "Comice"}).status_code == 404


async def test_a_task_is_started_anew_with_its_question_once_it_has_ended(serve: Serve, product: LocalServices) -> None:
    operation_id = await asked(product, "When do they ripen?")
    path = f"/api/v1/operations/{operation_id}"
    with serve("api") as client:
        early = client.post(f"{path}/retry")
        assert (early.status_code, early.json()["error"]["code"]) == (409, "not_retryable")
        client.post(f"{path}/cancel")
        anew, twice = (client.post(f"{path}/retry", headers={"Idempotency-Key": "k"}) for _ in range(2))
    assert anew.status_code == 202
    operation = anew.json()["operation"]
    assert twice.json()["operation"]["id"] == operation["id"] != operation_id
    assert (operation["kind"], operation["status"]) == ("agent_task", "queued")
    assert operation["input"] == {"question": "When do they ripen?", "note_ids": []}


async def test_a_routines_run_is_not_started_anew(serve: Serve, product: LocalServices) -> None:
    wanted = RoutineInput(routine="daily_review", due_at=moment(product.now()))
    operation = await submit(product, "default", "routine", wanted)
    path = f"/api/v1/operations/{operation.id}"
    with serve("api") as client:
        client.post(f"{path}/cancel")
        answer = client.post(f"{path}/retry")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "not_retryable")
    assert "Routines" in answer.json()["error"]["next"]


async def test_tasks_are_added_changed_and_listed_by_note(serve: Serve, product: LocalServices) -> None:
    note_id = await captured(product, "q")
    with serve("api") as client:
        task = client.post("/api/v1/tasks", json={"title": "call", "source_note_id": note_id}).json()["task"]
        client.post("/api/v1/tasks", json={"title": "other"})
        done = client.patch(f"/api/v1/tasks/{task['id']}", json={"status": "done"}).json()["task"]
        assert (done["status"], done["revision"]) == ("done", 2)
        listed = client.get("/api/v1/tasks", params={"source_note_id": note_id}).json()["tasks"]
        assert [item["id"] for item in listed] == [task["id"]]
        assert client.post("/api/v1/tasks", json={"title": "  "}).status_code == 422


def test_config_names_the_functions_and_what_research_costs(serve: Serve) -> None:
    with serve("api", key=None) as client:
        config = client.get("/config.json").json()
    assert config["research"] == config["engines"]["deep"]
    assert config["research"] == {"paid": False, "cost_usd": 0, "engine": "your own notes"}


def test_config_tells_no_price_where_our_own_agents_do_research(serve: Serve, product: LocalServices) -> None:
    product.settings = replace(
        product.settings, research_engine="local", research_paid=True, research_cost_usd=3.0, gemini_api_key="key"
    )
    with serve("api", key=None) as client:
        config = client.get("/config.json").json()
    assert config["research"] == config["engines"]["local"]
    assert config["research"] == {"paid": False, "cost_usd": 0, "engine": "Memex itself", "model": True}
    deep = {"paid": True, "cost_usd": 3.0, "engine": "Gemini Deep Research"}
    assert config["engines"]["deep"] == deep, "a person may choose the service all the same"


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("index-DKIo0dSk.js", "public, max-age=31536000, immutable"),
        ("Markdown-H9_s-Bww.js", "public, max-age=31536000, immutable"),
        ("icon.svg", "no-cache"),
        ("touch-pictures.svg", "no-cache"),
        ("icon-192.png", "no-cache"),
    ],
)
def test_only_a_name_with_a_hash_is_kept_for_ever(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, kept: str
) -> None:
    (tmp_path / "dist" / "assets").mkdir(parents=True)
    (tmp_path / "dist" / "assets" / name).write_text("content")
    monkeypatch.setattr("functions.api.web.DIST", tmp_path / "dist")
    with serve("api", key=None) as client:
        answer = client.get(f"/assets/{name}")
        unchanged = client.get(f"/assets/{name}", headers={"If-None-Match": answer.headers["etag"]})
    assert (answer.status_code, answer.headers["cache-control"]) == (200, kept)
    assert (unchanged.status_code, unchanged.headers["cache-control"]) == (304, kept)


def test_health_needs_no_key(serve: Serve) -> None:
    with serve("api", key=None) as client:
        assert client.get("/api/v1/health").status_code == 200
        assert client.get(NOTES).status_code == 401


@pytest.mark.parametrize("params", [{"limit": 0}, {"limit": 201}, {"cursor": "x"}, {"status": "odd"}])
def test_bad_parameters_are_named(serve: Serve, params: dict[str, str]) -> None:
    with serve("api") as client:
        assert client.get("/api/v1/operations", params=params).status_code == 422


@pytest.mark.parametrize("body", [{"body": None}, {"tags": None}, {"body": 5}, {"nope": 1}])
async def test_an_edit_that_would_break_the_note_is_refused_and_the_feed_stays_readable(
    serve: Serve, product: LocalServices, body: dict[str, object]
) -> None:
    note_id = await captured(product, "whole")
    with serve("api") as client:
        refused = client.patch(f"{NOTES}/{note_id}", json=body)
        assert refused.status_code == 422
        assert client.get(NOTES).json()["notes"][0]["body"] == "whole"


async def test_a_new_address_is_found_and_the_old_one_is_not(serve: Serve, product: LocalServices) -> None:
    note_id = await captured(product, "", url="https://zebra.example/")
    with serve("api") as client:
        client.patch(f"{NOTES}/{note_id}", json={"url": "https://okapi.example/"})
        assert client.get(NOTES, params={"q": "okapi"}).json()["notes"]
        assert client.get(NOTES, params={"q": "zebra"}).json()["notes"] == []
        assert client.get(NOTES, params={"q": "!!!"}).json()["notes"] == []
        assert client.get(NOTES, params={"q": "okapi", "deleted": True}).status_code == 422


async def test_a_repeated_request_for_a_task_adds_one(serve: Serve, product: LocalServices) -> None:
    headers = {"Idempotency-Key": "t1"}
    with serve("api") as client:
        ids = {
            client.post("/api/v1/tasks", json={"title": "call"}, headers=headers).json()["task"]["id"] for _ in range(3)
        }
        assert len(ids) == 1
        product.clock.advance(25 * 3600)
        later = client.post("/api/v1/tasks", json={"title": "call"}, headers=headers).json()["task"]["id"]
    assert later not in ids


async def test_other_origins_may_call_only_where_they_are_listed(serve: Serve, product: LocalServices) -> None:
    preflight = {
        "Origin": "https://web.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
    }
    with serve("api", key=None) as client:
        assert "access-control-allow-origin" not in client.options(NOTES, headers=preflight).headers
    product.settings = replace(product.settings, cors_origins=("https://web.example",))
    with serve("api", key=None) as client:
        allowed = client.options(NOTES, headers=preflight)
        assert allowed.headers["access-control-allow-origin"] == "https://web.example"
        foreign = client.options(NOTES, headers={**preflight, "Origin": "https://evil.example"})
        assert "access-control-allow-origin" not in foreign.headers


async def test_an_edit_to_exactly_the_beginning_of_a_long_note_counts(serve: Serve, product: LocalServices) -> None:
    note_id = await captured(product, "a" * 150_000)
    with serve("api") as client:
        edited = client.patch(f"{NOTES}/{note_id}", json={"body": "a" * 100_000}).json()["note"]
        assert (len(edited["body"]), edited["revision"]) == (100_000, 2)
        assert len(client.get(f"{NOTES}/{note_id}").json()["note"]["body"]) == 100_000


async def test_the_whole_old_text_stays_on_record(serve: Serve, product: LocalServices) -> None:
    old = "".join(f"line {n} of the old text\n" for n in range(3_000))
    note_id = await captured(product, old)
    with serve("api") as client:
        client.patch(f"{NOTES}/{note_id}", json={"body": "new"})
        trace = client.get(f"{NOTES}/{note_id}").json()["trace"]
    assert "".join(event["changes"]["body"][0] for event in trace) == old


async def test_a_note_in_the_bin_is_not_enriched(serve: Serve, product: LocalServices) -> None:
    note_id = await captured(product, "a")
    with serve("api") as client:
        client.delete(f"{NOTES}/{note_id}")
        answer = client.post(f"{NOTES}/{note_id}/enrich")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "note_deleted")


@pytest.mark.parametrize("number", ["²", "9" * 5000, "-1", "1.5", "x"])
async def test_numbers_in_headers_are_checked(serve: Serve, product: LocalServices, number: str) -> None:
    note_id = await captured(product, "a")
    operation = await claim.request(product, "default", note_id)
    with serve("api") as client:
        raw = number.encode()
        assert client.patch(f"{NOTES}/{note_id}", json={"title": "b"}, headers={b"If-Match": raw}).status_code == 422
        path = f"/api/v1/operations/{operation.id}/events"
        headers = {b"Accept": b"text/event-stream", b"Last-Event-ID": raw}
        assert client.get(path, headers=headers).status_code == 422
