"""Imports against a Memex that has a bad day."""

import json
import os
import re
from pathlib import Path

import httpx
import pytest
import respx
from click.testing import CliRunner, Result

from infra.local.command.cli import memex
from infra.local.command.http import Patience
from tests.infra.local.command.conftest import UNSET

URL = "http://127.0.0.1:9"
BATCH = f"{URL}/api/v1/captures/batch"
ENVIRON = {**UNSET, "MEMEX_DEVICE_KEY": "k", "PORT": "9"}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Patience, "pause", lambda *_: 0.0)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "v"
    folder.mkdir()
    for number in range(50):
        (folder / f"{number:02d}.md").write_text(f"note {number} é")
    return folder


def stored(request: httpx.Request) -> httpx.Response:
    entries = json.loads(request.content)["captures"]
    return httpx.Response(207, json={"results": [{"status": 201, "note": {"id": "x"}} for _ in entries]})


def bring(vault: Path, *more: str) -> Result:
    return CliRunner().invoke(memex, ["import", str(vault), *more], env=ENVIRON)


@respx.mock
def test_requests_stay_within_twenty_notes_and_900_kb(vault: Path) -> None:
    for number in range(10):
        (vault / f"long {number}.md").write_text('é\\"' * 60_000)
    route = respx.post(BATCH).mock(side_effect=stored)
    assert bring(vault).exit_code == 0
    sizes = [(len(call.request.content), len(json.loads(call.request.content)["captures"])) for call in route.calls]
    assert sum(count for _, count in sizes) == 60
    assert max(count for _, count in sizes) == 20
    assert max(size for size, _ in sizes) <= 900_000


@respx.mock
def test_a_memex_that_goes_away_stops_the_import_with_the_way_on(vault: Path) -> None:
    calls = iter(range(1000))
    respx.post(BATCH).mock(side_effect=lambda request: stored(request) if next(calls) < 1 else httpx.Response(503))
    result = bring(vault)
    assert result.exit_code == 3
    assert re.search(r"30 of 50 files are still to come", result.stderr)
    assert "run the same command again" in result.stderr
    assert re.search(r"Imported +20", result.stdout)


@respx.mock
def test_an_entry_that_is_refused_for_now_is_sent_again_alone(vault: Path) -> None:
    refused: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        results: list[dict[str, object]] = []
        for entry in json.loads(request.content)["captures"]:
            if entry["title"] == "07" and len(refused) < 2:
                refused.append(entry["title"])
                results.append({"status": 409, "error": {"code": "conflict", "message": "again"}})
            elif entry["title"] == "09":
                results.append({"status": 422, "error": {"code": "invalid_field", "message": "no"}})
            else:
                results.append({"status": 201, "note": {"id": "x"}})
        return httpx.Response(207, json={"results": results})

    respx.post(BATCH).mock(side_effect=answer)
    summary = json.loads(bring(vault, "--json").stdout)
    assert summary["imported"] == 49
    assert summary["failed"] == [{"file": "09.md", "reason": "no"}]


@respx.mock
@pytest.mark.parametrize("reason", ["lies in the future", "Extra inputs are not permitted"])
def test_a_memex_that_does_not_take_a_date_gets_the_note_without_it(tmp_path: Path, reason: str) -> None:
    folder = tmp_path / "dated"
    folder.mkdir()
    (folder / "old.md").write_text("---\ncreated: 2024-01-05T10:30:00Z\n---\nbody")
    (folder / "soon.md").write_text("---\ndate: 9000-01-01\n---\nbody")
    os.utime(folder / "soon.md", (0, 1_577_836_800))
    sent: list[object] = []

    def answer(request: httpx.Request) -> httpx.Response:
        entries = json.loads(request.content)["captures"]
        sent.append([(entry["title"], entry.get("created_at")) for entry in entries])
        error = {"code": "invalid_field", "message": f"created_at: {reason}"}
        results = [
            {"status": 422, "error": error} if "created_at" in entry else {"status": 201, "note": {"id": "x"}}
            for entry in entries
        ]
        return httpx.Response(207, json={"results": results})

    respx.post(BATCH).mock(side_effect=answer)
    result = bring(folder, "--json")
    assert result.exit_code == 0
    assert (json.loads(result.stdout)["imported"], json.loads(result.stdout)["failed"]) == (2, [])
    dated = [("old", "2024-01-05T10:30:00.000000Z"), ("soon", "2020-01-01T00:00:00.000000Z")]
    assert sent == [dated, [("old", None), ("soon", None)]]


@respx.mock
def test_one_note_that_brings_the_server_down_does_not_stop_the_others(vault: Path) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(500) if b"note 13 " in request.content else stored(request)

    respx.post(BATCH).mock(side_effect=answer)
    result = bring(vault, "--json")
    assert result.exit_code == 1
    summary = json.loads(result.stdout)
    assert (summary["imported"], [one["file"] for one in summary["failed"]]) == (49, ["13.md"])


@respx.mock
def test_a_server_that_stores_nothing_is_not_blamed_on_the_files(vault: Path) -> None:
    respx.post(BATCH).mock(return_value=httpx.Response(500))
    result = bring(vault)
    assert result.exit_code == 1
    assert "Memex stores nothing at the moment" in result.stderr


@respx.mock
def test_a_smaller_limit_on_the_way_halves_the_requests(vault: Path) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if len(json.loads(request.content)["captures"]) > 3:
            return httpx.Response(413, json={"error": {"code": "too_large", "message": "too large"}})
        return stored(request)

    respx.post(BATCH).mock(side_effect=answer)
    assert json.loads(bring(vault, "--json").stdout)["imported"] == 50
