"""Which model answers with what is configured, and that nothing else is loaded."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from shared.agent.models.choose import GEMINI, OFFLINE, available, from_settings
from shared.config import Settings
from shared.errors import NotConfigured
from shared.net.http import Http

URL = "http://127.0.0.1:1/v1"


def settings(**values: str) -> Settings:
    return Settings(project="p", region="r", device_keys_file="k", **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "wanted", "kind", "name"),
    [
        ({}, None, "Offline", OFFLINE),
        ({"gemini_api_key": "k"}, None, "Gemini", GEMINI),
        ({"vertex_project": "p"}, None, "Gemini", GEMINI),
        ({"openai_url": URL}, None, "Offline", OFFLINE),
        ({"openai_url": URL, "chat_model": "qwen3"}, None, "OpenAI", "qwen3"),
        ({"openai_url": URL, "gemini_api_key": "k", "chat_model": "qwen3"}, None, "OpenAI", "qwen3"),
        ({"openai_url": URL, "gemini_api_key": "k"}, None, "Gemini", GEMINI),
        ({"gemini_api_key": "k", "chat_model": "gemini-2.5-pro"}, None, "Gemini", "gemini-2.5-pro"),
        ({"gemini_api_key": "k", "chat_model": "models/gemini-2.5-pro"}, None, "Gemini", "gemini-2.5-pro"),
        ({"openai_url": URL, "chat_model": "gemini-2.5-pro"}, None, "OpenAI", "gemini-2.5-pro"),
        ({"gemini_api_key": "k"}, "offline", "Offline", OFFLINE),
        ({"openai_url": URL}, "llama3", "OpenAI", "llama3"),
        ({"openai_url": URL, "chat_model": "qwen3"}, "", "OpenAI", "qwen3"),
    ],
)
async def test_the_model_follows_the_settings(values: dict[str, str], wanted: str | None, kind: str, name: str) -> None:
    http = Http()
    model = from_settings(settings(**values), http, wanted=wanted)
    assert (type(model).__name__, model.name) == (kind, name)
    assert from_settings(settings(**values), http, wanted=wanted) is model


@pytest.mark.parametrize(
    ("values", "wanted", "named"),
    [
        ({}, "gemini-2.5-pro", "MEMEX_GEMINI_API_KEY"),
        ({}, "qwen3", "MEMEX_OPENAI_URL"),
        ({"gemini_api_key": "k"}, "qwen3", "MEMEX_OPENAI_URL"),
        ({"chat_model": "qwen3"}, None, "MEMEX_OPENAI_URL"),
    ],
)
def test_a_choice_that_nothing_serves_says_what_to_set(values: dict[str, str], wanted: str | None, named: str) -> None:
    with pytest.raises(NotConfigured) as caught:
        from_settings(settings(**values), Http(), wanted=wanted)
    assert named in caught.value.next and OFFLINE in caught.value.next


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ({}, [OFFLINE]),
        ({"gemini_api_key": "k"}, [GEMINI, OFFLINE]),
        ({"openai_url": URL, "chat_model": "qwen3"}, ["qwen3", OFFLINE]),
        ({"openai_url": URL, "chat_model": "qwen3", "gemini_api_key": "k"}, ["qwen3", GEMINI, OFFLINE]),
        ({"gemini_api_key": "k", "chat_model": "gemini-2.5-pro"}, ["gemini-2.5-pro", GEMINI, OFFLINE]),
        ({"chat_model": "qwen3"}, [OFFLINE]),
    ],
)
def test_what_can_be_chosen_works(values: dict[str, str], names: list[str]) -> None:
    assert available(settings(**values)) == names
    for name in names:
        assert from_settings(settings(**values), Http(), wanted=name)


def test_choosing_loads_neither_adk_nor_genai_until_gemini_is_chosen() -> None:
    code = (
        "import sys\nfrom shared.agent.models.choose import from_settings\nfrom shared.config import Settings\n"
        "from shared.net.http import Http\n"
        "from_settings(Settings('p', 'r', 'k'), Http())\n"
        "from_settings(Settings('p', 'r', 'k', openai_url='http://x/v1'), Http(), wanted='m')\n"
        "print(*sys.modules, sep='\\n')"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(root), "PATH": os.defpath},
        capture_output=True,
        text=True,
        check=True,
    )
    assert not [name for name in done.stdout.split() if name.startswith(("google.adk", "google.genai"))]
