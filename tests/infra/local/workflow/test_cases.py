"""The documented language, one construct at a time."""

import json
from pathlib import Path
from typing import Any

import pytest

from infra.local.workflow.errors import LoadError
from tests.infra.local.workflow.conftest import Bench

CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("cases.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
async def test_the_engine_answers_as_documented(case: dict[str, Any], bench: Bench) -> None:
    try:
        execution = await bench.run(case["workflow"], json.dumps(case.get("argument")))
    except LoadError as error:
        assert case["error_contains"] in str(error)
        return
    if "error_contains" in case:
        assert execution.error is not None
        assert case["error_contains"] in execution.error.payload
    else:
        assert execution.error is None
        assert json.loads(execution.result or "") == case["result"]
