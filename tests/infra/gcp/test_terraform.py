"""The real Terraform on the real files; each kind of mistake is planted once, to see that it is found."""

import json
from pathlib import Path

import pytest

from infra.gcp import check
from infra.gcp.proof import schema, terraform
from infra.gcp.proof.record import used
from tests.infra.gcp.conftest import ROOT, Plant, needs_terraform

pytestmark = needs_terraform


def test_the_files_are_formatted() -> None:
    assert terraform.unformatted() == []


def test_the_deployment_is_valid_and_keeps_its_rules(proved: terraform.Result) -> None:
    assert proved.problems == []
    assert {"defaults", "everything"} <= proved.plans.keys()


def test_each_type_that_is_used_is_recorded() -> None:
    recorded = schema.read()
    resources, data = used(ROOT / "infra" / "gcp")
    assert {f"google_{name}" for name in resources} == recorded.resources.keys()
    assert {f"google_{name}" for name in data} == recorded.data.keys()
    assert schema.RECORDED.stat().st_size < 150_000


def test_there_are_at_most_eight_variables_and_each_is_described() -> None:
    blocks = (ROOT / "infra" / "gcp" / "variables.tf").read_text().split("\nvariable ")
    assert len(blocks) <= 8
    assert all("description = " in block and "type " in block for block in blocks)


@pytest.mark.parametrize(
    ("file", "right", "wrong", "found"),
    [
        ("scheduler.tf", "time_zone ", "timezone ", "timezone"),
        ("variables.tf", 'variable "alert_email"', 'variable "alert_mail"', "alert_email"),
        ("eventarc.tf", 'function["fanout"]', 'function["fan_out"]', "Invalid index"),
        ("pubsub.tf", 'enrich   = { topic = "note-events"', 'enricher = { topic = "note-events"', "Invalid index"),
        ("functions.tf", '"ALLOW_INTERNAL_ONLY"', '"ALLOW_INTERNAL"', "ALLOW_INTERNAL_AND_GCLB"),
        ("workflow.tf", "deletion_protection = false", 'deletion_protection = false\n  state = "x"', "state"),
        ("functions.tf", 'available_cpu                    = "1"', 'available_cpu = "0.5"', "whole CPU"),
        ("functions.tf", "concurrency = 10", "concurrency = 1", "stream"),
        ("pubsub.tf", 'ttl = ""', 'ttl = "2678400s"', "lives forever"),
        ("secrets.tf", "for_each = local.public", "for_each = local.functions", "Nobody reads"),
    ],
)
def test_a_mistake_is_found(plant: Plant, file: str, right: str, wrong: str, found: str) -> None:
    problems = terraform.prove(plant(file, right, wrong)).problems
    assert any(found in problem for problem in problems), problems


def test_bad_formatting_is_found(plant: Plant) -> None:
    assert "outputs.tf" in str(terraform.unformatted(plant("outputs.tf", "  description", "description")))


def test_the_schema_says_what_it_was_recorded_from(tmp_path: Path) -> None:
    recorded = schema.read()
    assert recorded.version.split(".")[0] == "8"
    again = tmp_path / "schema.json"
    again.write_text(json.dumps(recorded.to_json()))
    assert schema.read(again) == recorded


def test_the_check_of_make_check_finds_what_is_planted(plant: Plant, capsys: pytest.CaptureFixture[str]) -> None:
    assert check.main(plant("scheduler.tf", "time_zone  ", "timezone   ")) == 1
    assert "timezone" in capsys.readouterr().err
