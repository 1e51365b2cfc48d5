"""Two people of one tenant: notes are shared, a conversation is not. The routes are read from the OpenAPI document."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import Any

import pytest
from starlette.testclient import TestClient

from infra.local.services import LocalServices
from infra.local.store.schema import NAME
from shared.chat.waiting import MOST
from shared.events.trace import ToolResult, TraceEvent, User
from shared.models.activity import Activity
from shared.models.base import JsonDict, moment
from shared.models.chat import EVERYONE, ChatSession, Gate, PendingCall, Run, Turn
from shared.models.ids import ulid
from shared.store.activity import Activities
from shared.store.chats import Chats
from shared.store.documents import Expect, Query
from tests.functions.conftest import Serve, digest
from tests.shared.test_tenant_wall import DOCUMENTS, body_of, sample, shapes

CHAT = "/api/v1/chat"
SESSIONS = f"{CHAT}/sessions"
MARK = "xylophone"
ROUTES = [
    (method, path) for path, operations in DOCUMENTS["chat"]["paths"].items() if "{" in path for method in operations
]
"""Every route on a conversation or on a run."""


@dataclass(frozen=True)
class Two:
    """Me, a colleague in the same tenant, and somebody of another one."""

    me: TestClient
    colleague: TestClient
    stranger: TestClient


@pytest.fixture
def two(product: LocalServices, serve: Serve) -> Iterator[Two]:
    table = json.loads(product.folder.device_keys_file.read_text())
    table["second"] = {"key_sha256": digest("second-key"), "tenant": "default", "subject": "colleague"}
    table["third"] = {"key_sha256": digest("third-key"), "tenant": "other", "subject": "me"}
    product.folder.device_keys_file.write_text(json.dumps(table))
    with ExitStack() as stack:
        clients = [stack.enter_context(serve("chat", key=key)) for key in ("test-key", "second-key", "third-key")]
        yield Two(*clients)


async def waits(
    product: LocalServices, subject: str = "me", *, owner: str | None = None, hours: float = 1, **session: Any
) -> tuple[str, str]:
    """A conversation that has changed a note, and whose turn waits at a gate: the ids of session and run."""
    product.clock.advance(1)
    now = product.now()
    when, session_id, run_id = moment(now), ulid(now), ulid(now)
    turn = Turn(id=run_id, status="waiting", lease_until=when, first_seq=1)
    secret: JsonDict = {"note_id": ulid(now), "token": f"{MARK} raw", "text": MARK * 200}
    call = PendingCall(
        call_id="c", tool="delete_note", arguments=secret, shown={**secret, "token": "[masked]"}, why="It destroys."
    )
    gate = Gate(reason="approve_tool", pending=[call], expires_at=moment(now + hours * 3600))
    owned = ChatSession.model_validate(
        {
            "id": session_id, "created_at": when, "updated_at": when, "title": MARK, "turn": turn,
            "subject": subject if owner is None else owner, **session,
        }
    )  # fmt: skip
    run = Run(id=run_id, created_at=when, updated_at=when, session_id=session_id, subject=subject, gate=gate)
    undo = {"type": "task_changed", "task_id": ulid(now), "before": {"title": MARK}, "after": {}}
    done = {"seq": 2, "at": when, "turn": run_id, "tool": "update_task", "ok": True, "result": {}, "undo": undo}
    said: list[TraceEvent] = [User(seq=1, at=when, text=MARK, turn=run_id), ToolResult.model_validate(done)]
    chats = Chats(product.documents, "default")
    writes = [chats.put(owned, Expect.ABSENT), chats.put_run(run, Expect.ABSENT)]
    await product.documents.commit([*writes, *chats.put_events(session_id, said)])
    return session_id, run_id


def stored(product: LocalServices) -> list[tuple[Any, ...]]:
    """All documents with their versions."""
    with closing(sqlite3.connect(f"file:{product.folder.path / NAME}?mode=ro", uri=True)) as database:
        return database.execute("SELECT collection, scope, id, version, data FROM documents ORDER BY n").fetchall()


# -- nobody else's


@pytest.mark.parametrize(("method", "path"), ROUTES)
@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
async def test_a_conversation_is_closed_to_the_others_of_its_tenant(
    product: LocalServices, two: Two, method: str, path: str, accept: str
) -> None:
    session_id, run_id = await waits(product, incognito=True)
    before = stored(product)
    url = path.format(session_id=session_id, run_id=run_id)
    assert not re.search("[{}]", url)
    document = DOCUMENTS["chat"]
    (shape,) = shapes(body_of(document["paths"][path][method]), document)
    body = sample(shape, document, {}) if shape else None
    for client, status, code in (
        (two.colleague, 403, "not_yours"),
        (two.stranger, 404, "session_not_found" if "session_id" in path else "run_not_found"),
    ):
        answer = client.request(method, url, json=body, headers={"Accept": accept})
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
        assert answer.json()["error"]["next"]
        assert MARK not in answer.text
    assert stored(product) == before


@pytest.mark.parametrize(
    ("method", "more", "body"),
    [
        ("post", "/undo", {"seq": 2}),
        ("post", "/messages", {"text": "Hello"}),
        ("patch", "", {"title": "Mine now"}),
        ("delete", "", None),
    ],
)
async def test_what_changes_a_conversation_is_refused_whatever_it_says(
    product: LocalServices, two: Two, method: str, more: str, body: JsonDict | None
) -> None:
    session_id, _ = await waits(product)
    before = stored(product)
    answer = two.colleague.request(method, f"{SESSIONS}/{session_id}{more}", json=body)
    assert (answer.status_code, stored(product)) == (403, before)


async def test_what_is_deleted_is_gone_for_everybody(product: LocalServices, two: Two) -> None:
    session_id, _ = await waits(product)
    assert two.me.delete(f"{SESSIONS}/{session_id}").status_code == 204
    assert {one.get(f"{SESSIONS}/{session_id}").status_code for one in (two.me, two.colleague)} == {404}


async def test_each_lists_their_own_and_pages_through_them(product: LocalServices, two: Two) -> None:
    owned: dict[str, list[str]] = {"me": [], "colleague": []}
    for number in range(9):
        subject = "colleague" if number % 3 == 0 else "me"
        owned[subject].insert(0, (await waits(product, subject))[0])
    for client, subject in ((two.me, "me"), (two.colleague, "colleague"), (two.stranger, "")):
        assert listed(client, limit=2) == owned.get(subject, [])


def listed(client: TestClient, limit: int) -> list[str]:
    found: list[str] = []
    cursor = None
    while True:
        page = client.get(SESSIONS, params={"limit": limit, **({"cursor": cursor} if cursor else {})}).json()
        found += [one["id"] for one in page["sessions"]]
        if not (cursor := page["next_cursor"]):
            return found


# -- whose it is


def test_whose_it_is_is_never_what_a_request_says(two: Two) -> None:
    assert two.me.post(SESSIONS, json={"subject": "colleague"}).status_code == 422
    made = two.colleague.post(SESSIONS, json={"title": "x"}).json()["session"]
    assert made["subject"] == "colleague"
    assert two.me.patch(f"{SESSIONS}/{made['id']}", json={"title": "y"}).status_code == 403
    kept = two.colleague.patch(f"{SESSIONS}/{made['id']}", json={"title": "y"}).json()["session"]
    assert (kept["subject"], kept["title"]) == ("colleague", "y")


def test_a_key_that_two_people_use_hands_nothing_over(two: Two) -> None:
    key = {"Idempotency-Key": "the same"}
    asking = (two.me, two.me, two.colleague)
    mine, again, theirs = (one.post(SESSIONS, json={"title": "x"}, headers=key) for one in asking)
    assert {answer.status_code for answer in (mine, again, theirs)} == {201}
    assert mine.json() == again.json()
    assert theirs.json()["session"]["id"] != mine.json()["session"]["id"]
    assert theirs.json()["session"]["subject"] == "colleague"


async def test_one_without_an_owner_is_everyones(product: LocalServices, two: Two) -> None:
    session_id, run_id = await waits(product, owner=EVERYONE)
    for client in (two.me, two.colleague):
        assert listed(client, limit=20) == [session_id]
        assert client.get(f"{SESSIONS}/{session_id}").json()["session"]["subject"] == EVERYONE
    assert listed(two.stranger, limit=20) == []
    # Whoever asked decides, as ever.
    assert two.colleague.post(f"{CHAT}/{run_id}/cancel").status_code == 403
    assert two.me.post(f"{CHAT}/{run_id}/cancel").json()["session"]["turn"]["status"] == "cancelled"
    renamed = two.colleague.patch(f"{SESSIONS}/{session_id}", json={"title": "Ours"}).json()["session"]
    assert (renamed["title"], renamed["subject"]) == ("Ours", EVERYONE)


# -- what is seen outside of it


@pytest.mark.parametrize("incognito", [False, True])
async def test_activity_tells_that_something_was_done_and_not_what_was_said(
    product: LocalServices, two: Two, serve: Serve, incognito: bool
) -> None:
    session_id, run_id = await waits(product, incognito=incognito)
    shared = {"at": moment(product.now()), "subject": "me", "call_id": "c", "tool": "search_notes", "class_": "read"}
    asked = {**shared, "decision": "allowed", "arguments": {"query": MARK}, "ok": True}
    in_chat = Activity(id=ulid(product.now()), session_id=session_id, run_id=run_id, **asked)
    product.clock.advance(1)
    in_a_run = Activity(id=ulid(product.now()), session_id="", run_id=run_id, **asked)
    activities = Activities(product.documents, "default")
    await product.documents.commit([activities.put(in_chat), activities.put(in_a_run)])
    with serve("api") as mine, serve("api", key="second-key") as theirs:
        for client, seen in ((mine, {"query": MARK}), (theirs, {})):
            of_all = client.get("/api/v1/activity").json()["activity"]
            assert [one["arguments"] for one in of_all] == [{"query": MARK}, seen]
            (of_one,) = client.get("/api/v1/activity", params={"session_id": session_id}).json()["activity"]
            assert of_one == of_all[1]
            told = (of_one["tool"], of_one["decision"], of_one["subject"], of_one["ok"])
            assert told == ("search_notes", "allowed", "me", True)


async def test_what_waits_in_my_conversations_is_told_beside_the_proposals(
    product: LocalServices, two: Two, serve: Serve
) -> None:
    session_id, run_id = await waits(product)
    await waits(product, "colleague")
    with serve("api") as mine, serve("api", key="second-key") as theirs, serve("api", key="third-key") as stranger:
        answer = mine.get("/api/v1/approvals")
        (told,) = answer.json()["waiting"]
        assert {name: told[name] for name in ("run_id", "session_id", "title", "reason", "tool", "why")} == {
            "run_id": run_id, "session_id": session_id, "title": MARK,
            "reason": "approve_tool", "tool": "delete_note", "why": "It destroys.",
        }  # fmt: skip
        assert told["arguments"]["token"] == "[masked]"
        assert len(told["arguments"]["text"]) == 601
        assert f"{MARK} raw" not in answer.text
        assert [one["run_id"] for one in theirs.get("/api/v1/approvals").json()["waiting"]] != [run_id]
        assert len(theirs.get("/api/v1/approvals").json()["waiting"]) == 1
        assert stranger.get("/api/v1/approvals").json()["waiting"] == []
        for query, there in (("status=pending", True), ("status=rejected", False), (f"cursor={run_id}", False)):
            waiting = mine.get(f"/api/v1/approvals?{query}").json()["waiting"]
            assert (waiting is not None) is there
        two.me.post(f"{CHAT}/{run_id}/cancel")
        assert mine.get("/api/v1/approvals").json()["waiting"] == []


async def test_what_waits_no_more_is_not_told(product: LocalServices, two: Two, serve: Serve) -> None:
    await waits(product, hours=1)
    gone, _ = await waits(product, deleted=True)
    later, _ = await waits(product, hours=2)
    # In one that is everyone's, a colleague asked: it is theirs to answer.
    await waits(product, "colleague", owner=EVERYONE, hours=2)
    product.clock.advance(3600)
    with serve("api") as mine:
        (told,) = mine.get("/api/v1/approvals").json()["waiting"]
    assert told["session_id"] == later != gone


async def test_only_the_newest_that_wait_are_told(product: LocalServices, two: Two, serve: Serve) -> None:
    made = [await waits(product) for _ in range(MOST + 2)]
    with serve("api") as mine:
        told = mine.get("/api/v1/approvals").json()["waiting"]
    assert [one["run_id"] for one in told] == [run_id for _, run_id in made[::-1][:MOST]]


async def test_notes_are_still_everyones(product: LocalServices, two: Two, serve: Serve) -> None:
    with serve("capture") as mine, serve("api", key="second-key") as theirs:
        note = mine.post("/api/v1/captures", json={"text": "Ours."}).json()["note"]
        assert theirs.get(f"/api/v1/notes/{note['id']}").status_code == 200
    assert len(await product.documents.query(Query("notes", "tenants/default"))) == 1
