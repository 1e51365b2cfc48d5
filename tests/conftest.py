"""What all tests share: no network but this machine's own, and one rule for tools that are missing."""

import os
import shutil
import socket
from collections.abc import Iterator

import pytest

LOOPBACK = ("127.", "::1", "localhost")


@pytest.fixture(autouse=True, scope="session")
def no_network() -> Iterator[None]:
    """A connection to anywhere else fails the test that makes it; where a real model is named, it is to be asked."""
    if os.environ.get("MEMEX_TEST_CHAT_MODEL"):
        yield
        return
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: object) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            assert isinstance(address, tuple)
            assert str(address[0]).startswith(LOOPBACK), f"a test reaches out to {address}"
        connect(self, address)  # type: ignore[arg-type]  # whatever socket.connect takes

    patch = pytest.MonkeyPatch()
    patch.setattr(socket.socket, "connect", guarded)
    yield
    patch.undo()


def require(tool: str) -> None:
    """Skip where a tool is missing, with the reason; fail where all tests were asked for."""
    if shutil.which(tool) is None:
        reason = f"{tool} is not installed"
        if os.environ.get("MEMEX_TEST_ALL"):
            pytest.fail(f"{reason}, and MEMEX_TEST_ALL is set")
        pytest.skip(reason)
