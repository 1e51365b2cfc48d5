"""Terraform's plan of the deployment, made once, and copies of the module to plant mistakes in."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from infra.gcp.proof import terraform
from tests.infra.gcp.plan import Plan

ROOT = Path(__file__).parents[3]
needs_terraform = pytest.mark.skipif(
    not terraform.installed() and not os.environ.get("MEMEX_TEST_ALL"), reason="terraform is not installed"
)
Plant = Callable[..., Path]


@pytest.fixture(scope="session")
def proved() -> terraform.Result:
    """What Terraform says of the deployment as it is."""
    return terraform.prove()


@pytest.fixture(scope="session")
def plan(proved: terraform.Result) -> Plan:
    """The plan with nothing but the required variables."""
    assert not proved.problems
    return Plan(proved.plans["defaults"])


@pytest.fixture
def plant(tmp_path: Path) -> Plant:
    """A copy of the module with a mistake in it: in one file, one text instead of another."""

    def planted(file: str, right: str, wrong: str) -> Path:
        module = tmp_path / "infra" / "gcp"
        shutil.copytree(
            ROOT / "infra" / "gcp",
            module,
            ignore=shutil.ignore_patterns("proof", "__pycache__", ".terraform*", "*.py", "variables.tftest.hcl"),
        )
        (tmp_path / "workflows").symlink_to(ROOT / "workflows")
        text = (module / file).read_text()
        assert right in text, f"{file} has no {right!r} to spoil"
        (module / file).write_text(text.replace(right, wrong))
        return module

    return planted
