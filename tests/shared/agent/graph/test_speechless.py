"""Agents that only help and come to no answer: the run goes on without their word."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from shared.agent.model import Answer, Delta, ModelFailed, Question
from shared.events.trace import Critique, Plan
from shared.preferences import Choices, choose
from shared.store.chats import Chats
from tests.shared.agent.graph.world import TENANT, GraphDesk, Rules


class Speechless(Rules):
    """A model that answers nothing of use as one of the agents."""

    def __init__(self, agent: str) -> None:
        super().__init__()
        self.agent = agent

    async def stream(self, question: Question) -> AsyncIterator[Delta | Answer]:
        role = "planner" if "You plan how" in question.instruction else "researcher"
        role = "critic" if "You review a draft" in question.instruction else role
        if role == self.agent:
            raise ModelFailed("The model came to no answer.", code="model_empty")
        yield Answer("OK" if role == "critic" else "- Answer." if role == "planner" else "It is late.")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[GraphDesk]:
    made = GraphDesk(tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize("agent", ["planner", "critic"])
async def test_the_answer_comes_without_it(desk: GraphDesk, agent: str) -> None:
    chat = await desk.session()
    await choose(desk.store, desk.settings, TENANT, Choices(human_gate=False), desk.now())
    desk.model = Speechless(agent)
    await desk.begin(chat)
    session = (await Chats(desk.store, TENANT).get(chat)).value
    assert session.turn and session.turn.status == "done"
    events = await Chats(desk.store, TENANT).events(chat)
    assert [event.text for event in events if event.type == "text"] == ["It is late."]
    assert [event for event in events if isinstance(event, Plan) and event.steps]
    critiques = [event for event in events if isinstance(event, Critique)]
    assert critiques and (agent != "critic" or "no verdict" in critiques[0].text)


async def test_without_a_researcher_there_is_no_answer(desk: GraphDesk) -> None:
    chat = await desk.session()
    desk.model = Speechless("researcher")
    await desk.begin(chat)
    session = (await Chats(desk.store, TENANT).get(chat)).value
    assert session.turn and session.turn.status == "failed"
