"""The Firestore emulator, and its own Eventarc triggers."""

import contextlib
from collections.abc import Iterator, Sequence

import httpx

from tests.emulators import java

JAR = ("cloud-firestore-emulator", "cloud-firestore-emulator.jar")
_MAIN = "com.google.cloud.datastore.emulator.firestore.CloudFirestore"
WRITTEN = "google.cloud.firestore.document.v1.written"


def missing() -> str:
    """Why it can't be started; empty where it can."""
    return java.missing(*JAR)


@contextlib.contextmanager
def firestore(*, functions_emulator: str = "", heap_mb: int = 256) -> Iterator[str]:
    """A running emulator's `host:port`, as FIRESTORE_EMULATOR_HOST takes it.

    It posts events of registered triggers to `functions_emulator` (`host:port`); it need not listen yet.
    """

    def command(port: int) -> Sequence[str]:
        events = [f"--functions_emulator={functions_emulator}"] if functions_emulator else []
        return ["-cp", java.jar(*JAR), _MAIN, "start", "--host=127.0.0.1", f"--port={port}", *events]

    with java.running(command, ready="Dev App Server is now running", heap_mb=heap_mb) as host:
        yield host


def register_trigger(
    host: str, project: str, trigger_id: str, pattern: str, *, event_type: str = WRITTEN, database: str = "(default)"
) -> str:
    """Have writes to documents that match `pattern` posted; the path at the functions emulator that they go to.

    Unlike Eventarc it sends the protobuf in base64 and no token, gives times in whole seconds, and also tells of
    writes that change nothing and of deletions of what is not there.
    """
    answer = httpx.post(
        f"http://{host}/emulator/v1/projects/{project}/eventarcTrigger",
        params={"eventarcTriggerId": trigger_id},
        headers={"Authorization": "Bearer owner"},
        json={
            "eventType": event_type,
            "database": database,
            "namespace": "(default)",
            "document": {"value": pattern, "matchType": "PATH_PATTERN"},
        },
        timeout=30,
    )
    answer.raise_for_status()
    return f"/functions/projects/{project}/triggers/{trigger_id}"
