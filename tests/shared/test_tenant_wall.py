"""The wall between tenants: wherever a route takes an id, another tenant's is unknown and stays untouched.

The places are read from the OpenAPI documents, so a new route is walked from its first day; an id of a kind that
nobody described here fails the test.
"""

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
from fastapi.routing import APIRoute
from starlette.testclient import TestClient

from infra.local.openapi import documents
from infra.local.services import LocalServices
from infra.local.store.schema import NAME
from shared.approvals.apply import reject
from shared.capture import Capture, capture
from shared.edit import discard
from shared.events.trace import User
from shared.memory.scope import scope_of
from shared.models.activity import Activity
from shared.models.approval import Approval
from shared.models.base import moment
from shared.models.chat import ChatSession, Gate, PendingCall, Run, Turn
from shared.models.ids import Id, ulid
from shared.models.mcp import McpAccess, McpServer
from shared.models.operation import Operation
from shared.operations import ending
from shared.operations.amend import amend
from shared.operations.transition import Change
from shared.preferences import Choices, choose
from shared.research import claim
from shared.research.failure import failure
from shared.routines import due
from shared.store.activity import Activities
from shared.store.approvals import Approvals
from shared.store.chats import Chats
from shared.store.documents import Expect
from shared.store.mcp import McpServers
from shared.store.notes import Notes
from tests.functions.conftest import Serve, digest, environment, product, serve
from tests.infra.local.memory.standin import Standin

__all__ = ["environment", "product", "serve"]

OWNER, STRANGER = "default", "stranger"
ROUTINE = "nightly_digest"
"""Both have it."""
OWNERS_KEY, STRANGERS_KEY = "test-key", "strangers-key"
MARK = "xylophone"
"""A word in everything that the owner has."""
REPEATED = "an idempotency key that both use"
ID_PATTERN = next(meta.pattern for meta in Id.__metadata__)  # type: ignore[attr-defined]  # Annotated has it
BORDERS = ("path", "query", "header", "body")


@dataclass(frozen=True)
class Place:
    """Where a route takes something that names a thing of a tenant."""

    function: str
    method: str
    path: str
    where: str
    name: str
    """Of a field in a body: the way to it, with dots."""
    variant: int = 0
    """Which of a body's shapes has it, where there are several."""

    def __str__(self) -> str:
        return f"{self.method} {self.path} {self.where} {self.name}"


KINDS: Mapping[str, tuple[str, ...]] = {
    "note_id": ("note", "binned", "report"),
    "note_ids": ("note", "binned", "report"),
    "source_note_id": ("note", "binned", "report"),
    "task_id": ("task",),
    "operation_id": ("queued", "running", "cancelled", "failed"),
    "session_id": ("session",),
    "run_id": ("run",),
    "server_id": ("server",),
    "approval_id": ("approval", "refused"),
    "routine": ("routine",),
    "memory_id": ("memory",),
    "revision_id": ("revision",),
    "cursor": ("report", "task", "failed", "activity", "approval", "digest"),
    "origin": ("origin",),
    "Idempotency-Key": ("repeated",),
}
"""What the owner has for each name of an id."""

ANSWERS: Mapping[tuple[str, str, str], int] = {
    # A task may name a note that is not there, as it outlives its note; it is kept as it came, and shows nothing.
    ("post", "/api/v1/tasks", "source_note_id"): 201,
    # Everybody may have imported a file of the same name: it becomes a note of the stranger's own.
    ("post", "/api/v1/captures", "origin"): 201,
    # What a file claims is kept with the stranger's own new note: another tenant's ids are as unknown as any.
    ("post", "/api/v1/captures", "exported.note_id"): 201,
    ("post", "/api/v1/captures", "exported.source_note_id"): 201,
    ("post", "/api/v1/captures", "exported.citations.0.note_id"): 201,
    # The stranger's own note did not come from the owner's file.
    ("patch", "/api/v1/notes/{note_id}", "origin"): 422,
    # Every tenant has routines of these names, and reaches its own.
    ("patch", "/api/v1/routines/{routine}", "routine"): 200,
    ("post", "/api/v1/routines/{routine}/run", "routine"): 202,
    # The same key in another tenant is another key.
    ("post", "/api/v1/routines/{routine}/run", "Idempotency-Key"): 202,
    ("post", "/api/v1/captures", "Idempotency-Key"): 201,
    ("post", "/api/v1/captures/batch", "Idempotency-Key"): 207,
    ("post", "/api/v1/tasks", "Idempotency-Key"): 201,
    ("post", "/api/v1/mcp/servers", "Idempotency-Key"): 201,
    ("post", "/api/v1/chat/sessions", "Idempotency-Key"): 201,
    ("post", "/api/v1/memories/canary", "Idempotency-Key"): 200,
}
"""Where the answer is neither 404 nor an empty list, and why that is right."""


# -- what the documents say ------------------------------------------------------------------------------------


DOCUMENTS: dict[str, Any] = {function: json.loads(text) for function, text in documents().items()}


def places(told: Mapping[str, Any]) -> Iterator[Place]:
    """Every place of every document that takes an id."""
    for function, document in told.items():
        for path, operations in document["paths"].items():
            for method, operation in operations.items():
                for parameter in operation.get("parameters", []):
                    if parameter["in"] == "path" or names_a_thing(parameter["name"], parameter["schema"]):
                        yield Place(function, method, path, parameter["in"], parameter["name"])
                for number, shape in enumerate(shapes(body_of(operation), document)):
                    for name in fields(shape, document):
                        yield Place(function, method, path, "body", name, number)


def names_a_thing(name: str, schema: Mapping[str, Any]) -> bool:
    """Whether a value names something of a tenant."""
    if name in KINDS or name == "id" or name.endswith(("_id", "_ids")):
        return True
    return ID_PATTERN in json.dumps(schema).replace("\\\\", "\\")


def body_of(operation: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema of a body; empty where there is none."""
    found: Mapping[str, Any] = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    schema: Mapping[str, Any] = found.get("schema", {})
    return schema


def shapes(schema: Mapping[str, Any], document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The shapes that a body may have: mostly one."""
    found = plain(schema, document)
    return [plain(one, document) for one in found.get("oneOf", [found])]


def plain(schema: Mapping[str, Any], document: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema without its reference and without null."""
    while "$ref" in schema or "anyOf" in schema:
        if "$ref" in schema:
            schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        else:
            schema = next(one for one in schema["anyOf"] if one.get("type") != "null")
    return schema


def fields(schema: Mapping[str, Any], document: Mapping[str, Any], way: str = "") -> Iterator[str]:
    """The fields of a body that take an id."""
    schema = plain(schema, document)
    for name, field in schema.get("properties", {}).items():
        if names_a_thing(name, {} if "properties" in plain(field, document) else field):
            yield f"{way}{name}"
        else:
            yield from fields(field, document, f"{way}{name}.")
    if "items" in schema:
        yield from fields(schema["items"], document, f"{way}0.")


def sample(schema: Mapping[str, Any], document: Mapping[str, Any], ids: Mapping[str, str], name: str = "") -> Any:
    """Something that a schema takes, with every field; of those that take an id only what is required."""
    schema = plain(schema, document)
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    match schema.get("type"):
        case "object" if "properties" in schema:
            found = {}
            for key, field in schema["properties"].items():
                if not names_a_thing(key, {} if "properties" in plain(field, document) else field):
                    found[key] = sample(field, document, ids, key)
                elif key in schema.get("required", []):
                    found[key] = ids[key]
            # A thesis' statement is its title, and one of them is given.
            return {key: value for key, value in found.items() if key != "title" or "thesis" not in found}
        case "object":
            return {"text": "stolen"}
        case "array":
            return [sample(schema["items"], document, ids, name)]
        case "boolean":
            return False
        case "integer":
            return max(1, schema.get("minimum", 1))
        case "string":
            known = {"created_at": "2023-01-05T12:00:00Z", "at": "07:00", "url": "https://example.org/"}
            return known.get(name, "stolen")
    raise AssertionError(f"no sample of {name}: {schema}")


PLACES = list(places(DOCUMENTS))


# -- what the owner has ----------------------------------------------------------------------------------------


@dataclass
class World:
    """Two tenants in one store: one has everything, the other tries."""

    product: LocalServices
    owned: dict[str, Any]
    mine: dict[str, str]
    clients: dict[str, TestClient]

    def request(self, place: Place, value: Any) -> httpx2.Response:
        """The stranger's request with the owner's id in one place."""
        document = DOCUMENTS[place.function]
        operation = document["paths"][place.path][place.method]
        url, query, headers = place.path, {}, {"Accept": "application/json"}
        for name in re.findall(r"{(\w+)}", place.path):
            # Elsewhere than in the path, the stranger tries it with what is theirs.
            url = url.replace(f"{{{name}}}", str(value if place.where == "path" else self.mine[name]))
        shape = shapes(body_of(operation), document)[place.variant]
        body = sample(shape, document, self.mine) if shape else None
        if place.where == "query":
            query[place.name] = value
        elif place.where == "header":
            headers[place.name] = value
        elif place.where == "body":
            put(body, place.name, value)
        client = self.clients[place.function]
        return client.request(place.method, url, params=query, headers=headers, json=body)

    def property_of_the_owner(self) -> list[tuple[Any, ...]]:
        """All documents of the owner, with their versions, and all that was told about them."""
        with closing(sqlite3.connect(f"file:{self.product.folder.path / NAME}?mode=ro", uri=True)) as database:
            rows = database.execute("SELECT collection, scope, id, version, data FROM documents ORDER BY n").fetchall()
            told = database.execute("SELECT attributes FROM deliveries ORDER BY n").fetchall()
        kept = [row for row in rows if OWNER in re.split(r"[^a-z]", row[1])]
        assert len(kept) > 20
        return [*kept, *(row for row in told if OWNER in row[0])]


def put(body: Any, way: str, value: Any) -> None:
    """Set a field of a body, making what is on the way."""
    *outer, last = way.split(".")
    for key in outer:
        body = body[int(key)] if key.isdigit() else body.setdefault(key, {})
    body[last] = [value] if last.endswith("_ids") else value


@pytest.fixture
async def world(product: LocalServices, serve: Serve) -> Any:
    table = json.loads(product.folder.device_keys_file.read_text())
    table["stranger"] = {"key_sha256": digest(STRANGERS_KEY), "tenant": STRANGER, "subject": "mallory"}
    product.folder.device_keys_file.write_text(json.dumps(table))
    bank = Standin(product.folder.path, product.clock)
    product.__dict__["memory"] = bank.client
    owned = await everything(product) | await remembered(bank)
    mine = dict.fromkeys(KINDS, "0" * 26) | {"note_id": await captured(product, STRANGER, "mine")}
    mine["routine"] = ROUTINE
    await discard(product.documents, STRANGER, mine["note_id"], product.now())
    with ExitStack() as stack:
        clients = {name: stack.enter_context(serve(name, key=STRANGERS_KEY)) for name in DOCUMENTS}
        yield World(product, owned, mine, clients)
    await bank.aclose()


async def remembered(bank: Standin) -> dict[str, str]:
    """A memory of the owner's."""
    work = await bank.told(scope_of(OWNER, "me"), f"I own a {MARK}.")
    (made,) = work.outcomes
    (state,) = await bank.client.revisions(made.name)
    return {"memory": made.name.rpartition("/")[2], "revision": state.id}


async def captured(product: LocalServices, tenant: str, text: str, **more: Any) -> str:
    entry = Capture.model_validate({"text": text, **more})
    product.clock.advance(1)
    return (await capture(product.documents, tenant, entry, product.now())).note.id


async def everything(product: LocalServices) -> dict[str, Any]:
    """One of each thing that has an id, and more than one where they differ in what can be done with them."""
    from shared import task

    now = product.now
    origin = {"path": f"{MARK}.md", "content_sha256": "0" * 64}
    note = await captured(product, OWNER, f"{MARK} note", tags=[MARK], source="import", origin=origin)
    binned = await captured(product, OWNER, f"{MARK} in the bin")
    await discard(product.documents, OWNER, binned, now())
    report = await captured(product, OWNER, f"{MARK} report")
    notes = Notes(product.documents, OWNER)
    found = await notes.get(report)
    changed = found.value.changed(now(), kind="research", source_note_id=note)
    await notes.commit(changed, found.version, body=None, previous=found.value)
    made = await task.add(
        product.documents,
        OWNER,
        task.NewTask(title=f"{MARK} task", source_note_id=note),
        now(),
        key=None,
    )
    queued = await asked(product)
    cancelled = await asked(product)
    await ending.cancel(product, OWNER, cancelled.id)
    running, failed = await asked(product), await asked(product)
    for one in (running, failed):
        await amend(product, OWNER, one.id, started)
    await ending.fail(product, OWNER, failed.id, failure("start_unknown"))
    session, run, activity = ulid(now()), ulid(now()), ulid(now())
    await talked(product, session, run)
    decided = Activity(
        id=activity,
        at=moment(now()),
        subject="me",
        session_id=session,
        run_id=run,
        call_id=MARK,
        tool="get_note",
        class_="read",
        decision="allowed",
        arguments={"note_id": note, "query": MARK},
    )
    server = ulid(now())
    access = McpAccess(url=f"https://{MARK}.test/", headers={})
    await McpServers(product.documents, OWNER).add(listed(server, now()), access)
    await product.documents.commit([Activities(product.documents, OWNER).put(decided)])
    choice = Choices(model=MARK)
    await choose(product.documents, product.settings, OWNER, choice, now())
    digest_run = await due.run_now(product, OWNER, "nightly_digest", None)
    approval, refused = [await proposed(product, note) for _ in range(2)]
    await reject(product, OWNER, "me", refused, MARK)
    return {
        "note": note,
        "binned": binned,
        "report": report,
        "task": made.id,
        "queued": queued.id,
        "running": running.id,
        "cancelled": cancelled.id,
        "failed": failed.id,
        "origin": origin,
        "repeated": REPEATED,
        "session": session,
        "run": run,
        "activity": activity,
        "server": server,
        "approval": approval,
        "refused": refused,
        "routine": ROUTINE,
        "digest": digest_run.id,
    }


async def proposed(product: LocalServices, note_id: str) -> str:
    """A change of a note that waits for its person's word."""
    product.clock.advance(1)
    when = moment(product.now())
    changes = {"title": MARK}
    approval = Approval.model_validate(
        {
            "id": ulid(product.now()),
            "created_at": when,
            "updated_at": when,
            "action": {"tool": "update_note", "arguments": {"note_id": note_id, "changes": changes}},
            "reason": MARK,
            "subject": "me",
            "expires_at": moment(product.now() + 3600),
        }
    )
    await product.documents.commit([Approvals(product.documents, OWNER).put(approval, Expect.ABSENT)])
    return approval.id


async def talked(product: LocalServices, session_id: str, run_id: str) -> None:
    """A conversation whose turn waits for its person's word."""
    when = moment(product.now())
    turn = Turn(id=run_id, status="waiting", lease_until=when, first_seq=1)
    call = PendingCall(call_id="c", tool="delete_note", arguments={"q": MARK}, shown={"q": MARK}, why=MARK)
    gate = Gate(reason="approve_tool", pending=[call], expires_at=moment(product.now() + 3600))
    session = ChatSession(id=session_id, created_at=when, updated_at=when, title=MARK, turn=turn)
    run = Run(id=run_id, created_at=when, updated_at=when, session_id=session_id, subject="me", gate=gate)
    chats = Chats(product.documents, OWNER)
    said = User(seq=1, at=when, text=MARK, turn=run_id)
    writes = [chats.put(session, Expect.ABSENT), chats.put_run(run, Expect.ABSENT)]
    await product.documents.commit([*writes, *chats.put_events(session_id, [said])])


def listed(server_id: str, at: float) -> McpServer:
    """A server that nobody could ask yet."""
    when = moment(at)
    return McpServer(
        id=server_id,
        created_at=when,
        updated_at=when,
        name=MARK,
        url=f"https://{MARK}.test/",
        headers=[],
        status="unreachable",
        checked_at=when,
    )


def started(change: Change) -> bool:
    change.start(deadline=change.now + 60)
    return True


async def asked(product: LocalServices) -> Operation:
    """An operation on a note of its own."""
    return await claim.request(product, OWNER, await captured(product, OWNER, f"{MARK} question"))


# -- the walk --------------------------------------------------------------------------------------------------


@pytest.mark.survival(11)
@pytest.mark.parametrize("place", PLACES, ids=str)
def test_another_tenants_id_is_unknown_and_its_thing_untouched(world: World, place: Place) -> None:
    kind = place.name.rpartition(".")[2]
    assert kind in KINDS, f"{place}: say in KINDS what the owner has for it"
    if place.where == "header":
        repeat_as_owner(world, place)
    before = world.property_of_the_owner()
    for value in (world.owned[name] for name in KINDS[kind]):
        answer = world.request(place, value)
        check(place, value, answer)
        if place.where == "path" and place.method == "get":
            stream = world.clients[place.function].get(str(answer.request.url), headers={"Accept": "text/event-stream"})
            assert stream.status_code == 404
    assert world.property_of_the_owner() == before


def check(place: Place, value: Any, answer: httpx2.Response) -> None:
    """Nothing is told of what the id names."""
    expected = ANSWERS.get((place.method, place.path, place.name), 404)
    if place.where == "query":
        assert answer.status_code == 200
        lists = [found for found in answer.json().values() if isinstance(found, list)]
        assert lists
        assert not any(lists)
    elif place.where == "header" and expected == 404:
        assert answer.status_code in (404, 409), "what the stranger has is in the bin, or nothing"
    else:
        assert answer.status_code == expected, (str(place), answer.text)
    if answer.status_code == 404:
        assert answer.json()["error"]["code"].endswith("_not_found")
    told = answer.text if place.name != "origin" else answer.text.replace(f"{MARK}.md", "")
    assert MARK not in told


def repeat_as_owner(world: World, place: Place) -> None:
    """The owner used this key for the same request before."""
    client = world.clients[place.function]
    theirs = {"note_id": world.owned["note"], "operation_id": world.owned["failed"]}
    theirs |= {"session_id": world.owned["session"], "server_id": world.owned["server"]}
    mine, world.mine = world.mine, {**world.mine, **theirs}
    client.headers["Authorization"] = f"Bearer {OWNERS_KEY}"
    answer = world.request(place, REPEATED)
    client.headers["Authorization"] = f"Bearer {STRANGERS_KEY}"
    world.mine = mine
    assert answer.is_success, answer.text


def test_what_the_owner_asks_for_is_there(world: World) -> None:
    """Else the walk would prove nothing."""
    for name in DOCUMENTS:
        world.clients[name].headers["Authorization"] = f"Bearer {OWNERS_KEY}"
    tried = 0
    for place in PLACES:
        if place.where == "path" and place.method == "get":
            for name in KINDS[place.name]:
                answer = world.request(place, world.owned[name])
                assert answer.status_code == 200, str(place)
                tried += 1
    assert tried >= 9
    for collection in ("notes", "tasks", "operations", "activity", "approvals"):
        assert world.clients["api"].get(f"/api/v1/{collection}").json()[collection] != []
    of_one = world.clients["api"].get("/api/v1/activity", params={"session_id": world.owned["session"]})
    assert [entry["id"] for entry in of_one.json()["activity"]] == [world.owned["activity"]]
    assert world.clients["api"].get("/api/v1/mcp/servers").json()["servers"] != []
    assert world.clients["api"].get("/api/v1/routines/runs").json()["runs"] != []
    assert world.clients["api"].get("/api/v1/settings").json()["settings"]["model"] == MARK


def test_the_stranger_sees_nothing_in_any_list(world: World) -> None:
    client = world.clients["api"]
    for query in ("notes", f"notes?q={MARK}", f"notes?tag={MARK}", "notes?kind=research", "tasks", "operations"):
        assert [] in client.get(f"/api/v1/{query}").json().values()
    assert client.get("/api/v1/activity").json()["activity"] == []
    assert client.get("/api/v1/approvals").json()["approvals"] == []
    assert client.get("/api/v1/routines/runs").json()["runs"] == []
    assert [one["last_runs"] for one in client.get("/api/v1/routines").json()["routines"]] == [[], []]
    assert client.get("/api/v1/mcp/servers").json()["servers"] == []
    assert MARK not in client.get("/api/v1/settings").text
    # What the stranger chooses is the stranger's.
    assert client.put("/api/v1/settings", json={"model": "offline"}).json()["settings"]["model"] == "offline"
    client.headers["Authorization"] = f"Bearer {OWNERS_KEY}"
    assert client.get("/api/v1/settings").json()["settings"]["model"] == MARK
    client.headers["Authorization"] = f"Bearer {STRANGERS_KEY}"
    (only,) = client.get("/api/v1/notes?deleted=true").json()["notes"]
    assert only["id"] == world.mine["note_id"]


# -- the walk misses nothing -----------------------------------------------------------------------------------


def test_the_documents_tell_of_every_route() -> None:
    from functions.api.main import whole
    from functions.capture.main import app as capture_app

    for name, app in (("api", whole()), ("capture", capture_app)):
        paths = DOCUMENTS[name]["paths"]
        for route in app.routes:
            if isinstance(route, APIRoute):
                assert {method.lower() for method in route.methods or ()} <= paths.get(route.path, {}).keys(), route


def test_each_kind_and_each_exception_is_in_use() -> None:
    assert {place.name.rpartition(".")[2] for place in PLACES} == KINDS.keys()
    assert ANSWERS.keys() <= {(place.method, place.path, place.name) for place in PLACES}
    assert {place.where for place in PLACES} == set(BORDERS)


def test_a_new_route_with_an_id_is_found_wherever_it_takes_it() -> None:
    from fastapi import FastAPI
    from fastapi.openapi.utils import get_openapi
    from pydantic import BaseModel

    class Part(BaseModel):
        chapter: Id

    class Order(BaseModel):
        memory_id: str
        parts: list[Part]
        inner: Part | None = None

    app = FastAPI()

    @app.post("/things/{name}")
    def thing(name: str, order: Order, run_id: str, receipt: Id | None = None, limit: int = 1) -> None: ...

    told = get_openapi(title="t", version="1", routes=app.routes)
    assert {(place.where, place.name) for place in places({"new": told})} == {
        ("path", "name"),
        ("query", "run_id"),
        ("query", "receipt"),
        ("body", "memory_id"),
        ("body", "parts.0.chapter"),
        ("body", "inner.chapter"),
    }
