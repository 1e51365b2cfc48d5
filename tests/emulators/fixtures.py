"""Emulators for tests: one of each for the whole run, started when the first test asks.

Import the fixtures into a conftest.py; however many do so, they share the same process. Each test should use a
project of its own: projects don't see each other.
"""

import contextlib
import os
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from tests.emulators import firestore, pubsub

_STACK = pytest.StashKey[contextlib.ExitStack]()
_HOSTS = pytest.StashKey[dict[str, str]]()


@pytest.fixture(scope="session")
def firestore_emulator(pytestconfig: pytest.Config) -> str:
    """`host:port` of the Firestore emulator; the environment is left alone."""
    return _shared(pytestconfig, "firestore", firestore.missing, firestore.firestore)


@pytest.fixture(scope="session")
def pubsub_emulator(pytestconfig: pytest.Config) -> str:
    """`host:port` of the Pub/Sub emulator; the environment is left alone."""
    return _shared(pytestconfig, "pubsub", pubsub.missing, pubsub.pubsub)


@pytest.fixture
def project() -> str:
    """A fresh project id."""
    return f"p-{uuid.uuid4().hex[:20]}"


def need(missing: Callable[[], str]) -> None:
    """Skip the test with the reason, unless everything shall run: then what is missing is an error."""
    reason = missing()
    if reason and os.environ.get("MEMEX_TEST_ALL") != "1":
        pytest.skip(reason)


def _shared(
    config: pytest.Config, name: str, missing: Callable[[], str], start: Callable[[], AbstractContextManager[str]]
) -> str:
    need(missing)
    if _STACK not in config.stash:
        config.stash[_STACK] = contextlib.ExitStack()
        config.stash[_HOSTS] = {}
        config.add_cleanup(config.stash[_STACK].close)
    hosts = config.stash[_HOSTS]
    if name not in hosts:
        hosts[name] = config.stash[_STACK].enter_context(start())
    return hosts[name]
