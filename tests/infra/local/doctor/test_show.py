"""The report: aligned, calm, coloured only on a terminal; and the command around it."""

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from infra.local.command.cli import memex
from infra.local.doctor import credentials
from infra.local.doctor.finding import Check, Finding, Section, Unanswered, examine, ok, problem, unknown, warning
from infra.local.doctor.finding import Result as Found
from infra.local.doctor.show import show, summary
from tests.infra.local.command.conftest import UNSET

NONE = {**UNSET, "MEMEX_PROJECT": None, "MEMEX_REGION": None}
REPORT = """\
Memex somewhere

One
  ok       Python  3.11.7
  problem  Key     no key is there, and this sentence is long enough to reach the
                   end of the line
                   → gcloud secrets versions add memex-device-keys --data-file=keys.json --project=x
                   → make run
  unknown  Disk, Lock: offline
  warning  Web     old
                   → Build the client anew where it is deployed from, which takes a
                     minute or two.

Two
  warning  Other   older
                   → (the same as above)

1 ok, 2 warnings, 1 problem, 2 unknown. Run what stands beside the arrows, then `memex doctor` again.
"""
LONG = "Build the client anew where it is deployed from, which takes a minute or two."
FOUND = [
    Found("One", "Python", ok("3.11.7")),
    Found(
        "One",
        "Key",
        problem(
            "no key is there, and this sentence is long enough\nto reach the end of the line",
            "gcloud secrets versions add memex-device-keys --data-file=keys.json --project=x\nmake run",
        ),
    ),
    Found("One", "Disk", unknown("offline")),
    Found("One", "Lock", unknown("offline")),
    Found("One", "Web", warning("old", LONG)),
    Found("Two", "Other", warning("older", LONG)),
]


@pytest.fixture(autouse=True)
def eighty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of the usual width."""
    monkeypatch.setenv("COLUMNS", "84")
    monkeypatch.delenv("NO_COLOR", raising=False)


def shown(found: list[Found], *, color: bool = False) -> str:
    @click.command()
    def command() -> None:
        show("Memex somewhere", found)

    return CliRunner().invoke(command, color=color).stdout


def test_the_report_is_aligned_and_commands_stay_whole() -> None:
    assert shown(FOUND) == REPORT


def test_what_is_amiss_alike_is_said_once_and_terraform_has_a_word_of_warning() -> None:
    deploy = "x && terraform -chdir=infra/gcp apply"
    text = shown([Found("Functions", name, problem("not deployed", deploy)) for name in ("capture", "api")])
    assert "  problem  capture, api: not deployed\n" in text
    assert text.endswith("set the TF_VAR_ variables that you deployed with first.\n")


def test_colour_is_for_a_terminal_and_can_be_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" not in shown(FOUND)
    coloured = shown(FOUND, color=True)
    assert "\x1b[31m" in coloured and click.unstyle(coloured) == REPORT
    monkeypatch.setenv("NO_COLOR", "1")
    assert shown(FOUND, color=True) == REPORT


def test_what_was_read_steers_no_terminal() -> None:
    assert "\x1b" not in shown([Found("One", "Key", problem("\x1b[2Jgone", "make \x1b]0;x\x07run"))])


@pytest.mark.parametrize(
    ("levels", "said"),
    [
        (["ok"], "Nothing needs mending."),
        (["ok", "warning"], "1 ok, 1 warning. Nothing is broken; the arrows say what to look at."),
        (["ok", "unknown"], "No problem was found, but not everything could be looked at."),
        (["unknown", "problem"], "Run what stands beside the arrows"),
    ],
)
def test_the_last_line_says_what_it_means(levels: list[str], said: str) -> None:
    assert said in summary([Found("One", "x", Finding(level, "y")) for level in levels])  # type: ignore[arg-type]  # levels


async def test_a_check_that_fails_itself_is_unknown_and_keeps_no_other_back() -> None:
    def broken() -> Finding:
        raise KeyError("a note's text")

    found = await examine([Section("One", [Check("a", broken), Check("b", lambda: ok("fine"))])])
    assert [one.finding.level for one in found] == ["unknown", "ok"]
    assert "note's text" not in found[0].finding.what


# -- the command -------------------------------------------------------------------------------------------------


def doctor(*arguments: str, **environ: str | None) -> Result:
    return CliRunner().invoke(memex, ["doctor", *arguments], env={**NONE, **environ})


@pytest.mark.parametrize(
    ("arguments", "environ", "said"),
    [
        (("--project", "memex-test"), {}, "The region is missing"),
        ((), {"MEMEX_PROJECT": "memex-test"}, "The region is missing"),
        (("--project", "x; rm -rf ~", "--region", "europe-west1"), {}, "is no project"),
        (("--project", "memex-test", "--region", "eur3"), {}, "is no region"),
        (("--project", "memex-test", "--url", "http://127.0.0.1:1"), {}, "not both"),
        (("--url", "nonsense"), {}, "not an address"),
    ],
)
def test_wrong_usage_is_told(arguments: tuple[str, ...], environ: dict[str, str], said: str) -> None:
    result = doctor(*arguments, **environ)
    assert result.exit_code == 2 and said in result.stderr and result.stdout == ""


def test_a_project_without_credentials_fails_and_says_how_to_sign_in(tmp_path: Path) -> None:
    nobody = {"GOOGLE_APPLICATION_CREDENTIALS": str(tmp_path / "none.json"), "MEMEX_PROJECT": "memex-test"}
    result = doctor(MEMEX_REGION="europe-west1", **nobody)
    assert result.exit_code == 1
    assert "Memex in the project memex-test, europe-west1" in result.stdout
    assert "→ gcloud auth application-default login" in result.stdout
    assert "unknown  Project, Billing, APIs: there are no Google credentials here" in result.stdout


def test_offline_everything_is_unknown_and_that_is_no_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def offline() -> credentials.Identity:
        raise Unanswered("Google can't be reached")

    monkeypatch.setattr(credentials, "application_default", offline)
    result = doctor("--project", "memex-test", "--region", "europe-west1", "--json")
    body = json.loads(result.stdout)
    assert result.exit_code == 0 and body["healthy"] is True
    assert {one["level"] for one in body["findings"] if one["section"] != "This machine"} == {"unknown"}
    assert "not everything could be looked at" in doctor("--project", "memex-test", "--region", "europe-west1").stdout


def test_a_named_address_or_folder_is_meant_rather_than_the_project(tmp_path: Path) -> None:
    environ = {"MEMEX_PROJECT": "memex-test", "MEMEX_REGION": "europe-west1"}
    assert "Memex on this machine" in doctor(MEMEX_URL="http://localhost:9", MEMEX_DATA=str(tmp_path), **environ).stdout
    nobody = {"GOOGLE_APPLICATION_CREDENTIALS": str(tmp_path / "none.json")}
    deployed = doctor(MEMEX_URL="https://api-1.europe-west1.run.app", **environ, **nobody)
    assert "Memex in the project memex-test" in deployed.stdout
    for arguments in (("--data", str(tmp_path)), ("--port", "9"), ("--url", "http://127.0.0.1:9")):
        assert "Memex on this machine" in doctor(*arguments, MEMEX_DATA=str(tmp_path), **environ).stdout
