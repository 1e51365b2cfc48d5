"""Finished work of every kind shows its result, by following it and by looking at it."""

import json
from collections.abc import Iterator
from typing import get_args

import httpx
import pytest
import respx
from click.testing import CliRunner

from infra.local.command.cli import memex
from shared.models.base import JsonDict
from shared.models.operation import OperationKind
from tests.web.seed import result_of

URL = "http://127.0.0.1:9876"
ID, NOTE, OTHER = "01arz3ndektsv4rrffq69g5fav", "01arz3ndektsv4rrffq69g5faw", "01arz3ndektsv4rrffq69g5fax"
ENVIRON = {"MEMEX_URL": URL, "MEMEX_DEVICE_KEY": "k" * 32, "COLUMNS": "90", "HTTP_PROXY": None}
NOTES = httpx.Response(200, json={"note": {"id": NOTE, "title": "Pears", "body": "They ripen.", "citations": []}})

OUTPUTS: dict[OperationKind, JsonDict] = {
    "agent_task": result_of(NOTE, OTHER).model_dump(mode="json", by_alias=True),
    "deep_research": {"schema_id": "memex.research-report", "summary": "They ripen.", "claims": [], "sources": []},
    "routine": {"routine": "daily_review", "summary": "A review waits.", "approval_ids": [OTHER], "sources": ["#/x"]},
    "memory_generation": {"verdict": "healthy", "created": 2, "updated": 0, "deleted": 1, "receipt_id": OTHER},
}
SHOWN: dict[OperationKind, list[str]] = {
    "agent_task": [
        "Sleep helps, about half as much as textbooks say. [S1]",
        "1. The early studies were small. [S1] (85 of 100)",
        "   > most of the classic studies had fewer than 30 people",
        "3. Naps double the effect. (no source that was read is named for it)",
        "Word pairs, pooled  1,460",
        "- 2021: Pooled",
        "- Learn in the evening",
        "Effect  17 %   mixed",
        "- Both notes may lean on the same lecture. [S1]",
        "- SLP Sleep Number",
        f"S1. Sleep and memory <{URL}/#/notes/{NOTE}>",
        "S3. A replication <https://example.org/sleep>",
        "- Quotes that don't stand in their sources word for word were taken off.",
    ],
    "deep_research": ["# Pears", "They ripen."],
    "routine": ["A review waits.", f"Decide on it: {URL}/#/approvals/{OTHER}"],
    "memory_generation": ["Memories: 2 created, 1 deleted (healthy)."],
}


def operation(kind: str, **more: object) -> JsonDict:
    note = {"result_note_id": NOTE} if kind == "deep_research" else {}
    return {"id": ID, "kind": kind, "status": "completed", "input": {}, **note, **more}  # type: ignore[dict-item]


@pytest.fixture
def memory() -> Iterator[respx.MockRouter]:
    with respx.mock(base_url=URL, assert_all_called=False) as router:
        router.get(f"/api/v1/notes/{NOTE}").mock(return_value=NOTES)
        yield router


def shown(memory: respx.MockRouter, told: JsonDict, *arguments: str) -> tuple[int, str, str]:
    memory.get(f"/api/v1/operations/{ID}").mock(return_value=httpx.Response(200, json={"operation": told}))
    done = f"id: 1\nevent: task.completed\ndata: {json.dumps({'seq': 1, 'event': 'task.completed'})}\n\n"

    def events(request: httpx.Request) -> httpx.Response:
        if "event-stream" in request.headers["accept"]:
            text = f"{done}event: done\ndata: {{}}\n\n"
            return httpx.Response(200, text=text, headers={"content-type": "text/event-stream"})
        return httpx.Response(200, json={"events": [], "next_cursor": None})

    memory.get(f"/api/v1/operations/{ID}/events").mock(side_effect=events)
    result = CliRunner().invoke(memex, ["ops", *arguments], env=ENVIRON)
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("arguments", [("--follow", ID), (ID,)], ids=["follow", "look"])
@pytest.mark.parametrize("kind", get_args(OperationKind))
def test_every_kind_shows_its_result(memory: respx.MockRouter, kind: OperationKind, arguments: tuple[str, ...]) -> None:
    code, out, errors = shown(memory, operation(kind, output=OUTPUTS[kind]), *arguments)
    assert code == 0, errors
    assert "without a result" not in errors
    lines = out.splitlines()
    assert [line for line in SHOWN[kind] if not any(one.startswith(line) for one in lines)] == []


@pytest.mark.parametrize("kind", get_args(OperationKind))
def test_a_program_gets_the_whole_operation(memory: respx.MockRouter, kind: OperationKind) -> None:
    code, out, _ = shown(memory, operation(kind, output=OUTPUTS[kind]), "--follow", ID, "--json")
    told = json.loads(out)
    assert (code, told["operation"]["output"]) == (0, OUTPUTS[kind])
    assert (told["note"] is None) == (kind != "deep_research")


def test_a_report_whose_note_is_gone_shows_what_is_left(memory: respx.MockRouter) -> None:
    gone = httpx.Response(404, json={"error": {"code": "note_not_found", "message": "There is no note.", "next": ""}})
    memory.get(f"/api/v1/notes/{NOTE}").mock(return_value=gone)
    code, out, errors = shown(memory, operation("deep_research", output=OUTPUTS["deep_research"]), "--follow", ID)
    assert (code, out) == (0, "They ripen.\n")
    assert "gone for good" in errors


@pytest.mark.parametrize("output", [{"schema": "of tomorrow", "answer": 42}, None])
def test_a_result_of_another_shape_is_shown_as_it_is(memory: respx.MockRouter, output: JsonDict | None) -> None:
    code, out, _ = shown(memory, operation("of_tomorrow", output=output), "--follow", ID)
    assert (code, json.loads(out) if output else out.strip()) == (0, output or "Completed.")


def test_an_incomplete_result_says_so(memory: respx.MockRouter) -> None:
    told = operation("agent_task", output=OUTPUTS["agent_task"], partial="It reached the limit of the day.")
    _, _, errors = shown(memory, told, "--follow", ID)
    assert "The result is incomplete: It reached the limit of the day." in errors


@pytest.mark.parametrize("status", ["failed", "cancelled"])
@pytest.mark.parametrize("kind", get_args(OperationKind))
def test_without_a_result_it_says_why_and_what_to_do(
    memory: respx.MockRouter, kind: OperationKind, status: str
) -> None:
    code, out, errors = shown(memory, operation(kind, status=status, error={"message": "Why."}), "--follow", ID)
    assert (code, out) == (1, "")
    assert "Why." in errors and errors.strip().splitlines()[-1].strip()
    assert "Start it anew" in errors
