import pytest

from shared.config import Settings
from shared.errors import NotConfigured

NEEDED = {"MEMEX_PROJECT": "p", "MEMEX_REGION": "r", "MEMEX_DEVICE_KEYS_FILE": "/keys.json"}


def test_missing_required_settings_are_all_named() -> None:
    with pytest.raises(NotConfigured) as error:
        Settings.from_env({})
    for name in NEEDED:
        assert name in error.value.message


def test_what_is_not_set_keeps_its_default() -> None:
    settings = Settings.from_env(NEEDED)
    assert (settings.max_running, settings.daily_paid_runs, settings.research_minutes) == (2, 10, 120)
    assert settings.research_service == "none"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MEMEX_MAX_RUNNING", "two"),
        ("MEMEX_MAX_RUNNING", "0"),
        ("MEMEX_RESEARCH_MINUTES", "121"),
        ("MEMEX_EGRESS_ENABLED", "perhaps"),
        ("MEMEX_RESEARCH_COST_USD", "free"),
    ],
)
def test_an_unusable_value_is_named(name: str, value: str) -> None:
    with pytest.raises(NotConfigured, match=name):
        Settings.from_env({**NEEDED, name: value})


def test_lists_and_switches_are_read() -> None:
    settings = Settings.from_env(
        {**NEEDED, "MEMEX_ALLOWED_HOSTS": "a.example, *.b.example", "MEMEX_EGRESS_ENABLED": "on"}
    )
    assert settings.allowed_hosts == ("a.example", "*.b.example")
    assert settings.egress_enabled


@pytest.mark.parametrize(
    ("environ", "service"),
    [
        ({"MEMEX_VERTEX_PROJECT": "v", "MEMEX_GEMINI_API_KEY": "k"}, "vertex"),
        ({"MEMEX_GEMINI_API_KEY": "k"}, "gemini"),
        ({}, "none"),
    ],
)
def test_what_is_configured_chooses_the_research_service(environ: dict[str, str], service: str) -> None:
    assert Settings.from_env({**NEEDED, **environ}).research_service == service


@pytest.mark.parametrize(
    ("said", "mode"),
    [
        ({}, "single"),
        ({"MEMEX_AGENT_GRAPH_ENABLED": "true"}, "multi"),
        ({"MEMEX_AGENT_GRAPH_ENABLED": "true", "MEMEX_AGENT_MODE": "single"}, "single"),
        ({"MEMEX_AGENT_MODE": "custom"}, "custom"),
    ],
)
def test_the_older_word_for_several_agents_still_counts(said: dict[str, str], mode: str) -> None:
    assert Settings.from_env({**NEEDED, **said}).agent_mode == mode
