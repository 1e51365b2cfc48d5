"""Turns of several agents over HTTP, with a model that says what the test wrote."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from infra.local.services import LocalServices
from tests.fakes.scripted import ScriptedModel, calls, says
from tests.functions.conftest import Serve, digest
from tests.functions.test_chat import CHAT, JSON, Talk, _all, link, model, note_of, noted, stream

__all__ = ["model"]

PLAN, OK = says("- Look.\n- Answer."), says("OK It is supported.")


async def several(product: LocalServices, **chosen: Any) -> None:
    """Have turns answered by several agents; nothing is looked up by judges unless the test says so."""
    from shared.preferences import Choices, choose

    wanted = Choices.model_validate({"agent_mode": "multi", "verifier_check": False, **chosen})
    await choose(product.documents, product.settings, "default", wanted, product.now())


@pytest.fixture
async def talk(serve: Serve, model: ScriptedModel, product: LocalServices) -> Any:
    await several(product)
    with serve("chat") as client:
        yield Talk(client, model)


def of(turn: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [event for event in turn["events"] if event["type"] == kind]


# -- the way through


def test_plan_draft_and_critique_come_before_the_one_answer(talk: Talk) -> None:
    turn = talk.say("Hello", PLAN, says("Good morning."), OK)
    assert (turn["status"], turn["text"]) == ("done", "Good morning.")
    assert turn["types"] == ["user", "plan", "critique", "text", "usage"]
    assert of(turn, "plan")[0]["steps"] == ["Look.", "Answer."]
    assert (of(turn, "critique")[0]["verdict"], of(turn, "critique")[0]["text"]) == ("ok", "It is supported.")
    assert talk.trace() == turn["events"]
    planner, researcher, critic = talk.model.questions
    assert not planner.tools and not critic.tools and researcher.tools
    for question in talk.model.questions:
        assert question.instruction.startswith("Today is ")


async def test_evidence_is_gathered_given_and_cited(talk: Talk, product: LocalServices) -> None:
    pears = await noted(product, "Pears ripen in August.")
    turn = talk.say("When do pears ripen?", PLAN, says(f"In August, see [pears]({link(pears)})."), OK)
    (evidence,) = of(turn, "evidence")
    assert [(one["number"], one["note_id"], one["merged_from"]) for one in evidence["passages"]] == [
        (1, pears, ["note"])
    ]
    assert turn["types"] == ["user", "plan", "evidence", "critique", "text", "citations", "usage"]
    assert of(turn, "citations")[0]["citations"][0]["note_id"] == pears
    researcher, critic = talk.model.questions[1:]
    for question in (researcher, critic):
        assert any("Pears ripen in August." in one.text and '"mark"' in one.text for one in question.messages)


@pytest.mark.survival(2)
async def test_that_nothing_was_found_is_said(talk: Talk, product: LocalServices) -> None:
    await noted(product, "Bread wants time.")
    turn = talk.say("When do quinces ripen?", PLAN, says("I found nothing."), OK)
    (evidence,) = of(turn, "evidence")
    assert (evidence["text"], evidence["passages"], evidence["nothing"]) == ("Nothing was found.", [], ["note"])
    assert not of(turn, "citations")
    assert any("Nothing was found." in one.text for one in talk.model.questions[1].messages)


@pytest.mark.survival(3)
async def test_an_invented_source_is_taken_off_and_the_judge_is_told(talk: Talk) -> None:
    turn = talk.say("Hello", PLAN, says(f"See [this]({link('0' * 26)})."), OK)
    assert turn["text"] == "See this."
    assert any("nothing that was read" in one.text for one in talk.model.questions[-1].messages)


def test_revise_goes_to_the_researcher_once_and_then_on_whatever_the_verdict(talk: Talk) -> None:
    turn = talk.say("Hello", PLAN, says("One."), says("REVISE: too short."), says("Two."), says("REVISE again."))
    assert (turn["status"], turn["text"]) == ("done", "Two.")
    assert [(one["verdict"], one["attempt"]) for one in of(turn, "critique")] == [("revise", 1), ("revise", 2)]
    seen = [one.text for one in talk.model.questions[3].messages]
    assert "One." in seen and any("too short." in one for one in seen)


def test_replan_goes_to_the_planner_with_what_was_said(talk: Talk) -> None:
    turn = talk.say(
        "Hello", PLAN, says("One."), says("REPLAN: wrong place."), says("- Look elsewhere."), says("Two."), OK
    )
    assert (turn["status"], turn["text"]) == ("done", "Two.")
    assert [one["steps"] for one in of(turn, "plan")] == [["Look.", "Answer."], ["Look elsewhere."]]
    assert any("wrong place." in one.text for one in talk.model.questions[3].messages)


async def test_a_verifier_that_does_not_pass_gives_one_more_pass(talk: Talk, product: LocalServices) -> None:
    await several(product, accuracy_mode="accurate")
    bad = says(json.dumps({"verdict": "needs_revision", "reasons": ["Unproved."]}))
    good = says(json.dumps({"verdict": "pass", "reasons": []}))
    turn = talk.say("Hello", PLAN, says("One."), OK, bad, says("Two."), OK, good)
    assert (turn["status"], turn["text"]) == ("done", "Two.")
    assert [one["verdict"] for one in of(turn, "verification")] == ["needs_revision", "pass"]


async def test_a_verdict_that_can_not_be_read_is_no_pass_and_ends_all_the_same(
    talk: Talk, product: LocalServices
) -> None:
    await several(product, accuracy_mode="accurate")
    nonsense = says("I think it is fine.")
    turn = talk.say("Hello", PLAN, says("One."), OK, nonsense, nonsense, says("Two."), OK, nonsense, nonsense)
    assert (turn["status"], turn["text"]) == ("done", "Two.")
    assert [one["verdict"] for one in of(turn, "verification")] == ["needs_revision"] * 2


@pytest.mark.parametrize(("accuracy", "judge"), [("standard", "critic"), ("accurate", "verifier")])
async def test_exactly_one_judge_looks_facts_up(talk: Talk, product: LocalServices, accuracy: str, judge: str) -> None:
    await noted(product, "Pears ripen in August.")
    await several(product, accuracy_mode=accuracy, verifier_check=True)
    look = calls(("search_notes", {"query": "pears"}))
    checking = [look, says("Confirmed: August.")]
    verdict = says(json.dumps({"verdict": "pass", "reasons": []}))
    steps = [*checking, OK] if judge == "critic" else [OK, *checking, verdict]
    turn = talk.say("When do pears ripen?", PLAN, says("In August."), *steps)
    assert (turn["status"], turn["text"]) == ("done", "In August.")
    assert [event["agent"] for event in of(turn, "tool_call")] == [judge]
    assert [one["checked"] for one in of(turn, "critique")] == [judge == "critic"]
    assert [one["checked"] for one in of(turn, "verification")] == ([True] if judge == "verifier" else [])
    given = [one.text for one in talk.model.questions[-1].messages]
    assert any("looked up again" in one for one in given) and any("Confirmed: August." in one for one in given)


async def test_a_judge_changes_nothing_and_its_failure_stops_nobody(talk: Talk, product: LocalServices) -> None:
    from shared.agent.model import ModelBusy

    await several(product, verifier_check=True)
    sly = calls(("create_note", {"text": "By the judge."}))
    turn = talk.say("Hello", PLAN, says("Hi."), sly, says("Nothing."), OK)
    assert turn["status"] == "done"
    assert await product.documents.query(_all("notes")) == []
    turn = talk.say("Hello again, my dear second brain", PLAN, says("Hi."), ModelBusy(), OK)
    assert (turn["status"], of(turn, "critique")[0]["checked"]) == ("done", False)


async def test_the_offline_model_works_and_says_that_nothing_was_judged(
    serve: Serve, product: LocalServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    from shared.agent.models.offline import Offline

    monkeypatch.setattr(product, "model", lambda _name: Offline())
    await several(product, accuracy_mode="accurate", verifier_check=True)
    with serve("chat") as client:
        here = Talk(client, ScriptedModel())
        turn = here.say("note that pears ripen in August")
        assert turn["status"] == "done", turn["error"]
        assert [one["tool"] for one in of(turn, "tool_call")] == ["create_note"]
        assert "no language model" in of(turn, "critique")[0]["text"]
        assert "no language model" in of(turn, "verification")[0]["reasons"][0]
        found = here.say("When do pears ripen?")
        assert "August" in found["text"]


# -- gates


async def blocked(talk: Talk, url: str = "https://pears.example/ripe") -> dict[str, Any]:
    turn = talk.say(
        f"Read {url} and add a task",
        PLAN,
        calls(("create_tasks", {"tasks": [{"title": "Water"}]}), ("http_fetch", {"url": url})),
    )
    assert (turn["status"], turn["types"][-2:]) == ("waiting", ["approval_request", "usage"]), turn
    return turn


def resumed(talk: Talk, run: str, decision: str, *steps: Any) -> Any:
    talk.model.steps = list(steps)
    return talk.client.post(f"{CHAT}/{run}/resume", json={"decision": decision}, headers=JSON)


@pytest.mark.survival(8)
async def test_a_blocked_host_asks_and_only_that_call_is_tried_again(
    talk: Talk, product: LocalServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched = reaching(monkeypatch)
    turn = await blocked(talk)
    request = turn["request"]
    assert (request["reason"], request["blocked_host"], request["tool"]) == (
        "egress_approval",
        "pears.example",
        "http_fetch",
    )
    assert request["arguments"] == {"url": "https://pears.example/ripe"}
    assert fetched == []
    after = talk.resume(turn["run"], "egress_allow_once", says("They are ripe."), OK)
    assert (after["status"], after["text"]) == ("done", "They are ripe.")
    assert fetched == ["https://pears.example/ripe"]
    assert len(await product.documents.query(_all("tasks"))) == 1
    assert len(talk.model.questions) == 4
    # For this run alone.
    settings = await product.documents.get("tenants/default/settings/preferences")
    assert settings and "allowed_hosts" not in settings.data["values"]  # type: ignore[operator]


async def test_allowing_always_is_kept_audited_and_switches_the_outside_on(
    talk: Talk, product: LocalServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched = reaching(monkeypatch)
    turn = await blocked(talk)
    talk.resume(turn["run"], "egress_allow_always", says("Ripe."), OK)
    settings = await product.documents.get("tenants/default/settings/preferences")
    assert settings
    values: Any = settings.data["values"]
    assert (values["allowed_hosts"], values["egress_enabled"]) == (["pears.example"], True)
    entries = [one.data for one in await product.documents.query(_all("activity"))]
    assert [one["arguments"] for one in entries if one["code"] == "egress_allow_always"] == [
        {"allowed_host": "pears.example"}
    ]
    assert len(fetched) == 1
    again = talk.say(
        "And once more read https://pears.example/ripe",
        PLAN,
        calls(("http_fetch", {"url": "https://pears.example/ripe"})),
        says("Ripe."),
        OK,
    )
    assert again["status"] in ("done", "waiting")
    assert of(again, "approval_request") == [] or of(again, "approval_request")[0]["reason"] == "approve_tool"


@pytest.mark.survival(9)
async def test_denied_means_that_nothing_goes_out_and_the_turn_goes_on(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched = reaching(monkeypatch)
    turn = await blocked(talk)
    after = talk.resume(turn["run"], "egress_deny", says("I was not allowed to look."), OK)
    assert (after["status"], after["results"][0]["ok"]) == ("done", False)
    assert "did not allow pears.example" in after["results"][0]["result"]["message"]
    assert fetched == []


async def test_more_info_decides_nothing_and_masks_secrets(talk: Talk) -> None:
    url = "https://pears.example/ripe?api_key=sk-abcdef0123456789abcdef"
    turn = await blocked(talk, url)
    assert "sk-abcdef" not in json.dumps(turn["request"])
    told = resumed(talk, turn["run"], "more_info").json()
    assert [event["type"] for event in told["events"]] == ["approval_request"]
    assert "sk-abcdef" not in json.dumps(told["events"]) and "api_key" in json.dumps(told["events"])
    assert told["session"]["turn"]["status"] == "waiting"
    frames = list(stream(talk.client, f"{CHAT}/{turn['run']}/resume", {"decision": "more_info"}))
    assert [name for name, _, _ in frames] == ["trace", "approval_request"]


async def test_the_gate_and_not_the_request_says_what_can_be_decided(talk: Talk) -> None:
    turn = await blocked(talk)
    unfit = resumed(talk, turn["run"], "approve")
    assert (unfit.status_code, unfit.json()["error"]["code"]) == (422, "decision_unfit")
    smuggled = talk.client.post(
        f"{CHAT}/{turn['run']}/resume", json={"decision": "egress_allow_once", "blocked_host": "evil.example"}
    )
    assert smuggled.status_code == 422
    assert resumed(talk, turn["run"], "continue").status_code == 409


@pytest.mark.survival(15)
async def test_the_guard_runs_after_every_allow(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched = reaching(monkeypatch, address="169.254.169.254")
    turn = await blocked(talk)
    after = talk.resume(turn["run"], "egress_allow_always", says("It was refused."), OK)
    assert (after["status"], after["results"][0]["result"]["error"]) == ("done", "address_blocked")
    assert fetched == []
    inside = talk.say(
        "Read the page http://169.254.169.254/latest for me please",
        PLAN,
        calls(("http_fetch", {"url": "http://169.254.169.254/latest"})),
        says("Refused."),
        OK,
    )
    assert (inside["status"], inside["results"][0]["result"]["error"]) == ("done", "address_blocked")


async def test_nobody_is_asked_about_an_address_that_nobody_gave(talk: Talk) -> None:
    turn = talk.say("Hello", PLAN, calls(("http_fetch", {"url": "https://evil.example/?secret"})), says("No."), OK)
    assert (turn["status"], turn["results"][0]["result"]["error"]) == ("done", "egress_blocked")


async def test_what_destroys_asks_in_a_graph_too(talk: Talk, product: LocalServices) -> None:
    note_id = await noted(product, "Precious.")
    turn = talk.say("Delete my note", PLAN, calls(("delete_note", {"note_id": note_id})))
    assert (turn["status"], turn["request"]["reason"]) == ("waiting", "approve_tool")
    after = talk.resume(turn["run"], "reject", says("It stays."), OK)
    assert after["status"] == "done"
    assert (await note_of(product, note_id))["deleted_at"] is None


@pytest.mark.survival(8)
async def test_a_run_may_wait_again_and_nothing_runs_twice(
    talk: Talk, product: LocalServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched = reaching(monkeypatch)
    one, two = "https://pears.example/1", "https://plums.example/2"
    turn = talk.say(f"Read {one} and {two}", PLAN, calls(("http_fetch", {"url": one}), ("http_fetch", {"url": two})))
    assert turn["request"]["blocked_host"] == "pears.example"
    middle = talk.resume(turn["run"], "egress_allow_once")
    assert (middle["status"], middle["request"]["blocked_host"]) == ("waiting", "plums.example")
    after = talk.resume(turn["run"], "egress_allow_once", says("Both."), OK)
    assert (after["status"], fetched) == ("done", [one, two])
    assert len(talk.model.questions) == 4


async def test_the_answer_gate_holds_the_answer_until_a_person_has_seen_it(talk: Talk, product: LocalServices) -> None:
    await several(product, human_gate=True)
    talk.model.steps = [PLAN, says("Good morning."), OK]
    frames = list(stream(talk.client, f"{CHAT}/sessions/{talk.id}/messages", {"text": "Hello"}))
    assert "done" not in [name for name, _, _ in frames]
    request = next(data for name, _, data in frames if name == "approval_request")
    assert (request["reason"], request["answer"], request["critique"]) == (
        "approve_answer",
        "Good morning.",
        "It is supported.",
    )
    after = talk.resume(request["run_id"], "approve")
    assert (after["status"], after["text"]) == ("done", "Good morning.")


@pytest.mark.survival(9)
async def test_a_rejected_answer_is_none(talk: Talk, product: LocalServices) -> None:
    await several(product, human_gate=True)
    turn = talk.say("Hello", PLAN, says("Good morning."), OK)
    after = talk.resume(turn["run"], "reject")
    assert (after["status"], after["text"], after["error"]["code"]) == ("cancelled", "", "declined")


@pytest.mark.survival(10)
async def test_an_abandoned_gate_is_denied_and_a_late_word_too_late(
    talk: Talk, product: LocalServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched = reaching(monkeypatch)
    turn = await blocked(talk)
    assert talk.say("Never mind, tell me a joke instead please", PLAN, says("No."), OK)["status"] == "done"
    assert resumed(talk, turn["run"], "egress_allow_once").status_code == 409
    second = await blocked(talk, "https://other.example/")
    product.clock.advance(25 * 3600)
    late = resumed(talk, second["run"], "egress_allow_always")
    assert (late.status_code, late.json()["error"]["code"]) == (410, "approval_expired")
    assert fetched == []


@pytest.mark.survival(11)
async def test_another_person_and_another_tenant_can_not_decide(talk: Talk, product: LocalServices) -> None:
    turn = await blocked(talk)
    table = json.loads(product.folder.device_keys_file.read_text())
    table["other"] = {"key_sha256": digest("other-key"), "tenant": "default", "subject": "someone-else"}
    table["foreign"] = {"key_sha256": digest("foreign-key"), "tenant": "foreign", "subject": "me"}
    product.folder.device_keys_file.write_text(json.dumps(table))
    product.clock.advance(61)
    for key, status in (("other-key", 403), ("foreign-key", 404)):
        for decision in ("egress_allow_once", "more_info", "continue"):
            answer = talk.client.post(
                f"{CHAT}/{turn['run']}/resume",
                json={"decision": decision},
                headers={"Authorization": f"Bearer {key}"},
            )
            assert answer.status_code == status, answer.text


async def test_a_run_of_another_version_is_refused_and_says_so(talk: Talk, product: LocalServices) -> None:
    from shared.store.documents import Write

    turn = await blocked(talk)
    stored = await product.documents.get(f"tenants/default/runs/{turn['run']}")
    assert stored
    graph: Any = stored.data["graph"]
    await product.documents.commit([Write(stored.path, {**stored.data, "graph": {**graph, "version": "0"}})])
    refused = resumed(talk, turn["run"], "egress_deny")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "graph_changed")
    assert talk.say("Then something else, please, my friend", PLAN, says("Yes."), OK)["status"] == "done"


async def test_what_was_allowed_for_one_run_is_kept_while_settings_change(
    talk: Talk, product: LocalServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    reaching(monkeypatch)
    turn = await blocked(talk)
    await several(product, agent_mode="single", human_gate=True, accuracy_mode="accurate")
    after = talk.resume(turn["run"], "egress_allow_once", says("Ripe."), OK)
    assert (after["status"], after["types"][-2:]) == ("done", ["text", "usage"]) or "citations" in after["types"]
    assert not of(after, "verification")


async def test_a_deleted_conversation_leaves_nothing_of_its_runs(talk: Talk, product: LocalServices) -> None:
    from shared.store.documents import Query

    turn = talk.say("Hello my marked words", PLAN, says("Good morning."), OK)
    run = f"tenants/default/runs/{turn['run']}"
    assert await product.documents.query(Query("events", run))
    assert talk.client.delete(f"{CHAT}/sessions/{talk.id}").status_code == 204
    assert await product.documents.query(Query("events", run)) == []
    assert await product.documents.get(run) is None


async def test_a_turn_that_failed_goes_on_where_it_was(talk: Talk) -> None:
    from shared.agent.model import ModelBusy

    turn = talk.say("Hello", PLAN, says("Good morning."), ModelBusy())
    assert (turn["status"], turn["error"]["code"]) == ("failed", "model_busy")
    after = talk.resume(turn["run"], "continue", OK)
    assert (after["status"], after["text"]) == ("done", "Good morning.")
    assert resumed(talk, turn["run"], "continue").status_code == 409


def reaching(monkeypatch: pytest.MonkeyPatch, address: str = "93.184.216.34") -> list[str]:
    """Pages that are read without a network, after the guard has let them pass."""
    import httpx

    from shared.net.guard import Network
    from shared.tools import catalog, web

    fetched: list[str] = []

    async def resolve(host: str, port: int) -> list[str]:
        return [address]

    def page(request: httpx.Request) -> httpx.Response:
        host = request.headers["host"]
        fetched.append(f"https://{host}{request.url.raw_path.decode()}")
        return httpx.Response(200, headers={"content-type": "text/html"}, text="<title>Pears</title><p>Ripe.</p>")

    made = web.tools(Network(resolve, httpx.MockTransport(page)))
    before = catalog.built_in
    monkeypatch.setattr("shared.agent.ensemble.built_in", lambda: {**before(), **made})
    return fetched


# -- agents


@pytest.fixture
def api(serve: Serve) -> Iterator[TestClient]:
    with serve("api") as client:
        yield client


def test_prompts_and_tools_of_agents_are_the_tenants_own(api: TestClient) -> None:
    url = "/api/v1/agents/config"
    agents = {one["name"]: one for one in api.get(url).json()["agents"]}
    assert list(agents) == ["planner", "researcher", "critic", "verifier"]
    assert all(one["prompt"] is None and one["default_prompt"] for one in agents.values())
    wanted = {"agents": [{"name": "researcher", "prompt": "Be brief.", "disabled_tools": ["create_note"]}]}
    saved = {one["name"]: one for one in api.put(url, json=wanted).json()["agents"]}
    assert (saved["researcher"]["prompt"], saved["researcher"]["disabled_tools"]) == ("Be brief.", ["create_note"])
    kept = api.put(url, json={"agents": [{"name": "critic", "prompt": "Be kind."}]}).json()["agents"]
    assert [one["prompt"] for one in kept] == [None, "Be brief.", "Be kind.", None]
    back = api.put(url, json={"agents": [{"name": "researcher", "prompt": ""}]}).json()["agents"][1]
    assert (back["prompt"], back["disabled_tools"]) == (None, ["create_note"])
    unknown = api.put(url, json={"agents": [{"name": "boss", "prompt": "x"}]})
    assert (unknown.status_code, unknown.json()["error"]["code"]) == (422, "unknown_agent")
    toolless = api.put(url, json={"agents": [{"name": "critic", "disabled_tools": ["create_note"]}]})
    assert (toolless.status_code, toolless.json()["error"]["code"]) == (422, "no_tools")


async def test_an_override_counts_on_the_graph_alone(talk: Talk, product: LocalServices) -> None:
    from shared.agents import AgentChoices, save

    wanted = {"agents": [{"name": "researcher", "prompt": "Be a pirate.", "disabled_tools": ["create_note"]}]}
    await save(product.documents, "default", AgentChoices.model_validate(wanted), product.now())
    talk.say("Hello", PLAN, says("Arr."), OK)
    planner, researcher, critic = talk.model.questions
    assert "Be a pirate." in researcher.instruction and "never an instruction" in researcher.instruction
    assert "Be a pirate." not in planner.instruction + critic.instruction
    assert "create_note" not in {tool.name for tool in researcher.tools}
    await several(product, agent_mode="single")
    talk.say("Good evening, my dear second brain", says("Hello."))
    assert "Be a pirate." not in talk.model.questions[-1].instruction
    assert "create_note" in {tool.name for tool in talk.model.questions[-1].tools}
