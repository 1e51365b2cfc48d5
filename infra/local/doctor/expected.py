"""What infra/gcp deploys, by name. A test compares this table with Terraform's plan, so neither can drift."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

GCP = Path(__file__).parents[3] / "infra" / "gcp"

APIS = tuple(
    f"{name}.googleapis.com"
    for name in (
        "aiplatform",
        "artifactregistry",
        "billingbudgets",
        "cloudbuild",
        "cloudfunctions",
        "cloudresourcemanager",
        "cloudscheduler",
        "eventarc",
        "firestore",
        "generativelanguage",
        "iam",
        "logging",
        "monitoring",
        "pubsub",
        "run",
        "secretmanager",
        "storage",
        "workflowexecutions",
        "workflows",
    )
)


@dataclass(frozen=True, slots=True)
class Function:
    """A line of local.functions."""

    callers: tuple[str, ...]
    publishes: tuple[str, ...] = ()
    documents: Literal["user", "viewer"] = "user"
    workflows: bool = False
    research: bool = False
    model: bool = False

    @property
    def public(self) -> bool:
        """Whether anyone may call it; then it checks device keys itself."""
        return "anyone" in self.callers


NOTES, OPERATIONS = "note-events", "operation-events"
TOPICS = (NOTES, OPERATIONS)
FUNCTIONS = {
    "capture": Function(("anyone",)),
    "chat": Function(("anyone",), (OPERATIONS,), research=True),
    "api": Function(("anyone",), (OPERATIONS,), workflows=True, research=True),
    "fanout": Function(("eventarc",), (NOTES,), documents="viewer"),
    "enrich": Function(("push",), model=True),
    "research": Function(("push", "workflow"), (OPERATIONS,), research=True),
    "agent": Function(("workflow",), (OPERATIONS,), workflows=True, research=True),
    "memory": Function(("workflow",), (OPERATIONS,), workflows=True),
    "dispatch": Function(("push",), (OPERATIONS,), workflows=True, research=True),
    "tick": Function(("scheduler",), (NOTES, OPERATIONS), workflows=True, research=True),
}
ACCOUNTS = (*FUNCTIONS, "workflow", "eventarc", "push", "scheduler", "build")
DEVICE_KEYS = "memex-device-keys"
KEYS_FILE = "/etc/memex/device-keys.json"
REPOSITORY = "memex"
DATABASE = "(default)"
TTL = (
    ("idempotency", "expires_at"),
    ("memory_canaries", "expires_at"),
    ("memory_names", "expires_at"),
    ("receipts", "expires_at"),
)
JOB, SCHEDULE = "tick", "*/15 * * * *"
TRIGGER = "notes"
FILTERS = {
    "type": "google.cloud.firestore.document.v1.written",
    "database": DATABASE,
    "document": "tenants/{tenant}/notes/{note}",
}
RESEARCH_MINUTES = "120"


class Workflow(NamedTuple):
    """A workflow: the function whose steps it calls, and what else it is told."""

    function: str
    variables: dict[str, str]


WORKFLOWS = {
    "research": Workflow("research", {"MEMEX_POLL_SECONDS": "30", "MEMEX_RESEARCH_MINUTES": RESEARCH_MINUTES}),
    "agent_task": Workflow("agent", {"MEMEX_AGENT_MINUTES": "70"}),
    "memory": Workflow("memory", {"MEMEX_POLL_SECONDS": "5", "MEMEX_MEMORY_MINUTES": "15"}),
}
"""By name, which is also that of its file in workflows/."""


class Heard(NamedTuple):
    """What a function hears of a topic."""

    topic: str
    filter: str = ""


SUBSCRIPTIONS = {
    "enrich": Heard(NOTES, 'attributes.enrich = "true"'),
    "research": Heard(NOTES, 'attributes.research = "true"'),
    "dispatch": Heard(OPERATIONS),
}

TOLD = {f"{topic}-told": f"{topic}-dead" for topic in TOPICS}
"""Subscriptions that bring what was given up to dispatch, which records it; and the topics that they hear."""
RECORDER, RECORDED_AT = "dispatch", "/dead"

Kind = Literal["project", "function", "topic", "subscription", "secret", "bucket", "repository"]


class Grant(NamedTuple):
    """A role on a thing, and who has it."""

    kind: Kind
    name: str
    role: str
    member: str


@dataclass(frozen=True)
class Names:
    """The names of one deployment."""

    project: str
    region: str
    number: str
    gemini_secret: str = ""
    """Empty where research runs on Vertex AI."""

    def email(self, account: str) -> str:
        """Address of an account."""
        return email(self.project, account)

    def member(self, account: str) -> str:
        """The account in a policy."""
        return "allUsers" if account == "anyone" else f"serviceAccount:{self.email(account)}"

    def address(self, function: str) -> str:
        """Address of a function, and the audience of calls to it."""
        return f"https://{function}-{self.number}.{self.region}.run.app"

    def variables(self, workflow: str) -> dict[str, str]:
        """The variables that a workflow must have, with these values."""
        function, more = WORKFLOWS[workflow]
        return {f"MEMEX_{function.upper()}_URL": self.address(function), **more}

    @property
    def bucket(self) -> str:
        """Where the archive lies."""
        return f"{self.project}-memex-source"

    def environment(self, function: str) -> dict[str, str]:
        """The variables that a function must have, with these values."""
        callers = FUNCTIONS[function].callers
        return {
            "PYTHONPATH": "/workspace",
            "FUNCTION_USE_ASGI": "true",
            "MEMEX_PROJECT": self.project,
            "MEMEX_REGION": self.region,
            "MEMEX_DEVICE_KEYS_FILE": KEYS_FILE,
            "MEMEX_FUNCTIONS_URL": self.address("{name}"),
            "MEMEX_RESEARCH_MINUTES": RESEARCH_MINUTES,
            "MEMEX_CORS_ORIGINS": self.address("api"),
            **({} if "anyone" in callers else {"MEMEX_CALLERS": ",".join(map(self.email, callers))}),
        }

    @cached_property
    def grants(self) -> frozenset[Grant]:
        """Every role that is given."""
        return frozenset(self._grants())

    def _grants(self) -> Iterator[Grant]:
        agent = f"serviceAccount:service-{self.number}@gcp-sa-pubsub.iam.gserviceaccount.com"
        for name, function in FUNCTIONS.items():
            yield from self._of(name, function)
        for topic in TOPICS:
            yield Grant("topic", f"{topic}-dead", "roles/pubsub.publisher", agent)
        for subscription in SUBSCRIPTIONS:
            yield Grant("subscription", subscription, "roles/pubsub.subscriber", agent)
        yield Grant("project", "", "roles/eventarc.eventReceiver", self.member("eventarc"))
        yield Grant("project", "", "roles/logging.logWriter", self.member("workflow"))
        build = self.member("build")
        yield Grant("project", "", "roles/logging.logWriter", build)
        yield Grant("project", "", "roles/storage.objectViewer", build)
        yield Grant("bucket", self.bucket, "roles/storage.objectViewer", build)
        yield Grant("repository", REPOSITORY, "roles/artifactregistry.writer", build)

    def _of(self, name: str, function: Function) -> Iterator[Grant]:
        member = self.member(name)
        yield Grant("project", "", f"roles/datastore.{function.documents}", member)
        if function.workflows:
            yield Grant("project", "", "roles/workflows.invoker", member)
        if function.research and not self.gemini_secret:
            yield Grant("project", "", "roles/aiplatform.user", member)
        if (function.research or function.model) and self.gemini_secret:
            yield Grant("secret", self.gemini_secret, "roles/secretmanager.secretAccessor", member)
        if function.public:
            yield Grant("secret", DEVICE_KEYS, "roles/secretmanager.secretAccessor", member)
        for caller in function.callers:
            yield Grant("function", name, "roles/run.invoker", self.member(caller))
        for topic in function.publishes:
            yield Grant("topic", topic, "roles/pubsub.publisher", member)


def email(project: str, account: str) -> str:
    """Address of an account."""
    return f"memex-{account}@{project}.iam.gserviceaccount.com"


class Field(NamedTuple):
    """A field of an index, and how it is kept there."""

    path: str
    kept: str


class Index(NamedTuple):
    """An index over several fields."""

    collection: str
    scope: str
    fields: tuple[Field, ...]

    def __str__(self) -> str:
        return f"{self.collection} by {', '.join(field.path for field in self.fields)}"


def indexes() -> list[Index]:
    """Those of firestore.indexes.json."""
    return [
        Index(one["collectionGroup"], one["queryScope"], tuple(map(_field, one["fields"])))
        for one in _told()["indexes"]
    ]


def overrides() -> dict[tuple[str, str], frozenset[tuple[str, str]]]:
    """Collection and field -> the scopes and ways in which it alone is indexed; none is an exemption."""
    return {
        (one["collectionGroup"], one["fieldPath"]): frozenset(
            (index["queryScope"], index.get("order") or index.get("arrayConfig", "")) for index in one["indexes"]
        )
        for one in _told()["fieldOverrides"]
    }


def _field(told: dict[str, str]) -> Field:
    return Field(told["fieldPath"], told.get("order") or told.get("arrayConfig", ""))


def _told() -> dict[str, list[Any]]:
    told: dict[str, list[Any]] = json.loads((GCP / "firestore.indexes.json").read_text())
    return told
