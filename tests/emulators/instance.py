"""One function as the buildpack starts it: functions-framework, alone, with a bare environment."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import httpx

from tests.emulators import java, server

START_SECONDS = 60
HEALTH = "/api/v1/health"


class Instance:
    """A function's process; one that was killed is started again by the next request, as Cloud Run does."""

    def __init__(self, name: str, environment: Mapping[str, str], workspace: Path, log: Path) -> None:
        self.name = name
        self.starts = 0
        self._environment = dict(environment)
        self._workspace = workspace
        self._log = log
        self._port = server.reserve()
        self.address = server.address(self._port)
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = asyncio.Lock()

    async def up(self) -> str:
        """Its `host:port`, once it answers."""
        async with self._turn:
            if self._process is None or self._process.poll() is not None:
                self.starts += 1
                self._process = self._launch()
                await self._ready(self._process)
            return self.address

    def kill(self) -> None:
        """End it at once, with its worker; nothing in it is told."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def printed(self) -> str:
        """What it wrote to its log so far."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    def close(self) -> None:
        """End it, and let its port go."""
        self.kill()
        self._port.close()

    def _launch(self) -> subprocess.Popen[bytes]:
        # Loopback is ours: a container is closed off, this machine may be open to its network.
        environment = {**self._environment, "HOST": "127.0.0.1", "PORT": self.address.partition(":")[2]}
        environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}"
        with self._log.open("ab") as log:
            return subprocess.Popen(
                # Not SIGKILL: told to end, gunicorn ends its worker too.
                java.dying_with_parent(["functions-framework"], signal.SIGTERM),
                cwd=self._workspace,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    async def _ready(self, process: subprocess.Popen[bytes]) -> None:
        async with asyncio.timeout(START_SECONDS), httpx.AsyncClient(trust_env=False) as client:
            while process.poll() is None:
                with contextlib.suppress(httpx.TransportError):
                    if (await client.get(f"http://{self.address}{HEALTH}")).status_code == 200:
                        return
                await asyncio.sleep(0.02)
        raise RuntimeError(f"{self.name} ended with {process.returncode} before it answered:\n{self.printed()[-4000:]}")
