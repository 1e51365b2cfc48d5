"""The doctor's table of names is what Terraform plans."""

from typing import Any

from infra.gcp.proof import terraform
from infra.local.doctor import expected
from infra.local.doctor.expected import Grant, Names
from infra.local.doctor.machine import file_of
from shared.config import REQUIRED
from tests.infra.gcp.conftest import needs_terraform, plan, proved
from tests.infra.gcp.plan import Plan

__all__ = ["plan", "proved"]
pytestmark = needs_terraform

NAMES = Names("memex-test", "europe-west1", "123456789012")
KINDS: dict[str, tuple[expected.Kind, str]] = {
    "google_project_iam_member": ("project", ""),
    "google_cloud_run_v2_service_iam_member": ("function", "name"),
    "google_pubsub_topic_iam_member": ("topic", "topic"),
    "google_pubsub_subscription_iam_member": ("subscription", "subscription"),
    "google_secret_manager_secret_iam_member": ("secret", "secret_id"),
    "google_storage_bucket_iam_member": ("bucket", "bucket"),
    "google_artifact_registry_repository_iam_member": ("repository", "repository"),
}


def grants(plan: Plan) -> set[Grant]:
    """Every role of a plan."""
    found = set()
    for change in plan.told["resource_changes"]:
        if change["type"] in KINDS:
            kind, named = KINDS[change["type"]]
            after: dict[str, Any] = change["change"]["after"]
            # A repository's name is only known once it is there; there is one.
            name = after.get(named) or (expected.REPOSITORY if kind == "repository" else "")
            found.add(Grant(kind, name, after["role"], after["member"]))
    return found


def test_roles(plan: Plan) -> None:
    assert grants(plan) == NAMES.grants


def test_roles_with_a_gemini_key(proved: terraform.Result) -> None:
    everything = Plan(proved.plans["everything"])
    (secret,) = {
        entry["secret"]
        for function in everything.functions.values()
        for entry in function["service_config"][0]["secret_environment_variables"]
    }
    deploy = NAMES.member("deploy")
    given = {grant for grant in grants(everything) if grant.member != deploy}
    assert given == Names(NAMES.project, NAMES.region, NAMES.number, secret).grants


def test_apis_and_accounts(plan: Plan) -> None:
    assert {one["service"] for _, one in plan.items("project_service")} == set(expected.APIS)
    planned = {
        f"{one['account_id']}@{one['project']}.iam.gserviceaccount.com" for _, one in plan.items("service_account")
    }
    assert planned == {NAMES.email(account) for account in expected.ACCOUNTS}


def test_functions_and_their_variables(plan: Plan) -> None:
    assert plan.functions.keys() == expected.FUNCTIONS.keys()
    for name, function in plan.functions.items():
        actual, wanted = plan.environment(name), NAMES.environment(name)
        assert {key: actual[key] for key in wanted} == wanted
        assert {key for key in actual if key.startswith("MEMEX_")} - wanted.keys() == {"MEMEX_VERTEX_PROJECT"}
        assert {f"MEMEX_{field.upper()}" for field in REQUIRED} <= wanted.keys()
        config = function["service_config"][0]
        assert config["service_account_email"] == NAMES.email(name)
        assert (config["ingress_settings"] == "ALLOW_ALL") == expected.FUNCTIONS[name].public


def test_firestore(plan: Plan) -> None:
    database = plan.one("firestore_database")
    assert (database["name"], database["location_id"]) == (expected.DATABASE, NAMES.region)
    planned = {
        expected.Index(
            one["collection"],
            one["query_scope"],
            tuple(
                expected.Field(field["field_path"], field["order"] or field["array_config"]) for field in one["fields"]
            ),
        )
        for _, one in plan.items("firestore_index")
    }
    assert planned == set(expected.indexes())
    overrides = {
        (one["collection"], one["field"]): frozenset(
            (index["query_scope"], index["order"] or index["array_config"])
            for config in one["index_config"]
            for index in config["indexes"]
        )
        for _, one in plan.items("firestore_field", "override")
    }
    assert overrides == expected.overrides()
    ends = [*plan.items("firestore_field", "answers_end"), *plan.items("firestore_field", "receipts_end")]
    assert {(one["collection"], one["field"]) for _, one in ends} == set(expected.TTL)


def test_messages(plan: Plan) -> None:
    assert {one["name"] for _, one in plan.items("pubsub_topic", "topic")} == set(expected.TOPICS)
    assert {one["name"] for _, one in plan.items("pubsub_topic", "dead")} == {f"{one}-dead" for one in expected.TOPICS}
    assert {one["name"]: one["topic"] for _, one in plan.items("pubsub_subscription", "dead")} == {
        f"{topic}-dead": f"{topic}-dead" for topic in expected.TOPICS
    }
    heard = {one["name"]: (one["topic"], one["filter"] or "") for _, one in plan.items("pubsub_subscription", "push")}
    assert heard == expected.SUBSCRIPTIONS
    for name, one in plan.items("pubsub_subscription", "push"):
        push = one["push_config"][0]
        assert push["push_endpoint"] == f"{NAMES.address(name)}/"
        assert push["oidc_token"][0] == {
            "service_account_email": NAMES.email("push"),
            "audience": NAMES.address(name),
        }
        assert one["dead_letter_policy"][0]["dead_letter_topic"].endswith(f"/topics/{one['topic']}-dead")
    told = {one["name"]: one for _, one in plan.items("pubsub_subscription", "told")}
    assert {name: one["topic"] for name, one in told.items()} == expected.TOLD
    recorder = NAMES.address(expected.RECORDER)
    for one in told.values():
        push = one["push_config"][0]
        assert push["push_endpoint"] == f"{recorder}{expected.RECORDED_AT}"
        assert push["oidc_token"][0] == {"service_account_email": NAMES.email("push"), "audience": recorder}
        assert not one["filter"]


def test_trigger_workflow_job_and_secret(plan: Plan) -> None:
    trigger = plan.one("eventarc_trigger")
    assert (trigger["name"], trigger["location"]) == (expected.TRIGGER, NAMES.region)
    assert trigger["service_account"] == NAMES.email("eventarc")
    assert {one["attribute"]: one["value"] for one in trigger["matching_criteria"]} == expected.FILTERS
    deployed = {one["name"]: one for _, one in plan.items("workflows_workflow")}
    assert deployed.keys() == expected.WORKFLOWS.keys()
    for name, workflow in deployed.items():
        assert workflow["service_account"] == NAMES.email("workflow")
        assert workflow["user_env_vars"] == NAMES.variables(name)
        assert workflow["source_contents"] == file_of(name).read_text()
    job = plan.one("cloud_scheduler_job")
    assert (job["name"], job["schedule"]) == (expected.JOB, expected.SCHEDULE)
    assert job["http_target"][0]["uri"] == f"{NAMES.address('tick')}/"
    assert plan.one("secret_manager_secret")["secret_id"] == expected.DEVICE_KEYS
    assert plan.one("storage_bucket")["name"] == NAMES.bucket
    assert plan.one("artifact_registry_repository")["repository_id"] == expected.REPOSITORY
