"""The stand-in for each test, in its own file."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.infra.local.memory.standin import Standin


@pytest.fixture
async def standin(tmp_path: Path) -> AsyncIterator[Standin]:
    made = Standin(tmp_path)
    yield made
    await made.aclose()
