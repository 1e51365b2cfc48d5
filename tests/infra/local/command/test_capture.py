"""Capturing from the terminal: the note is there, or the text is kept."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from infra.local.command import unsent
from infra.local.command.cli import memex
from tests.infra.local.command.conftest import UNSET, Run, Served


def test_it_prints_the_id_and_the_address(run: Run, served: Served) -> None:
    result = run("capture", "pears", "on walls", "--tag", "garden", "--title", "Pears")
    note_id, address = result.stdout.splitlines()
    assert address == f"{served.url}/#/notes/{note_id}"
    note = served.get(note_id)
    assert (note["body"], note["title"], note["source"]) == ("pears on walls", "Pears", "cli")
    assert "garden" in note["tags"]


def test_it_reads_standard_input_whole(run: Run, served: Served) -> None:
    note_id = run("capture", "-", input="first\n\n  second\n").stdout.splitlines()[0]
    assert served.get(note_id)["body"] == "first\n\n  second\n"


def test_a_text_that_is_an_address_becomes_a_link(run: Run) -> None:
    note = json.loads(run("capture", "https://example.org/a", "--json").stdout)
    assert (note["kind"], note["url"]) == ("link", "https://example.org/a")


def test_nothing_to_capture_is_wrong_usage(run: Run) -> None:
    result = run("capture", "  ")
    assert result.exit_code == 2
    assert result.stderr.startswith("memex: There is nothing to capture.\n       Type it")


def test_a_refused_tag_is_told_and_the_text_kept(run: Run, served: Served) -> None:
    result = run("capture", "keep me", "--tag", "!!!")
    assert result.exit_code == 1
    assert "tags.0: a tag needs at least one letter or digit" in result.stderr
    assert served.notes() == []
    kept = Path(result.stderr.rsplit("< ", 1)[1].strip())
    assert kept.read_text() == "keep me"
    assert kept.stat().st_mode & 0o077 == 0


def test_what_was_refused_for_good_is_not_offered_to_be_sent_as_it_was(run: Run, served: Served) -> None:
    result = run("capture", "x y", "--url", "notaurl", "--title", "A b", "--tag", "ok")
    assert result.exit_code == 1 and "url: only http and https addresses" in result.stderr
    assert "notaurl" not in result.stderr
    command, file = result.stderr.strip().splitlines()[-1].split(" < ")
    assert "--title=A b" in shlex.split(command) and str(unsent.folder()) in result.stderr
    assert run(*shlex.split(command)[1:], input=Path(shlex.split(file)[0]).read_text()).exit_code == 0
    (note,) = served.notes()
    assert (note["body"], note["title"], note["url"], "ok" in note["tags"]) == ("x y", "A b", None, True)
    assert unsent.waiting() == []


def test_of_several_tags_only_the_refused_one_is_left_out(run: Run) -> None:
    result = run("capture", "x", "--tag", "a", "--tag", "!!!", "--tag", "b")
    (one,) = unsent.waiting()
    assert one.read() == ("x", ["--tag=a", "--tag=b"]) and one.command() in result.stderr


def test_a_wrong_address_alone_is_not_kept(run: Run) -> None:
    result = run("capture", "--url", "notaurl")
    assert result.exit_code == 1 and "Nothing was kept." in result.stderr and "memex capture" not in result.stderr
    assert unsent.waiting() == []


def test_what_waits_is_sent_by_its_key_alone(run: Run, served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infra.local.command.http.Patience.pause", lambda *_: 0.0)
    nowhere = {**UNSET, "MEMEX_URL": "http://127.0.0.1:9", "MEMEX_DEVICE_KEY": "k"}
    given = [
        "capture",
        "it's kept",
        "--title",
        "A = b",
        "--tag",
        "one",
        "--tag",
        "two",
        "--url",
        "https://example.org/",
    ]
    told = CliRunner().invoke(memex, given, env=nowhere).stderr
    assert str(unsent.folder()) in told
    (one,) = unsent.waiting()
    assert run("capture", "--again", one.key).exit_code == 0
    (note,) = served.notes()
    assert (note["title"], note["body"], note["url"]) == ("A = b", "it's kept", "https://example.org/")
    assert {"one", "two"} <= set(note["tags"]) and unsent.waiting() == []
    gone = run("capture", "--again", one.key)
    assert gone.exit_code == 2 and f"Nothing waits under {one.key}" in gone.stderr and "memex doctor" in gone.stderr
    assert len(served.notes()) == 1


def test_the_help_lists_how_to_send_again_and_where_it_waits(run: Run) -> None:
    told = run("capture", "--help").stdout
    assert "--again KEY" in told and "~/.local/state/memex/unsent" in told


def test_what_could_not_be_sent_can_be_sent_again_and_is_stored_once(
    run: Run, served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    nowhere = {**UNSET, "MEMEX_URL": "http://127.0.0.1:9", "MEMEX_DEVICE_KEY": "k"}
    monkeypatch.setattr("infra.local.command.http.Patience.pause", lambda *_: 0.0)
    result = CliRunner().invoke(memex, ["capture", "it's  kept", "--title", "A b"], env=nowhere)
    assert result.exit_code == 3
    assert "Nothing answers at http://127.0.0.1:9." in result.stderr
    command, file = result.stderr.strip().splitlines()[-1].split(" < ")
    arguments = shlex.split(command)[1:]
    kept = Path(shlex.split(file)[0])
    text = kept.read_text()
    assert CliRunner().invoke(memex, arguments, env=nowhere, input=text).exit_code == 3
    assert kept.read_text() == text, "what failed again is kept"
    for _ in range(2):
        assert run(*arguments, input=text).exit_code == 0
    assert not list(kept.parent.iterdir()), "what was sent is not left lying about"
    assert [(note["title"], note["body"]) for note in served.notes()] == [("A b", "it's  kept")]


@pytest.mark.parametrize(
    ("given", "options"),
    [
        (
            ["it's kept", "--title", "A b", "--tag", "garden", "--tag", "a b", "--research"],
            {"-", "--title=A b", "--tag=garden", "--tag=a b", "--research"},
        ),
        (["--url", "https://example.org/a?b=c&d"], {"--url=https://example.org/a?b=c&d"}),
        (["plain"], {"-"}),
    ],
)
def test_what_waits_is_listed_with_the_command_that_sends_it_whole(
    given: list[str], options: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("infra.local.command.http.Patience.pause", lambda *_: 0.0)
    nowhere = {**UNSET, "MEMEX_URL": "http://127.0.0.1:9", "MEMEX_DEVICE_KEY": "k"}
    result = CliRunner().invoke(memex, ["capture", *given], env=nowhere)
    (one,) = unsent.waiting()
    assert result.stderr.strip().splitlines()[-1].strip() == one.command()
    assert {file.stat().st_mode & 0o077 for file in unsent.folder().iterdir()} == {0}
    assert set(shlex.split(one.command())) >= options
    one.forget()
    assert unsent.waiting() == []


def test_a_text_that_was_kept_without_its_options_can_be_sent_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    unsent.folder().mkdir(parents=True)
    (unsent.folder() / "a%2Fb.txt").write_text("kept")
    (one,) = unsent.waiting()
    assert one.command() == f"memex capture - --again=a/b < {unsent.folder()}/a%2Fb.txt"


def test_an_unknown_key_says_where_it_came_from(run: Run) -> None:
    result = run("--key", "wrong", "capture", "x")
    assert result.exit_code == 3
    assert "does not know this device key" in result.stderr and "It came from --key" in result.stderr


def test_without_a_product_it_says_how_to_start_one(tmp_path: Path) -> None:
    environ = {**UNSET, "MEMEX_DATA": str(tmp_path / "none"), "XDG_STATE_HOME": str(tmp_path)}
    result = CliRunner().invoke(memex, ["capture", "x"], env=environ)
    assert result.exit_code == 3
    assert "make run" in result.stderr


def test_this_machines_key_is_not_sent_elsewhere(served: Served, tmp_path: Path) -> None:
    environ = {**UNSET, "MEMEX_DATA": str(served.data), "XDG_STATE_HOME": str(tmp_path)}
    result = CliRunner().invoke(memex, ["--url", "https://memex.example.org", "ops"], env=environ)
    assert result.exit_code == 2
    assert "There is no key for https://memex.example.org." in result.stderr


@pytest.mark.parametrize("arguments", [["--help"], ["capture", "--help"], ["capture", "x"], ["ops"]])
def test_the_command_starts_without_the_product(arguments: list[str], tmp_path: Path) -> None:
    program = (
        "import sys\nat_start = set(sys.modules)\nfrom infra.local.command import main\n"
        "try:\n    main()\nfinally:\n"
        "    print([name for name in sys.modules if name not in at_start and name.split('.')[0] in"
        " ('fastapi', 'grpc', 'google', 'starlette', 'pydantic', 'yaml', 'uvicorn')])"
    )
    environ = {"MEMEX_URL": "http://127.0.0.1:9", "MEMEX_DEVICE_KEY": "k", "XDG_STATE_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=environ,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.splitlines()[-1] == "[]", done.stderr
