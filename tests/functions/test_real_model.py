"""A whole turn with a real model, where one is named; it costs money and needs a network, so nobody runs it by chance.

`MEMEX_TEST_CHAT_MODEL=gemini-2.5-flash MEMEX_GEMINI_API_KEY=... pytest tests/functions/test_real_model.py`
"""

import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from infra.local.clock import RealClock
from infra.local.folder import Folder
from infra.local.inside import URL
from infra.local.services import LocalServices
from shared import services
from shared.capture import Capture, capture
from shared.config import Settings
from tests.functions.conftest import Serve, environment, serve

__all__ = ["environment", "serve"]

REAL = os.environ.get("MEMEX_TEST_CHAT_MODEL", "")
pytestmark = pytest.mark.skipif(not REAL, reason="MEMEX_TEST_CHAT_MODEL names no model")


@pytest.fixture
async def product(tmp_path: Path) -> AsyncIterator[LocalServices]:
    """The services of a process with the model that the environment names, in real time."""
    folder = Folder(tmp_path)
    known = {"MEMEX_PROJECT": "p", "MEMEX_REGION": "l", "MEMEX_DEVICE_KEYS_FILE": str(folder.device_keys_file)}
    settings = Settings.from_env({**os.environ, **known})
    folder.device_key("test-key")
    made = LocalServices(replace(settings, chat_model=REAL, functions_url=URL), folder, RealClock())
    made.connect_bus([])
    services.use(made)
    yield made
    await made.close()


async def test_it_finds_the_note_and_answers_from_it_alone(product: LocalServices, serve: Serve) -> None:
    text = "Pears\n\nThe pears at the south wall ripen in the last week of August."
    note = (await capture(product.documents, "default", Capture(text=text), product.now())).note
    with serve("chat") as client:
        session = client.post("/api/v1/chat/sessions").json()["session"]["id"]
        answer = client.post(
            f"/api/v1/chat/sessions/{session}/messages",
            json={"text": "When do the pears at the south wall ripen?"},
            headers={"Accept": "application/json"},
        )
        trace = client.get(f"/api/v1/chat/sessions/{session}").json()["trace"]
    assert answer.status_code == 200, answer.text
    assert answer.json()["session"]["turn"]["status"] == "done", trace
    assert [one["tool"] for one in trace if one["type"] == "tool_call"][:1] == ["search_notes"]
    said = "".join(one["text"] for one in trace if one["type"] == "text")
    assert "August" in said
    assert f"#/notes/{note.id}" in said
