"""Functions served as in the cloud: by functions-framework, over the local store."""

import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from hashlib import sha256
from pathlib import Path

import pytest
from functions_framework.aio import create_asgi_app
from starlette.testclient import TestClient

from infra.local.clock import VirtualClock
from infra.local.folder import Folder
from infra.local.inside import URL
from infra.local.services import LocalServices
from shared import services
from shared.config import Settings

ROOT = Path(__file__).parents[2]
Serve = Callable[..., AbstractContextManager[TestClient]]


@pytest.fixture(autouse=True)
def environment() -> Iterator[None]:
    """The framework writes to the environment."""
    before = dict(os.environ)
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture
async def product(tmp_path: Path) -> AsyncIterator[LocalServices]:
    """The services of a process, without its host."""
    folder = Folder(tmp_path)
    settings = Settings(
        project="p",
        region="l",
        device_keys_file=str(folder.device_keys_file),
        functions_url=URL,
        research_paid=False,
        research_url="http://127.0.0.1:9/standin",
        gemini_api_key="k",
    )
    folder.device_key("test-key")
    made = LocalServices(settings, folder, VirtualClock())
    made.connect_bus([])
    made.executions_endpoint = "127.0.0.1:9"
    services.use(made)
    yield made
    await made.close()


@pytest.fixture
def serve(product: LocalServices) -> Serve:
    """Serve one function; public ones with a person's key, private ones with a service's token."""

    @contextmanager
    def served(name: str, *, key: str | None = "test-key") -> Iterator[TestClient]:
        app = create_asgi_app(name, str(ROOT / "functions" / name / "main.py"), "http")  # type: ignore[no-untyped-call]
        with TestClient(app, raise_server_exceptions=False) as client:
            if key:
                client.headers["Authorization"] = f"Bearer {key}"
            yield client

    return served


def digest(key: str) -> str:
    return sha256(key.encode()).hexdigest()
