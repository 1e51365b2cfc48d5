"""The emulators start, do what the product needs of them, and are gone afterwards."""

import contextlib
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from shared.events.cloud import DocumentEvent, document_event
from shared.store.documents import Write
from shared.store.firestore import FirestoreDocuments
from tests.emulators import fixtures, java, pubsub
from tests.emulators.firestore import firestore, missing, register_trigger
from tests.emulators.fixtures import project

__all__ = ["project"]

ROOT = Path(__file__).parents[2]


class Receiver:
    """Takes what is posted and answers 204."""

    def __init__(self) -> None:
        self.got: queue.Queue[tuple[str, Mapping[str, str], bytes]] = queue.Queue()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                receiver.got.put((self.path, {key.lower(): value for key, value in self.headers.items()}, body))
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.close()


async def test_a_commit_arrives_as_an_event_that_the_product_understands(
    receiver: Receiver, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fixtures.need(missing)
    with firestore(functions_emulator=receiver.host) as host:
        path = register_trigger(host, project, "fanout", "tenants/{tenant}/notes/{note}")
        monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", host)
        documents = FirestoreDocuments(project)
        began = time.time()
        await documents.commit([Write("tenants/x/notes/n1", {"n": 1}), Write("tenants/x/notes/n1/trace/000001", {})])
        await documents.commit([Write("tenants/x/search/n1", {"tokens": []})])
        await documents.commit([Write("tenants/x/notes/n1", {"n": 2})])
        await documents.commit([Write("tenants/x/notes/n1", None)])
        await documents.commit([Write("tenants/x/notes/last", {})])
        await documents.close()
        events: list[DocumentEvent] = []
        while not events or events[-1].path != "tenants/x/notes/last":
            where, headers, body = receiver.got.get(timeout=30)
            assert where.partition("?")[0] == path
            events.append(document_event(headers, body))
    assert [event.path for event in events] == ["tenants/x/notes/n1"] * 3 + ["tenants/x/notes/last"]
    assert len({event.id for event in events}) == 4
    assert all(began - 5 < event.at < time.time() + 5 for event in events)
    assert receiver.got.empty()


def test_pubsub_answers_and_is_gone_afterwards() -> None:
    fixtures.need(pubsub.missing)
    with pubsub.pubsub() as host:
        made = httpx.put(f"http://{host}/v1/projects/p/topics/note-events", json={})
        assert made.status_code == 200 and made.json()["name"] == "projects/p/topics/note-events"
    assert not listens(host)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux: the kernel ends the orphan there")
def test_a_killed_test_run_leaves_no_emulator(tmp_path: Path) -> None:
    fixtures.need(pubsub.missing)
    code = "import sys; from tests.emulators.pubsub import pubsub\nwith pubsub() as host: print(host); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-uc", code],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as run:
        assert run.stdout is not None
        host = run.stdout.readline().strip()
        assert listens(host)
        os.kill(run.pid, signal.SIGKILL)
    deadline = time.monotonic() + 20
    while listens(host):
        assert time.monotonic() < deadline


def test_an_emulator_that_cannot_start_says_why() -> None:
    fixtures.need(pubsub.missing)
    with (
        pytest.raises(RuntimeError, match="NoSuchClass"),
        java.running(lambda _: ["NoSuchClass"], ready="!", heap_mb=16),
    ):
        pass


def test_without_java_emulator_tests_are_skipped_unless_all_shall_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("MEMEX_TEST_ALL", raising=False)
    with pytest.raises(pytest.skip.Exception, match="Java is not installed"):
        fixtures.need(missing)
    monkeypatch.setenv("MEMEX_TEST_ALL", "1")
    fixtures.need(missing)
    with pytest.raises(FileNotFoundError, match="Java is not installed"), firestore():
        pass


def listens(host: str) -> bool:
    name, _, port = host.partition(":")
    with contextlib.suppress(OSError), socket.create_connection((name, int(port)), timeout=1):
        return True
    return False
