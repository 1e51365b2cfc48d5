"""An emulator's Java process: started, waited for, and ended with everything that it made."""

import collections
import contextlib
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

START_SECONDS = 60
_TRIES = 3


def platform() -> Path | None:
    """Where the Google Cloud CLI keeps its emulators."""
    gcloud = shutil.which("gcloud")
    if gcloud is None:
        return None
    found = Path(gcloud).resolve().parents[1] / "platform"
    return found if found.is_dir() else None


def missing(*parts: str) -> str:
    """Why an emulator (a file below the platform folder) can't be started; empty where it can."""
    if shutil.which("java") is None:
        return "Java is not installed"
    folder = platform()
    if folder is None:
        return "the Google Cloud CLI is not installed"
    if not list(folder.glob("/".join(parts))):
        return f"the Google Cloud CLI has no {parts[0]} (gcloud components install {parts[0]})"
    return ""


def jar(*parts: str) -> str:
    """The file of an emulator, for instance `cloud-firestore-emulator`, `*.jar`."""
    reason = missing(*parts)
    folder = platform()
    if reason or folder is None:
        raise FileNotFoundError(reason)
    return str(min(folder.glob("/".join(parts))))


@contextlib.contextmanager
def running(command: Callable[[int], Sequence[str]], *, ready: str, heap_mb: int) -> Iterator[str]:
    """Run `java` with the arguments that `command` makes of a port; the address, once a line contains `ready`."""
    with tempfile.TemporaryDirectory(prefix="memex-emulator-") as folder:
        for _ in range(_TRIES):
            port = _free_port()
            process, output = _start(command(port), ready, heap_mb, folder)
            try:
                if output.is_ready():
                    yield f"127.0.0.1:{port}"
                    return
            finally:
                _end(process)
        raise RuntimeError(f"the emulator did not start:\n{output.text()}")


class _Output:
    """What a process prints. It is read to the end: a full pipe would stop the emulator."""

    def __init__(self, stream: IO[str], ready: str) -> None:
        self._lines: collections.deque[str] = collections.deque(maxlen=50)
        self._news: queue.Queue[bool] = queue.Queue()
        threading.Thread(target=self._follow, args=(stream, ready), daemon=True).start()

    def is_ready(self) -> bool:
        """Wait for the line that says so; False where none came."""
        try:
            return self._news.get(timeout=START_SECONDS)
        except queue.Empty:
            return False

    def text(self) -> str:
        """The last lines."""
        return "".join(self._lines)

    def _follow(self, stream: IO[str], ready: str) -> None:
        with stream:
            for line in stream:
                self._lines.append(line)
                if ready in line:
                    self._news.put(True)
        self._news.put(False)


def _start(arguments: Sequence[str], ready: str, heap_mb: int, folder: str) -> tuple[subprocess.Popen[str], _Output]:
    flags = [
        f"-Xmx{heap_mb}m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",  # a short life: no time is won back from the better compiler
        "-XX:-UsePerfData",
        f"-Djava.io.tmpdir={folder}",
        "-Duser.language=en",
    ]
    process = subprocess.Popen(
        dying_with_parent(["java", *flags, *arguments]),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    assert process.stdout is not None
    return process, _Output(process.stdout, ready)


def _end(process: subprocess.Popen[str]) -> None:
    # Nothing in an emulator is worth a goodbye; its files are in a folder of ours.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def dying_with_parent(command: Sequence[str], how: signal.Signals = signal.SIGKILL) -> list[str]:
    """The command; where the kernel can do it, a killed test run takes it along.

    By a program and not by a `preexec_fn`: with one, Python runs what its libraries do at a fork, gRPC among them, and
    now and then that aborted the child before it had become anything.
    """
    setpriv = shutil.which("setpriv") if sys.platform.startswith("linux") else None
    return [setpriv, "--pdeathsig", how.name.removeprefix("SIG"), "--", *command] if setpriv else list(command)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
