"""`python -m tests.emulators`: it starts everything, and however it ends, nothing is left."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.emulators import fixtures
from tests.emulators.product import missing

ROOT = Path(__file__).parents[2]
FUNCTIONS = len(list((ROOT / "functions").glob("*/main.py")))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux: it lists processes there")
def test_however_it_ends_nothing_is_left_of_it(tmp_path: Path) -> None:
    fixtures.need(missing)
    with started(tmp_path / "ended") as ended, started(tmp_path / "killed") as killed:
        for process, folder in ((ended, tmp_path / "ended"), (killed, tmp_path / "killed")):
            assert process.stdout is not None
            opened = process.stdout.readline()
            assert opened.startswith("open "), process.communicate()
            # Each function with a worker, and two emulators.
            assert len(set(living(folder))) == 2 * FUNCTIONS + 2
        ended.send_signal(signal.SIGINT)
        ended.communicate(timeout=30)
        killed.kill()
        killed.communicate(timeout=30)
    assert ended.returncode == 0
    assert list(living(tmp_path / "ended")) == []
    assert list((tmp_path / "ended").iterdir()) == []
    deadline = time.monotonic() + 30
    while left := list(living(tmp_path)):
        assert time.monotonic() < deadline, left
        time.sleep(0.1)


@contextmanager
def started(folder: Path) -> "Iterator[subprocess.Popen[str]]":
    """The command; a test that fails does not wait for it for ever."""
    folder.mkdir()
    with subprocess.Popen(
        [sys.executable, "-m", "tests.emulators"],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)


def living(folder: Path) -> Iterator[int]:
    """Processes that work in the folder."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if (entry / "cwd").readlink().is_relative_to(folder):
                yield int(entry.name)
        except OSError:
            continue
