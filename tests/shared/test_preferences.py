"""A tenant's settings over the deployment's: what counts, what may be chosen, and that nobody's choice is lost."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from infra.local.store.documents import SqliteDocuments
from shared.config import BOUNDS, Settings
from shared.errors import NotConfigured, Unprocessable
from shared.preferences import (
    CAPS,
    LABELS,
    NAMES,
    Choices,
    Chosen,
    allow_host,
    choose,
    chosen,
    defaults,
    host_pattern,
    preferences,
)
from shared.store.documents import Expect, Write

SETTINGS = Settings("p", "l", "keys.json", chat_model="big", egress_enabled=True, allowed_hosts=("example.org",))
NOW = 1_700_000_000.0
IN_THE_DESIGN = (
    "model, use_tools, approve_tools, think, agent_mode, human_gate, accuracy_mode, verifier_check, egress_enabled,"
    " allowed_hosts, context_tokens, max_iterations, turn_timeout_seconds, task_timeout_seconds, max_retries,"
    " research_engine, memory_enabled, max_running, operation_budget_usd, operation_budget_tokens, daily_budget_usd,"
    " daily_paid_runs, time_zone"
).split(", ")


@pytest.fixture
def documents(tmp_path: Path) -> Iterator[SqliteDocuments]:
    with SqliteDocuments(tmp_path, now=lambda: NOW) as opened:
        yield opened


async def put(documents: SqliteDocuments, **wanted: Any) -> Chosen:
    return await choose(documents, SETTINGS, "t", Choices.model_validate(wanted), NOW)


def test_every_setting_of_the_design_is_there_and_can_be_chosen() -> None:
    assert set(NAMES) == {*IN_THE_DESIGN, "gate_hours"}
    assert set(Choices.model_fields) == set(NAMES) == set(LABELS)


async def test_without_a_choice_the_deployment_decides(documents: SqliteDocuments) -> None:
    found = await preferences(documents, SETTINGS, "t")
    assert found == defaults(SETTINGS)
    assert (found.model, found.use_tools, found.approve_tools, found.think) == ("big", True, True, False)
    assert (found.context_tokens, found.max_iterations, found.turn_timeout_seconds) == (32_768, 8, 300)
    assert (found.agent_mode, found.human_gate, found.accuracy_mode, found.verifier_check) == (
        "single", False, "standard", True,
    )  # fmt: skip
    assert (found.egress_enabled, found.allowed_hosts, found.time_zone) == (True, ("example.org",), "UTC")
    assert not defaults(Settings("p", "l", "k")).egress_enabled


async def test_a_choice_counts_for_its_tenant_and_the_rest_stays_the_deployments(documents: SqliteDocuments) -> None:
    await put(documents, think=True, time_zone="Europe/Berlin", allowed_hosts=["*.Example.org"])
    found = await chosen(documents, SETTINGS, "t")
    assert found.overrides == ["think", "allowed_hosts", "time_zone"]
    assert found.settings == replace(
        found.defaults, think=True, time_zone="Europe/Berlin", allowed_hosts=("*.example.org",)
    )
    assert await preferences(documents, SETTINGS, "other") == defaults(SETTINGS)
    # What was not chosen follows the deployment.
    assert (await preferences(documents, replace(SETTINGS, max_iterations=3), "t")).max_iterations == 3


async def test_null_goes_back_to_the_default_and_a_subset_leaves_the_rest(documents: SqliteDocuments) -> None:
    await put(documents, think=True, model="small")
    found = await put(documents, think=None)
    assert (found.settings.think, found.settings.model, found.overrides) == (False, "small", ["model"])
    assert (await put(documents)).overrides == ["model"]


async def test_choices_made_at_once_are_all_kept(documents: SqliteDocuments) -> None:
    many: list[dict[str, Any]] = [
        {"think": True}, {"model": "m"}, {"max_iterations": 3}, {"use_tools": False}, {"time_zone": "Europe/Berlin"},
        {"context_tokens": 4096}, {"human_gate": True}, {"memory_enabled": True}, {"gate_hours": 2}, {"max_retries": 1},
    ]  # fmt: skip
    wanted = [Choices.model_validate(one) for one in many]
    await asyncio.gather(*(choose(documents, SETTINGS, "t", one, NOW) for one in wanted))
    found = asdict(await preferences(documents, SETTINGS, "t"))
    for one in many:
        assert one.items() <= found.items()


@pytest.mark.parametrize("name", CAPS)
async def test_a_limit_can_be_lowered_and_not_raised(documents: SqliteDocuments, name: str) -> None:
    cap = getattr(SETTINGS, name)
    lower = max(1, cap // 2) if name != "operation_budget_tokens" else 2_000
    assert getattr((await put(documents, **{name: lower})).settings, name) == lower
    assert getattr((await put(documents, **{name: cap})).settings, name) == cap
    with pytest.raises(Unprocessable, match=f"^{LABELS[name]}: .* is the most") as caught:
        await put(documents, **{name: cap + 1})
    assert f"MEMEX_{name.upper()}" in caught.value.next
    assert getattr(await preferences(documents, SETTINGS, "t"), name) == cap


async def test_a_limit_that_the_deployment_lowers_later_counts_at_once(documents: SqliteDocuments) -> None:
    await put(documents, daily_budget_usd=8.0, max_running=2)
    lowered = replace(SETTINGS, daily_budget_usd=2.0, max_running=1)
    found = await chosen(documents, lowered, "t")
    assert (found.settings.daily_budget_usd, found.settings.max_running) == (2.0, 1)
    assert type(found.settings.max_running) is int


@pytest.mark.parametrize(
    "wanted",
    [
        {"unknown": 1}, {"turn_timeout_seconds": 29}, {"turn_timeout_seconds": 3601}, {"max_iterations": 0},
        {"think": "yes"}, {"think": 1}, {"max_iterations": True}, {"max_iterations": "8"}, {"max_iterations": 8.5},
        {"daily_budget_usd": -1}, {"daily_budget_usd": float("nan")}, {"daily_budget_usd": float("inf")},
        {"agent_mode": "swarm"}, {"accuracy_mode": ""}, {"research_engine": "x"}, {"time_zone": "Europe/Atlantis"},
        {"time_zone": "../../etc/passwd"}, {"time_zone": ""}, {"time_zone": "localtime"}, {"time_zone": "right/UTC"},
        {"model": "a b"}, {"model": "x" * 201}, {"model": 5},
        {"allowed_hosts": "example.org"}, {"allowed_hosts": ["https://example.org"]}, {"allowed_hosts": [5]},
        {"allowed_hosts": [f"h{n}.example.org" for n in range(201)]},
    ],
)  # fmt: skip
def test_what_can_not_be_is_refused(wanted: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as caught:
        Choices.model_validate(wanted)
    assert next(iter(wanted)) in str(caught.value)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("example.org", "example.org"), (" Example.ORG. ", "example.org"), ("*.example.org", "*.example.org"),
        ("*.EXAMPLE.org", "*.example.org"), ("bücher.example", "xn--bcher-kva.example"),
        ("a_b.example.org", "a_b.example.org"), ("93.184.216.34", "93.184.216.34"),
    ],
)  # fmt: skip
def test_patterns_of_hosts_are_kept_in_one_form(given: str, kept: str) -> None:
    assert host_pattern(given) == kept


@pytest.mark.parametrize(
    "given",
    [
        "", " ", "*", "*.", "*.org", "*.*.org", "a.*.org", "*example.org", "example.org:443", "example.org/path",
        "https://example.org", "me@example.org", "example org", "example..org", "localhost", "127.0.0.1", "10.0.0.1",
        "169.254.169.254", "*.93.184.216.34", "0x7f.1", "2130706433", "[::1]", "::1", "example.org?x", "example.org#x",
        "a.internal", "*.local",
    ],
)  # fmt: skip
def test_what_is_no_pattern_of_public_hosts_is_refused(given: str) -> None:
    with pytest.raises(ValueError, match=r"example\.org|internet"):
        host_pattern(given)


# -- always allowing a host ------------------------------------------------------------------------------------


def _entry(name: str) -> Write:
    return Write(f"tenants/t/activity/{name}", {"allowed_host": name}, Expect.ABSENT)


async def test_hosts_that_are_allowed_at_the_same_moment_are_all_kept(documents: SqliteDocuments) -> None:
    hosts = [f"h{n}.example" for n in range(10)]
    await asyncio.gather(
        *(allow_host(documents, SETTINGS, "t", host, NOW, _entry(host)) for host in hosts),
        choose(documents, SETTINGS, "t", Choices(think=True), NOW),
    )
    settings = await preferences(documents, SETTINGS, "t")
    assert sorted(settings.allowed_hosts) == ["example.org", *hosts]
    assert (settings.egress_enabled, settings.think) == (True, True)


async def test_a_host_and_its_entry_are_kept_together_or_not_at_all(documents: SqliteDocuments) -> None:
    commits: list[Sequence[Write]] = []

    class Watched:
        get = staticmethod(documents.get)

        async def commit(self, writes: Sequence[Write]) -> None:
            commits.append(writes)
            await documents.commit(writes)

    watched: Any = Watched()
    await allow_host(watched, SETTINGS, "t", "a.example", NOW, _entry("one"))
    assert [[write.path.rpartition("/")[2] for write in writes] for writes in commits] == [["preferences", "one"]]
    assert all(write.expect is not Expect.ANYTHING for writes in commits for write in writes)


async def test_a_yes_that_was_carried_out_does_not_come_back(documents: SqliteDocuments) -> None:
    await allow_host(documents, SETTINGS, "t", "a.example", NOW, _entry("one"))
    await choose(documents, SETTINGS, "t", Choices(allowed_hosts=[]), NOW)
    await allow_host(documents, SETTINGS, "t", "a.example", NOW, _entry("one"))
    assert (await preferences(documents, SETTINGS, "t")).allowed_hosts == ()


async def test_a_full_list_takes_no_further_host(documents: SqliteDocuments) -> None:
    await choose(documents, SETTINGS, "t", Choices(allowed_hosts=[f"h{n}.example" for n in range(200)]), NOW)
    with pytest.raises(ValidationError):
        await allow_host(documents, SETTINGS, "t", "a.example", NOW, _entry("one"))
    assert await documents.get("tenants/t/activity/one") is None


# -- the deployment's own --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("MEMEX_TURN_TIMEOUT_SECONDS", "29"), ("MEMEX_MAX_ITERATIONS", "0"), ("MEMEX_CONTEXT_TOKENS", "1"),
        ("MEMEX_TIME_ZONE", "Nowhere"), ("MEMEX_AGENT_MODE", "swarm"), ("MEMEX_ACCURACY_MODE", "x"),
        ("MEMEX_RESEARCH_ENGINE", "x"), ("MEMEX_GATE_HOURS", "0"), ("MEMEX_USE_TOOLS", "maybe"),
    ],
)  # fmt: skip
def test_a_bad_variable_stops_the_start_with_its_name(variable: str, value: str) -> None:
    environ = {"MEMEX_PROJECT": "p", "MEMEX_REGION": "l", "MEMEX_DEVICE_KEYS_FILE": "k", variable: value}
    with pytest.raises(NotConfigured, match=variable):
        Settings.from_env(environ)


def test_every_number_has_bounds() -> None:
    known = {name for name, _, _ in BOUNDS}
    assert {one.name for one in fields(Settings) if one.type in (int, float)} <= known
