from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shared.agent_task.working import TaskDesk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[TaskDesk]:
    made = TaskDesk(tmp_path, research_paid=False)
    yield made
    made.close()
