"""Research by our own agents over every store: a process dies in it, and it ends in one cited report."""

import pytest

from shared.store.documents import Documents
from tests.fakes.desk import Crash, Killed
from tests.shared.research.working import WALL, ResearchDesk


@pytest.mark.parametrize(("at", "after"), [(14, True), (30, False)], ids=["at-a-node", "inside-an-answer"])
async def test_a_run_goes_on_from_what_the_store_has(documents: Documents, at: int, after: bool) -> None:
    desk = ResearchDesk(documents, "local")
    wall = await desk.note(WALL)
    operation, asked = await desk.started()
    desk.reborn(Crash(at=at, after=after))
    with pytest.raises(Killed):
        await desk.drive(asked)
    desk.reborn()
    assert await desk.drive(asked) == "completed"
    (report,) = await desk.reports()
    assert (report.id, [one.note_id for one in report.citations]) == (operation.id, [wall])
