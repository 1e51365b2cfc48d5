"""The command that checks definitions."""

from pathlib import Path

import pytest

from infra.local.workflow.check import main


def test_good_files_pass_silently(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = tmp_path / "good.yaml"
    good.write_text("main: {steps: [{a: {return: 1}}]}", "utf-8")
    assert main([str(good)]) == 0
    assert capsys.readouterr() == ("", "")


def test_each_bad_file_is_reported_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad, worse = (tmp_path / name for name in ("good.yaml", "bad.yaml", "worse.yaml"))
    good.write_text("main: {steps: [{a: {return: 1}}]}", "utf-8")
    bad.write_text("main:\n  steps:\n    - a: {retrun: 1}\n", "utf-8")
    assert main([str(good), str(bad), str(worse)]) == 1
    errors = capsys.readouterr().err.splitlines()
    assert errors[0] == f"{bad}:3: main.a.retrun: unknown key 'retrun': did you mean 'return'?"
    assert errors[1].startswith(f"{worse}: ")


def test_no_files_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "usage" in capsys.readouterr().err
