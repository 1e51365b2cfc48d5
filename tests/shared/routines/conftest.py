from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.shared.routines.working import Bureau


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Bureau]:
    made = Bureau(tmp_path)
    yield made
    made.close()
