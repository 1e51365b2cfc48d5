"""Every gcloud command that we write down is one that gcloud takes."""

import os
from pathlib import Path

import pytest

from infra.gcp.proof import lint

pytestmark = [
    pytest.mark.gcloud,
    pytest.mark.skipif(
        not lint.installed() and not os.environ.get("MEMEX_TEST_ALL"), reason="gcloud or its linter is not installed"
    ),
]

SCRIPT = """
# gcloud in a comment is nothing
echo one && gcloud pubsub topics create "$TOPIC" --project="${PROJECT}"
NUMBER=$(gcloud projects describe <PROJECT> --format='value(projectNumber)' 2>/dev/null)
gcloud workflows execute research \\
  --location=europe-west1 --data='{"a": 1}' | cat
"""
TOLD = [
    "gcloud pubsub topics create x --project=x",
    "gcloud projects describe x '--format=value(projectNumber)'",
    "gcloud workflows execute research --location=europe-west1 '--data={\"a\": 1}'",
]


def test_every_command_is_one_that_gcloud_takes() -> None:
    written = {str(file): lint.commands(file) for file in lint.sources()}
    assert sum(map(len, written.values())) >= 3
    assert lint.lint([command for commands in written.values() for command in commands]) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.sh", SCRIPT),
        ("a.md", f"prose with gcloud nonsense\n\n```sh{SCRIPT}```\n\n```text\ngcloud nothing\n```\n"),
        ("a.tf", "\n".join(f"# `{command}`" for command in TOLD)),
        ("a.yaml", "steps:\n- name: x\n  entrypoint: bash\n  args:\n  - -c\n  - |" + SCRIPT.replace("\n", "\n    ")),
    ],
)
def test_commands_are_found_where_they_stand(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert lint.commands(tmp_path / name) == TOLD


def test_mistakes_are_found() -> None:
    wrong = [
        "gcloud workflows execute research --dta=x",
        "gcloud pubsub subscriptions create x",
        "gcloud pubsub topics creat x",
        "gcloud functions deploy x --gen2 --concurrency=many",
    ]
    problems = lint.lint([*wrong, "gcloud pubsub topics create right"])
    assert len(problems) == len(wrong)
    assert "did you mean '--data'" in problems[0]
