"""What a person is shown at a gate: an answer that waits may link only what an answer may."""

from collections.abc import Iterator
from typing import Any

import pytest

from infra.local.services import LocalServices
from tests.fakes.scripted import ScriptedModel, says
from tests.functions.conftest import Serve
from tests.functions.test_chat import Talk, link, model, noted
from tests.functions.test_graph import OK, PLAN, several

__all__ = ["model"]


@pytest.fixture
def talk(serve: Serve, model: ScriptedModel) -> Iterator[Talk]:
    with serve("chat") as client:
        yield Talk(client, model)


async def test_the_links_of_an_answer_that_waits_are_those_it_will_have(talk: Talk, product: LocalServices) -> None:
    await several(product, human_gate=True)
    pears = await noted(product, "Pears ripen in August.")
    draft = f"In August, see [pears]({link(pears)}) and [more](https://unread.example/)."
    asked = talk.say("When do pears ripen?", PLAN, says(draft), OK)["request"]
    assert (asked["reason"], asked["links"]) == ("approve_answer", [link(pears)])
    assert "unread.example" not in asked["answer"]
    (text,) = [event for event in told(talk, asked["run_id"]) if event["type"] == "text"]
    assert (text["text"], text["links"]) == (asked["answer"], asked["links"])


def told(talk: Talk, run_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = talk.resume(run_id, "approve")["events"]
    return found


async def test_the_answer_that_waits_is_told_beside_the_proposals(
    talk: Talk, product: LocalServices, serve: Serve
) -> None:
    await several(product, human_gate=True)
    asked = talk.say("Hello", PLAN, says("Good morning. " * 100), OK)["request"]
    with serve("api") as client:
        (waiting,) = client.get("/api/v1/approvals").json()["waiting"]
    assert (waiting["run_id"], waiting["reason"], waiting["tool"]) == (asked["run_id"], "approve_answer", "")
    assert asked["answer"].startswith(waiting["answer"].removesuffix("…"))
    assert len(waiting["answer"]) == 601
