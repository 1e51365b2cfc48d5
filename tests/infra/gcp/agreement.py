"""What the plan and the code must agree on: each rule is a function that fails with what differs."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

from starlette.routing import Match

from infra.local.store.expiry import COLLECTIONS
from shared.config import BOUNDS, REQUIRED, Settings
from shared.events.bus import SUBSCRIPTIONS, Topic
from tests.infra.gcp.plan import Plan

ROOT = Path(__file__).parents[3]
MODULE = ROOT / "infra" / "gcp"

NOT_IN_THE_CLOUD = {
    "MEMEX_SAME_ORIGIN": "one origin for all functions is the local product",
    "MEMEX_RESEARCH_URL": "a stand-in's address; the workflow's variable of this name is another one",
    "MEMEX_OPENAI_API_KEY": "a secret: where one is wanted, add it as MEMEX_GEMINI_API_KEY is",
    "MEMEX_IDENTITY_KEYS_URL": "Google's own",
    "MEMEX_IDENTITY_ISSUER": "Google itself",
    "MEMEX_EXECUTIONS_ENDPOINT": "Google's own",
    "MEMEX_GEMINI_API_KEY": "only with var.gemini_secret, then as a secret",
}
"""Settings that the deployment leaves alone, and why."""

ROLES = {
    "roles/aiplatform.user": "research on Vertex AI",
    "roles/artifactregistry.writer": "the build's image",
    "roles/datastore.user": "read and write documents",
    "roles/datastore.viewer": "read documents",
    "roles/eventarc.eventReceiver": "the trigger",
    "roles/logging.logWriter": "logs of builds and of failed calls of the workflow",
    "roles/pubsub.publisher": "messages",
    "roles/pubsub.subscriber": "dead letters",
    "roles/run.invoker": "calls of functions",
    "roles/secretmanager.secretAccessor": "device keys, the Gemini key",
    "roles/storage.objectViewer": "the archive",
    "roles/workflows.invoker": "executions",
}
"""Every role that is given by default: Google's names, which no schema knows."""

SERVICES = {
    "artifact_registry": "artifactregistry",
    "billing": "billingbudgets",
    "cloud_run": "run",
    "cloud_scheduler": "cloudscheduler",
    "cloudbuild": "cloudbuild",
    "cloudfunctions2": "cloudfunctions",
    "eventarc": "eventarc",
    "firestore": "firestore",
    "monitoring": "monitoring",
    "project": "cloudresourcemanager",
    "pubsub": "pubsub",
    "secret_manager": "secretmanager",
    "service_account": "iam",
    "storage": "storage",
    "workflows": "workflows",
}
"""The API that a type of resource belongs to, by the beginning of its name."""


def folders() -> set[str]:
    """The functions that there are."""
    return {file.parent.name for file in (ROOT / "functions").glob("*/main.py")}


def source(function: str) -> str:
    """A function's main.py."""
    return (ROOT / "functions" / function / "main.py").read_text()


def workflows(plan: Plan) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Each workflow: its text, its values, and the function whose steps it calls."""
    for _, workflow in plan.items("workflows_workflow"):
        text = (ROOT / "workflows" / f"{workflow['name']}.yaml").read_text()
        (address,) = re.findall(r'url: \$\{sys\.get_env\("(MEMEX_\w+_URL)"\)\}', text)
        yield text, workflow, plan.function_at(workflow["user_env_vars"][address])


def takes(function: str, path: str) -> bool:
    """Whether a function's app has a route for a POST to this path."""
    app = import_module(f"functions.{function}.main").app
    scope = {"type": "http", "path": path, "method": "POST", "headers": [], "root_path": ""}
    return any(route.matches(scope)[0] is Match.FULL for route in app.router.routes)


# -- functions -------------------------------------------------------------------------------------------------


def each_function_is_deployed(plan: Plan) -> None:
    """Every folder is a function and the reverse, built from its own file and entry point."""
    assert set(plan.functions) == folders()
    for name, function in plan.functions.items():
        build = function["build_config"][0]
        file = build["environment_variables"]["GOOGLE_FUNCTION_SOURCE"]
        assert file == f"functions/{name}/main.py"
        assert (ROOT / file).is_file()
        assert re.search(
            rf"^@functions_framework\.aio\.http\nasync def {build['entry_point']}\(", source(name), re.MULTILINE
        )


def settings_are_those_that_the_code_reads(plan: Plan) -> None:
    """What is set is read, and what is read is set, optional, or left out for a reason that is written down."""
    known = {f"MEMEX_{field.name.upper()}" for field in fields(Settings)}
    listed = re.search(r"optional_settings = \[(.*?)\]", (MODULE / "functions.tf").read_text(), re.DOTALL)
    assert listed
    optional = set(re.findall(r'"(\w+)"', listed[1]))
    planned: set[str] = set()
    for name in plan.functions:
        ours = {variable for variable in plan.environment(name) if variable.startswith("MEMEX_")}
        assert ours <= known, f"{name}: nobody reads {ours - known}"
        assert {f"MEMEX_{field.upper()}" for field in REQUIRED} <= ours
        Settings.from_env(plan.environment(name))
        planned |= ours
    assert optional <= known, f"nobody reads {optional - known}"
    assert optional & planned <= {"MEMEX_CORS_ORIGINS"}, "set here, and so an addition changes nothing"
    missing = known - planned - optional - NOT_IN_THE_CLOUD.keys()
    assert not missing, f"neither set nor optional: {missing}"
    assert not NOT_IN_THE_CLOUD.keys() & (optional | planned), "left out, and yet set"


def time_limits_fit(plan: Plan) -> None:
    """Who waits for a function waits as long as it may take; a stream ends before it, a task before its workflow."""
    (longest,) = [high for name, _, high in BOUNDS if name == "task_timeout_seconds"]
    (minutes,) = [one["user_env_vars"]["MEMEX_AGENT_MINUTES"] for _, one, owner in workflows(plan) if owner == "agent"]
    assert int(minutes) * 60 > longest
    limits = {name: function["service_config"][0]["timeout_seconds"] for name, function in plan.functions.items()}
    for text, _, owner in workflows(plan):
        assert limits[owner] >= max(map(int, re.findall(r"timeout: (\d+)", text)))
    assert limits["tick"] <= int(plan.one("cloud_scheduler_job")["attempt_deadline"].removesuffix("s"))
    assert limits["api"] > import_module("functions.api.operations").STREAM_SECONDS
    assert max(limits.values()) <= 3600


# -- who calls whom --------------------------------------------------------------------------------------------


def callers_are_those_that_call(plan: Plan) -> None:
    """MEMEX_CALLERS, Cloud Run's own gate, and the accounts of what calls are the same for each private function."""
    calling: dict[str, set[str]] = defaultdict(set)
    for _, subscription in plan.items("pubsub_subscription", "push"):
        push = subscription["push_config"][0]
        calling[plan.function_at(push["push_endpoint"])].add(push["oidc_token"][0]["service_account_email"])
    job = plan.one("cloud_scheduler_job")["http_target"][0]
    calling[plan.function_at(job["uri"])].add(job["oidc_token"][0]["service_account_email"])
    trigger = plan.one("eventarc_trigger")
    calling[trigger["destination"][0]["cloud_run_service"][0]["service"]].add(trigger["service_account"])
    for _, workflow, owner in workflows(plan):
        calling[owner].add(workflow["service_account"])

    admitted: dict[str, set[str]] = defaultdict(set)
    for _, member in plan.items("cloud_run_v2_service_iam_member"):
        assert member["role"] == "roles/run.invoker"
        admitted[member["name"]].add(member["member"].removeprefix("serviceAccount:"))

    for name in plan.functions:
        private = "private=True" in source(name)
        expected = calling[name] if private else {"allUsers"}
        assert expected, f"nobody calls {name}"
        assert admitted[name] == expected, f"{name} lets in {admitted[name]}, and {expected} call"
        listed = {email for email in plan.environment(name).get("MEMEX_CALLERS", "").split(",") if email}
        assert listed == (expected if private else set()), f"{name} accepts {listed}"
        ingress = plan.functions[name]["service_config"][0]["ingress_settings"]
        assert ingress == ("ALLOW_INTERNAL_ONLY" if private else "ALLOW_ALL")


def audiences_are_addresses(plan: Plan) -> None:
    """A token names the function's address without a path, as shared/http.py expects it."""
    targets = [
        (push["push_endpoint"], push["oidc_token"][0]["audience"])
        for _, subscription in plan.items("pubsub_subscription", "push")
        for push in subscription["push_config"]
    ]
    job = plan.one("cloud_scheduler_job")["http_target"][0]
    targets.append((job["uri"], job["oidc_token"][0]["audience"]))
    for target, audience in targets:
        assert audience == plan.address(plan.function_at(target))
        assert target == f"{audience}/"
    for text, _, _ in workflows(plan):
        assert set(re.findall(r"audience: (.*)", text)) == {"${url}"}
    assert len({plan.environment(name)["MEMEX_FUNCTIONS_URL"] for name in plan.functions}) == 1


def browsers_may_call_what_is_public(plan: Plan) -> None:
    """The web client comes from api; whatever else it calls lets that origin in."""
    for name in plan.functions:
        if "private=True" not in source(name):
            assert plan.address("api") in Settings.from_env(plan.environment(name)).cors_origins


def each_call_has_a_route(plan: Plan) -> None:
    """Whatever the workflow, the subscriptions, the trigger and the job call exists."""
    assert {one["name"] for _, one in plan.items("workflows_workflow")} == {
        file.stem for file in (ROOT / "workflows").glob("*.yaml")
    }
    for text, workflow, owner in workflows(plan):
        variables = workflow["user_env_vars"]
        assert set(re.findall(r'sys\.get_env\("(MEMEX_\w+)"\)', text)) == variables.keys()
        called = re.findall(r'url: \$\{url \+ "(/\w+)"\}', text)
        assert len(called) == text.count("url: ${url")
        for path in called:
            assert takes(owner, path), f"{owner} has no {path}"
        if "MEMEX_RESEARCH_MINUTES" in variables:
            assert variables["MEMEX_RESEARCH_MINUTES"] == plan.environment(owner)["MEMEX_RESEARCH_MINUTES"]
    for _, subscription in plan.items("pubsub_subscription", "push"):
        assert takes(plan.function_at(subscription["push_config"][0]["push_endpoint"]), "/")
    destination = plan.one("eventarc_trigger")["destination"][0]["cloud_run_service"][0]
    assert takes(destination["service"], destination["path"])
    assert takes("tick", "/")


def the_trigger_hears_notes(plan: Plan) -> None:
    """The trigger's pattern is what fanout takes, for the database that there is."""
    criteria = {entry["attribute"]: entry for entry in plan.one("eventarc_trigger")["matching_criteria"]}
    assert criteria["type"]["value"] == "google.cloud.firestore.document.v1.written"
    assert criteria["database"]["value"] == plan.one("firestore_database")["name"]
    pattern = criteria["document"]["value"]
    example = re.sub(r"\{\w+\}", "x", pattern)
    taken = import_module("functions.fanout.main")._NOTE
    assert taken.fullmatch(example)
    assert not taken.fullmatch(f"{example}/trace/1")
    assert criteria["document"]["operator"] == "match-path-pattern"


# -- messages --------------------------------------------------------------------------------------------------


def topics_have_publishers_subscribers_and_an_end(plan: Plan) -> None:
    """Every topic of the code is there, is published to, is heard, and gives up into what keeps dead letters."""
    topics = {topic["name"] for _, topic in plan.items("pubsub_topic", "topic")}
    assert topics == set(get_args(Topic))
    code = "\n".join(file.read_text() for base in ("functions", "shared") for file in (ROOT / base).rglob("*.py"))
    assert set(re.findall(r'bus\.publish\(\s*"([\w-]+)"', code)) == topics
    published = {grant["topic"] for _, grant in plan.items("pubsub_topic_iam_member", "publisher")}
    assert published == topics
    dead = {topic["name"] for _, topic in plan.items("pubsub_topic", "dead")}
    kept = {subscription["topic"] for _, subscription in plan.items("pubsub_subscription", "dead")}
    fillable = {grant["topic"] for _, grant in plan.items("pubsub_topic_iam_member", "dead")}
    assert dead == kept == fillable
    heard: set[str] = set()
    emptied = {grant["subscription"] for _, grant in plan.items("pubsub_subscription_iam_member", "dead")}
    for name, subscription in plan.items("pubsub_subscription", "push"):
        heard.add(subscription["topic"])
        policy = subscription["dead_letter_policy"][0]
        assert policy["dead_letter_topic"].rpartition("/")[2] in dead
        assert 5 <= policy["max_delivery_attempts"] <= 100
        assert subscription["name"] in emptied
        limit = plan.functions[name]["service_config"][0]["timeout_seconds"]
        assert min(600, limit) <= subscription["ack_deadline_seconds"] <= 600
    assert heard == topics


def dead_letters_are_told(plan: Plan) -> None:
    """Whatever is given up reaches the function that records it, as a caller that it lets in."""
    told = dict(plan.items("pubsub_subscription", "told"))
    assert {one["topic"] for one in told.values()} == {topic["name"] for _, topic in plan.items("pubsub_topic", "dead")}
    for subscription in told.values():
        push = subscription["push_config"][0]
        token = push["oidc_token"][0]
        listener = plan.function_at(token["audience"])
        assert token["audience"] == plan.address(listener)
        assert push["push_endpoint"] == f"{token['audience']}/dead"
        assert token["service_account_email"] in plan.environment(listener)["MEMEX_CALLERS"].split(",")
        assert '@app.post("/dead"' in source(listener)
        assert subscription["expiration_policy"][0]["ttl"] == ""


def subscriptions_are_those_of_the_local_product(plan: Plan) -> None:
    """The same functions hear the same messages here and in the local product."""
    cloud = {
        subscription["name"]: (
            subscription["topic"],
            dict(re.findall(r'attributes\.(\w+) = "(\w+)"', subscription["filter"] or "")),
        )
        for _, subscription in plan.items("pubsub_subscription", "push")
    }
    assert cloud == SUBSCRIPTIONS


# -- permissions and services ----------------------------------------------------------------------------------


def roles_are_known_and_few(plan: Plan) -> None:
    """Each role is one of a list, and no account that we made may do whatever it likes."""
    given = {role for role, _ in plan.roles()}
    assert given <= ROLES.keys(), f"unknown: {given - ROLES.keys()}"
    assert ROLES.keys() <= given, f"listed, and given to nobody: {ROLES.keys() - given}"
    everybody = {role for role, member in plan.roles() if member in ("allUsers", "allAuthenticatedUsers")}
    assert everybody == {"roles/run.invoker"}
    accounts = {f"serviceAccount:memex-{name}@memex-test.iam.gserviceaccount.com" for name in folders()}
    assert accounts <= {member for _, member in plan.roles()}, "an account without rights runs something"


def the_apis_are_switched_on(plan: Plan) -> None:
    """Every type of resource belongs to an API that is enabled."""
    enabled = {service["service"].removesuffix(".googleapis.com") for _, service in plan.items("project_service")}
    for change in plan.told["resource_changes"]:
        kind = change["type"].removeprefix("google_")
        api = next((api for start, api in SERVICES.items() if kind.startswith(start)), None)
        assert api, f"which API makes a {kind}?"
        assert api in enabled, f"{kind} needs {api}"
    # What is called rather than made: executions, research, and the builds of functions.
    assert {"workflowexecutions", "aiplatform", "generativelanguage", "cloudbuild", "logging"} <= enabled


def indexes_are_those_of_the_file(plan: Plan) -> None:
    """Every index of firestore.indexes.json, which the emulator reads too, is made."""
    import json

    told = json.loads((MODULE / "firestore.indexes.json").read_text())
    assert len(list(plan.items("firestore_index"))) == len(told["indexes"])
    assert len(list(plan.items("firestore_field", "override"))) == len(told.get("fieldOverrides", []))
    ends = plan.one("firestore_field", "answers_end")
    stored = (ROOT / "shared" / "store" / "answers.py").read_text()
    assert f"/{ends['collection']}/" in stored
    assert f'"{ends["field"]}"' in stored
    receipts = [one for _, one in plan.items("firestore_field", "receipts_end")]
    stored = (ROOT / "shared" / "store" / "memories.py").read_text()
    assert all(f"/{one['collection']}/" in stored and f'"{one["field"]}"' in stored for one in receipts)
    assert sorted([ends["collection"], *(one["collection"] for one in receipts)]) == sorted(COLLECTIONS)


RULES: list[Callable[[Plan], None]] = [
    each_function_is_deployed,
    settings_are_those_that_the_code_reads,
    time_limits_fit,
    callers_are_those_that_call,
    audiences_are_addresses,
    browsers_may_call_what_is_public,
    each_call_has_a_route,
    the_trigger_hears_notes,
    topics_have_publishers_subscribers_and_an_end,
    dead_letters_are_told,
    subscriptions_are_those_of_the_local_product,
    roles_are_known_and_few,
    the_apis_are_switched_on,
    indexes_are_those_of_the_file,
]
