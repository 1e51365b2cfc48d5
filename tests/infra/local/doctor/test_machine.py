"""The machine and the checkout."""

import os
from pathlib import Path

import pytest

from infra.local.doctor import machine
from infra.local.doctor.finding import Level

ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize(
    ("version", "level"), [((3, 10, 9), "problem"), ((3, 11, 0), "ok"), ((3, 14, 2), "ok"), ((3, 15, 0), "warning")]
)
def test_the_version_of_python(version: tuple[int, ...], level: Level) -> None:
    found = machine.python(version)
    assert found.level == level
    assert bool(found.mend) == (level != "ok")


def test_the_versions_are_those_of_the_project() -> None:
    oldest, newest = (".".join(map(str, one)) for one in (machine.OLDEST, (machine.NEWEST[0], machine.NEWEST[1] + 1)))
    assert f'requires-python = ">={oldest},<{newest}"' in (ROOT / "pyproject.toml").read_text()


def test_a_missing_tool_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    found = machine.tool(("gcloud",), "watching runs")
    assert (found.level, found.what) == ("ok", "not installed, and only needed for watching runs")


def test_a_workflow_that_does_not_load_is_a_problem(tmp_path: Path) -> None:
    file = tmp_path / "research.yaml"
    sound = machine.file_of("memory")
    assert machine.workflows([sound, file]).level == "problem"
    file.write_text("main:\n  steps:\n  - one:\n      next: nowhere\n")
    assert machine.workflows([file, sound]).level == "problem"
    file.write_bytes(b"\xff\xfe")
    assert machine.workflows([file, sound]).level == "problem"
    found = machine.workflows()
    assert (found.level, found.what) == ("ok", "research.yaml, agent_task.yaml, memory.yaml load")


def test_the_web_client_is_built_old_or_missing(tmp_path: Path) -> None:
    assert machine.web(tmp_path).level == "problem"
    (tmp_path / "dist").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "dist/index.html").write_text("")
    source = tmp_path / "src/app.ts"
    source.write_text("")
    os.utime(source, (1, 1))
    assert machine.web(tmp_path).level == "ok"
    os.utime(source, (2e9, 2e9))
    found = machine.web(tmp_path)
    assert (found.level, found.mend, "src/app.ts" in found.what) == ("warning", "make setup", True)
