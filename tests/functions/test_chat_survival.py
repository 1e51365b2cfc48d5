"""What users of comparable products reported, on the chat: gone readers, nothing found, invented sources, a no.

Case 13 stands in test_chat_hostile.py; the numbers are those of tests/test_survival.py.
"""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import httpx
import pytest
from functions_framework.aio import create_asgi_app
from starlette.testclient import TestClient

from infra.local.services import LocalServices
from shared import services
from shared.agent.model import Answer, Question
from shared.agent.models.offline import Offline
from shared.capture import Capture, capture
from shared.chat.live import LIVE
from shared.gateway.policy import class_of
from shared.models.base import JsonDict
from shared.sweep import sweep
from shared.task import NewTask, add
from shared.tools.catalog import built_in
from tests.fakes.scripted import ScriptedModel, calls, says
from tests.functions import outside
from tests.functions.conftest import ROOT, Serve, digest
from tests.functions.outside import MCP_TOOL, PAGES, PUBLIC, SEARCH_PAGE, URL, Outside, page, results, to, with_server
from tests.functions.test_chat import CHAT, JSON, Talk, _all, link, model, note_of, noted
from tests.functions.test_chat_reach import ARGUMENTS
from tests.functions.test_graph import OK, several

__all__ = ["model"]

PLAN = says(json.dumps({"steps": ["Look."], "query": "", "sources": ["note"]}))
"""A plan that can be read whether there is one source or several."""
EFFECTS = ("notes", "tasks", "operations", "approvals", "days", "mcp_servers", "settings")
"""Where a tool could leave something, and where a no must leave all as it is."""


@pytest.fixture
def out(monkeypatch: pytest.MonkeyPatch) -> Iterator[Outside]:
    with outside.outside(monkeypatch) as made:
        yield made


@pytest.fixture
def talk(serve: Serve, model: ScriptedModel, out: Outside) -> Iterator[Talk]:
    with serve("chat") as client:
        yield Talk(client, model)


async def standing(product: LocalServices, tenant: str = "default") -> dict[str, str]:
    """Everything that is there, with its version: equal only where nothing was written."""
    from shared.store.documents import Query

    found = [await product.documents.query(Query(name, f"tenants/{tenant}")) for name in EFFECTS]
    return {document.path: document.version for documents in found for document in documents}


# -- 1: a reader who goes away


@pytest.mark.survival(1)
@pytest.mark.parametrize("mode", ["single", "multi"])
async def test_a_client_that_hangs_up_after_two_events_finds_the_whole_answer(
    product: LocalServices, model: ScriptedModel, mode: str
) -> None:
    await several(product, agent_mode=mode)
    gone = asyncio.Event()

    async def later(_question: Question) -> Answer:
        await asyncio.wait_for(gone.wait(), 10)
        return says("Both are noted.")

    wanted = calls(("create_note", {"text": "A thought."}), ("create_tasks", {"tasks": [{"title": "Water"}]}))
    model.steps = [wanted, later] if mode == "single" else [PLAN, wanted, later, OK]
    app: Any = create_asgi_app("chat", str(ROOT / "functions" / "chat" / "main.py"), "http")  # type: ignore[no-untyped-call]
    headers = {"Authorization": "Bearer test-key"}
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://memex", headers=headers) as client:
        chat = (await client.post(f"{CHAT}/sessions")).json()["session"]["id"]
        assert await hung_up(app, f"{CHAT}/sessions/{chat}/messages", after=2) == 2
        running = (await client.get(f"{CHAT}/sessions/{chat}")).json()["session"]["turn"]
        assert running["status"] == "running"
        rest_of_it = LIVE[running["id"]].listen()
        gone.set()
        assert [one async for one in rest_of_it]
        # Whoever comes back is told what they missed, to its end.
        rest = await client.get(
            f"{CHAT}/sessions/{chat}/events", headers={"Accept": "text/event-stream", "Last-Event-ID": "2"}
        )
        assert rest.text.count("event: done") == 1
        reopened = (await client.get(f"{CHAT}/sessions/{chat}")).json()
    assert reopened["session"]["turn"]["status"] == "done"
    trace = reopened["trace"]
    assert [event["seq"] for event in trace] == list(range(1, len(trace) + 1))
    assert [event["tool"] for event in trace if event["type"] == "tool_result" and event["ok"] and event["undo"]] == [
        "create_note",
        "create_tasks",
    ]
    assert [event["text"] for event in trace if event["type"] == "text"] == ["Both are noted."]
    assert len(await product.documents.query(_all("notes"))) == len(await product.documents.query(_all("tasks"))) == 1


async def hung_up(app: Any, path: str, *, after: int) -> int:
    """Say something, and be gone after so many events of the trace; how many were heard."""
    body = json.dumps({"text": "Note it, please."}).encode()
    enough = asyncio.Event()
    asked, heard = [body], 0

    async def receive() -> dict[str, Any]:
        if asked:
            return {"type": "http.request", "body": asked.pop(), "more_body": False}
        await enough.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        nonlocal heard
        heard += message.get("body", b"").count(b"event: trace")
        if heard >= after and not enough.is_set():
            enough.set()
            heard = after

    headers = [(b"authorization", b"Bearer test-key"), (b"content-type", b"application/json"), (b"host", b"memex")]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("memex", 80),
    }
    speaking = asyncio.ensure_future(app(scope, receive, send))
    await asyncio.wait_for(enough.wait(), 10)
    await asyncio.wait({speaking}, timeout=10)
    assert speaking.done(), "the answer went on for nobody"
    return heard


# -- 2: nothing found


@pytest.mark.survival(2)
async def test_where_every_source_is_empty_or_blocked_nothing_is_cited(talk: Talk, out: Outside) -> None:
    invented = link("0" * 26)
    turn = talk.say(
        f"What is known of quinces? See {URL}",
        calls(
            ("search_notes", {"query": "quinces"}),
            ("list_recent_notes", {"days": 1}),
            ("web_search", {"query": "quinces"}),
            ("http_fetch", {"url": URL}),
        ),
        says(f"They ripen in October ([a study](https://study.example/1), [your note]({invented}))."),
    )
    told = {one["tool"]: one["result"] for one in turn["results"]}
    notes, recent, web, read = (
        told[tool] for tool in ("search_notes", "list_recent_notes", "web_search", "http_fetch")
    )
    assert notes["data"]["notes"] == recent["data"]["notes"] == []
    assert "No note holds" in notes["data"]["message"] and "none of these days" in recent["data"]["message"]
    assert web["error"] == read["error"] == "egress_disabled"
    assert "citations" not in turn["types"]
    (text,) = [event for event in turn["events"] if event["type"] == "text"]
    assert (text["text"], text["links"]) == ("They ripen in October (a study, your note).", [])
    assert out.asked == []


@pytest.mark.survival(2)
@pytest.mark.parametrize("mode", ["single", "multi"])
async def test_without_a_model_nothing_found_is_said_in_so_many_words(
    serve: Serve, product: LocalServices, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setattr(product, "model", lambda _name: Offline())
    await several(product, agent_mode=mode)
    await noted(product, "Bread wants time.")
    with serve("chat") as client:
        turn = Talk(client, ScriptedModel()).say("When do quinces ripen?")
    assert turn["status"] == "done"
    assert "nothing" in turn["text"].lower() and "citations" not in turn["types"]


# -- 3: citations


@pytest.mark.survival(3)
@pytest.mark.parametrize("gate", [False, True])
async def test_every_citation_is_of_what_was_retrieved_after_a_gate_too(
    talk: Talk, product: LocalServices, out: Outside, gate: bool
) -> None:
    await outside.opened(product)
    read, found, other = [await noted(product, text) for text in ("Pears ripen.", "Pears in May.", "Bread.")]
    out.pages = {f"{PAGES}/ripe": page("Ripe."), SEARCH_PAGE: results("Plums", "https://plums.example/a", "Blue.")}
    stranger = Capture(text="Pears of somebody else.")
    foreign = (await capture(product.documents, "foreign", stranger, product.now())).note.id
    names = [link(read), link(found), URL, "https://plums.example/a", "https://plums.example/b", link(other)]
    names += [link(foreign), link("0" * 26), "https://evil.example/?x"]
    answer = says(" ".join(f"[here]({name})" for name in names) + f" {link(foreign)} [x]: https://evil.example/y")
    last: list[tuple[str, JsonDict]] = [("delete_note", {"note_id": other})] if gate else []
    looks = calls(
        ("get_note", {"note_id": read}),
        ("search_notes", {"query": "pears"}),
        ("http_fetch", {"url": URL}),
        ("web_search", {"query": "plums"}),
        ("get_note", {"note_id": foreign}),
        *last,
    )
    turn = talk.say(f"What of pears? {URL}", looks, *([] if gate else [answer]))
    retrieved = turn["results"]
    if gate:
        turn = talk.resume(turn["run"], "reject", answer)
    assert turn["status"] == "done"
    (citations,) = [event["citations"] for event in turn["events"] if event["type"] == "citations"]
    cited = [one["url"] for one in citations]
    assert cited == [link(read), link(found), URL, "https://plums.example/a"]
    assert set(cited) <= {source["url"] for one in retrieved for source in one["sources"]}
    assert [one["number"] for one in citations] == [1, 2, 3, 4]
    (text,) = [event for event in turn["events"] if event["type"] == "text"]
    assert set(text["links"]) == set(cited)
    for taken in ("evil.example", foreign, "0" * 26, "plums.example/b", other):
        assert taken not in text["text"]


# -- 9: a no


ASKING = sorted(name for name in (*built_in(), MCP_TOOL) if class_of(name) in ("external", "destructive"))


@pytest.mark.survival(9)
@pytest.mark.parametrize(
    ("how", "mode"),
    [(how, "single") for how in ("reject", "cancel", "another message", "too late")] + [("reject", "multi")],
)
@pytest.mark.parametrize("tool", ASKING)
async def test_a_no_leaves_everything_as_it_was_whatever_the_tool(
    talk: Talk, product: LocalServices, out: Outside, tool: str, how: str, mode: str
) -> None:
    await outside.opened(product, approve_tools=False)
    await several(product, agent_mode=mode, approve_tools=False)
    if tool == MCP_TOOL:
        await with_server(product, out)
    note = await noted(product, "Precious.")
    task = (await add(product.documents, "default", NewTask(title="Water"), product.now(), key=None)).id
    before = await standing(product)
    planned, checked = ([PLAN], [OK]) if mode == "multi" else ([], [])
    turn = talk.say(f"Do it, with {URL}, please.", *planned, calls((tool, ARGUMENTS[tool](note, task))))
    assert (turn["status"], turn["request"]["tool"], turn["results"]) == ("waiting", tool, [])
    if how == "reject":
        after = talk.resume(turn["run"], "reject", says("Then I leave it."), *checked)
        assert (after["status"], after["results"][0]["result"]["error"]) == ("done", "denied")
    elif how == "cancel":
        assert talk.client.post(f"{CHAT}/{turn['run']}/cancel").json()["session"]["turn"]["status"] == "cancelled"
    elif how == "another message":
        talk.say("Never mind, tell me a joke about gardening please.", *planned, says("No."), *checked)
    else:
        product.clock.advance(25 * 3600)
    late = talk.client.post(f"{CHAT}/{turn['run']}/resume", json={"decision": "approve"})
    assert late.status_code == (410 if how == "too late" else 409)
    assert (await standing(product), out.reached()) == (before, 0)
    (told,) = [one for one in talk.trace() if one["type"] == "tool_result" and one["turn"] == turn["run"]]
    assert (told["ok"], told["undo"], told["result"]["error"] in ("denied", "declined")) == (False, None, True)


# -- 10: a gate that nobody answers


async def reborn(product: LocalServices) -> LocalServices:
    """The services of the next process, on the same folder; the one before it is gone with all it knew."""
    await product.close()
    made = LocalServices(product.settings, product.folder, product.clock)
    made.connect_bus([])
    made.executions_endpoint = product.executions_endpoint
    services.use(made)
    return made


@pytest.mark.survival(10)
@pytest.mark.parametrize("mode", ["single", "multi"])
@pytest.mark.parametrize("died", [False, True], ids=["alive", "died"])
@pytest.mark.parametrize("then", ["a message", "opened late", "swept"])
async def test_an_abandoned_gate_ends_as_denied_and_the_conversation_goes_on(
    serve: Serve, product: LocalServices, monkeypatch: pytest.MonkeyPatch, then: str, died: bool, mode: str
) -> None:
    made = ScriptedModel()
    monkeypatch.setattr(LocalServices, "model", lambda _self, _name: made)
    await several(product, agent_mode=mode)
    planned, checked = ([PLAN], [OK]) if mode == "multi" else ([], [])
    note = await noted(product, "Precious.")
    with serve("chat") as client:
        talk = Talk(client, made)
        turn = talk.say("Delete my note", *planned, calls(("delete_note", {"note_id": note})))
    assert turn["status"] == "waiting"
    now = await reborn(product) if died else product
    with serve("chat") as client:
        talk.client = client
        if then == "a message":
            after = talk.say("Tell me a joke about gardening, please.", *planned, says("No."), *checked)
            assert (after["status"], after["text"]) == ("done", "No.")
        else:
            product.clock.advance(25 * 3600)
            if then == "swept":
                assert (await sweep(now))["turns"] == 1
            opened = client.get(f"{CHAT}/sessions/{talk.id}").json()["session"]
            assert opened["turn"]["status"] == "cancelled"
        late = client.post(f"{CHAT}/{turn['run']}/resume", json={"decision": "approve"})
        assert late.status_code in (409, 410), late.text
        (told,) = [one for one in talk.trace() if one["type"] == "tool_result"]
        assert (told["ok"], told["result"]["error"]) == (False, "declined")
        assert (await note_of(now, note))["deleted_at"] is None
        again = talk.say("Please tell another joke about gardening.", *planned, says("Yes."), *checked)
        assert again["status"] == "done"
    decisions = [one.data["decision"] for one in await now.documents.query(_all("activity"))]
    assert decisions == ["asked"], "nothing was approved, and nothing ran"
    if died:
        await now.close()


# -- 11: the wall between tenants

WITH_IDS: Mapping[str, Callable[[str, str], JsonDict]] = {
    "get_note": lambda note, task: {"note_id": note},
    "update_note": lambda note, task: {"note_id": note, "changes": {"body": "gone"}},
    "delete_note": lambda note, task: {"note_id": note},
    "start_research": lambda note, task: {"note_id": note},
    "create_tasks": lambda note, task: {"tasks": [{"title": "x"}], "source_note_id": note},
    "update_task": lambda note, task: {"task_id": task, "changes": {"status": "done"}},
    "queue_approval": lambda note, task: {
        "action": {"tool": "delete_note", "arguments": {"note_id": note}},
        "reason": "x",
    },
}
"""Every tool of the chat that takes an id of something."""


def test_every_tool_that_takes_an_id_is_below() -> None:
    from shared.gateway.schema import of_model

    def named(schema: Any) -> bool:
        return any(f'"{name}"' in json.dumps(schema) for name in ("note_id", "task_id", "source_note_id"))

    assert WITH_IDS.keys() == {name for name, tool in built_in().items() if named(of_model(tool.arguments))}


@pytest.mark.survival(11)
@pytest.mark.parametrize("tool", sorted(WITH_IDS))
async def test_a_tool_knows_another_tenants_thing_no_more_than_one_that_never_was(
    talk: Talk, product: LocalServices, out: Outside, tool: str
) -> None:
    note = (await capture(product.documents, "foreign", Capture(text="Xylophone."), product.now())).note.id
    task = (await add(product.documents, "foreign", NewTask(title="Xylophone"), product.now(), key=None)).id
    before = await standing(product, "foreign")
    told = []
    for ids in ((note, task), ("0" * 26, "0" * 26)):
        turn = talk.say(
            "Please go to work now, dear second brain.", calls((tool, WITH_IDS[tool](*ids))), says("I can't.")
        )
        if turn["status"] == "waiting":
            turn = talk.resume(turn["run"], "approve", says("I can't."))
        (result,) = turn["results"]
        assert result["ok"] is False
        assert result["result"]["error"] in ("note_not_found", "task_not_found")
        told.append(result["result"])
    assert told[0] == told[1]
    assert "Xylophone" not in json.dumps(talk.trace())
    assert await standing(product, "foreign") == before


@pytest.mark.survival(11)
@pytest.mark.parametrize("mode", ["single", "multi"])
async def test_another_tenants_conversation_and_run_are_unknown_whatever_is_said_in_the_body(
    talk: Talk, product: LocalServices, mode: str
) -> None:
    await several(product, agent_mode=mode)
    note = await noted(product, "Precious.")
    planned = [PLAN] if mode == "multi" else []
    turn = talk.say("Delete the xylophone", *planned, calls(("delete_note", {"note_id": note})))
    table = json.loads(product.folder.device_keys_file.read_text())
    table["foreign"] = {"key_sha256": digest("foreign-key"), "tenant": "foreign", "subject": "me"}
    product.folder.device_keys_file.write_text(json.dumps(table))
    product.clock.advance(61)
    theirs = {"Authorization": "Bearer foreign-key", **JSON}
    mine = talk.client.post(f"{CHAT}/sessions", headers=theirs).json()["session"]["id"]
    unknown = "0" * 26

    def asks(session: str, run: str) -> list[Any]:
        client = talk.client
        url = f"{CHAT}/sessions/{session}"
        return [
            client.get(url, headers=theirs),
            client.get(f"{url}/events", headers=theirs),
            client.get(f"{url}/events", headers={**theirs, "Accept": "text/event-stream"}),
            client.patch(url, json={"title": "x"}, headers=theirs),
            client.post(f"{url}/messages", json={"text": "Hello"}, headers=theirs),
            client.post(f"{url}/undo", json={"seq": 1}, headers=theirs),
            client.delete(url, headers=theirs),
            *(
                client.post(f"{CHAT}/{run}/resume", json={"decision": decision}, headers=theirs)
                for decision in ("approve", "reject", "continue", "more_info")
            ),
            client.post(f"{CHAT}/{run}/cancel", headers=theirs),
        ]

    before = talk.trace()
    for real, none in zip(asks(talk.id, turn["run"]), asks(unknown, unknown), strict=True):
        assert (real.status_code, real.text) == (none.status_code, none.text) and real.status_code == 404, real.text
    # Named in the body, where a person's own conversation is asked: refused as unknown fields, nothing is taken over.
    for field in ("session_id", "run_id", "tenant", "checkpoint", "thread_id"):
        smuggled = talk.client.post(
            f"{CHAT}/sessions/{mine}/messages", json={"text": "Hello", field: turn["run"]}, headers=theirs
        )
        assert smuggled.status_code == 422 and "xylophone" not in smuggled.text
    assert talk.trace() == before
    assert (await note_of(product, note))["deleted_at"] is None


# -- 15: an allowed host that leads inside

INSIDE = (
    "http://169.254.169.254/latest/meta-data",
    "http://[::ffff:169.254.169.254]/",
    "http://[fd00:ec2::254]/",
    "http://2852039166/",
    "http://0xa9fea9fe/",
    "http://0251.0376.0251.0376/",
    "http://127.0.0.1/",
    "http://[::1]/",
    "http://localhost/",
    "http://metadata.google.internal/",
    "http://inside.example/",
)


async def fetched(talk: Talk, product: LocalServices, url: str, allowed: str) -> dict[str, Any]:
    """A turn that reads the page, its host allowed in this way; what became of the call."""
    call = calls(("http_fetch", {"url": url}))
    if allowed == "in settings":
        turn = talk.say(f"Read {url}", call, says("It was refused."))
    else:
        await several(product)
        turn = talk.say(f"Read {url}", PLAN, call)
        assert turn["request"]["blocked_host"] == PAGES
        turn = talk.resume(turn["run"], allowed, says("It was refused."), OK)
    assert (turn["status"], turn["text"]) == ("done", "It was refused.")
    (result,) = turn["results"]
    assert result["ok"] is False
    return dict(result["result"])


ALLOWED = ("in settings", "egress_allow_once", "egress_allow_always")


@pytest.mark.survival(15)
@pytest.mark.parametrize("leads", INSIDE)
@pytest.mark.parametrize("allowed", ALLOWED)
async def test_a_host_that_was_allowed_and_redirects_inside_is_refused(
    talk: Talk, product: LocalServices, out: Outside, allowed: str, leads: str
) -> None:
    more = ("inside.example",) if allowed != "in settings" else (PAGES, "inside.example")
    await outside.opened(product, *more)
    out.names["inside.example"] = [[PUBLIC, "192.168.0.1"]]
    out.pages[f"{PAGES}/ripe"] = to(leads)
    refused = await fetched(talk, product, URL, allowed)
    assert refused["error"] in ("address_blocked", "address_invalid")
    assert (out.asked, out.connected) == ([f"{PAGES}/ripe"], [PUBLIC])


@pytest.mark.survival(15)
@pytest.mark.parametrize("allowed", ALLOWED)
@pytest.mark.parametrize("private", ["169.254.169.254", "10.0.0.1", "::1", "fd00:ec2::254"])
@pytest.mark.parametrize("look", [1, 2])
async def test_a_host_that_was_allowed_and_turns_private_is_refused(
    talk: Talk, product: LocalServices, out: Outside, allowed: str, private: str, look: int
) -> None:
    await outside.opened(product, PAGES if allowed == "in settings" else "plums.example")
    out.names[PAGES] = [[PUBLIC]] * (look - 1) + [[private]]
    out.pages[f"{PAGES}/ripe"] = to("/riper")
    refused = await fetched(talk, product, URL, allowed)
    assert refused["error"] == "address_blocked"
    assert out.connected == [PUBLIC] * (look - 1)


@pytest.mark.survival(15)
@pytest.mark.parametrize("url", [one for one in INSIDE if "inside.example" not in one])
@pytest.mark.parametrize("mode", ["single", "multi"])
async def test_nobody_is_even_asked_about_an_address_inside(
    talk: Talk, product: LocalServices, out: Outside, url: str, mode: str
) -> None:
    await outside.opened(product, PAGES)
    await several(product, agent_mode=mode)
    planned, checked = ([PLAN], [OK]) if mode == "multi" else ([], [])
    turn = talk.say(f"Read {url} for me", *planned, calls(("http_fetch", {"url": url})), says("No."), *checked)
    assert turn["status"] == "done", turn["request"]
    assert turn["results"][0]["result"]["error"] in ("address_blocked", "address_invalid")
    assert out.connected == []
    assert isinstance(talk.client, TestClient)
