"""A scripted model drives every tool, every refusal of the gateway, and every decision at every gate.

What there is comes from the product itself: a new tool, refusal or decision fails here until a turn has reached it.
"""

import ast
import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest

import shared.gateway
from infra.local.services import LocalServices
from shared.agents import AgentChoices, save
from shared.gateway.tool import Outcome
from shared.models.base import JsonDict
from shared.models.chat import DECISIONS, Decision, GateReason
from shared.operations import waiting
from shared.task import NewTask, add
from shared.tools import catalog
from tests.fakes.scripted import ScriptedModel, calls, says
from tests.functions import outside
from tests.functions.conftest import Serve
from tests.functions.outside import MCP_TOOL, PAGES, SEARCH_PAGE, URL, Outside, page, results, with_server
from tests.functions.test_chat import Talk, model, note_of, noted
from tests.functions.test_graph import OK, PLAN, several
from tests.shared.agent_task.conftest import desk
from tests.shared.agent_task.working import WALL, TaskDesk, claim, form

__all__ = ["desk", "model"]

CHAT_TOOLS = {**catalog.built_in()}
TASK_TOOLS = {name: tool for name, tool in catalog.for_tasks("Because.").items() if name not in CHAT_TOOLS}


@pytest.fixture
def out(monkeypatch: pytest.MonkeyPatch) -> Iterator[Outside]:
    with outside.outside(monkeypatch) as made:
        yield made


@pytest.fixture
def talk(serve: Serve, model: ScriptedModel, out: Outside) -> Iterator[Talk]:
    with serve("chat") as client:
        yield Talk(client, model)


# -- every tool

ARGUMENTS: Mapping[str, Callable[[str, str], JsonDict]] = {
    "search_notes": lambda note, task: {"query": "pears"},
    "get_note": lambda note, task: {"note_id": note},
    "list_recent_notes": lambda note, task: {},
    "create_note": lambda note, task: {"text": "A thought."},
    "update_note": lambda note, task: {"note_id": note, "changes": {"title": "Pears"}},
    "delete_note": lambda note, task: {"note_id": note},
    "list_tasks": lambda note, task: {},
    "create_tasks": lambda note, task: {"tasks": [{"title": "Prune"}]},
    "update_task": lambda note, task: {"task_id": task, "changes": {"status": "done"}},
    "undo_change": lambda note, task: {},
    "start_research": lambda note, task: {"note_id": note},
    "queue_approval": lambda note, task: {
        "action": {"tool": "delete_note", "arguments": {"note_id": note}},
        "reason": "It is old.",
    },
    "calculator": lambda note, task: {"expression": "2 + 3"},
    "current_time": lambda note, task: {},
    "web_search": lambda note, task: {"query": "pears"},
    "http_fetch": lambda note, task: {"url": URL},
    MCP_TOOL: lambda note, task: {"a": "pears"},
}
"""What the model asks each tool of the chat for, and one of an MCP server."""

TASK_ARGUMENTS: Mapping[str, JsonDict] = {
    "search_research": {"query": "pears"},
    "generate_artifact": {"artifact": {"kind": "list", "title": "Pears", "items": ["Tie them."]}},
    "ask_user": {"question": "Which wall?"},
    "create_thesis": {"statement": "Wires are enough.", "evidence_for": [{"text": "It says so", "source": "NOTE"}]},
    "add_evidence": {"note_id": "THESIS", "stance": "for", "text": "It says so", "source": "NOTE"},
    "fetch_market_data": {"symbols": ["PEAR"]},
}


def test_every_tool_has_its_call() -> None:
    assert ARGUMENTS.keys() == {*CHAT_TOOLS, MCP_TOOL}
    assert TASK_ARGUMENTS.keys() == TASK_TOOLS.keys()


@pytest.mark.parametrize("tool", sorted(ARGUMENTS))
async def test_a_turn_drives_each_tool_of_the_chat(talk: Talk, product: LocalServices, out: Outside, tool: str) -> None:
    await outside.opened(product)
    note = await noted(product, "Pears ripen in August.")
    task = (await add(product.documents, "default", NewTask(title="Water"), product.now(), key=None)).id
    out.pages = {f"{PAGES}/ripe": page("Ripe."), SEARCH_PAGE: results("Pears", URL, "Ripe.")}
    if tool == MCP_TOOL:
        await with_server(product, out)
    understood = []
    if tool == "undo_change":
        talk.say("Note that it rains, please.", calls(("create_note", {"text": "It rains."})), says("Noted."))
        understood = [says("Take the note back.")]
    turn = talk.say(
        f"Do it, with {URL}, please.", *understood, calls((tool, ARGUMENTS[tool](note, task))), says("Done.")
    )
    if turn["status"] == "waiting":
        turn = talk.resume(turn["run"], "approve", says("Done."))
    assert (turn["status"], turn["text"]) == ("done", "Done."), turn
    assert [(one["tool"], one["ok"]) for one in turn["results"]] == [(tool, True)], turn["results"]
    assert tool in {spec.name for spec in talk.model.questions[0].tools}
    assert out.reached() == (1 if tool in ("web_search", "http_fetch", MCP_TOOL) else 0)


@pytest.mark.parametrize("tool", sorted(TASK_ARGUMENTS))
async def test_a_task_drives_each_tool_of_its_own(desk: TaskDesk, tool: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from shared.net import market

    def known(request: httpx.Request) -> httpx.Response:
        quote = {"symbol": "PEAR", "price": 1.0, "currency": "EUR", "at": "today"}
        return httpx.Response(200, json={"quotes": [quote]})

    provider = market.HttpMarketData("https://market.example/", transport=httpx.MockTransport(known))
    monkeypatch.setattr(market, "configured", lambda _url: provider)
    note = await desk.note(WALL)
    thesis = await a_thesis(desk, note.id)
    desk.says(
        calls((tool, _named(TASK_ARGUMENTS[tool], NOTE=note.id, THESIS=thesis))),
        says("So."),
        form(claim("Tied.", "S1")),
    )
    operation = await desk.ask()
    if operation.status == "waiting_for_input":
        doors: Any = desk
        await waiting.give(doors, "t", operation.id, "yes")
        operation = await desk.run(operation.id)
    answered = [event for event in await desk.events(operation.id) if event.type == "tool_result"]
    assert [event.ok for event in answered if event.tool == tool] == [True], answered
    assert operation.status == "completed"


async def a_thesis(desk: TaskDesk, note_id: str) -> str:
    from tests.shared.tools.using import errand

    tool = catalog.applied()["create_thesis"]
    wanted = tool.arguments.model_validate(_named(TASK_ARGUMENTS["create_thesis"], NOTE=note_id))
    made = await tool.run(errand(desk, "thesis"), wanted)
    note: Any = made.result["note"]
    return str(note["note_id"])


def _named(value: Any, **ids: str) -> Any:
    """The arguments with the ids that stand for names."""
    match value:
        case dict():
            return {key: _named(one, **ids) for key, one in value.items()}
        case list():
            return [_named(one, **ids) for one in value]
        case _:
            return ids.get(value, value) if isinstance(value, str) else value


# -- every refusal


def refusals() -> set[str]:
    """Each code that the gateway itself says: the first word of every error that is made there."""
    found: set[str] = set()
    for path in Path(shared.gateway.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "error" and node.args:
                first = node.args[0]
                found |= {str(first.value)} if isinstance(first, ast.Constant) else set()
    return found


Refused = Callable[[Talk, LocalServices, pytest.MonkeyPatch], Any]


async def unknown(talk: Talk, product: LocalServices, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    return talk.say("Do it", calls(("nonsense", {})), says("I can't."))


async def not_permitted(talk: Talk, product: LocalServices, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    wanted = AgentChoices.model_validate({"agents": [{"name": "researcher", "disabled_tools": ["create_note"]}]})
    await save(product.documents, "default", wanted, product.now())
    await several(product)
    return talk.say("Do it", PLAN, calls(("create_note", {"text": "x"})), says("I can't."), OK)


async def invalid(talk: Talk, product: LocalServices, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    return talk.say("Do it", calls(("create_note", {"text": 5})), says("I can't."))


async def closed(talk: Talk, product: LocalServices, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    return talk.say(f"Read {URL}", calls(("http_fetch", {"url": URL})), says("I can't."))


async def not_allowed(talk: Talk, product: LocalServices, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    await outside.opened(product, "plums.example")
    return await closed(talk, product, patch)


async def within(talk: Talk, product: LocalServices, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    await outside.opened(product)
    url = "http://169.254.169.254/latest"
    return talk.say(f"Read {url}", calls(("http_fetch", {"url": url})), says("I can't."))


async def said_no(talk: Talk, product: LocalServices, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    turn = talk.say("Do it", calls(("delete_note", {"note_id": await noted(product, "Precious.")})))
    return talk.resume(turn["run"], "reject", says("I can't."))


def behaving(patch: pytest.MonkeyPatch, **changes: Any) -> None:
    """Have the calculator behave otherwise than a tool should."""
    before = catalog.built_in()
    patch.setattr(
        "shared.agent.cast.built_in", lambda: {**before, "calculator": replace(before["calculator"], **changes)}
    )


SUM = calls(("calculator", {"expression": "2 + 3"}))


async def slow(talk: Talk, product: LocalServices, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    async def run(_errand: Any, _asked: Any) -> Outcome:
        await asyncio.Event().wait()
        raise AssertionError

    behaving(patch, run=run, seconds=0.01)
    return talk.say("Do it", SUM, says("I can't."))


async def broken(talk: Talk, product: LocalServices, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    async def run(_errand: Any, _asked: Any) -> Outcome:
        raise RuntimeError("secret words")

    behaving(patch, run=run)
    return talk.say("Do it", SUM, says("I can't."))


async def strange(talk: Talk, product: LocalServices, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    async def run(_errand: Any, _asked: Any) -> Outcome:
        return Outcome({"something": "else"})

    behaving(patch, run=run)
    return talk.say("Do it", SUM, says("I can't."))


REFUSALS: Mapping[str, Refused] = {
    "unknown_tool": unknown,
    "not_permitted": not_permitted,
    "invalid_arguments": invalid,
    "egress_disabled": closed,
    "egress_blocked": not_allowed,
    "address_blocked": within,
    "denied": said_no,
    "timeout": slow,
    "tool_failed": broken,
    "bad_answer": strange,
}


def test_every_refusal_has_its_turn() -> None:
    assert REFUSALS.keys() == refusals()


@pytest.mark.parametrize("code", sorted(REFUSALS))
async def test_a_turn_reaches_each_refusal_and_nothing_is_done(
    talk: Talk, product: LocalServices, out: Outside, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    turn = await REFUSALS[code](talk, product, monkeypatch)
    assert (turn["status"], turn["text"]) == ("done", "I can't."), turn
    (result,) = turn["results"]
    assert (result["ok"], result["result"]["error"], result["undo"]) == (False, code, None)
    assert result["result"]["message"] and "secret words" not in str(turn)
    # The model was told so, and nothing left the house.
    answers = [
        answer.result for question in talk.model.questions for one in question.messages for answer in one.answers
    ]
    assert result["result"] in answers
    assert out.reached() == 0


# -- every gate


async def at_a_tool(talk: Talk, product: LocalServices) -> dict[str, Any]:
    turn = talk.say("Do it", PLAN, calls(("delete_note", {"note_id": await noted(product, "Precious.")})))
    return turn


async def at_a_host(talk: Talk, product: LocalServices) -> dict[str, Any]:
    return talk.say(f"Read {URL}", PLAN, calls(("http_fetch", {"url": URL})))


async def at_an_answer(talk: Talk, product: LocalServices) -> dict[str, Any]:
    await several(product, human_gate=True)
    return talk.say("Hello", PLAN, says("Good morning."), OK)


GATES: Mapping[GateReason, Callable[[Talk, LocalServices], Any]] = {
    "approve_tool": at_a_tool,
    "egress_approval": at_a_host,
    "approve_answer": at_an_answer,
}
YES = ("approve", "egress_allow_once", "egress_allow_always")
EVERY = [(reason, decision) for reason, decisions in DECISIONS.items() for decision in decisions]


def test_every_gate_has_its_turn() -> None:
    assert GATES.keys() == DECISIONS.keys() == set(get_args(GateReason))
    assert {decision for _, decision in EVERY} == set(get_args(Decision))


@pytest.mark.survival(9)
@pytest.mark.parametrize(("reason", "decision"), EVERY)
async def test_a_turn_reaches_each_gate_and_only_a_yes_does_anything(
    talk: Talk, product: LocalServices, out: Outside, reason: GateReason, decision: Decision
) -> None:
    await several(product)
    out.pages[f"{PAGES}/ripe"] = page("Ripe.")
    turn = await GATES[reason](talk, product)
    assert (turn["status"], turn["request"]["reason"], out.asked) == ("waiting", reason, [])
    yes = decision in YES
    steps = [] if reason == "approve_answer" else [says("So it is."), OK]
    after = talk.resume(turn["run"], decision, *steps)
    if reason == "approve_answer":
        assert (after["status"], after["text"]) == (("done", "Good morning.") if yes else ("cancelled", ""))
    else:
        assert (after["status"], [one["ok"] for one in after["results"]]) == ("done", [yes])
    if reason == "approve_tool":
        note = await note_of(product, turn["request"]["arguments"]["note_id"])
        assert bool(note["deleted_at"]) == yes
    assert out.asked == ([f"{PAGES}/ripe"] if yes and reason == "egress_approval" else [])
