"""`memex memory audit`: its table, its canary at a real product, its JSON and its exit codes."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from infra.local.command.cli import memex
from infra.local.product import Pace
from shared.memory import cases
from shared.memory.cases import CASES, Case
from tests.infra.local.command.conftest import UNSET, Run, Served

ALONE = {**UNSET, "PORT": "9", "MEMEX_DEVICE_KEY": "k", "MEMEX_DATA": "nowhere"}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path / "data", Pace(failure_modes=True)) as running:
        yield running


def break_memory(served: Served, **faults: object) -> None:
    """From now on the product's memory service behaves so."""
    standin = served.product.services.memory_standin
    assert standin
    url = standin.url.replace("/v1beta1", "/control")
    httpx.post(url, json=faults, headers={"x-goog-api-key": standin.key}, trust_env=False).raise_for_status()


def test_the_eight_cases_and_the_demands_beyond_them_are_printed_with_decision_and_safe_action() -> None:
    done = CliRunner().invoke(memex, ["memory", "audit", "--no-canary"], env={**ALONE, "COLUMNS": "220"})
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    for case in CASES:
        (at,) = [at for at, line in enumerate(lines) if line.removeprefix("+ ").split("  ")[0] == case.name]
        assert case.verdict in lines[at] and (case.decision or "nothing to inject") in lines[at]
        assert (lines[at + 1] == f"    {case.judgement.safe_action}") is bool(case.judgement.safe_action)
    narrow = CliRunner().invoke(memex, ["memory", "audit", "--no-canary"], env={**ALONE, "COLUMNS": "60"}).stdout
    assert all(case.judgement.safe_action in " ".join(narrow.split()) for case in CASES), "on a narrow one, too"
    assert "8 cases: 2 healthy, 1 working, 1 degraded, 4 failed; 4 demands beyond them" in done.stdout


def test_a_rule_that_is_broken_is_told_and_fails_the_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Case("clean_write", CASES[1].evidence, "failed", "block")
    monkeypatch.setattr(cases, "CASES", (CASES[0], broken))
    done = CliRunner().invoke(memex, ["memory", "audit", "--no-canary"], env=ALONE)
    assert done.exit_code == 1
    assert "WRONG" in done.stdout


def test_the_canary_sings_at_the_product_that_runs(served: Served, run: Run) -> None:
    done = run("memory", "audit")
    assert done.exit_code == 0, done.output
    assert "Canary, write    healthy (clean_write); seen by name 1/1, by list 1/1, by scope 1/1, by similarity 1/1" in (
        done.stdout
    )
    assert "Canary, cleanup  healthy (deletion_converged)" in done.stdout


def test_json_holds_everything_and_no_fact(served: Served, run: Run) -> None:
    done = run("memory", "audit", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["counts"] == {"healthy": 2, "working": 1, "degraded": 1, "failed": 4}
    assert told["sound"] and told["canary"]["healthy"] and told["canary_problem"] is None
    assert len(told["cases"]) == 12 and all(case["holds"] for case in told["cases"])
    assert {"case_id", "verdict", "decision", "safe_action", "evidence"} <= told["cases"][0].keys()
    assert "yellow" not in done.stdout


def test_without_a_memex_the_table_is_printed_all_the_same_and_the_exit_code_is_3() -> None:
    done = CliRunner().invoke(memex, ["memory", "audit"], env=ALONE)
    assert done.exit_code == 3
    assert "8 cases" in done.stdout and "memex: " in done.stderr
    told = CliRunner().invoke(memex, ["memory", "audit", "--json"], env=ALONE)
    assert told.exit_code == 3
    assert json.loads(told.stdout)["canary_problem"]["message"]


def test_a_canary_that_fails_fails_the_audit(served: Served, run: Run) -> None:
    break_memory(served, keep_deleted=True)
    done = run("memory", "audit")
    assert done.exit_code == 1
    assert "Canary, cleanup  failed (deleted_still_visible)" in done.stdout and "Quarantine" in done.stdout
