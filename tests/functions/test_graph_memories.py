"""Memories as a source of several agents: by reference on record, once in a prompt, and only what may be used then."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from infra.local.services import LocalServices
from shared.agent.model import Question
from shared.agent.models.offline import Offline
from shared.memory import change
from shared.preferences import Choices, choose
from shared.store.documents import Query
from tests.fakes.scripted import ScriptedModel, calls, says
from tests.functions.conftest import Serve
from tests.functions.test_chat import CHAT, Talk, link, model, noted
from tests.functions.test_graph import OK, PLAN, of, several
from tests.functions.test_memories import ME, world
from tests.shared.memory.world import TENANT, World

__all__ = ["model", "world"]

LEIDEN = "I live in Leiden."
BOTH = says(json.dumps({"steps": ["Look."], "query": "Leiden house swim", "sources": ["note", "memory"]}))
NOTES = says(json.dumps({"steps": ["Look."], "query": "Leiden house swim", "sources": ["note"]}))


@pytest.fixture
async def known(world: World, product: LocalServices) -> AsyncIterator[World]:
    """Where the person lives is remembered, and several agents answer."""
    await several(product, memory_enabled=True)
    await world.remembers(LEIDEN, ME)
    yield world


@pytest.fixture
def chat(known: World, serve: Serve) -> Iterator[TestClient]:
    with serve("chat") as made:
        yield made


def told(question: Question) -> str:
    return "\n".join(message.text for message in question.messages)


def memories(turn: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for event in of(turn, "evidence") for one in event["passages"] if one["source_kind"] == "memory"]


@pytest.mark.survival(14)
async def test_a_memory_is_evidence_given_once_and_stored_by_reference(
    known: World, chat: TestClient, model: ScriptedModel
) -> None:
    async def answers(question: Question) -> Any:
        (line,) = [one.text for one in question.messages if "earlier conversations" in one.text]
        (fact,) = json.loads(line)["data"]["remembered from earlier conversations"]
        assert (fact["fact"], fact["source"], fact["number"]) == (LEIDEN, "chat", 1)
        return says(f"In Leiden, as [you said]({fact['link']}).")

    turn = Talk(chat, model).say("Where do I live?", PLAN, answers, OK)
    assert turn["types"] == ["user", "recall", "plan", "evidence", "critique", "text", "citations", "usage"]
    _, researcher, critic = model.questions
    assert [told(question).count(LEIDEN) for question in (researcher, critic)] == [1, 1]
    assert all("Leiden" not in question.instruction for question in model.questions)
    (passage,) = memories(turn)
    (ref,) = of(turn, "recall")[0]["used"]
    assert (passage["url"], passage["text"], passage["merged_from"]) == (f"memory:{ref}", "", ["memory"])
    (cited,) = of(turn, "citations")[0]["citations"]
    assert (cited["url"], cited["title"]) == (f"memory:{ref}", passage["title"])
    assert turn["session"]["turn"]["outside"] is False, "it is nobody else's text"
    documents = known.services.documents
    kept = [*await documents.query(Query("events", None, limit=500)), *await documents.query(Query("runs", None))]
    holding = [json.dumps(one.data) for one in kept if LEIDEN in json.dumps(one.data)]
    assert all('"type": "user"' in one for one in holding), "what the person said then, and nothing else"
    receipts = await documents.query(Query("receipts", None))
    assert sorted(str(one.data["occasion"]) for one in receipts) == ["generation", "recall"], "asked once"


async def test_it_stands_beside_notes_whatever_the_planner_names(
    known: World, chat: TestClient, model: ScriptedModel, product: LocalServices
) -> None:
    note = await noted(product, "Whoever lives in Leiden can swim in the canal.")
    turn = Talk(chat, model).say("Where can I swim?", NOTES, says(f"In the canal, see [it]({link(note)})."), OK)
    assert "memories" in told(model.questions[0]), "the planner is told that there are some"
    assert of(turn, "plan")[0]["sources"] == ["note", "memory"]
    assert {one["source_kind"] for one in of(turn, "evidence")[0]["passages"]} == {"note", "memory"}
    assert told(model.questions[1]).count(LEIDEN) == 1


async def test_a_judge_that_looks_again_is_not_given_it_twice(
    known: World, chat: TestClient, model: ScriptedModel, product: LocalServices
) -> None:
    await several(product, memory_enabled=True, verifier_check=True)
    turn = Talk(chat, model).say("Where do I live?", PLAN, says("In Leiden."), says("It is so."), OK)
    assert turn["status"] == "done"
    shown = told(model.questions[-1])
    assert (shown.count(LEIDEN), shown.count('"memory:')) == (1, 1) and "looked up again" not in shown


@pytest.mark.parametrize("case", ["off", "incognito", "withheld", "down"])
async def test_where_none_may_be_used_there_is_no_such_source(
    known: World, chat: TestClient, model: ScriptedModel, product: LocalServices, case: str
) -> None:
    talk = Talk(chat, model)
    if case == "off":
        await choose(product.documents, product.settings, TENANT, Choices(memory_enabled=False), product.now())
    elif case == "incognito":
        talk.id = chat.post(f"{CHAT}/sessions", json={"incognito": True}).json()["session"]["id"]
    elif case == "withheld":
        known.bank.fails(no_similarity=True)
    else:
        known.bank.fails(down=True)
    turn = talk.say("Where do I live?", PLAN, says("I can't tell."), OK)
    assert (turn["status"], of(turn, "evidence"), of(turn, "plan")[0]["sources"]) == ("done", [], [])
    assert all(LEIDEN not in told(question) for question in model.questions)


async def test_without_tools_it_is_told_as_before(
    known: World, chat: TestClient, model: ScriptedModel, product: LocalServices
) -> None:
    await several(product, memory_enabled=True, use_tools=False)
    turn = Talk(chat, model).say("Where do I live?", PLAN, says("In Leiden."), OK)
    assert of(turn, "evidence") == []
    assert [told(question).count(LEIDEN) for question in model.questions] == [1, 1, 1]


@pytest.mark.survival(14)
@pytest.mark.parametrize("forgotten", [False, True])
async def test_what_is_forgotten_while_a_gate_waits_is_not_used_after_it(
    known: World, chat: TestClient, model: ScriptedModel, product: LocalServices, forgotten: bool
) -> None:
    note = await noted(product, "My house")
    talk = Talk(chat, model)
    asked = talk.say("Delete the note of my house.", BOTH, calls(("delete_note", {"note_id": note})))
    assert (asked["status"], len(memories(asked))) == ("waiting", 1)
    if forgotten:
        count, _ = await change.forget_all(await change.person(known.services, TENANT, ME))
        assert count == 1
    model.questions.clear()
    assert talk.resume(asked["run"], "approve", says("Done."), OK)["status"] == "done"
    assert [told(question).count(LEIDEN) for question in model.questions] == ([0, 0] if forgotten else [1, 1])


async def test_memories_take_room_like_any_other_source(
    known: World, chat: TestClient, model: ScriptedModel, product: LocalServices
) -> None:
    for name in ("bees", "hens", "goats", "sheep", "geese", "ducks", "moths"):
        await known.remembers(f"I keep {name} of {' '.join(f'{name}kind{at}' for at in range(24))}.", ME)
    turn = Talk(chat, model).say("What do I keep?", PLAN, says("Animals."), OK)
    assert len(memories(turn)) == 8
    await several(product, memory_enabled=True, context_tokens=2_048)
    turn = Talk(chat, model).say("What do I keep?", PLAN, says("Animals."), OK)
    assert 0 < len(memories(turn)) < 8
    assert told(model.questions[-2]).count('"fact"') == len(memories(turn))


async def test_without_a_model_the_answer_quotes_it_once(
    known: World, chat: TestClient, product: LocalServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(product, "model", lambda _name: Offline())
    await noted(product, "Pears ripen in August.")
    answer = str(Talk(chat, ScriptedModel()).say("Where do I live?")["text"])
    assert answer.count("“I live in Leiden.” — you said so on 20") == 1
    assert "Leiden" not in str(Talk(chat, ScriptedModel()).say("When do pears ripen?")["text"])
