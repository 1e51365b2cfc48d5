"""Every kind of fault of a deployment: what is spoilt, and what the doctor must say of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx

from infra.local.doctor import expected
from infra.local.doctor.credentials import NobodyThere
from infra.local.doctor.finding import Finding, Level, Unanswered
from tests.infra.local.doctor.world import (
    ACCOUNTS,
    APIS,
    BILLING,
    FIRESTORE,
    FORBIDDEN,
    JOBS,
    MONITORING,
    NAMES,
    NOT_FOUND,
    PROJECT,
    PUBSUB,
    RESOURCES,
    RUN,
    SECRETS,
    TRIGGERS,
    USERINFO,
    WORKFLOWS,
    L,
    P,
    World,
    disabled,
    error,
    health,
    policy_url,
    trigger,
    versions,
)

Spoil = Callable[[World], object]
TERRAFORM = "terraform -chdir=infra/gcp apply"
INDEXES, FIELDS = (f"{FIRESTORE}/collectionGroups/-/{kind}" for kind in ("indexes", "fields"))
MADE = len(expected.indexes())
"""Indexes over several fields; test_expected.py compares them with the plan."""


@dataclass(frozen=True)
class Fault:
    """One row of the table."""

    name: str
    spoil: Spoil
    check: str
    level: Level
    what: str
    mend: str = ""

    async def findings(self) -> dict[str, Finding]:
        """What the doctor finds where the fault is."""
        world = World()
        self.spoil(world)
        return await world.findings(self.check.partition(" / ")[0])


def answers(url: str, answer: Any) -> Spoil:
    """An address answers otherwise."""
    return lambda world: world.answers.update({url: answer})


def changes(url: str, **values: Any) -> Spoil:
    """Something is otherwise than it should be."""
    return lambda world: world.json(url).update(values)


def nobody(why: str) -> Spoil:
    """There are no credentials."""

    def fetch() -> Any:
        raise NobodyThere(why)

    return lambda world: setattr(world, "fetch", fetch)


def offline(world: World) -> None:
    """There is no network."""

    def fetch() -> Any:
        raise Unanswered("Google can't be reached")

    world.fetch = fetch
    for url in world.answers:
        world.answers[url] = httpx.ConnectError("no network")


def lists(url: str, field: str, change: Callable[[list[Any]], object]) -> Spoil:
    """A list is otherwise."""
    return lambda world: change(world.json(url)[field])


def index(at: int, **values: Any) -> Spoil:
    """One index of several fields is otherwise."""
    return lists(INDEXES, "indexes", lambda found: found[at].update(values))


def field(name: str, change: Callable[[dict[str, Any]], object]) -> Spoil:
    """The settings of one field are otherwise."""

    def spoil(world: World) -> None:
        (found,) = [one for one in world.json(FIELDS)["fields"] if one["name"].endswith(f"/collectionGroups/{name}")]
        change(found)

    return spoil


def service(name: str, **values: Any) -> Spoil:
    """A function's service is otherwise."""
    return lambda world: world.service(name).update(values)


def variable(function: str, name: str, value: str | None) -> Spoil:
    """A function has another value, or none."""

    def spoil(world: World) -> None:
        env = world.env(function)
        env[:] = [one for one in env if one["name"] != name]
        if value is not None:
            env.append({"name": name, "value": value})

    return spoil


def gemini(*states: str) -> Spoil:
    """Research runs with a key of the Gemini API, whose secret has these versions."""

    def spoil(world: World) -> None:
        for name in ("api", "enrich", "research", "dispatch", "tick"):
            variable(name, "MEMEX_VERTEX_PROJECT", None)(world)
            reference = {"secretKeyRef": {"secret": "gemini-key", "version": "latest"}}
            world.env(name).append({"name": "MEMEX_GEMINI_API_KEY", "valueSource": reference})
        world.answers[f"{SECRETS}/gemini-key/versions"] = versions("gemini-key", *states)

    return spoil


def without(url: str, member: str) -> Spoil:
    """An account has no role there."""
    return lambda world: world.revoke(url, member)


def everybody(world: World) -> None:
    """A private function lets everybody in."""
    world.json(policy_url("function", "tick"))["bindings"][0]["members"].append("allUsers")


def conditional(world: World) -> None:
    """A role is given only sometimes."""
    for binding in world.json(policy_url("project", ""))["bindings"]:
        if binding["role"] == "roles/eventarc.eventReceiver":
            binding["condition"] = {"title": "until May", "expression": "request.time < timestamp('2026-05-01')"}


def moved(world: World) -> None:
    """The trigger is in another region than everything else."""
    del world.answers[f"{TRIGGERS}/{L}/triggers/notes"]
    world.answers[f"{TRIGGERS}/{P}/locations/-/triggers"] = {"triggers": [trigger("us-central1")]}


def subscription(name: str, **values: Any) -> Spoil:
    """A subscription is otherwise."""

    def change(found: list[Any]) -> None:
        (one,) = [one for one in found if one["name"].endswith(f"/{name}")]
        one.update(values)

    return lists(f"{PUBSUB}/subscriptions", "subscriptions", change)


def dead(count: str) -> Spoil:
    """Messages were given up."""
    return lists(MONITORING, "timeSeries", lambda all_: all_[0]["points"][0]["value"].update(int64Value=count))


def _account(name: str) -> Callable[[list[Any]], dict[str, Any]]:
    return lambda accounts: next(one for one in accounts if one["email"] == NAMES.email(name))


def _told(topic: str) -> list[Fault]:
    """What can be wrong with the way on which given up messages come on record."""
    check, name = "Events and work / Subscriptions", f"{topic}-told"
    url = f"{PUBSUB}/subscriptions"

    def gone(found: list[Any]) -> None:
        found[:] = [one for one in found if not one["name"].endswith(f"/{name}")]

    def push(**values: Any) -> dict[str, Any]:
        token = {"serviceAccountEmail": NAMES.email("push"), "audience": NAMES.address("dispatch")}
        return {"pushEndpoint": f"{NAMES.address('dispatch')}/dead", "oidcToken": token, **values}

    spoilt: list[tuple[str, Spoil, str]] = [
        ("missing", lists(url, "subscriptions", gone), f"nobody is told what {topic} gives up"),
        ("another_topic", subscription(name, topic=f"{P}/topics/{topic}"), f"{name} hears another topic"),
        ("detached", subscription(name, detached=True), f"{name} hears another topic"),
        ("pulled", subscription(name, pushConfig={}), f"{name} is brought elsewhere"),
        (
            "misses_the_path",
            subscription(name, pushConfig=push(pushEndpoint=NAMES.address("dispatch"))),
            f"{name} is brought elsewhere",
        ),
        (
            "a_stranger",
            subscription(name, pushConfig=push(oidcToken={})),
            f"{name} is called as somebody whom it does not let in",
        ),
        ("filtered", subscription(name, filter='attributes.x = "y"'), f"{name} has a filter"),
        ("off", subscription(name, state="RESOURCE_ERROR"), f"{name} is not active"),
    ]
    return [Fault(f"{name}_{what}", spoil, check, "problem", said, TERRAFORM) for what, spoil, said in spoilt]


def _workflow(name: str) -> list[Fault]:
    """What can be wrong with a workflow."""
    check, url = f"Events and work / Workflow {name.replace('_', ' ')}", WORKFLOWS[name]
    elsewhere = {variable: "https://x.run.app" for variable in NAMES.variables(name)}
    spoilt: list[tuple[str, Spoil, str, str]] = [
        ("missing", answers(url, NOT_FOUND), "not deployed", TERRAFORM),
        (
            "differs",
            changes(url, sourceContents="main:\n  steps: []\n"),
            f"not the one of {name}.yaml here",
            f"gcloud workflows deploy {name} --source=",
        ),
        (
            "unavailable",
            changes(url, state="UNAVAILABLE", stateError={"details": "The key is gone.", "type": "KMS_ERROR"}),
            "not active: The key is gone.",
            TERRAFORM,
        ),
        ("told_otherwise", changes(url, userEnvVars=elsewhere), f"{', '.join(elsewhere)} otherwise", TERRAFORM),
        (
            "is_somebody_else",
            changes(url, serviceAccount=f"{P}/serviceAccounts/1-compute@developer"),
            f"does not run as {NAMES.email('workflow')}",
            TERRAFORM,
        ),
    ]
    return [Fault(f"workflow_{name}_{what}", spoil, check, "problem", said, mend) for what, spoil, said, mend in spoilt]


DROP: Callable[[list[Any]], object] = lambda found: found.pop(0)  # noqa: E731  # short, and used four times

FAULTS = [
    # -- the ground
    Fault(
        "no_credentials",
        nobody("there are no Google credentials here"),
        "Project / Credentials",
        "problem",
        "no Google credentials",
        "gcloud auth application-default login",
    ),
    Fault(
        "revoked",
        answers(f"{RESOURCES}/{P}", error(401, "UNAUTHENTICATED")),
        "Project / Credentials",
        "problem",
        "does not take the credentials",
        "gcloud auth application-default login",
    ),
    Fault("offline", offline, "Project / Credentials", "unknown", "can't be reached"),
    Fault("no_name", answers(USERINFO, error(401, "UNAUTHENTICATED")), "Project / Credentials", "ok", "signed in"),
    Fault(
        "no_project",
        answers(f"{RESOURCES}/{P}", NOT_FOUND),
        "Project / Project",
        "problem",
        "there is no project memex-test",
        "gcloud projects list",
    ),
    Fault(
        "forbidden",
        answers(f"{RESOURCES}/{P}", FORBIDDEN),
        "Project / Project",
        "unknown",
        "may not look",
        "--role=roles/viewer",
    ),
    Fault(
        "deleted",
        changes(f"{RESOURCES}/{P}", state="DELETE_REQUESTED"),
        "Project / Project",
        "problem",
        "delete requested",
        "gcloud projects undelete memex-test",
    ),
    Fault(
        "unpaid",
        changes(BILLING, billingEnabled=False, billingAccountName=""),
        "Project / Billing",
        "problem",
        "no billing account",
        "gcloud billing projects link memex-test",
    ),
    Fault(
        "billing_is_hidden",
        answers(BILLING, disabled("cloudbilling.googleapis.com")),
        "Project / Billing",
        "unknown",
        "cloudbilling.googleapis.com is not enabled",
        "gcloud billing projects describe memex-test",
    ),
    Fault(
        "api_disabled",
        lists(APIS, "services", DROP),
        "Project / APIs",
        "problem",
        "1 of 19 are not enabled: aiplatform",
        "gcloud services enable aiplatform.googleapis.com --project=memex-test",
    ),
    # -- Firestore
    Fault("no_database", answers(FIRESTORE, NOT_FOUND), "Firestore / Database", "problem", "no database", TERRAFORM),
    Fault(
        "another_region",
        changes(FIRESTORE, locationId="us-central1"),
        "Firestore / Database",
        "problem",
        "it is in us-central1, and the trigger in europe-west1",
        "can't be moved",
    ),
    Fault(
        "multi_region",
        changes(FIRESTORE, locationId="eur3"),
        "Firestore / Database",
        "problem",
        "it is in eur3",
        "No trigger serves a multi-region",
    ),
    Fault(
        "datastore",
        changes(FIRESTORE, type="DATASTORE_MODE"),
        "Firestore / Database",
        "problem",
        "DATASTORE_MODE",
        "another project",
    ),
    Fault(
        "unprotected",
        changes(FIRESTORE, deleteProtectionState="DELETE_PROTECTION_DISABLED"),
        "Firestore / Database",
        "warning",
        "could delete it",
        "--delete-protection",
    ),
    Fault(
        "firestore_disabled",
        answers(INDEXES, disabled("firestore.googleapis.com")),
        "Firestore / Indexes",
        "unknown",
        "firestore.googleapis.com is not enabled",
        "gcloud services enable firestore.googleapis.com",
    ),
    Fault(
        "index_missing",
        lists(INDEXES, "indexes", DROP),
        "Firestore / Indexes",
        "problem",
        f"1 of {MADE} are missing: activity by session_id, _path",
        TERRAFORM,
    ),
    Fault(
        "index_of_another_scope",
        index(3, queryScope="COLLECTION_GROUP"),
        "Firestore / Indexes",
        "problem",
        f"1 of {MADE} are missing",
        TERRAFORM,
    ),
    Fault(
        "index_creating",
        index(1, state="CREATING"),
        "Firestore / Indexes",
        "warning",
        f"1 of {MADE} are still being built",
        "gcloud firestore operations list",
    ),
    Fault(
        "index_broken",
        index(1, state="NEEDS_REPAIR"),
        "Firestore / Indexes",
        "problem",
        "could not be built",
        "gcloud firestore indexes composite list",
    ),
    Fault(
        "no_indexes", answers(INDEXES, {}), "Firestore / Indexes", "problem", f"{MADE} of {MADE} are missing", TERRAFORM
    ),
    Fault(
        "field_missing",
        field("notes/fields/research.requested", lambda one: one.update(indexConfig={"usesAncestorConfig": True})),
        "Firestore / Single fields",
        "problem",
        "tick can't search notes.research.requested",
        TERRAFORM,
    ),
    Fault(
        "field_creating",
        field("operations/fields/status", lambda one: one["indexConfig"]["indexes"][1].update(state="CREATING")),
        "Firestore / Single fields",
        "warning",
        "operations.status are still being built",
        "gcloud firestore operations list",
    ),
    Fault(
        "field_not_exempt",
        lists(FIELDS, "fields", lambda all_: all_.remove(next(one for one in all_ if "/fields/body" in one["name"]))),
        "Firestore / Single fields",
        "warning",
        "notes.body are indexed",
        TERRAFORM,
    ),
    Fault(
        "no_ttl",
        field("idempotency/fields/expires_at", lambda one: one.pop("ttlConfig")),
        "Firestore / TTL",
        "problem",
        "has no policy",
        "gcloud firestore fields ttls update expires_at --collection-group=idempotency --enable-ttl",
    ),
    Fault(
        "ttl_creating",
        field("idempotency/fields/expires_at", lambda one: one.update(ttlConfig={"state": "CREATING"})),
        "Firestore / TTL",
        "warning",
        "still being set up",
        "gcloud firestore operations list",
    ),
    Fault(
        "no_ttl_of_receipts",
        field("receipts/fields/expires_at", lambda one: one.pop("ttlConfig")),
        "Firestore / TTL",
        "problem",
        "receipts.expires_at has no policy",
        "gcloud firestore fields ttls update expires_at --collection-group=receipts --enable-ttl",
    ),
    Fault("no_fields", answers(FIELDS, NOT_FOUND), "Firestore / TTL", "problem", "without a database", TERRAFORM),
    # -- accounts and secrets
    Fault(
        "account_missing",
        lists(ACCOUNTS, "accounts", DROP),
        "Accounts and secrets / Accounts",
        "problem",
        f"1 of {len(expected.ACCOUNTS)} are missing: memex-capture",
        TERRAFORM,
    ),
    Fault(
        "account_disabled",
        lists(ACCOUNTS, "accounts", lambda all_: _account("fanout")(all_).update(disabled=True)),
        "Accounts and secrets / Accounts",
        "problem",
        "memex-fanout disabled",
        f"gcloud iam service-accounts enable {NAMES.email('fanout')}",
    ),
    Fault(
        "role_missing",
        without(policy_url("project", ""), "memex-enrich@"),
        "Accounts and secrets / Roles",
        "problem",
        "memex-enrich lacks roles/datastore.user",
        f"gcloud projects add-iam-policy-binding memex-test --member=serviceAccount:{NAMES.email('enrich')}"
        " --role=roles/datastore.user --condition=None",
    ),
    Fault(
        "role_conditional",
        conditional,
        "Accounts and secrets / Roles",
        "problem",
        "memex-eventarc lacks roles/eventarc.eventReceiver",
        "--role=roles/eventarc.eventReceiver",
    ),
    Fault(
        "policy_forbidden",
        answers(policy_url("project", ""), FORBIDDEN),
        "Accounts and secrets / Roles",
        "unknown",
        "may not look",
        "--role=roles/iam.securityReviewer",
    ),
    Fault(
        "caller_missing",
        without(policy_url("function", "research"), "memex-workflow@"),
        "Accounts and secrets / Callers",
        "problem",
        "memex-workflow lacks roles/run.invoker on function research",
        f"gcloud run services add-iam-policy-binding research --region=europe-west1 --project={PROJECT}",
    ),
    Fault(
        "everybody",
        everybody,
        "Accounts and secrets / Callers",
        "problem",
        "everybody has roles/run.invoker on function tick",
        "gcloud run services remove-iam-policy-binding tick",
    ),
    Fault(
        "publisher_missing",
        without(policy_url("topic", "note-events-dead"), "gcp-sa-pubsub"),
        "Accounts and secrets / Publishers",
        "problem",
        "lacks roles/pubsub.publisher on topic note-events-dead",
        "gcloud pubsub topics add-iam-policy-binding note-events-dead",
    ),
    Fault(
        "subscriber_missing",
        without(policy_url("subscription", "enrich"), "gcp-sa-pubsub"),
        "Accounts and secrets / Publishers",
        "problem",
        "on subscription enrich",
        "gcloud pubsub subscriptions add-iam-policy-binding enrich",
    ),
    Fault(
        "reader_missing",
        without(policy_url("secret", "memex-device-keys"), "memex-api@"),
        "Accounts and secrets / Secret readers",
        "problem",
        "memex-api lacks roles/secretmanager.secretAccessor on secret memex-device-keys",
        "gcloud secrets add-iam-policy-binding memex-device-keys",
    ),
    Fault(
        "bucket_missing",
        answers(policy_url("bucket", NAMES.bucket), NOT_FOUND),
        "Accounts and secrets / Builder",
        "problem",
        "bucket memex-test-memex-source is not there",
        TERRAFORM,
    ),
    Fault(
        "builder_reads_nothing",
        without(policy_url("bucket", NAMES.bucket), "memex-build@"),
        "Accounts and secrets / Builder",
        "problem",
        "memex-build lacks roles/storage.objectViewer",
        "gcloud storage buckets add-iam-policy-binding gs://memex-test-memex-source",
    ),
    Fault(
        "builder_writes_nothing",
        answers(policy_url("repository", "memex"), {"etag": "ACAB"}),
        "Accounts and secrets / Builder",
        "problem",
        "memex-build lacks roles/artifactregistry.writer",
        "gcloud artifacts repositories add-iam-policy-binding memex --location=europe-west1",
    ),
    Fault(
        "keys_without_a_version",
        answers(f"{SECRETS}/memex-device-keys/versions", {}),
        "Accounts and secrets / Device keys",
        "problem",
        "has no version",
        "gcloud secrets versions add memex-device-keys --data-file",
    ),
    Fault(
        "keys_disabled",
        answers(f"{SECRETS}/memex-device-keys/versions", versions("memex-device-keys", "ENABLED", "DISABLED")),
        "Accounts and secrets / Device keys",
        "problem",
        "version 2 of memex-device-keys, the newest, is disabled",
        "gcloud secrets versions enable 2 --secret=memex-device-keys",
    ),
    Fault(
        "keys_empty",
        answers(f"{SECRETS}/memex-device-keys/versions", versions("memex-device-keys", "ENABLED")),
        "Accounts and secrets / Device keys",
        "warning",
        "nobody gets in",
        "gcloud secrets versions add memex-device-keys",
    ),
    Fault(
        "no_secret",
        answers(f"{SECRETS}/memex-device-keys/versions", NOT_FOUND),
        "Accounts and secrets / Device keys",
        "problem",
        "no secret memex-device-keys",
        TERRAFORM,
    ),
    Fault(
        "gemini_key", gemini("ENABLED"), "Accounts and secrets / Gemini key", "ok", "version 1 of gemini-key is enabled"
    ),
    Fault(
        "gemini_key_unreadable",
        gemini("ENABLED"),
        "Accounts and secrets / Secret readers",
        "problem",
        "secret gemini-key is not there",
        TERRAFORM,
    ),
    Fault(
        "gemini_without_a_key",
        gemini(),
        "Accounts and secrets / Gemini key",
        "problem",
        "gemini-key has no version",
        "gcloud secrets versions add gemini-key",
    ),
    Fault(
        "no_gemini_secret",
        lambda world: [gemini()(world), answers(f"{SECRETS}/gemini-key/versions", NOT_FOUND)(world)],
        "Accounts and secrets / Gemini key",
        "problem",
        "no secret gemini-key",
        "gcloud secrets create gemini-key",
    ),
    # -- functions
    Fault("not_deployed", lists(RUN, "services", DROP), "Functions / capture", "problem", "not deployed", TERRAFORM),
    Fault(
        "not_ready",
        service("api", terminalCondition={"state": "CONDITION_FAILED", "message": "The container failed to start."}),
        "Functions / api",
        "problem",
        "not ready: The container failed to start.",
        "gcloud run services logs read api",
    ),
    Fault(
        "variable_missing",
        variable("tick", "MEMEX_CALLERS", None),
        "Functions / tick",
        "problem",
        "MEMEX_CALLERS not set",
        TERRAFORM,
    ),
    Fault(
        "variable_required",
        variable("capture", "MEMEX_DEVICE_KEYS_FILE", ""),
        "Functions / capture",
        "problem",
        "MEMEX_DEVICE_KEYS_FILE not set",
        TERRAFORM,
    ),
    Fault(
        "variable_of_another_region",
        variable("fanout", "MEMEX_REGION", "us-central1"),
        "Functions / fanout",
        "problem",
        "MEMEX_REGION otherwise than deployed",
        TERRAFORM,
    ),
    Fault(
        "variable_unusable",
        variable("enrich", "MEMEX_MAX_RUNNING", "many"),
        "Functions / enrich",
        "problem",
        "MEMEX_MAX_RUNNING",
        TERRAFORM,
    ),
    Fault(
        "more_origins_are_fine",
        variable("api", "MEMEX_CORS_ORIGINS", f"{NAMES.address('api')},https://memex.example.org"),
        "Functions / api",
        "ok",
        "ready",
    ),
    Fault(
        "more_callers_are_not",
        variable("tick", "MEMEX_CALLERS", f"{NAMES.email('scheduler')},me@example.org"),
        "Functions / tick",
        "problem",
        "MEMEX_CALLERS otherwise",
        TERRAFORM,
    ),
    Fault(
        "no_service_researches",
        variable("research", "MEMEX_VERTEX_PROJECT", None),
        "Functions / research",
        "problem",
        "no Deep Research, and no Gemini",
        TERRAFORM,
    ),
    Fault(
        "our_own_agents_step_in",
        variable("research", "MEMEX_VERTEX_PROJECT", None),
        "Research / Who does it",
        "warning",
        "deep, and no service is set that has it: Memex's own agents do it",
        "TF_VAR_gemini_secret",
    ),
    Fault(
        "our_own_agents_by_choice",
        variable("research", "MEMEX_RESEARCH_ENGINE", "local"),
        "Research / Who does it",
        "ok",
        f"own agents do it, with the chat's model, from notes and allowed pages (MEMEX_RESEARCH_ENGINE is local); "
        f"Deep Research on Vertex AI of {PROJECT} is there",
    ),
    Fault(
        "our_own_agents_alone",
        lambda world: (
            variable("research", "MEMEX_RESEARCH_ENGINE", "local")(world),
            variable("research", "MEMEX_VERTEX_PROJECT", None)(world),
        ),
        "Research / Who does it",
        "ok",
        "there is no Deep Research to choose",
    ),
    Fault(
        "a_gemini_key_researches",
        gemini("ENABLED"),
        "Research / Who does it",
        "ok",
        "Deep Research (MEMEX_RESEARCH_ENGINE is deep); where it is not to be had, Memex's own agents",
    ),
    Fault(
        "who_researches_can_not_be_read",
        variable("research", "MEMEX_PROJECT", None),
        "Research / Who does it",
        "unknown",
        "does not have its variables",
    ),
    Fault(
        "no_research_function",
        lambda world: world.json(RUN)["services"].remove(world.service("research")),
        "Research / Who does it",
        "unknown",
        "not deployed",
    ),
    Fault(
        "another_account",
        lambda world: world.service("dispatch")["template"].update(serviceAccount="1-compute@developer"),
        "Functions / dispatch",
        "problem",
        f"does not run as {NAMES.email('dispatch')}",
        TERRAFORM,
    ),
    Fault(
        "open_ingress",
        service("research", ingress="INGRESS_TRAFFIC_ALL"),
        "Functions / research",
        "problem",
        "requests from outside",
        TERRAFORM,
    ),
    Fault(
        "closed_ingress",
        service("api", ingress="INGRESS_TRAFFIC_INTERNAL_ONLY"),
        "Functions / api",
        "problem",
        "browsers can't reach it",
        TERRAFORM,
    ),
    Fault(
        "unchecked",
        service("tick", invokerIamDisabled=True),
        "Functions / tick",
        "problem",
        "who may call it is not checked",
        TERRAFORM,
    ),
    Fault("run_slow", answers(RUN, httpx.ReadTimeout("slow")), "Functions / api", "unknown", "did not answer in time"),
    Fault("run_busy", answers(RUN, error(429, "RESOURCE_EXHAUSTED")), "Functions / api", "unknown", "answered 429"),
    Fault(
        "proxy",
        answers(RUN, httpx.Response(200, text="<html>Welcome to the hotel</html>")),
        "Functions / api",
        "unknown",
        "is a proxy between?",
    ),
    # -- from outside
    Fault(
        "unreachable",
        answers(health("api"), httpx.ConnectError("no route")),
        "From outside / api",
        "unknown",
        "can't be reached",
    ),
    Fault(
        "silent",
        answers(health("api"), httpx.ReadTimeout("slow")),
        "From outside / api",
        "problem",
        "does not answer in time",
        "gcloud run services logs read api",
    ),
    Fault(
        "broken_off",
        answers(health("tick"), httpx.RemoteProtocolError("gone")),
        "From outside / tick",
        "problem",
        "breaks the connection off",
        "gcloud run services logs read tick",
    ),
    Fault(
        "closed",
        answers(health("capture"), httpx.Response(403, text="Forbidden")),
        "From outside / capture",
        "problem",
        "lets nobody in",
        "gcloud run services add-iam-policy-binding capture --region=europe-west1 --member=allUsers",
    ),
    Fault("nothing", answers(health("api"), httpx.Response(404)), "From outside / api", "problem", "404", TERRAFORM),
    Fault(
        "crashing",
        answers(health("api"), httpx.Response(500)),
        "From outside / api",
        "problem",
        "answered 500",
        "gcloud run services logs read api",
    ),
    Fault("busy", answers(health("api"), httpx.Response(429)), "From outside / api", "unknown", "busy"),
    Fault(
        "open",
        answers(health("research"), {"status": "ok"}),
        "From outside / research",
        "problem",
        "answers strangers",
        "gcloud run services remove-iam-policy-binding research",
    ),
    Fault("internal", answers(health("tick"), httpx.Response(404)), "From outside / tick", "ok", "closed"),
    Fault("neither", answers(health("tick"), httpx.Response(503)), "From outside / tick", "unknown", "503"),
    # -- events and work
    Fault(
        "trigger_elsewhere",
        moved,
        "Events and work / Trigger",
        "problem",
        "it is in us-central1, and the database's events are in europe-west1",
        "gcloud eventarc triggers delete notes --location=us-central1",
    ),
    Fault(
        "no_trigger",
        lambda world: [
            world.answers.pop(f"{TRIGGERS}/{L}/triggers/notes"),
            answers(f"{TRIGGERS}/{P}/locations/-/triggers", {})(world),
        ],
        "Events and work / Trigger",
        "problem",
        "there is none",
        TERRAFORM,
    ),
    Fault(
        "trigger_failed",
        changes(
            f"{TRIGGERS}/{L}/triggers/notes",
            conditions={"gcpDestinationNotFound": {"code": "NOT_FOUND", "message": "The service is gone."}},
        ),
        "Events and work / Trigger",
        "problem",
        "not active: The service is gone.",
        "gcloud eventarc triggers describe notes",
    ),
    Fault(
        "trigger_hears_otherwise",
        lists(f"{TRIGGERS}/{L}/triggers/notes", "eventFilters", lambda all_: all_[2].update(value="tasks/{task}")),
        "Events and work / Trigger",
        "problem",
        "something else (document)",
        TERRAFORM,
    ),
    Fault(
        "trigger_aims_elsewhere",
        changes(f"{TRIGGERS}/{L}/triggers/notes", destination={"cloudRun": {"service": "api", "region": "x"}}),
        "Events and work / Trigger",
        "problem",
        "to api, not to fanout",
        TERRAFORM,
    ),
    Fault(
        "trigger_is_somebody_else",
        changes(f"{TRIGGERS}/{L}/triggers/notes", serviceAccount="1-compute@developer"),
        "Events and work / Trigger",
        "problem",
        "does not let in",
        TERRAFORM,
    ),
    Fault(
        "topic_missing",
        lists(f"{PUBSUB}/topics", "topics", DROP),
        "Events and work / Topics",
        "problem",
        "missing: note-events",
        TERRAFORM,
    ),
    Fault(
        "subscription_missing",
        lists(f"{PUBSUB}/subscriptions", "subscriptions", DROP),
        "Events and work / Subscriptions",
        "problem",
        "enrich hears nothing",
        TERRAFORM,
    ),
    Fault(
        "topic_deleted",
        subscription("dispatch", topic="_deleted-topic_"),
        "Events and work / Subscriptions",
        "problem",
        "dispatch hears another topic",
        TERRAFORM,
    ),
    Fault(
        "filter",
        subscription("enrich", filter=""),
        "Events and work / Subscriptions",
        "problem",
        "enrich has another filter",
        TERRAFORM,
    ),
    Fault(
        "pull_instead_of_push",
        subscription("research", pushConfig={}),
        "Events and work / Subscriptions",
        "problem",
        "research is brought elsewhere",
        TERRAFORM,
    ),
    Fault(
        "gives_up_into_nothing",
        subscription("research", deadLetterPolicy={}),
        "Events and work / Subscriptions",
        "problem",
        "research keeps nothing that it gives up",
        TERRAFORM,
    ),
    Fault(
        "nothing_keeps",
        lists(f"{PUBSUB}/subscriptions", "subscriptions", lambda all_: all_.pop()),
        "Events and work / Subscriptions",
        "problem",
        "nothing keeps what operation-events gives up",
        TERRAFORM,
    ),
    *(fault for topic in ("note-events", "operation-events") for fault in _told(topic)),
    Fault(
        "dead_letters",
        dead("3"),
        "Events and work / Dead letters",
        "warning",
        "3 in note-events-dead",
        "gcloud pubsub subscriptions pull note-events-dead --limit=10",
    ),
    Fault(
        "not_counted",
        answers(MONITORING, {}),
        "Events and work / Dead letters",
        "unknown",
        "has not counted",
        "gcloud pubsub subscriptions pull",
    ),
    *(fault for name in WORKFLOWS for fault in _workflow(name)),
    Fault("no_job", answers(JOBS, NOT_FOUND), "Events and work / Scheduler", "problem", "there is no job", TERRAFORM),
    Fault(
        "job_paused",
        changes(JOBS, state="PAUSED"),
        "Events and work / Scheduler",
        "problem",
        "paused",
        "gcloud scheduler jobs resume tick --location=europe-west1",
    ),
    Fault(
        "job_failing",
        changes(JOBS, status={"code": 7}),
        "Events and work / Scheduler",
        "warning",
        "the last call failed (code 7)",
        "gcloud scheduler jobs run tick",
    ),
    Fault(
        "job_rare",
        changes(JOBS, schedule="0 3 * * *"),
        "Events and work / Scheduler",
        "warning",
        "0 3 * * *",
        TERRAFORM,
    ),
    Fault(
        "job_calls_elsewhere",
        lambda world: world.json(JOBS)["httpTarget"].update(uri="https://x.run.app/"),
        "Events and work / Scheduler",
        "problem",
        "another address",
        TERRAFORM,
    ),
    Fault(
        "job_is_somebody_else",
        lambda world: world.json(JOBS)["httpTarget"]["oidcToken"].update(serviceAccountEmail="x@y"),
        "Events and work / Scheduler",
        "problem",
        "does not let in",
        TERRAFORM,
    ),
]
