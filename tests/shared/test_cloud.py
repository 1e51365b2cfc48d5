"""The composition root of the cloud: the right thing behind each port, made on first use and from the settings."""

import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from shared import services
from shared.cloud import CloudServices
from shared.config import Settings
from shared.enrichment.enricher import Enricher
from shared.errors import Forbidden, NotConfigured, Unauthorized
from shared.events.pubsub import PubSubBus
from shared.net.http import Http
from shared.operations.execution import WorkflowExecutions
from shared.research.client import InteractionsClient
from shared.research.engine import Engines
from shared.store.firestore import FirestoreDocuments
from tests.emulators.identity import CERTS, Identity

ENVIRONMENT = {"MEMEX_PROJECT": "p", "MEMEX_REGION": "europe-west1", "MEMEX_DEVICE_KEYS_FILE": "/etc/memex/keys.json"}
PUSH = "memex-push@p.iam.gserviceaccount.com"
ISSUER = "https://issuer.example"


@pytest.fixture
def nobody_in_use(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(services, "_current", None)
    yield


def settings(**variables: str) -> Settings:
    return Settings.from_env({**ENVIRONMENT, **variables})


def test_behind_each_port_stands_google() -> None:
    made = CloudServices(settings(MEMEX_VERTEX_PROJECT="p"))
    assert isinstance(made.documents, FirestoreDocuments)
    assert isinstance(made.bus, PubSubBus)
    assert isinstance(made.executions, WorkflowExecutions)
    assert isinstance(made.research, Engines)
    assert isinstance(made.research.deep(), InteractionsClient)
    assert abs(made.now() - time.time()) < 5


def test_each_is_made_once() -> None:
    made = CloudServices(settings(MEMEX_VERTEX_PROJECT="p"))
    for name in ("http", "documents", "bus", "executions", "research", "enricher", "device_keys", "service_tokens"):
        assert getattr(made, name) is getattr(made, name), name


def test_nothing_is_connected_before_it_is_used() -> None:
    """The server forks after it has loaded the function, and an open channel does not survive that."""
    made = CloudServices(settings())
    assert made.__dict__.keys() == {"settings"}
    opened = vars(made.documents)["_opened"], vars(made.bus)["_client"], vars(made.executions)["_client"]
    assert opened == (None, None, None)


def test_names_and_addresses_come_from_the_settings() -> None:
    made = CloudServices(settings(MEMEX_FUNCTIONS_URL="https://{name}-1.europe-west1.run.app"))
    workflow = "projects/p/locations/europe-west1/workflows/research/executions/e"
    assert made.executions.name("research", "e") == workflow
    assert made.function_url("research") == "https://research-1.europe-west1.run.app"
    assert made.public_url("api") == "https://api-1.europe-west1.run.app"


async def test_without_a_research_service_a_run_of_it_says_what_to_set() -> None:
    with pytest.raises(NotConfigured, match="No research service") as caught:
        await CloudServices(settings()).research.get("v1_run")
    assert "MEMEX_VERTEX_PROJECT" in caught.value.next


async def test_enrichment_needs_no_model() -> None:
    enricher: Enricher = CloudServices(settings()).enricher
    proposal = await enricher.enrich(None, "# Pears\n\nThey ripen.", None, [], "capture")
    assert proposal.title == "Pears"


async def test_private_functions_trust_the_published_keys_the_issuer_and_the_callers_of_the_settings() -> None:
    identity = Identity(ISSUER, "p")
    made = CloudServices(
        settings(
            MEMEX_IDENTITY_KEYS_URL=f"{ISSUER}{CERTS}", MEMEX_IDENTITY_ISSUER=ISSUER, MEMEX_CALLERS=f"{PUSH}, other@p"
        )
    )
    asked: list[str] = []

    def published(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        return httpx.Response(200, json={"keys": [identity.jwk()]})

    made.http = Http(transport=httpx.MockTransport(published))
    url = "https://research.example"
    assert await made.service_tokens.caller(f"Bearer {identity.sign(PUSH, url)}", [url]) == PUSH
    with pytest.raises(Forbidden):
        await made.service_tokens.caller(f"Bearer {identity.sign('stranger@p', url)}", [url])
    with pytest.raises(Unauthorized):
        await made.service_tokens.caller(
            f"Bearer {identity.sign(PUSH, url, {'iss': 'https://accounts.google.com'})}", [url]
        )
    assert asked == [f"{ISSUER}{CERTS}"]
    await made.http.aclose()


def test_the_key_table_is_the_file_of_the_settings(tmp_path: Path) -> None:
    made = CloudServices(settings(MEMEX_DEVICE_KEYS_FILE=str(tmp_path / "none.json")))
    with pytest.raises(NotConfigured):
        made.device_keys.caller("Bearer key")


def test_a_process_without_services_makes_the_clouds_from_its_environment(
    nobody_in_use: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    made = services.current()
    assert isinstance(made, CloudServices)
    assert made.settings.project == "p"
    assert services.current() is made


def test_what_is_missing_is_named_and_looked_for_again(nobody_in_use: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
    for _ in range(2):
        with pytest.raises(NotConfigured) as caught:
            services.current()
        assert all(name in caught.value.message for name in ENVIRONMENT)
