"""cloudbuild.yaml: Google's own schema, and what no schema knows."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from infra.gcp import check
from infra.gcp.proof import terraform
from tests.infra.gcp.conftest import ROOT, needs_terraform

TEXT = (ROOT / "cloudbuild.yaml").read_text()
BUILT_IN = {"PROJECT_ID", "PROJECT_NUMBER", "BUILD_ID", "COMMIT_SHA", "SHORT_SHA", "BRANCH_NAME", "LOCATION"}
TOP = {"steps", "substitutions", "options", "timeout", "serviceAccount", "logsBucket", "artifacts", "images", "tags"}


def faults(text: str) -> list[str]:
    """What Cloud Build would refuse or misread, beyond the schema."""
    build: dict[str, Any] = yaml.safe_load(text)
    found = [f"unknown: {key}" for key in build.keys() - TOP]
    ids = [step.get("id") for step in build["steps"]]
    if len(set(ids)) < len(ids) or not all(ids):
        found.append("each step has an id of its own")
    for number, step in enumerate(build["steps"]):
        found += [f"{step['id']} waits for {name}" for name in step.get("waitFor", []) if name not in ids[:number]]
    used = set(re.findall(r"(?<!\$)\$\{?([A-Z_]+)\b", text))
    declared = set(build.get("substitutions", {}))
    found += [f"${name} is not declared" for name in used - declared - BUILT_IN]
    found += [f"{name} is not used, which stops a build" for name in declared - used]
    found += [f"{name} must begin with _" for name in declared if not name.startswith("_")]
    return found


def test_the_build_is_one_that_cloud_build_takes() -> None:
    assert check.build() == []
    assert faults(TEXT) == []


def test_it_checks_and_tests_before_it_deploys_what_it_packed() -> None:
    steps = {step["id"]: " ".join(step["args"]) for step in yaml.safe_load(TEXT)["steps"]}
    order = list(steps)
    assert (
        order.index("check") < order.index("test") < order.index("archive") < order.index("plan") < order.index("apply")
    )
    packed = steps["archive"].split()[-1]
    assert f"TF_VAR_archive={packed}" in TEXT
    planned = re.search(r"-out=(\S+)", steps["plan"])
    assert planned
    assert steps["apply"].endswith(f" {planned[1]}"), "what is applied is what was planned"


def test_every_variable_of_the_deployment_is_handed_over() -> None:
    variables = set(
        re.findall(r'^variable "(\w+)"', (ROOT / "infra" / "gcp" / "variables.tf").read_text(), re.MULTILINE)
    )
    assert set(re.findall(r"TF_VAR_(\w+)=", TEXT)) == variables


@needs_terraform
def test_the_trigger_sets_each_substitution(proved: terraform.Result) -> None:
    (trigger,) = [
        change["change"]["after"]
        for change in proved.plans["everything"]["resource_changes"]
        if change["type"] == "google_cloudbuild_trigger"
    ]
    assert trigger["substitutions"].keys() == yaml.safe_load(TEXT)["substitutions"].keys()
    assert trigger["service_account"].endswith("memex-deploy@memex-test.iam.gserviceaccount.com")


@pytest.mark.parametrize(
    ("right", "wrong"), [("timeout: 3600s", "timeout: 60m"), ("    args: [setup]", "    arguments: [setup]")]
)
def test_the_schema_finds_a_mistake(tmp_path: Path, right: str, wrong: str) -> None:
    assert right in TEXT
    (tmp_path / "cloudbuild.yaml").write_text(TEXT.replace(right, wrong))
    assert check.build(tmp_path) != []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("_REGION: europe", "REGION: europe"),
        ("${_SETTINGS}", "${_SETTING}"),
        ("  - id: apply\n", "  - id: apply\n    waitFor: [plans]\n"),
        ("options:", "option:"),
        ("  - id: apply\n", "  - id: plan\n"),
    ],
)
def test_our_own_rules_find_what_it_does_not(right: str, wrong: str) -> None:
    assert right in TEXT
    assert faults(TEXT.replace(right, wrong)) != []
