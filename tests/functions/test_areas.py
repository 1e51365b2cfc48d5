"""The areas of `api`: each is loaded by the first request for it, and none by another's."""

import subprocess
import sys
from pathlib import Path

import pytest

from functions.api.main import AREAS

ROOT = Path(__file__).parents[2]
ASKED = """
import asyncio, sys
from starlette.testclient import TestClient
import functions.api.main as main

client = TestClient(main.app, raise_server_exceptions=False)
client.get("/api/v1/health"), client.get("/api/v1/nothing"), client.get("/config.json")
print(*(area for area in main.AREAS if f"functions.api.{area}" in sys.modules))
client.get("/api/v1/%s/x"), client.get("/api/v1/%s")
print(*(area for area in main.AREAS if f"functions.api.{area}" in sys.modules))
"""


def test_every_router_is_an_area() -> None:
    files = {file.stem for file in (ROOT / "functions/api").glob("*.py") if "router = " in file.read_text()}
    assert files == set(AREAS)


@pytest.mark.parametrize("area", AREAS)
def test_a_request_loads_its_area_alone(area: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", ASKED % (area, area)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.split("\n")[:2] == ["", area]
