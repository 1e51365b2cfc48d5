"""Checks each gcloud command that we write down, with gcloud's own parser: it runs nothing and needs no login.

`gcloud meta lint-gcloud-commands` is an internal command and may go; then there is nothing to check with.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[3]
_FENCE = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
_INNER = r"\$\(((?:[^()]|\([^()]*\))*)\)"
_PLACE = re.compile(rf"{_INNER}|\$\{{\w+\}}|\$\$?\w+|<[A-Za-z_-]+>")
_TICKED = re.compile(r"`(gcloud [^`]*)`")


def installed() -> bool:
    """Whether there is a gcloud here that has the linter."""
    return shutil.which("gcloud") is not None and not lint(["gcloud version"])


def _shell(script: str) -> Iterator[str]:
    """The gcloud commands of a shell script, variables and places to fill in replaced by x."""
    for line in re.sub(r"\\\n\s*", " ", script).splitlines():
        if "gcloud " not in line:
            continue
        for inner in re.findall(_INNER, line):
            yield from _shell(inner)
        plain = re.sub(r"\s\d(?=[<>])", " ", _PLACE.sub("x", line.strip().lstrip("@-")))
        words = shlex.shlex(plain, posix=True, punctuation_chars=True)
        words.whitespace_split, words.commenters = True, ""
        command: list[str] = []
        for word in [*words, ";"]:
            if word[:1] in tuple("();<>|&#"):
                if command and command[0] == "gcloud":
                    yield shlex.join(command)
                # What stands after a redirection is a file, after a # nothing.
                command = ["to"] if word[:1] in tuple("<>#") else []
            else:
                command.append(word)


def commands(file: Path) -> list[str]:
    """The gcloud commands of a file: Markdown's shell blocks, recipes, build steps, `gcloud ...` in Terraform."""
    text = file.read_text()
    if file.suffix == ".md":
        return [command for block in _FENCE.findall(text) for command in _shell(block)]
    if file.suffix == ".tf":
        return [_PLACE.sub("x", command) for command in _TICKED.findall(text)]
    if file.suffix in (".yaml", ".yml"):
        return list(_steps(yaml.safe_load(text)))
    return list(_shell(text))


def _steps(build: dict[str, Any]) -> Iterator[str]:
    for step in build.get("steps", []):
        arguments = [str(argument) for argument in step.get("args", [])]
        if step.get("entrypoint") == "gcloud":
            yield _PLACE.sub("x", " ".join(["gcloud", *arguments]))
        for script in (step.get("script", ""), *(arguments if "-c" in arguments else [])):
            yield from _shell(script)


def sources(root: Path = ROOT) -> list[Path]:
    """Where commands are written down."""
    named = [root / name for name in ("README.md", "Makefile", "cloudbuild.yaml", ".ci/run")]
    found = [*named, *sorted((root / "infra").rglob("*.sh")), *sorted((root / "infra" / "gcp").glob("*.tf"))]
    return [file for file in found if file.is_file()]


def lint(written: Sequence[str]) -> list[str]:
    """What gcloud would refuse, one line each."""
    if not written:
        return []
    with tempfile.TemporaryDirectory() as folder:
        listing = Path(folder) / "commands.json"
        listing.write_text(json.dumps([{"command_string": command} for command in written]))
        environ = {
            "PATH": os.environ["PATH"],
            "HOME": folder,
            "CLOUDSDK_CONFIG": folder,
            "CLOUDSDK_CORE_DISABLE_PROMPTS": "1",
            "CLOUDSDK_CORE_DISABLE_USAGE_REPORTING": "true",
            "CLOUDSDK_CORE_PROJECT": "memex-lint",
        }
        done = subprocess.run(
            ["gcloud", "meta", "lint-gcloud-commands", f"--commands-file={listing}"],
            env=environ,
            capture_output=True,
            text=True,
            timeout=300,
        )
    start = done.stdout.find("[")
    if start < 0:
        return [f"lint-gcloud-commands: {done.stderr.strip()}"]
    answers, _ = json.JSONDecoder().raw_decode(done.stdout[start:])
    return [f"{answer['command_string']}: {answer['error_message']}" for answer in answers if not answer["success"]]
