"""The plan and the code agree; and a plan with a mistake in it does not pass."""

import json
from collections.abc import Callable

import pytest

from infra.gcp.proof import terraform
from shared.errors import NotConfigured
from tests.infra.gcp import agreement
from tests.infra.gcp.agreement import RULES
from tests.infra.gcp.conftest import Plant, needs_terraform
from tests.infra.gcp.plan import Plan

pytestmark = needs_terraform
Rule = Callable[[Plan], None]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_plan_keeps_the_rule(plan: Plan, rule: Rule) -> None:
    rule(plan)


HOST = "123456789012.europe-west1.run.app"


@pytest.mark.parametrize(
    ("rule", "right", "wrong"),
    [
        (agreement.each_function_is_deployed, '"functions/enrich/main.py"', '"functions/enrich.py"'),
        (agreement.each_function_is_deployed, '"entry_point": "enrich"', '"entry_point": "main"'),
        (agreement.settings_are_those_that_the_code_reads, '"MEMEX_REGION"', '"MEMEX_LOCATION"'),
        (agreement.settings_are_those_that_the_code_reads, '"MEMEX_VERTEX_PROJECT"', '"VERTEX_PROJECT"'),
        (
            agreement.settings_are_those_that_the_code_reads,
            '"MEMEX_RESEARCH_MINUTES": "120"',
            '"MEMEX_RESEARCH_MINUTES": "two"',
        ),
        (agreement.time_limits_fit, '"attempt_deadline": "600s"', '"attempt_deadline": "180s"'),
        (agreement.callers_are_those_that_call, '"MEMEX_CALLERS": "memex-push@', '"MEMEX_CALLERS": "memex-scheduler@'),
        (
            agreement.callers_are_those_that_call,
            '"member": "serviceAccount:memex-eventarc',
            '"member": "serviceAccount:memex-push',
        ),
        (agreement.callers_are_those_that_call, '"ALLOW_INTERNAL_ONLY"', '"ALLOW_ALL"'),
        (
            agreement.audiences_are_addresses,
            f'"audience": "https://enrich-{HOST}"',
            f'"audience": "https://enrich-{HOST}/"',
        ),
        (
            agreement.audiences_are_addresses,
            f'"push_endpoint": "https://enrich-{HOST}/"',
            f'"push_endpoint": "https://dispatch-{HOST}/"',
        ),
        (
            agreement.each_call_has_a_route,
            f'"MEMEX_RESEARCH_URL": "https://research-{HOST}"',
            f'"MEMEX_RESEARCH_URL": "https://capture-{HOST}"',
        ),
        (
            agreement.browsers_may_call_what_is_public,
            f'"MEMEX_CORS_ORIGINS": "https://api-{HOST}"',
            '"MEMEX_CORS_ORIGINS": "https://memex.example"',
        ),
        (agreement.each_call_has_a_route, '"MEMEX_POLL_SECONDS"', '"MEMEX_POLL"'),
        (agreement.the_trigger_hears_notes, "tenants/{tenant}/notes/{note}", "tenants/{tenant}/note/{note}"),
        (agreement.topics_have_publishers_subscribers_and_an_end, '"operation-events-dead"', '"operations-dead"'),
        (
            agreement.topics_have_publishers_subscribers_and_an_end,
            '"topic": "operation-events"',
            '"topic": "note-events"',
        ),
        (agreement.dead_letters_are_told, f'"https://dispatch-{HOST}/dead"', f'"https://dispatch-{HOST}/"'),
        (agreement.dead_letters_are_told, '"name": "note-events-dead"', '"name": "note-events-lost"'),
        (agreement.subscriptions_are_those_of_the_local_product, "attributes.research = ", "attributes.enrich = "),
        (agreement.roles_are_known_and_few, "roles/datastore.viewer", "roles/firestore.viewer"),
        (agreement.roles_are_known_and_few, "roles/aiplatform.user", "roles/owner"),
        (agreement.the_apis_are_switched_on, '"eventarc.googleapis.com"', '"eventarcs.googleapis.com"'),
        (agreement.indexes_are_those_of_the_file, '"idempotency"', '"answers"'),
    ],
)
def test_a_plan_with_a_mistake_is_refused(plan: Plan, rule: Rule, right: str, wrong: str) -> None:
    text = json.dumps(plan.told)
    assert json.dumps(right)[1:-1] in text or right in text, f"the plan has no {right}"
    spoilt = text.replace(right, wrong)
    with pytest.raises((AssertionError, NotConfigured, KeyError, ValueError)):
        rule(Plan(json.loads(spoilt)))


@pytest.mark.parametrize(
    ("file", "right", "wrong", "rule"),
    [
        ("functions.tf", "    tick     = {", "    tack     = {", agreement.each_function_is_deployed),
        ("workflow.tf", "roles/workflows.invoker", "roles/workflows.runner", agreement.roles_are_known_and_few),
        ("functions.tf", '"MEMEX_MAX_RETRIES"', '"MEMEX_RETRIES"', agreement.settings_are_those_that_the_code_reads),
    ],
)
def test_a_mistake_in_the_files_is_found(
    plant: Plant, monkeypatch: pytest.MonkeyPatch, file: str, right: str, wrong: str, rule: Rule
) -> None:
    module = plant(file, right, wrong)
    monkeypatch.setattr(agreement, "MODULE", module)
    result = terraform.prove(module)
    if result.problems:  # the rules of Terraform's own tests found it already
        return
    with pytest.raises(AssertionError):
        rule(Plan(result.plans["defaults"]))
