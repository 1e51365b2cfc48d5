"""Runs the real Terraform on a module, offline: format, validity, and its tests with every planned value."""

import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from infra.gcp.proof.provider import serving
from infra.gcp.proof.schema import RECORDED, Schema, read

MODULE = Path(__file__).parents[1]
TERRAFORM = "terraform"
PATIENCE = 300


def installed() -> bool:
    """Whether there is a Terraform here."""
    return shutil.which(TERRAFORM) is not None


@dataclass
class Result:
    """What Terraform found: nothing, or problems; and the plans of the tests by the name of their run."""

    problems: list[str] = field(default_factory=list)
    plans: dict[str, dict[str, Any]] = field(default_factory=dict)


def unformatted(module: Path = MODULE) -> list[str]:
    """Files that `terraform fmt` would write differently."""
    done = subprocess.run(
        [TERRAFORM, "fmt", "-check", "-recursive", "-list=true"],
        cwd=module,
        env={**os.environ, "TF_CLI_CONFIG_FILE": os.devnull},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    return [f"{line}: not formatted (terraform fmt)" for line in (done.stdout + done.stderr).splitlines() if line]


def prove(module: Path = MODULE, schema: Schema | None = None) -> Result:
    """Validate a module, and run its tests where it is valid."""
    # Short: the path of a socket may have 107 characters.
    with tempfile.TemporaryDirectory(prefix="tf") as folder, serving(schema or read(RECORDED), Path(folder)) as ours:
        environ = {"PATH": os.environ["PATH"], "HOME": folder, **ours}

        def run(*arguments: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                [TERRAFORM, *arguments], cwd=module, env=environ, capture_output=True, text=True, timeout=PATIENCE
            )

        init = run("init", "-backend=false", "-input=false", "-no-color")
        if init.returncode:
            return Result([f"init: {init.stderr.strip()}"])
        if problems := _diagnostics(run("validate", "-json").stdout):
            return Result(problems)
        return _tested(run("test", "-json", "-verbose").stdout)


def _diagnostics(text: str) -> list[str]:
    return [_told(entry) for entry in json.loads(text)["diagnostics"]]


def _told(diagnostic: dict[str, Any]) -> str:
    place = diagnostic.get("range") or {}
    where = f"{place.get('filename', '')}:{place.get('start', {}).get('line', '')}: " if place else ""
    return f"{where}{diagnostic['summary']} {diagnostic.get('detail', '')}".strip()


def _tested(text: str) -> Result:
    result = Result()
    passed = 0
    for line in text.splitlines():
        event = json.loads(line)
        if event["type"] == "diagnostic":
            result.problems.append(_told(event["diagnostic"]))
        elif event["type"] == "test_plan":
            result.plans[event["@testrun"]] = event["test_plan"]
        elif event["type"] == "test_summary":
            summary = event["test_summary"]
            passed = summary["passed"]
            if summary["status"] != "pass" and not result.problems:
                result.problems.append(f"terraform test: {summary}")
    if not passed and not result.problems:
        result.problems.append("terraform test: no test was run")
    return result
