"""The chat without a model, over HTTP: everyday words do what they say, once, and each change can be taken back."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from infra.local.services import LocalServices
from shared.agent.models.offline import Offline
from shared.store.notes import Notes
from shared.store.tasks import Tasks
from tests.fakes.scripted import ScriptedModel
from tests.functions.conftest import Serve
from tests.functions.test_chat import CHAT, Talk, link, note_of, noted
from tests.functions.test_memories import ME, world
from tests.shared.memory.world import TENANT, World

__all__ = ["world"]


@pytest.fixture
def chat(serve: Serve, product: LocalServices, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(product, "model", lambda _name: Offline())
    with serve("chat") as client:
        yield client


@pytest.fixture
def talk(chat: TestClient) -> Talk:
    return Talk(chat, ScriptedModel())


def undone(talk: Talk, turn: dict[str, Any]) -> dict[str, Any]:
    """What the button beside a turn's change answers."""
    (change,) = [one for one in turn["results"] if one["undo"]]
    answer: dict[str, Any] = talk.client.post(f"{CHAT}/sessions/{talk.id}/undo", json={"seq": change["seq"]}).json()
    return answer


async def test_undo_that_takes_the_last_change_back_and_no_earlier_one(talk: Talk, product: LocalServices) -> None:
    kept = talk.say("note that pears ripen early")["results"][0]["result"]["note"]["note_id"]
    talk.say("tag my last note garden")
    said = talk.say("undo that")
    assert said["status"] == "done" and "is as it was before" in said["text"] and said["request"] is None
    note = await note_of(product, kept)
    assert (note["tags"], note["deleted_at"]) == ([], None)
    assert "taken back already" in talk.say("undo that")["text"]
    assert (await note_of(product, kept))["deleted_at"] is None


async def test_the_button_finds_what_was_said_and_the_words_what_was_pressed(
    talk: Talk, product: LocalServices
) -> None:
    made = talk.say("note that pears ripen early")
    note_id = made["results"][0]["result"]["note"]["note_id"]
    assert link(note_id) in talk.say("undo that")["text"]
    talk.say("note that quinces ripen late")
    assert undone(talk, made)["undone"] == {"undone": "note_created", "note_id": note_id}
    titled = talk.say("change the title of my last note to Quinces")
    assert undone(talk, titled)["undone"]["undone"] == "note_changed"
    assert "taken back already" in talk.say("Undo that.")["text"]
    alive = [note for note in await Notes(product.documents, TENANT).page(limit=9) if not note.deleted_at]
    assert [(note.body, note.title) for note in alive] == [("quinces ripen late", None)]


async def test_both_of_two_requests_are_done_and_both_are_taken_back(talk: Talk, product: LocalServices) -> None:
    turn = talk.say("note that the pump is broken and remind me to call the plumber tomorrow")
    assert [one["tool"] for one in turn["results"]] == ["create_note", "create_tasks"]
    assert "once more" in talk.say("undo that")["text"] and "in the bin" in talk.say("undo that")["text"]
    (task,) = await Tasks(product.documents, TENANT).page(limit=9)
    assert task.status == "dropped"


async def test_a_request_that_waits_for_a_yes_goes_on_with_the_next(talk: Talk, product: LocalServices) -> None:
    note_id = await noted(product, "Pears ripen early.")
    asked = talk.say("delete my last note and show me my tasks")
    assert asked["status"] == "waiting" and asked["request"]["tool"] == "delete_note"
    said = talk.resume(asked["run"], "approve")
    assert "in the bin" in said["text"] and "no open tasks" in said["text"]
    assert (await note_of(product, note_id))["deleted_at"]


async def test_a_question_about_today_saves_nothing(talk: Talk, product: LocalServices) -> None:
    await noted(product, "Pears ripen early.")
    turn = talk.say("what did I save today")
    assert "Pears ripen early." in turn["text"] and [one["tool"] for one in turn["results"]] == ["list_recent_notes"]
    assert len(await Notes(product.documents, TENANT).page(limit=9)) == 1


async def test_what_is_forgotten_is_said_to_be_and_is(world: World, chat: TestClient) -> None:
    await world.remembers("I live in Lisbon.", ME)
    said = Talk(chat, ScriptedModel()).say("forget that I live in Lisbon")
    assert said["text"].startswith("Forgotten.") and "Lisbon" not in said["text"] and said["results"] == []
    await world.remembers("forget that I live in Lisbon", ME)
    assert await world.used("Where do I live?", ME) == set()
    assert "forgot nothing" in Talk(chat, ScriptedModel()).say("forget that I live in Lisbon")["text"]


async def test_what_is_told_is_not_searched_for(world: World, chat: TestClient) -> None:
    said = Talk(chat, ScriptedModel()).say("My favourite colour is green")
    assert "Memory page" in said["text"] and said["results"] == []
