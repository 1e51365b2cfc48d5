"""The running product as the doctor sees it: real ones, and servers that are none."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from infra.local.command.cli import memex
from infra.local.command.failure import Failure
from infra.local.command.target import Target
from infra.local.doctor import machine
from infra.local.doctor.finding import Finding, Level, Unanswered, examine, ok
from infra.local.doctor.folder import DataFolder
from infra.local.doctor.product import Server, sections, stuck
from infra.local.doctor.research import of_tenant
from infra.local.doctor.settings import Configured
from infra.local.product import Pace
from infra.local.store.lock import announce
from shared.models.base import rfc3339
from tests.infra.local.command.conftest import UNSET, Run, Served, run, served

__all__ = ["run", "served"]
Answer = Callable[[httpx.Request], httpx.Response]
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def built(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whether the web client is built here, and what waits here to be sent, is not what is tested here."""
    monkeypatch.setattr(machine, "web", lambda: ok("built"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def told(result: Any) -> dict[str, dict[str, str]]:
    return {one["check"]: one for one in json.loads(result.stdout)["findings"]}


def test_a_running_product_needs_no_mending(run: Run, served: Served) -> None:
    result = run("doctor", "--json")
    found = told(result)
    assert {check: one for check, one in found.items() if one["level"] != "ok"} == {}
    assert result.exit_code == 0
    assert found["Server"]["what"] == f"answers at {served.url}"
    assert found["Operations"]["what"] == "nothing is under way"
    body = json.loads(result.stdout)
    assert body["healthy"] is True and body["counts"]["ok"] == len(found)
    assert str(served.data.resolve()) in body["target"]


def test_running_work_is_not_stuck(run: Run, served: Served) -> None:
    run("research", "Why?", "--no-follow")
    served.settled()
    assert told(run("doctor", "--json"))["Operations"]["level"] == "ok"


def test_a_key_of_other_data_is_a_problem(run: Run, served: Served, tmp_path: Path) -> None:
    result = run("--key", "wrong", "doctor", "--json")
    found = told(result)
    assert found["Key"]["level"] == "problem" and "--key" in found["Key"]["what"]
    assert found["Operations"]["level"] == "unknown"
    assert result.exit_code == 1
    assert served.product.key not in result.output


def test_a_stopped_product_is_a_problem_and_its_data_are_still_looked_at(tmp_path: Path, run: Run) -> None:
    data = tmp_path / "other"
    with Served(data, Pace(research_seconds=600)) as other:
        port = other.url.rsplit(":", 1)[1]
        note = other.http.post("/api/v1/captures", json={"text": "Why?"}).raise_for_status().json()["note"]
        other.http.post(f"/api/v1/notes/{note['id']}/research").raise_for_status()
        other.settled()
    result = run("doctor", "--json", "--data", data, "--port", port)
    found = told(result)
    assert found["Server"]["level"] == "problem"
    assert found["Server"]["mend"] == f"memex serve --data={data} --port={port}"
    assert found["Key"]["level"] == "unknown"
    assert found["Operations"]["level"] == "warning" and "1 waits for" in found["Operations"]["what"]
    assert {found[check]["level"] for check in ("Permissions", "Lock", "Schema", "Files", "Dead letters")} == {"ok"}
    assert result.exit_code == 1


def test_a_product_at_another_port_is_told_from_none(run: Run, served: Served) -> None:
    found = told(run("doctor", "--json", "--port", "9"))
    assert found["Server"]["level"] == "problem" and "holds the data folder" in found["Server"]["what"]


def test_the_address_of_the_folder_is_told_and_used(run: Run, served: Served) -> None:
    announce(served.data, served.url)
    result = CliRunner().invoke(memex, ["doctor", "--json"], env={**UNSET, "MEMEX_DATA": str(served.data)})
    found = told(result)
    assert found["Server"]["what"] == f"answers at {served.url}"
    assert found["Lock"]["what"].endswith(f", which serves {served.url}")
    elsewhere = told(run("doctor", "--json", "--port", "9"))["Server"]
    assert served.url in elsewhere["what"]
    assert elsewhere["mend"] == f"memex doctor --port={served.url.rpartition(':')[2]}"


def test_captures_that_wait_are_told_with_what_sends_them(
    run: Run, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infra.local.command.http.Patience.pause", lambda *_: 0.0)
    assert told(run("doctor", "--json"))["Unsent"]["what"] == "none waits"
    for n in range(7):
        assert run("capture", f"thought {n}", "--port", "9", "--tag", "later").exit_code == 3
    waiting = told(run("doctor", "--json"))["Unsent"]
    assert waiting["level"] == "warning" and waiting["what"].startswith("7 captures wait to be sent")
    commands = waiting["mend"].splitlines()
    assert len(commands) == 5
    arguments, file = commands[0].split(" < ")
    assert run(*arguments.split()[1:], input=Path(file).read_text()).exit_code == 0
    assert told(run("doctor", "--json"))["Unsent"]["what"].startswith("6 captures wait")
    assert [(note["body"], "later" in note["tags"]) for note in map(served.get, [served.notes()[0]["id"]])] == [
        ("thought 0", True)
    ]


CONFIG = {"engines": {"deep": {"paid": True, "cost_usd": 3.0}, "local": {"paid": False, "cost_usd": 0}}}


def settings(engine: str, *overrides: str) -> dict[str, Any]:
    """What `/api/v1/settings` says of research."""
    return {"settings": {"research_engine": engine}, "overrides": [*overrides]}


@pytest.mark.parametrize(
    ("told", "config", "what"),
    [
        (settings("deep"), CONFIG, "Deep Research (deep, the deployment's default), reckoned at 3 USD a run; where it"),
        (settings("deep", "research_engine"), CONFIG, 'chosen in Settings ("Research is done by")'),
        (settings("local"), CONFIG, "(local, the deployment's default); no run is bought"),
        (settings("local", "research_engine"), CONFIG, '(local, chosen in Settings ("Research is done by"))'),
        (settings("deep"), {"engines": {"deep": {"paid": False}}}, "a small researcher of our own"),
        (settings("deep"), {}, "Deep Research (deep, the deployment's default); where it is not to be had, Memex's"),
    ],
)
def test_who_does_research_is_told_with_whose_choice_that_is(
    told: dict[str, Any], config: dict[str, Any], what: str
) -> None:
    found = of_tenant(told, config)
    assert (found.level, what in found.what) == ("ok", True), found


@pytest.mark.parametrize("told", [{}, settings("other"), {"settings": {"research_engine": 3}}])
def test_an_answer_that_does_not_say_who_does_research_is_unknown(told: dict[str, Any]) -> None:
    with pytest.raises(Unanswered):
        of_tenant(told, CONFIG)


def test_what_the_tenant_chose_is_seen(run: Run, served: Served) -> None:
    assert "a small researcher" in told(run("doctor", "--json"))["Who researches"]["what"]
    served.http.put("/api/v1/settings", json={"research_engine": "local"}).raise_for_status()
    found = told(run("doctor", "--json"))["Who researches"]
    assert found["level"] == "ok" and "own agents do it" in found["what"] and "chosen in Settings" in found["what"]


async def answering(answer: Answer, *, key: Target | Failure | None = None) -> dict[str, Finding]:
    """What is found of a server elsewhere."""
    url = "https://memex.example.org"
    target = key or Target(url, "k", "MEMEX_DEVICE_KEY", True)
    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as http:
        server = Server(url, target, http, None, "make run")
        found = await examine(sections(server, Configured({}, http, http, lambda: pytest.fail("nobody is asked"))))
    return {one.check: one.finding for one in found}


async def test_a_sound_server_elsewhere_is_looked_at_over_http_alone() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        match request.url.path:
            case "/api/v1/health":
                return httpx.Response(200, json={"status": "ok"})
            case "/":
                return httpx.Response(200, html="<html>")
            case "/config.json":
                return httpx.Response(200, json=CONFIG)
            case "/api/v1/settings":
                return httpx.Response(200, json=settings("deep"))
            case _:
                assert request.headers["authorization"] == "Bearer k"
                return httpx.Response(200, json={"notes": [], "operations": [], "next_cursor": None})

    found = await answering(answer)
    assert {check: finding for check, finding in found.items() if finding.level != "ok"} == {}
    assert "Permissions" not in found and "Dead letters" not in found


@pytest.mark.parametrize(
    ("status", "body", "check", "level"),
    [
        (200, {"hello": "world"}, "Server", "problem"),
        (302, {}, "Server", "problem"),
        (502, {}, "Server", "problem"),
        (401, {"error": {"code": "unauthorized"}}, "Key", "problem"),
        (503, {"error": {"code": "not_configured", "message": "No device key.", "next": "Add one."}}, "Key", "problem"),
        (500, {}, "Key", "unknown"),
        (404, {"error": {"code": "web_not_built"}}, "Web client", "problem"),
        (500, {}, "Operations", "unknown"),
        (500, {}, "Who researches", "unknown"),
    ],
)
async def test_what_is_not_memex_or_not_well_is_told(
    status: int, body: dict[str, Any], check: str, level: Level
) -> None:
    found = await answering(lambda _request: httpx.Response(status, json=body))
    assert found[check].level == level
    assert found[check].mend or level != "problem"


async def test_a_server_that_can_not_be_reached_is_unknown_and_one_that_hangs_a_problem() -> None:
    def fail(error: httpx.HTTPError) -> Answer:
        def answer(_request: httpx.Request) -> httpx.Response:
            raise error

        return answer

    found = await answering(fail(httpx.ConnectError("no route")))
    assert {found[check].level for check in ("Server", "Key", "Web client", "Operations", "Who researches")} == {
        "unknown"
    }
    found = await answering(fail(httpx.ReadTimeout("slow")))
    assert (found["Server"].level, found["Key"].level) == ("problem", "unknown")


async def test_a_missing_key_is_told_with_what_to_do() -> None:
    failure = Failure("There is no key for x.", "Set MEMEX_DEVICE_KEY, or give --key.")
    found = await answering(lambda _request: httpx.Response(200, json={"status": "ok"}), key=failure)
    assert found["Key"] == Finding("problem", failure.message, failure.next)


def operation(status: str, **minutes: float) -> dict[str, Any]:
    moments = {name: rfc3339(NOW + timedelta(minutes=at)) for name, at in minutes.items()}
    return {
        "id": "01m8p1vr5nfq8387h0a1m34ybz",
        "status": status,
        "created_at": moments.get("created_at", rfc3339(NOW)),
        "deadline_at": moments.get("deadline_at"),
        "progress": {"next_look_at": moments.get("next_look_at")},
    }


@pytest.mark.parametrize(
    ("operations", "level", "what"),
    [
        ([], "ok", "nothing"),
        ([operation("running", next_look_at=1, deadline_at=60)], "ok", "1 is under way"),
        ([operation("running", next_look_at=-5, deadline_at=-5)], "ok", "none is late"),
        ([operation("running", next_look_at=-15, deadline_at=60)], "problem", "has not been looked at"),
        ([operation("running", deadline_at=-15)], "problem", "should have ended"),
        ([operation("queued", created_at=-15)], "problem", "should have begun"),
        ([operation("queued", created_at=-15), operation("running", next_look_at=1)], "ok", "2 are under way"),
        ([operation("waiting_for_input", created_at=-900)], "ok", "1 is under way"),
        ([{}], "ok", "1 is under way"),
    ],
)
def test_work_that_does_not_get_on_is_stuck(operations: list[dict[str, Any]], level: Level, what: str) -> None:
    found = stuck(operations, NOW)
    assert (found.level, what in found.what) == (level, True), found
    assert ("memex ops --cancel 01m8" in found.mend) == (level == "problem")


def test_the_products_own_clock_counts(run: Run, served: Served) -> None:
    run("research", "Why?", "--no-follow")
    (served.data / "clock.json").write_text("not a clock")
    assert told(run("doctor", "--json"))["Operations"]["level"] == "problem"


def test_a_folder_elsewhere_is_never_made(tmp_path: Path, run: Run) -> None:
    nowhere = tmp_path / "nowhere"
    found = told(run("doctor", "--json", "--data", nowhere, "--port", "9"))
    assert found["Permissions"]["level"] == "warning"
    assert found["Key"]["level"] == found["Schema"]["level"] == "unknown"
    assert not nowhere.exists()
    assert DataFolder(nowhere, "x").holder() is None
