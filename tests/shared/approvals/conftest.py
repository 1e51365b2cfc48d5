from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.fakes.desk import Desk


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    made = Desk(tmp_path, research_paid=True)
    yield made
    made.close()
