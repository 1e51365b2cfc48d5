"""The machine and the checkout: Python, tools, the workflows' files, the web client's build."""

import shutil
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from shlex import quote

from infra.local.doctor.expected import WORKFLOWS
from infra.local.doctor.finding import Check, Finding, Section, ok, problem, warning

ROOT = Path(__file__).parents[3]
OLDEST, NEWEST = (3, 11), (3, 14)
"""Versions of Python that pyproject.toml allows."""

GCLOUD = (("gcloud",), "watching runs from a terminal")
NODE = (("node",), "building the web client without downloading Node.js")
CHROMIUM = (("chromium", "chromium-browser", "google-chrome"), "the browser tests")
TERRAFORM = (("terraform",), "deploying")


def section(*tools: tuple[tuple[str, ...], str]) -> Section:
    """What every set-up stands on."""
    checks = [Check(names[0], partial(tool, names, purpose)) for names, purpose in tools]
    return Section("This machine", [Check("Python", python), *checks, Check("Workflows", workflows)])


def python(version: Sequence[int] = sys.version_info[:3]) -> Finding:
    """Whether this is a Python that Memex is written for."""
    name = ".".join(map(str, version))
    if tuple(version[:2]) < OLDEST:
        return problem(f"{name} is too old", "make clean && make setup PYTHON=python3.13")
    if tuple(version[:2]) > NEWEST:
        newest = ".".join(map(str, NEWEST))
        return warning(
            f"{name} is newer than what Memex is tried on ({newest})", "make clean && make setup PYTHON=python3.13"
        )
    return ok(name)


def tool(names: tuple[str, ...], purpose: str) -> Finding:
    """Whether an optional tool is there; without it Memex works."""
    if found := next((path for name in names if (path := shutil.which(name))), None):
        return ok(found)
    return ok(f"not installed, and only needed for {purpose}")


def file_of(workflow: str) -> Path:
    """Where a workflow lies."""
    return ROOT / "workflows" / f"{workflow}.yaml"


def workflows(files: Sequence[Path] = tuple(map(file_of, WORKFLOWS))) -> Finding:
    """Whether the workflows' files can be loaded."""
    faults = [fault for file in files if (fault := _fault(file))]
    if faults:
        return problem("; ".join(what for what, _ in faults), "\n".join(mend for _, mend in faults))
    return ok(f"{', '.join(file.name for file in files)} load")


def _fault(file: Path) -> tuple[str, str] | None:
    """What is wrong with a workflow's file, and what mends it."""
    from infra.local.workflow.errors import LoadError
    from infra.local.workflow.loader import load

    try:
        load(file.read_text("utf-8"), str(file))
    except LoadError as error:
        return str(error), f"git diff -- {quote(str(file))}"
    except (OSError, UnicodeDecodeError) as error:
        return f"{file} can't be read ({type(error).__name__})", f"git restore -- {quote(str(file))}"
    return None


def web(web: Path = ROOT / "web") -> Finding:
    """Whether the web client is built, and from what is there."""
    page = web / "dist" / "index.html"
    if not page.is_file():
        return problem("not built here, so a browser sees nothing; the API works", "make setup")
    built = page.stat().st_mtime
    sources = [file for file in (web / "src").rglob("*") if file.is_file()]
    if newer := [file for file in sources if file.stat().st_mtime > built]:
        return warning(f"built before {newer[0].relative_to(web)} was changed", "make setup")
    return ok("built")
