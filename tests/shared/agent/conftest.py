"""A loopback server for models, and the door to it."""

from collections.abc import AsyncIterator

import pytest

from shared.net.http import Http
from tests.shared.agent.server import LoopbackServer


@pytest.fixture
async def server() -> AsyncIterator[LoopbackServer]:
    made = LoopbackServer()
    await made.start()
    yield made
    await made.stop()


@pytest.fixture
async def http() -> AsyncIterator[Http]:
    made = Http()
    yield made
    await made.aclose()
