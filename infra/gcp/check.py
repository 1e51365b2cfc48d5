"""Proves the deployment as far as that goes without a project: `python -m infra.gcp.check`, part of `make check`.

Terraform's own format, validate and test against the recorded provider, and cloudbuild.yaml against its schema. What
compares the plan with the code, and every gcloud command with gcloud, is in tests/infra/gcp.
"""

import os
import subprocess
import sys
from pathlib import Path

from infra.gcp.proof import terraform

ROOT = Path(__file__).parents[2]


def build(root: Path = ROOT) -> list[str]:
    """What Cloud Build would refuse in cloudbuild.yaml."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.cloudbuild"]
    done = subprocess.run([*command, str(root / "cloudbuild.yaml")], capture_output=True, text=True, timeout=300)
    return [] if done.returncode == 0 else [f"cloudbuild.yaml: {(done.stdout + done.stderr).strip()}"]


def main(module: Path = terraform.MODULE) -> int:
    """The command; 0 where nothing is wrong."""
    problems = build()
    if terraform.installed():
        problems += terraform.unformatted(module) or terraform.prove(module).problems
    elif os.environ.get("MEMEX_TEST_ALL"):
        problems.append("terraform is not installed")
    else:
        print("infra/gcp: not checked, terraform is not installed")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
