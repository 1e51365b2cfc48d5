"""The stand-in for each test, on its own port and in its own file."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from infra.local.clock import VirtualClock
from infra.local.research.service import ResearchService
from infra.local.research.store import ResearchStore
from shared.net.http import Http
from tests.infra.local.research.standin import Standin, retrieve, serving


@pytest.fixture
async def standin(tmp_path: Path) -> AsyncIterator[Standin]:
    store, clock, http = ResearchStore(tmp_path / "research.db"), VirtualClock(), Http()
    service = ResearchService(store, clock, retrieve, duration=30.0, modes=True)
    async with serving(service) as url:
        yield Standin(service, clock, url, http)
        await http.aclose()
    store.close()
