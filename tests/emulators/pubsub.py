"""The Pub/Sub emulator."""

import contextlib
from collections.abc import Iterator, Sequence

from tests.emulators import java

JAR = ("pubsub-emulator", "lib", "cloud-pubsub-emulator-*-all.jar")


def missing() -> str:
    """Why it can't be started; empty where it can."""
    return java.missing(*JAR)


@contextlib.contextmanager
def pubsub(*, heap_mb: int = 128) -> Iterator[str]:
    """A running emulator's `host:port`, as PUBSUB_EMULATOR_HOST takes it."""

    def command(port: int) -> Sequence[str]:
        return ["-jar", java.jar(*JAR), "--host=127.0.0.1", f"--port={port}"]

    with java.running(command, ready="Server started, listening on", heap_mb=heap_mb) as host:
        yield host
