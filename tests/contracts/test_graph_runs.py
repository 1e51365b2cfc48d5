"""A run of several agents over every store: it waits twice, a process dies in it, and nothing is done twice."""

import pytest

from shared.store.chats import Chats
from shared.store.documents import Documents
from tests.shared.agent.graph.world import TENANT, GraphDesk


@pytest.mark.parametrize(("at", "after"), [(9, False), (12, True)], ids=["inside-a-tool", "at-a-node"])
async def test_a_run_goes_on_from_what_the_store_has(documents: Documents, at: int, after: bool) -> None:
    desk = GraphDesk(documents)
    chat = await desk.session()
    before = await desk.count("notes"), await desk.count("tasks")
    desk.born(at, after)
    steps = await desk.whole(chat)
    assert (steps[-1], steps.count("died")) == ("done", 1)
    events = await Chats(desk.store, TENANT).events(chat)
    assert [event.text for event in events if event.type == "text"] == ["Two."]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert (await desk.count("notes"), await desk.count("tasks")) == (before[0] + 1, before[1] + 1)
    assert len(desk.fetched) == 1
