"""A real local product in a thread of its own, and the command that talks to it."""

import asyncio
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner, Result

from infra.local.command.cli import memex
from infra.local.product import Pace, Product

SAMPLES = Path(__file__).parent / "vault"
UNSET = {"MEMEX_URL": None, "MEMEX_DEVICE_KEY": None, "MEMEX_DATA": None, "PORT": None, "HTTP_PROXY": None}
Run = Callable[..., Result]


class Served:
    """A product that runs until the test is over."""

    def __init__(self, data: Path, pace: Pace) -> None:
        self.data = data
        self._pace = pace
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._serve(),))
        self.product: Product

    async def _serve(self) -> None:
        async with Product(self.data, environ={}, pace=self._pace) as self.product:
            self._ready.set()
            await self._stop.wait()
        for _ in range(3):
            await asyncio.sleep(0)  # connections that are closed last take another turn of the loop

    def __enter__(self) -> "Served":
        self._thread.start()
        assert self._ready.wait(30)
        self.url = self.product.origin
        self.http = httpx.Client(
            base_url=self.url, headers={"Authorization": f"Bearer {self.product.key}"}, timeout=30, trust_env=False
        )
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(30)
        self._loop.close()

    def inside(self, work: Any) -> Any:
        """Run a coroutine where the product runs."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    def settled(self) -> None:
        """Wait until all triggers are delivered."""
        self.inside(self.product.settled())

    def notes(self, **params: str) -> list[dict[str, Any]]:
        """Every note, newest first."""
        found: list[dict[str, Any]] = []
        cursor: dict[str, str] = {}
        while True:
            page = self.http.get("/api/v1/notes", params={"limit": "200", **params, **cursor}).raise_for_status().json()
            found += page["notes"]
            if not page["next_cursor"]:
                return found
            cursor = {"cursor": page["next_cursor"]}

    def note(self, path: str) -> dict[str, Any]:
        """The note that was imported from this path."""
        for listed in self.notes():
            whole = self.get(listed["id"])
            if whole["origin"] and whole["origin"]["path"] == path:
                return whole
        raise LookupError(path)

    def get(self, note_id: str) -> dict[str, Any]:
        """One note, whole."""
        note: dict[str, Any] = self.http.get(f"/api/v1/notes/{note_id}").raise_for_status().json()["note"]
        return note

    def edit(self, note_id: str, **change: Any) -> None:
        """Edit as a person would."""
        self.http.patch(f"/api/v1/notes/{note_id}", json=change).raise_for_status()


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """The sample vault, with two files that no tool for source text would leave alone."""
    folder = Path(shutil.copytree(SAMPLES, tmp_path / "vault"))
    sixteen = "\ufeff---\ntitle: Grüße\n---\nUTF-16, as an old editor wrote it. 🍐\r\n"
    (folder / "Work/Sixteen bits.md").write_bytes(sixteen.encode("utf-16-le"))
    (folder / "Work/Old letters.md").write_bytes("Grüße".encode("latin-1"))
    return folder


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path / "data", Pace(research_seconds=1.0)) as running:
        yield running


@pytest.fixture
def run(served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command, told of that product by its environment."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    environ = {**UNSET, "PORT": served.url.rsplit(":", 1)[1], "MEMEX_DATA": str(served.data)}

    def command(*args: str | Path, input: str | bytes | None = None) -> Result:
        return CliRunner().invoke(memex, [str(arg) for arg in args], input=input, env=environ)

    return command


def tree(folder: Path) -> dict[str, bytes]:
    """Every file of a folder that is not hidden."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }
