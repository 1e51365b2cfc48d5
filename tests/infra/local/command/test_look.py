"""Looking things up in a terminal, and taking a change back: search, tasks, undo."""

import json
from datetime import datetime

import pytest
import respx
from click.testing import CliRunner

from infra.local.command.cli import memex
from tests.fakes.scripted import ScriptedModel, calls, says
from tests.infra.local.command.conftest import UNSET, Run, Served

ENVIRON = {**UNSET, "MEMEX_DEVICE_KEY": "k", "PORT": "9", "COLUMNS": "60"}


def test_a_search_prints_day_title_passage_and_address(run: Run, served: Served) -> None:
    wall = json.loads(run("capture", "A wall stores warmth.", "--title", "Pears on a wall", "--json").stdout)
    run("capture", "Quinces are for jelly.")
    result = run("search", "warmth", "walls")
    assert result.exit_code == 0 and result.stderr == ""
    day = datetime.fromisoformat(wall["created_at"]).astimezone()
    assert result.stdout.splitlines() == [
        f"{day:%Y-%m-%d}  Pears on a wall",
        "            A wall stores warmth.",
        f"            {served.url}/#/notes/{wall['id']}",
    ]
    answer = json.loads(run("search", "warmth", "--json").stdout)
    assert [note["id"] for note in answer["notes"]] == [wall["id"]] == [hit["note_id"] for hit in answer["hits"]]


@respx.mock
def test_a_passage_is_shown_without_marks_and_addresses() -> None:
    note = {"id": "n", "title": "T", "created_at": "2026-01-01T12:00:00.000000Z"}
    pieces = [
        {"text": "**Warm** [walls](#/notes/x) ", "hit": False},
        {"text": "help", "hit": True},
        {"text": " [cite: 1]"},
    ]
    hit = {"note_id": "n", "title": [{"text": "T"}], "passage": pieces}
    respx.get("http://127.0.0.1:9/api/v1/notes").respond(json={"notes": [note], "hits": [hit]})
    lines = CliRunner().invoke(memex, ["search", "help"], env=ENVIRON).stdout.splitlines()
    assert lines[:2] == ["2026-01-01  T", "            Warm walls help [1]"]


def test_a_search_without_a_find_or_a_word_says_so(run: Run) -> None:
    none = run("search", "zeppelin")
    assert (none.exit_code, none.stdout, none.stderr) == (0, "", "No note holds any of these words.\n")
    empty = run("search", " ")
    assert empty.exit_code == 2 and "nothing to search for" in empty.stderr


def test_a_search_can_be_held_to_a_tag(run: Run) -> None:
    run("capture", "pears one", "--tag", "garden")
    run("capture", "pears two")
    assert "pears one" in (told := run("search", "pears", "--tag", "garden").stdout) and "pears two" not in told


def test_open_tasks_are_listed_with_their_day(run: Run, served: Served) -> None:
    assert "There is no open task." in run("tasks").stderr
    made = [
        served.http.post("/api/v1/tasks", json={"title": title}).raise_for_status().json()["task"]
        for title in ("Buy milk", "Call the plumber")
    ]
    served.http.patch(f"/api/v1/tasks/{made[0]['id']}", json={"status": "done"}).raise_for_status()
    day = datetime.fromisoformat(made[1]["created_at"]).astimezone()
    assert run("tasks").stdout == f"{day:%Y-%m-%d}  Call the plumber\n"
    assert "Buy milk" in run("tasks", "--status", "done").stdout
    both = run("tasks", "--status", "all").stdout
    assert "Buy milk (done)" in both and "Call the plumber (open)" in both
    assert [task["title"] for task in json.loads(run("tasks", "--json").stdout)["tasks"]] == ["Call the plumber"]
    assert "These are the newest 1" in run("tasks", "--status", "all", "--limit", "1").stderr


@respx.mock
def test_a_long_task_is_wrapped_and_drives_no_terminal() -> None:
    task = {"title": "\x1b[31mlong " + "word " * 60, "created_at": "2026-01-01T12:00:00.000000Z", "status": "open"}
    respx.get("http://127.0.0.1:9/api/v1/tasks").respond(json={"tasks": [task], "next_cursor": None})
    lines = CliRunner().invoke(memex, ["tasks"], env=ENVIRON).stdout.splitlines()
    assert len(lines) == 3 and all(len(line) <= 60 for line in lines) and "\x1b" not in "".join(lines)
    assert lines[0].startswith("2026-01-01  [31mlong") and lines[1].startswith(" " * 12 + "word")


def test_the_last_change_of_a_conversation_is_taken_back_once(
    run: Run, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = ScriptedModel()
    monkeypatch.setattr(served.product.services, "model", lambda _name: model)
    assert "There is no conversation yet." in run("undo").stderr
    model.steps = [says("Hello.")]
    run("ask", "Hello there, my dear second brain")
    nothing = run("undo")
    assert nothing.exit_code == 1 and "changed nothing that could be taken back" in nothing.stderr
    model.steps += [
        calls(("create_note", {"text": "Pears are fruit.", "title": "Pears"})),
        calls(("create_note", {"text": "Quinces are, too.", "title": "Quinces"})),
        calls(("search_notes", {"query": "pears"})),
        says("Both are noted."),
    ]
    assert run("ask", "Note that pears and quinces are fruit").exit_code == 0
    for _ in range(2):
        back = run("undo")
        assert back.exit_code == 0, back.stderr
        assert back.stdout == "Taken back: wrote the note “Quinces”\nThe note is in the bin.\n"
        assert [note["title"] for note in served.notes()] == ["Pears"]
    first = served.http.get("/api/v1/chat/sessions").raise_for_status().json()["sessions"][-1]["id"]
    assert run("undo", "--session", first).exit_code == 1
    assert json.loads(run("undo", "--json").stdout)["undone"]["undone"] == "note_created"
