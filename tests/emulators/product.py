"""The deployed product on this machine: as Terraform plans it, on Google's emulators, each function a process.

What stands where Google's servers do: the emulators for Firestore and Pub/Sub, our engine for Cloud Workflows, our
stand-in for Deep Research, and one origin for all the rest, by path:

    /                          a person's: the functions api and capture, and with them the web client
    /run/NAME/...              Cloud Run: the address of the function NAME (front.py)
    /functions/..., /push/...  Eventarc and Pub/Sub, as the emulators call them (delivery.py)
    /oauth2/v3/certs           the keys of identity tokens; with a header of its own, the metadata server (identity.py)
    /interactions/...          Deep Research
    /v1/..., /console          Cloud Workflows

Everything else is taken from the plan and from the archive that would be uploaded. Only waiting is shorter.
"""

import asyncio
import contextlib
import json
import os
import secrets
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from infra.gcp import archive
from infra.local.clock import RealClock
from infra.local.research.service import ResearchService
from infra.local.research.store import ResearchStore
from infra.local.retrieval import retrieve
from infra.local.workflow import console, rest, rpc
from infra.local.workflow.engine import Engine
from shared.store.firestore import FirestoreDocuments
from tests.emulators import deployment, firestore, identity, pubsub, server
from tests.emulators.delivery import Delivery
from tests.emulators.deployment import Deployment
from tests.emulators.front import PREFIX, Front
from tests.emulators.identity import Identity
from tests.emulators.instance import Instance

RESEARCH = "/interactions"
PUBLIC = {"/api/v1/captures": "capture", "/api/v1/chat/": "chat"}
PERSONS = 30


def missing() -> str:
    """Why it can't be started; empty where it can."""
    built = (archive.ROOT / "web" / "dist" / "index.html").is_file()
    return (
        firestore.missing()
        or pubsub.missing()
        or deployment.missing()
        or ("" if built else "the web client is not built (make setup)")
    )


@dataclass(frozen=True, slots=True)
class Pace:
    """What is shorter here than in the cloud, in seconds."""

    backoff: float = 0.2
    poll: int = 1
    research: float = 2.0


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a tenant of their own."""

    tenant: str
    key: str


@contextlib.contextmanager
def _variable(name: str, value: str) -> Iterator[None]:
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


class Product:
    """The running product; `async with` starts all of it, and in the end nothing of it is left."""

    documents: FirestoreDocuments
    engine: Engine
    research: ResearchService
    delivery: Delivery
    deployment: Deployment
    identity: Identity
    front: Front
    pubsub: httpx.AsyncClient
    """The emulator's own API, below the project."""

    def __init__(self, pace: Pace | None = None) -> None:
        self._pace = pace or Pace()
        self._stack = contextlib.AsyncExitStack()
        self._persons = [Person(f"tenant-{number}", secrets.token_urlsafe(24)) for number in range(PERSONS)]
        self._unknown = iter(self._persons)
        self.instances: dict[str, Instance] = {}
        self.origin = ""

    async def __aenter__(self) -> "Product":
        try:
            await self._start()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    def person(self) -> Person:
        """Somebody who was not here yet."""
        return next(self._unknown)

    def client(self, person: Person) -> httpx.AsyncClient:
        """Their client."""
        headers = {"Authorization": f"Bearer {person.key}"}
        return httpx.AsyncClient(base_url=self.origin, headers=headers, timeout=60, trust_env=False)

    async def tick(self) -> int:
        """What the scheduler's job does each quarter of an hour; the status."""
        job = self.deployment.job
        token = self.identity.sign(job["account"], job["audience"])
        return await self.front.post("tick", {"Authorization": f"Bearer {token}"}, b"")

    async def dead_letters(self, topic: str) -> list[dict[str, str]]:
        """Attributes of what could not be delivered; each is told once."""
        answer = await self.pubsub.post(
            f"/subscriptions/{topic}-dead:pull", json={"maxMessages": 100, "returnImmediately": True}
        )
        messages = answer.raise_for_status().json().get("receivedMessages", [])
        if messages:
            acknowledged = {"ackIds": [one["ackId"] for one in messages]}
            (await self.pubsub.post(f"/subscriptions/{topic}-dead:acknowledge", json=acknowledged)).raise_for_status()
        return [one["message"].get("attributes", {}) for one in messages]

    # -- the start ---------------------------------------------------------------------------------------------

    async def _start(self) -> None:
        stack = self._stack
        self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="memex-cloud-")))
        listening = stack.enter_context(contextlib.closing(server.listen()))
        self.origin = f"http://{server.address(listening)}"
        with ThreadPoolExecutor() as others:
            unpacked = others.submit(_unpack, self.folder / "workspace")
            planned = others.submit(deployment.planned)
            # On this thread: with it the emulators would end.
            stored = stack.enter_context(firestore.firestore(functions_emulator=server.address(listening)))
            messages = stack.enter_context(pubsub.pubsub())
            unpacked.result()
            self.deployment = Deployment(planned.result(), self.origin)
        self.identity = Identity(self.origin, self.deployment.project)
        stack.enter_context(_variable("FIRESTORE_EMULATOR_HOST", stored))
        self.documents = FirestoreDocuments(self.deployment.project)
        stack.push_async_callback(self.documents.close)
        executions = await self._workflows()
        self._write_keys()
        for name in self.deployment.functions:
            environment = self._environment(name, stored, messages, executions)
            self.instances[name] = Instance(name, environment, self.folder / "workspace", self.folder / f"{name}.log")
            stack.callback(self.instances[name].close)
        seconds = {name: self.deployment.seconds(name) for name in self.deployment.functions}
        self.front = Front(self.instances, seconds)
        stack.push_async_callback(self.front.close)
        self.delivery = Delivery(self.deployment, self.identity, self.front, backoff=self._pace.backoff)
        stack.push_async_callback(self.delivery.close)
        await stack.enter_async_context(server.serving(self._app(), listening))
        await asyncio.gather(*(instance.up() for instance in self.instances.values()))
        self.pubsub = await stack.enter_async_context(
            httpx.AsyncClient(base_url=f"http://{messages}/v1/projects/{self.deployment.project}", trust_env=False)
        )
        self._connect(stored)
        await self._subscribe()

    async def _workflows(self) -> str:
        """Cloud Workflows and Deep Research; where executions are created."""
        stack, clock = self._stack, RealClock()
        store = ResearchStore(self.folder / "research.db")
        stack.callback(store.close)
        self.research = ResearchService(
            store, clock, retrieve(self.documents), duration=self._pace.research, modes=True
        )
        stack.push_async_callback(self.research.aclose)
        client = await stack.enter_async_context(httpx.AsyncClient(trust_env=False))
        planned = self.deployment.workflows
        account = self.deployment.account_of_the_workflow
        self.engine = Engine(
            self.folder,
            {one["name"]: one["source_contents"] for one in planned},
            client,
            clock,
            sign=lambda audience: self.identity.sign(account, audience),
            project=self.deployment.project,
            location=self.deployment.region,
            env={one["name"]: {**one["user_env_vars"], "MEMEX_POLL_SECONDS": str(self._pace.poll)} for one in planned},
        )
        stack.push_async_callback(self.engine.stop)
        served = await rpc.serve(self.engine)
        stack.push_async_callback(served.stop)
        await self.engine.start()
        return f"127.0.0.1:{served.port}"

    def _write_keys(self) -> None:
        table = {
            person.tenant: {
                "key_sha256": sha256(person.key.encode()).hexdigest(),
                "tenant": person.tenant,
                "subject": f"user@{person.tenant}",
            }
            for person in self._persons
        }
        (self.folder / "device-keys.json").write_text(json.dumps(table))

    def _environment(self, name: str, stored: str, messages: str, executions: str) -> Mapping[str, str]:
        """The platform's variables, the plan's, and where Google's servers are."""
        planned = self.deployment.environment(name)
        project = planned["MEMEX_VERTEX_PROJECT"]
        host = self.origin.removeprefix("http://")
        return {
            "PYTHONUNBUFFERED": "TRUE",
            "FUNCTION_TARGET": name,
            "FUNCTION_SOURCE": self.deployment.source(name),
            "FUNCTION_SIGNATURE_TYPE": "http",
            "K_SERVICE": name,
            "K_REVISION": f"{name}-00001",
            "K_CONFIGURATION": name,
            "CLOUD_RUN_TIMEOUT_SECONDS": str(self.deployment.seconds(name)),
            **planned,
            # A container has its files at /workspace and its secrets at /etc, and no home with anybody's credentials.
            "PYTHONPATH": str(self.folder / "workspace"),
            "MEMEX_DEVICE_KEYS_FILE": str(self.folder / "device-keys.json"),
            "HOME": str(self.folder),
            "FIRESTORE_EMULATOR_HOST": stored,
            "PUBSUB_EMULATOR_HOST": messages,
            "GCE_METADATA_HOST": host,
            "GCE_METADATA_IP": host,
            "MEMEX_EXECUTIONS_ENDPOINT": executions,
            "MEMEX_IDENTITY_KEYS_URL": f"{self.origin}{identity.CERTS}",
            "MEMEX_IDENTITY_ISSUER": self.identity.issuer,
            "MEMEX_RESEARCH_URL": f"{self.origin}{RESEARCH}/v1beta1/projects/{project}/locations/global",
        }

    def _connect(self, stored: str) -> None:
        """The trigger."""
        criteria = {one["attribute"]: one["value"] for one in self.deployment.trigger["matching_criteria"]}
        firestore.register_trigger(
            stored,
            self.deployment.project,
            self.deployment.trigger["name"],
            criteria["document"],
            event_type=criteria["type"],
            database=criteria["database"],
        )

    async def _subscribe(self) -> None:
        """The topics and subscriptions."""
        for topic in self.deployment.topics:
            (await self.pubsub.put(f"/topics/{topic}", json={})).raise_for_status()
        for planned in self.deployment.subscriptions:
            answer = await self.pubsub.put(f"/subscriptions/{planned['name']}", json=self._subscription(planned))
            answer.raise_for_status()

    def _subscription(self, planned: Mapping[str, Any]) -> dict[str, Any]:
        body: dict[str, Any] = {
            "topic": f"projects/{self.deployment.project}/topics/{planned['topic']}",
            "filter": planned.get("filter") or "",
        }
        if seconds := planned.get("ack_deadline_seconds"):
            body["ackDeadlineSeconds"] = seconds
        for letter in planned["dead_letter_policy"]:
            body["deadLetterPolicy"] = {
                "deadLetterTopic": letter["dead_letter_topic"],
                "maxDeliveryAttempts": letter["max_delivery_attempts"],
            }
        for retry in planned["retry_policy"]:
            least, most = (float(retry[bound].removesuffix("s")) for bound in ("minimum_backoff", "maximum_backoff"))
            body["retryPolicy"] = {
                "minimumBackoff": f"{min(least, self._pace.backoff)}s",
                "maximumBackoff": f"{min(most, 5 * self._pace.backoff)}s",
            }
        for push in planned["push_config"]:
            token = push["oidc_token"][0]
            body["pushConfig"] = {
                "pushEndpoint": f"{self.origin}/push/{planned['name']}",
                "oidcToken": {
                    "serviceAccountEmail": token["service_account_email"],
                    "audience": self.deployment.here(token["audience"]),
                },
            }
        return body

    def _app(self) -> ASGIApp:
        metadata = self.identity.metadata()
        google = Starlette(
            routes=[
                *self.delivery.routes(),
                self.identity.certs(),
                *rest.routes(self.engine),
                *console.routes(self.engine),
            ]
        )
        research = Starlette(routes=self.research.routes(RESEARCH))
        ours = ("/functions/", "/push/", identity.CERTS, "/v1/", "/console")

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            path, headers = scope["path"], dict(scope["headers"])
            if identity.FLAVOR.encode() in headers:
                await metadata(scope, receive, send)
            elif path.startswith(PREFIX):
                await self.front(scope, receive, send)
            elif path.startswith(ours):
                await google(scope, receive, send)
            elif path.startswith(RESEARCH):
                allowed = headers.get(b"authorization") == f"Bearer {self.identity.access_token}".encode()
                await (research if allowed else PlainTextResponse("no token", 401))(scope, receive, send)
            else:
                name = next((name for start, name in PUBLIC.items() if path.startswith(start)), "api")
                await self.front.serve(name, path, scope, receive, send)

        return app


def _unpack(workspace: Path) -> None:
    """The archive that would be uploaded, compiled as the buildpack does."""
    packed = workspace.with_suffix(".zip")
    archive.pack(packed)
    with zipfile.ZipFile(packed) as opened:
        opened.extractall(workspace)
    subprocess.run(
        [sys.executable, "-m", "compileall", "-f", "-q", "."],
        cwd=workspace,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1"},
        check=True,
    )
