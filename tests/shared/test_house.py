"""The rules of the house that no linter knows."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FUNCTIONS = sorted(folder.name for folder in (ROOT / "functions").iterdir() if (folder / "main.py").exists())
HEAVY = (
    "google.adk",
    "google.genai",
    "google.cloud.firestore",
    "google.cloud.pubsub_v1",
    "google.cloud.workflows",
    "grpc",
    "sqlite3",
    "jwt",
    "httpx",
)


def loaded(code: str) -> set[str]:
    listing = f"{code}\nimport sys\nprint(*sys.modules, sep='\\n')"
    environ = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    done = subprocess.run([sys.executable, "-c", listing], env=environ, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_loads_nothing_heavy_and_needs_no_environment(name: str) -> None:
    modules = loaded(f"import functions.{name}.main")
    found = {heavy for heavy in HEAVY if heavy in modules}
    # The steps of research and the sweep hold a client of the research service.
    assert found <= ({"httpx"} if name not in ("capture", "fanout") else set())


def test_capture_loads_no_agent_and_no_client_of_a_model() -> None:
    modules = loaded("import functions.capture.main")
    assert not [module for module in modules if module.startswith(("google.adk", "google.genai", "shared.agent"))]


def test_shared_never_imports_functions_or_infra() -> None:
    for file in (ROOT / "shared").rglob("*.py"):
        for line in file.read_text().splitlines():
            assert not line.lstrip().startswith(("from functions", "import functions", "from infra", "import infra")), (
                f"{file}: {line}"
            )


def test_no_function_imports_another() -> None:
    for name in FUNCTIONS:
        for file in (ROOT / "functions" / name).rglob("*.py"):
            for line in file.read_text().splitlines():
                if line.startswith(("from functions.", "import functions.")):
                    assert line.split()[1].startswith(f"functions.{name}"), f"{file}: {line}"


def test_every_module_says_what_it_is() -> None:
    for base in ("shared", "functions", "infra"):
        for file in (ROOT / base).rglob("*.py"):
            assert file.read_text().startswith('"""'), file


def test_the_lock_files_name_no_registry() -> None:
    for name in ("requirements.txt", "requirements-dev.txt"):
        text = (ROOT / name).read_text()
        assert "--hash=sha256:" in text
        assert "://" not in text
    assert '"resolved"' not in (ROOT / "web" / "package-lock.json").read_text()


def test_every_setting_is_documented() -> None:
    from dataclasses import fields

    from shared.config import Settings

    readme = (ROOT / "README.md").read_text()
    for field in fields(Settings):
        assert f"MEMEX_{field.name.upper()}" in readme, field.name
