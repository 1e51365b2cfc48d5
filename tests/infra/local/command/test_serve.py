"""Serving and the demo, as processes: what the options before and after the name mean."""

import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from infra.local.command.cli import memex
from infra.local.command.target import served as served_at
from infra.local.store.lock import FolderLock, announce
from tests.infra.local.command.conftest import UNSET, Run, Served

ROOT = Path(__file__).parents[4]


@contextmanager
def serving(*arguments: str | Path, **environ: str) -> Iterator[tuple[str, str]]:
    """The two lines that `serve` prints, while it serves."""
    kept = {name: value for name, value in os.environ.items() if name not in UNSET}
    process = subprocess.Popen(
        [sys.executable, "-c", "from infra.local.command import main; main()", *arguments],
        cwd=ROOT,
        env={**kept, "PYTHONPATH": str(ROOT), **environ},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    try:
        yield process.stdout.readline(), process.stdout.readline()
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)


def ready(*arguments: str | Path, **environ: str) -> tuple[str, str]:
    """The two lines that `serve` prints."""
    with serving(*arguments, **environ) as lines:
        return lines


@pytest.mark.parametrize(
    "arguments",
    [
        ("--data", "{folder}", "--port", "0", "--key", "chosen-key", "serve"),
        ("--data", "elsewhere", "--port", "1", "--key", "chosen-key", "serve", "--data", "{folder}", "--port", "0"),
    ],
)
def test_options_reach_serve_from_before_its_name_and_those_after_it_count_more(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    folder = tmp_path / "data"
    address, kept = ready(*(one.format(folder=folder) for one in arguments), MEMEX_DATA=str(tmp_path / "env"), PORT="1")
    assert address.startswith("ready http://127.0.0.1:")
    assert address.endswith("/#key=chosen-key\n")
    assert f"kept in {folder};" in kept


def test_the_environment_counts_where_no_option_is_given(tmp_path: Path) -> None:
    address, kept = ready("serve", MEMEX_DATA=str(tmp_path), PORT="0", MEMEX_DEVICE_KEY="from-env")
    assert address.endswith("/#key=from-env\n")
    assert f"kept in {tmp_path};" in kept


@pytest.mark.parametrize(
    ("arguments", "environ", "told"),
    [
        (["--url", "http://x", "serve"], {}, "--url is for the commands that talk to Memex"),
        (["serve"], {"PORT": "many"}, "PORT is 'many', which is no port."),
        (["serve", "--port", "65536"], {}, "65536"),
    ],
)
def test_what_serve_can_not_use_is_wrong_usage(arguments: list[str], environ: dict[str, str], told: str) -> None:
    result = CliRunner().invoke(memex, arguments, env={**UNSET, **environ})
    assert result.exit_code == 2
    assert told in result.stderr


@pytest.mark.parametrize("after", [True, False])
def test_a_port_leads_commands_to_the_product_there(run: Run, served: Served, after: bool) -> None:
    port = served.url.rpartition(":")[2]
    given = ["capture", "x", "--port", port] if after else ["--port", port, "capture", "x"]
    result = CliRunner().invoke(memex, given, env={**UNSET, "MEMEX_DATA": str(served.data), "PORT": "9"})
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines()[1].startswith(f"{served.url}/#/notes/")


def test_the_demo_ends_with_a_report_whose_sources_were_checked() -> None:
    result = CliRunner().invoke(memex, ["demo"], env=UNSET)
    assert result.exit_code == 0, result.stderr
    assert "20 of 20 enriched" in result.stdout
    assert "Finished" in result.stderr
    assert "[1]" in result.stdout
    assert "[cite:" not in result.stdout
    assert "sources, each quoted word for word from a note that was read." in result.stdout
    assert "`make run`" in result.stdout.splitlines()[-1]
    assert "http://" not in result.output, "what it served is gone by now"


def test_a_demo_that_fails_midway_advises_nothing_on_the_store_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infra.local.command.demo.ENOUGH_SOURCES", 1_000)
    result = CliRunner().invoke(memex, ["demo"], env=UNSET)
    assert result.exit_code == 1
    assert "The demo failed: there are only" in result.stderr and "Run `make demo` again." in result.stderr


def test_the_demo_passes_on_no_advice_of_a_failed_run(monkeypatch: pytest.MonkeyPatch) -> None:
    # A question of which the notes know nothing ends without a report; research would say how to start it anew.
    monkeypatch.setattr("infra.local.command.demo.QUESTION", "What does a quokka weigh?")
    result = CliRunner().invoke(memex, ["demo"], env=UNSET)
    assert result.exit_code == 1
    assert "The demo failed:" in result.stderr and "Run `make demo` again." in result.stderr
    assert "memex research" not in result.output and "memex ops" not in result.output


def test_the_demo_takes_a_port_and_says_so_where_it_can_not(served: Served) -> None:
    port = served.url.rpartition(":")[2]
    for arguments, environ in ((["demo", "--port", port], UNSET), (["demo"], {**UNSET, "PORT": port})):
        result = CliRunner().invoke(memex, arguments, env=environ)
        assert result.exit_code == 1
        assert f"Port {port} can't be used" in result.stderr


def command(*arguments: str, **environ: str) -> Result:
    return CliRunner().invoke(memex, arguments, env={**UNSET, **environ})


def test_a_folder_that_is_served_tells_its_address_to_every_command_until_it_is_not(tmp_path: Path) -> None:
    data = tmp_path / "data"
    state = {"XDG_STATE_HOME": str(tmp_path / "state"), "MEMEX_DATA": str(data)}
    with serving("serve", "--port", "0", "--data", data) as (address, _):
        url, _, key = address.removeprefix("ready ").strip().partition("/#key=")
        port = url.rpartition(":")[2]
        captured = command("capture", "pears on walls", **state)
        assert captured.exit_code == 0, captured.stderr
        assert captured.stdout.splitlines()[1].startswith(f"{url}/#/notes/")
        # Named on the command line, a folder counts more than the environment's port; an address more than both.
        assert command("--data", str(data), "ops", **state, PORT="9").exit_code == 0
        assert "http://127.0.0.1:9." in command("ops", "--port", "9", **state).stderr
        assert "http://127.0.0.1:9." in command("ops", **state, PORT="9").stderr

        for arguments in ((), ("--port", port), ("--port", "0")):
            again = command("serve", "--data", str(data), *arguments)
            assert again.exit_code == 0, again.output
            assert again.stdout.splitlines()[0] == f"Memex runs already: {url}/#key={key}"
            assert f"everything is kept in {data};" in again.stdout
        elsewhere = command("serve", "--data", str(data), "--port", "9")
        assert elsewhere.exit_code == 1
        assert f"which serves {url}.\n" in elsewhere.stderr
        assert "DATA=" in elsewhere.stderr
    assert (data / "memex.lock").read_bytes() == b""


def test_a_key_that_only_the_running_one_knows_is_not_made_up(tmp_path: Path) -> None:
    with serving("serve", "--port", "0", "--data", tmp_path, MEMEX_DEVICE_KEY="from-env"):
        unknown = command("serve", "--data", str(tmp_path))
        known = command("serve", "--data", str(tmp_path), MEMEX_DEVICE_KEY="from-env")
    assert unknown.exit_code == known.exit_code == 0
    assert "#key" not in unknown.stdout and "its key is the one that it was started with" in unknown.stdout
    assert known.stdout.splitlines()[0].endswith("/#key=from-env")


def test_a_folder_whose_owner_says_no_address_is_in_use(tmp_path: Path) -> None:
    held = FolderLock(tmp_path)
    result = command("serve", "--data", str(tmp_path), "--port", "0")
    held.release()
    assert result.exit_code == 1
    assert result.stderr.startswith(f"memex: The data folder {tmp_path} is in use by process {os.getpid()}.\n")
    assert "try again in a moment" in result.stderr


def test_an_address_that_is_not_of_this_machine_is_not_followed(tmp_path: Path) -> None:
    held = FolderLock(tmp_path)
    announce(tmp_path, "http://memex.example.org:80")
    assert served_at(tmp_path) == ""
    announce(tmp_path, "http://127.0.0.1:8799")
    assert served_at(tmp_path) == "http://127.0.0.1:8799"
    held.release()
    assert served_at(tmp_path) == ""


def test_the_version_is_told() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    result = command("--version")
    assert (result.exit_code, result.stdout) == (0, f"memex {project['version']}\n")
