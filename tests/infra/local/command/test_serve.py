"""Serving and the demo, as processes: what the options before and after the name mean."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from infra.local.command.cli import memex
from tests.infra.local.command.conftest import UNSET, Run, Served

ROOT = Path(__file__).parents[4]


def ready(*arguments: str | Path, **environ: str) -> tuple[str, str]:
    """The two lines that `serve` prints."""
    kept = {name: value for name, value in os.environ.items() if name not in UNSET}
    process = subprocess.Popen(
        [sys.executable, "-c", "from infra.local.command import main; main()", *arguments],
        cwd=ROOT,
        env={**kept, "PYTHONPATH": str(ROOT), **environ},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    lines = process.stdout.readline(), process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
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
    assert "[cite: 1]" in result.stdout
    assert "sources, each quoted word for word from a note that was read." in result.stdout
