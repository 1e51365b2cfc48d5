"""A world for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.shared.memory.world import World


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    made = World(tmp_path)
    yield made
    await made.aclose()
