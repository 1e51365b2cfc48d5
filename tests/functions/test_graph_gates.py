"""The gates of several agents over HTTP: pages that lead on elsewhere, words at one moment, words that come late."""

import asyncio
from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from infra.local.services import LocalServices
from shared.store.documents import Query
from tests.fakes.scripted import calls, says
from tests.functions.test_chat import Talk, link, model, note_of, noted
from tests.functions.test_graph import OK, PLAN, blocked, of, resumed, several, talk

__all__ = ["model", "talk"]

FIRST = "https://pears.example/ripe"
INSIDE = {"inside.example": "10.0.0.1"}


def leading(
    monkeypatch: pytest.MonkeyPatch, hops: Mapping[str, str], addresses: Mapping[str, str] | None = None
) -> list[str]:
    """Pages of which some redirect: host to address. Returns the hosts that were asked, in order."""
    from shared.net.guard import Network
    from shared.tools import catalog, web

    asked: list[str] = []

    async def resolve(host: str, port: int) -> list[str]:
        return [(addresses or {}).get(host, "93.184.216.34")]

    def page(request: httpx.Request) -> httpx.Response:
        host = request.headers["host"]
        asked.append(host)
        if host in hops:
            return httpx.Response(302, headers={"location": hops[host]})
        return httpx.Response(200, headers={"content-type": "text/html"}, text="<title>Pears</title><p>Ripe.</p>")

    made = web.tools(Network(resolve, httpx.MockTransport(page)))
    before = catalog.built_in
    monkeypatch.setattr("shared.agent.ensemble.built_in", lambda: {**before(), **made})
    return asked


async def test_a_page_that_leads_to_a_host_that_is_not_allowed_asks_about_that_host(
    talk: Talk, product: LocalServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = leading(monkeypatch, {"pears.example": "https://plums.example/"})
    await several(product, egress_enabled=True, allowed_hosts=["pears.example"])
    turn = await blocked(talk)
    request = turn["request"]
    assert (request["reason"], request["blocked_host"]) == ("egress_approval", "plums.example")
    assert "leads on" in request["why"]
    assert asked == ["pears.example"]
    after = talk.resume(turn["run"], "egress_allow_once", says("Ripe."), OK)
    assert (after["status"], after["text"]) == ("done", "Ripe.")
    assert asked == ["pears.example", "pears.example", "plums.example"]
    assert [event["ok"] for event in after["results"]][-1] is True
    assert len(await product.documents.query(Query("tasks", "tenants/default"))) == 1


@pytest.mark.survival(8)
async def test_each_host_on_the_way_is_asked_about_for_itself(
    talk: Talk, product: LocalServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = leading(monkeypatch, {"pears.example": "https://plums.example/", "plums.example": "https://figs.example/"})
    turn = await blocked(talk)
    hosts = [turn["request"]["blocked_host"]]
    for decision in ("egress_allow_once", "egress_allow_always"):
        turn = talk.resume(turn["run"], decision)
        assert turn["status"] == "waiting"
        hosts.append(turn["request"]["blocked_host"])
    assert hosts == ["pears.example", "plums.example", "figs.example"]
    after = talk.resume(turn["run"], "egress_allow_once", says("Ripe."), OK)
    assert (after["status"], asked[-1]) == ("done", "figs.example")
    settings = await product.documents.get("tenants/default/settings/preferences")
    assert settings and settings.data["values"]["allowed_hosts"] == ["plums.example"]  # type: ignore[index,call-overload]


async def test_a_refused_host_is_not_named_to_the_model(
    talk: Talk, product: LocalServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = leading(monkeypatch, {"pears.example": "https://obey-me.example/"})
    await several(product, egress_enabled=True, allowed_hosts=["pears.example"])
    turn = await blocked(talk)
    after = talk.resume(turn["run"], "egress_deny", says("I was not allowed to look."), OK)
    assert (after["status"], after["results"][-1]["ok"]) == ("done", False)
    assert "leads to" in after["results"][-1]["result"]["message"]
    assert all("obey-me" not in repr(question.messages) for question in talk.model.questions)
    assert asked == ["pears.example"]


@pytest.mark.survival(15)
@pytest.mark.parametrize("decision", ["egress_allow_once", "egress_allow_always"])
async def test_the_guard_runs_on_the_host_that_a_page_led_to_after_every_allow(
    talk: Talk, product: LocalServices, monkeypatch: pytest.MonkeyPatch, decision: str
) -> None:
    asked = leading(monkeypatch, {"pears.example": "https://inside.example/"}, INSIDE)
    await several(product, egress_enabled=True, allowed_hosts=["pears.example"])
    turn = await blocked(talk)
    assert turn["request"]["blocked_host"] == "inside.example"
    after = talk.resume(turn["run"], decision, says("It was refused."), OK)
    assert (after["status"], after["results"][-1]["result"]["error"]) == ("done", "address_blocked")
    assert "inside.example" not in asked


@pytest.mark.survival(15)
async def test_nobody_is_asked_about_an_address_inside_that_a_page_leads_to(
    talk: Talk, product: LocalServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    leading(monkeypatch, {"pears.example": "http://169.254.169.254/latest"})
    await several(product, egress_enabled=True, allowed_hosts=["pears.example"])
    turn = talk.say(f"Read {FIRST}", PLAN, calls(("http_fetch", {"url": FIRST})), says("Refused."), OK)
    assert (turn["status"], turn["results"][0]["result"]["error"]) == ("done", "address_blocked")


# -- survival 3: the sources of an answer outlive a gate


@pytest.mark.survival(3)
async def test_an_answer_keeps_its_sources_through_the_gate(talk: Talk, product: LocalServices) -> None:
    await several(product, human_gate=True)
    pears = await noted(product, "Pears ripen in August.")
    turn = talk.say("When do pears ripen?", PLAN, says(f"In August, see [pears]({link(pears)})."), OK)
    assert f"[pears]({link(pears)})" in turn["request"]["answer"]
    after = talk.resume(turn["run"], "approve")
    assert after["text"] == f"In August, see [pears]({link(pears)})."
    assert [one["note_id"] for one in of(after, "citations")[0]["citations"]] == [pears]


@pytest.mark.survival(3)
async def test_an_answer_keeps_its_sources_when_its_judge_failed(talk: Talk, product: LocalServices) -> None:
    from shared.agent.model import ModelBusy

    pears = await noted(product, "Pears ripen in August.")
    turn = talk.say("When do pears ripen?", PLAN, says(f"In August, see [pears]({link(pears)})."), ModelBusy())
    assert turn["status"] == "failed"
    after = talk.resume(turn["run"], "continue", OK)
    assert [one["note_id"] for one in of(after, "citations")[0]["citations"]] == [pears]


# -- words at one moment, and late ones


@pytest.mark.parametrize("reason", ["egress_approval", "approve_answer"])
async def test_of_two_words_at_one_moment_one_counts_and_the_other_is_409(
    talk: Talk, product: LocalServices, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    asked = leading(monkeypatch, {})
    await several(product, human_gate=reason == "approve_answer")
    if reason == "egress_approval":
        turn = await blocked(talk)
        word, after = "egress_allow_once", [says("Ripe."), OK]
    else:
        turn, word, after = talk.say("Hello", PLAN, says("Hi."), OK), "approve", []
    talk.model.steps = [*after]
    answers = await asyncio.gather(*(asyncio.to_thread(_resume, talk, turn["run"], word) for _ in range(2)))
    assert sorted(answers) == [200, 409]
    assert asked == (["pears.example"] if reason == "egress_approval" else [])
    assert len([event for event in talk.trace() if event["type"] == "text"]) == 1
    assert talk.model.steps == []


def _resume(talk: Talk, run: str, decision: str) -> int:
    answer = talk.client.post(f"/api/v1/chat/{run}/resume", json={"decision": decision})
    return int(answer.status_code)


@pytest.mark.survival(10)
async def test_an_answer_that_is_approved_after_its_time_is_410_and_counts_for_nothing(
    talk: Talk, product: LocalServices
) -> None:
    await several(product, human_gate=True)
    turn = talk.say("Hello", PLAN, says("Good morning."), OK)
    product.clock.advance(25 * 3600)
    late: Any = resumed(talk, turn["run"], "approve")
    assert (late.status_code, late.json()["error"]["code"]) == (410, "approval_expired")
    assert [event for event in talk.trace() if event["type"] == "text"] == []


# -- survival 9: a no means no, for every tool that asks


def _asking() -> dict[str, dict[str, Any]]:
    return {
        "http_fetch": {"url": FIRST},
        "web_search": {"query": "ripe pears"},
        "start_research": {"note_id": ""},
        "delete_note": {"note_id": ""},
    }


def test_every_tool_that_can_ask_is_declined_below() -> None:
    from shared.gateway.classes import CLASSES
    from shared.tools.catalog import built_in

    assert set(_asking()) == {name for name in built_in() if CLASSES[name] in ("external", "destructive")}


@pytest.mark.survival(9)
@pytest.mark.parametrize(
    ("tool", "approve_tools"),
    # Research costs nothing here, so with tools that run without asking nobody is asked about it.
    [(tool, run) for tool in _asking() for run in (True, False) if (tool, run) != ("start_research", True)],
)
async def test_a_declined_call_has_no_effect(
    talk: Talk, product: LocalServices, monkeypatch: pytest.MonkeyPatch, tool: str, approve_tools: bool
) -> None:
    asked = leading(monkeypatch, {})
    await several(product, approve_tools=approve_tools)
    note_id = await noted(product, "Precious pears.")
    before = await note_of(product, note_id)
    arguments = _asking()[tool]
    if "note_id" in arguments:
        arguments["note_id"] = note_id
    turn = talk.say(f"Use {tool} on {FIRST}", PLAN, calls((tool, arguments)))
    assert turn["status"] == "waiting"
    word = "egress_deny" if turn["request"]["reason"] == "egress_approval" else "reject"
    after = talk.resume(turn["run"], word, says("It was not done."), OK)
    (result,) = after["results"]
    assert (after["status"], result["ok"], result["result"]["error"]) == ("done", False, "denied")
    assert asked == []
    assert await note_of(product, note_id) == before
    assert await product.documents.query(Query("operations", "tenants/default")) == []
