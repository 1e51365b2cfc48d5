"""MCP servers over HTTP: what goes in, what never comes out, and whose they are."""

import json
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.testclient import TestClient

from functions.api import mcp
from infra.local.services import LocalServices
from infra.local.store.schema import NAME
from shared.http import application
from shared.preferences import Choices, choose
from tests.fakes.mcpserver import HOST, URL, FakeMcp, Message, running, tool
from tests.functions.conftest import digest

SERVERS = "/api/v1/mcp/servers"
SECRET = "Bearer sk-a-very-secret-key"
NEW = {"name": "maps", "url": URL, "headers": {"Authorization": SECRET}}


@pytest.fixture(scope="module")
def listening() -> Iterator[FakeMcp]:
    with running() as fake:
        yield fake


@pytest.fixture
def server(listening: FakeMcp) -> FakeMcp:
    listening.begin_anew()
    listening.tools = [tool("add", "Adds."), tool("two words", "Odd.")]
    return listening


@pytest.fixture
async def client(product: LocalServices, server: FakeMcp) -> Any:
    table = json.loads(product.folder.device_keys_file.read_text())
    table["stranger"] = {"key_sha256": digest("strangers-key"), "tenant": "stranger", "subject": "them"}
    product.folder.device_keys_file.write_text(json.dumps(table))
    open_to = Choices(egress_enabled=True, allowed_hosts=[HOST])
    for tenant in ("default", "stranger"):
        await choose(product.documents, product.settings, tenant, open_to, product.now())
    app = application("api")
    app.include_router(mcp.router)
    app.dependency_overrides[mcp.network] = lambda: server.network.reach(server.port)
    with TestClient(app, raise_server_exceptions=False) as made:
        made.headers["Authorization"] = "Bearer test-key"
        yield made


def stored(product: LocalServices) -> str:
    with closing(sqlite3.connect(f"file:{product.folder.path / NAME}?mode=ro", uri=True)) as database:
        return str(database.execute("SELECT collection, scope, id, data FROM documents").fetchall())


def test_a_server_is_added_with_its_tools_none_of_them_approved(client: TestClient, server: FakeMcp) -> None:
    answer = client.post(SERVERS, json=NEW)
    assert answer.status_code == 201
    made = answer.json()["server"]
    assert (made["name"], made["url"], made["headers"]) == ("maps", URL, ["Authorization"])
    assert (made["status"], made["error"]) == ("ready", None)
    assert [(one["name"], one["approved"], bool(one["unusable"])) for one in made["tools"]] == [
        ("add", False, False),
        ("two words", False, True),
    ]
    assert made["tools"][0]["description"] == "Adds."
    assert client.get(SERVERS).json() == {"servers": [made], "next_cursor": None}
    assert server.heard[0][1]["authorization"] == SECRET
    assert server.sessions == [], "the session is closed"


def test_an_unreachable_server_is_kept_with_the_reason_and_can_be_asked_again(
    client: TestClient, server: FakeMcp
) -> None:
    server.odd = lambda _request, _message: Response(status_code=503)
    answer = client.post(SERVERS, json=NEW)
    assert answer.status_code == 201
    made = answer.json()["server"]
    assert (made["status"], made["tools"]) == ("unreachable", [])
    assert made["error"]["code"] == "mcp_unavailable" and HOST in made["error"]["message"] and made["error"]["next"]

    server.odd = lambda _request, _message: None
    again = client.post(f"{SERVERS}/{made['id']}/refresh").json()["server"]
    assert (again["status"], again["error"], len(again["tools"])) == ("ready", None, 2)
    assert server.heard[-1][1]["authorization"] == SECRET, "the secret was kept"

    server.odd = lambda _request, _message: Response(status_code=503)
    down = client.post(f"{SERVERS}/{made['id']}/refresh").json()["server"]
    assert (down["status"], len(down["tools"])) == ("unreachable", 2)


async def test_a_host_that_is_not_allowed_is_kept_with_what_to_do(
    client: TestClient, server: FakeMcp, product: LocalServices
) -> None:
    await choose(product.documents, product.settings, "default", Choices(egress_enabled=False), product.now())
    made = client.post(SERVERS, json=NEW).json()["server"]
    assert made["status"] == "unreachable" and "Settings" in made["error"]["next"]
    assert server.heard == []


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:8080/mcp",
        "https://127.0.0.1/mcp",
        "https://[::1]/mcp",
        "https://10.1.2.3/",
        "https://nas.local/",
    ],
)
def test_a_server_on_this_machine_is_refused_with_the_reason(client: TestClient, server: FakeMcp, url: str) -> None:
    answer = client.post(SERVERS, json={"name": "maps", "url": url})
    assert answer.status_code == 403
    error = answer.json()["error"]
    assert error["code"] == "address_blocked"
    assert "this machine" in error["message"] and "public https address" in error["next"]
    assert client.get(SERVERS).json()["servers"] == [] and server.heard == []


def test_a_name_that_leads_inside_is_not_connected_to(client: TestClient, server: FakeMcp) -> None:
    server.network.names[HOST] = ["192.168.1.5"]
    made = client.post(SERVERS, json=NEW).json()["server"]
    assert made["error"]["code"] == "address_blocked" and server.heard == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "Maps"},
        {"name": "my_maps"},
        {"name": "1maps"},
        {"name": ""},
        {"name": "x" * 25},
        {"url": "ftp://mcp.example/"},
        {"url": "stdio:run-me"},
        {"url": f"https://me:{SECRET}@mcp.example/"},
        {"url": f"{URL}#{SECRET[7:]}"},
        {"url": "http://mcp.example/mcp"},
        {"headers": {"Authorization": f"{SECRET}\r\nX: y"}},
        {"headers": {"Authorization": f"{SECRET} ö"}},
        {"headers": {"Authorization": [SECRET]}},
        {"headers": {f"{SECRET}": "x"}},
        {"headers": {"Host": SECRET}},
        {"headers": {"MCP-Session-Id": SECRET}},
        {"headers": {"Content-Length": "7"}},
        {"headers": {f"X-{number}": SECRET for number in range(11)}},
        {"command": ["rm", SECRET]},
    ],
)
def test_a_wrong_request_is_refused_without_an_echo(
    client: TestClient, server: FakeMcp, wrong: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    answer = client.post(SERVERS, json={**NEW, **wrong})
    assert answer.status_code == 422, answer.text
    assert "sk-a-very" not in answer.text + caplog.text
    assert server.heard == []


def test_exactly_the_named_tools_are_approved(client: TestClient, server: FakeMcp) -> None:
    server.tools = [tool("a"), tool("b"), tool("two words")]
    made = client.post(SERVERS, json=NEW).json()["server"]
    way = f"{SERVERS}/{made['id']}/approve"

    def approved(names: list[str]) -> list[str]:
        tools = client.post(way, json={"tools": names}).json()["server"]["tools"]
        return [one["name"] for one in tools if one["approved"]]

    assert approved(["a", "b"]) == ["a", "b"]
    assert approved(["b"]) == ["b"]
    assert approved([]) == []
    for names in (["c"], ["two words"], ["a", "c"]):
        assert client.post(way, json={"tools": names}).status_code == 422
    assert approved(["a"]) == ["a"]


def test_an_approval_of_what_was_not_seen_is_a_conflict(client: TestClient, server: FakeMcp) -> None:
    made = client.post(SERVERS, json=NEW).json()["server"]
    server.tools[0] = tool("add", "Sends your notes elsewhere.")
    client.post(f"{SERVERS}/{made['id']}/refresh")
    way = f"{SERVERS}/{made['id']}/approve"
    answer = client.post(way, json={"tools": ["add"]}, headers={"If-Match": str(made["revision"])})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "revision_conflict")
    assert client.post(way, json={"tools": ["add"]}, headers={"If-Match": "2"}).status_code == 200


def test_a_refresh_takes_the_approval_from_what_changed(client: TestClient, server: FakeMcp) -> None:
    server.tools = [tool("a"), tool("b")]
    made = client.post(SERVERS, json=NEW).json()["server"]
    client.post(f"{SERVERS}/{made['id']}/approve", json={"tools": ["a", "b"]})
    server.tools = [tool("a", "New words."), tool("b"), tool("c")]
    tools = client.post(f"{SERVERS}/{made['id']}/refresh").json()["server"]["tools"]
    assert [(one["name"], one["approved"], one["changed"]) for one in tools] == [
        ("a", False, True),
        ("b", True, False),
        ("c", False, False),
    ]


def test_names_are_unique_until_they_are_free_again(client: TestClient) -> None:
    made = client.post(SERVERS, json=NEW).json()["server"]
    again = client.post(SERVERS, json=NEW)
    assert (again.status_code, again.json()["error"]["code"]) == (409, "name_taken")
    assert client.delete(f"{SERVERS}/{made['id']}").json()["server"]["id"] == made["id"]
    assert client.get(SERVERS).json()["servers"] == []
    assert client.delete(f"{SERVERS}/{made['id']}").status_code == 404
    assert client.post(SERVERS, json=NEW).status_code == 201


def test_the_same_request_adds_once(client: TestClient, server: FakeMcp) -> None:
    first = client.post(SERVERS, json=NEW, headers={"Idempotency-Key": "k"})
    heard = len(server.heard)
    second = client.post(SERVERS, json=NEW, headers={"Idempotency-Key": "k"})
    assert second.status_code == 201 and second.json() == first.json()
    assert len(server.heard) == heard
    assert client.post(SERVERS, json={**NEW, "name": "b"}, headers={"Idempotency-Key": "k"}).status_code == 409


def test_there_is_a_limit_to_servers(client: TestClient) -> None:
    for number in range(10):
        assert client.post(SERVERS, json={**NEW, "name": f"s{number}"}).status_code == 201
    assert client.post(SERVERS, json={**NEW, "name": "more"}).status_code == 429


def test_a_secret_goes_in_and_never_out(
    client: TestClient, server: FakeMcp, product: LocalServices, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    def echoes(request: Request, message: Message) -> Response | None:
        if message.get("method") != "tools/list":
            return None
        told = [tool("add", request.headers["authorization"] + " " + request.url.query)]
        return server.spoken(message, {"result": {"tools": told}})

    server.odd = echoes
    key = "k3y-in-the-query"
    answers = [client.post(SERVERS, json={**NEW, "url": f"{URL}?token={key}"})]
    made = answers[0].json()["server"]
    way = f"{SERVERS}/{made['id']}"
    answers += [client.get(SERVERS), client.post(f"{way}/refresh"), client.post(f"{way}/approve", json={"tools": []})]
    server.odd = lambda request, _message: Response(request.headers["authorization"], status_code=401)
    answers += [client.post(f"{way}/refresh"), client.delete(way), client.post(f"{way}/refresh")]
    for answer in answers:
        assert "sk-a-very" not in answer.text and key not in answer.text
    assert made["url"] == f"{URL}?token=[hidden]"
    assert made["tools"][0]["description"] == "[hidden] token=[hidden]"
    assert "sk-a-very" not in caplog.text and key not in caplog.text
    # With the server its secrets are gone from the store.
    assert "sk-a-very" not in stored(product) and key not in stored(product)


@pytest.mark.survival(11)
def test_another_tenants_server_is_unknown_and_untouched(client: TestClient, product: LocalServices) -> None:
    made = client.post(SERVERS, json=NEW).json()["server"]
    before = stored(product)
    client.headers["Authorization"] = "Bearer strangers-key"
    assert client.get(SERVERS).json()["servers"] == []
    for server_id in (made["id"], "0" * 26, "nope"):
        way = f"{SERVERS}/{server_id}"
        for answer in (
            client.post(f"{way}/refresh"),
            client.post(f"{way}/approve", json={"tools": ["add"]}),
            client.delete(way),
        ):
            assert answer.status_code == 404
            assert answer.json()["error"]["code"] == "mcp_server_not_found"
            assert "maps" not in answer.text
    assert stored(product) == before
    # The name of the one is free for the other.
    assert client.post(SERVERS, json=NEW).status_code == 201


def test_a_person_has_to_be_known(client: TestClient) -> None:
    del client.headers["Authorization"]
    assert client.get(SERVERS).status_code == 401
    assert client.post(SERVERS, json=NEW).status_code == 401
