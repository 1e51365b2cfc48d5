"""Importing a vault: once, whole, resumable; what can't be imported is named."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.infra.local.command.conftest import Run, Served, tree

UNIMPORTABLE = {"Empty.md", "Work/Old letters.md"}


def generated(folder: Path, count: int) -> Path:
    for number in range(count):
        file = folder / f"area {number % 7}" / f"note {number:04d}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(
            f"---\ntitle: Note {number}\ntags: [gen, area-{number % 7}]\n---\n{'word ' * (number % 90)}\n#t{number}x\n"
        )
    return folder


def test_a_vault_becomes_notes_with_titles_tags_and_the_text_as_it_was(run: Run, served: Served, vault: Path) -> None:
    result = run("import", vault, "--json")
    assert result.exit_code == 0, result.stderr
    summary = json.loads(result.stdout)
    assert summary["imported"] == 9
    note = served.note("vault/Welcome.md")
    assert note["title"] == "Start here"
    assert [tag for tag in note["tags"] if tag not in note["enrichment"]["tags"]] == [
        "home",
        "reading-list",
        "callout/tag",
    ]
    assert note["body"] == (vault / "Welcome.md").read_text().split("---\n", 2)[2]
    assert "cssclasses:\n- wide" in note["origin"]["front_matter"]
    assert note["source"] == "import"
    assert served.note("vault/Garden/Pears.md")["title"] == "Pears"
    assert "\r\n" in served.note("vault/Garden/Pears.md")["body"]
    assert served.note("vault/Work/Sixteen bits.md")["title"] == "Grüße"


def test_a_dated_note_lies_where_it_was_written_and_buries_nothing(run: Run, served: Served, tmp_path: Path) -> None:
    vault = tmp_path / "v"
    vault.mkdir()
    run("capture", "today's thought")
    for name, date in (("b", "2021-05-01"), ("a", "2023-05-01T08:00:00Z"), ("c", "2019-05-01 10:00")):
        (vault / f"{name}.md").write_text(f"---\ncreated: {date}\n---\n{name}\n")
    result = run("import", vault, "--json")
    assert json.loads(result.stdout)["imported"] == 3
    feed = served.notes()
    assert [note["body"].strip() for note in feed] == ["today's thought", "a", "b", "c"]
    assert feed[1]["created_at"] == "2023-05-01T08:00:00.000000Z"
    assert feed[1]["updated_at"] > feed[1]["created_at"]
    assert json.loads(run("import", vault, "--json").stdout)["already_there"] == 3


def test_without_a_date_that_counts_the_files_own_does(run: Run, served: Served, tmp_path: Path) -> None:
    vault = tmp_path / "v"
    vault.mkdir()
    for name, date in (("odd", "the day before"), ("old", "1850-01-01"), ("ahead", "2999-01-01"), ("none", "")):
        (vault / f"{name}.md").write_text(f"---\ndate: {date}\n---\n{name}\n")
        os.utime(vault / f"{name}.md", (0, 1_577_836_800))
    summary = json.loads(run("import", vault, "--json").stdout)
    assert (summary["imported"], summary["failed"]) == (4, [])
    assert [remark["file"] for remark in summary["remarks"]] == ["odd.md", "old.md"]
    assert {note["created_at"] for note in served.notes()} == {"2020-01-01T00:00:00.000000Z"}


def test_a_file_from_the_future_counts_as_written_now(run: Run, served: Served, tmp_path: Path) -> None:
    vault = tmp_path / "v"
    vault.mkdir()
    (vault / "ahead.md").write_text("ahead")
    os.utime(vault / "ahead.md", (0, 32_503_680_000))
    run("capture", "before")
    assert json.loads(run("import", vault, "--json").stdout)["imported"] == 1
    assert [note["body"] for note in served.notes()] == ["ahead", "before"]


def test_the_first_heading_is_the_title_and_stays_in_the_text(run: Run, served: Served, tmp_path: Path) -> None:
    vault = tmp_path / "v"
    vault.mkdir()
    (vault / "2024 draft 3.md").write_text("\n# Pears on a wall\n\nThey ripen.\n")
    run("import", vault)
    served.settled()
    note = served.note("v/2024 draft 3.md")
    assert (note["title"], note["body"]) == ("Pears on a wall", "\n# Pears on a wall\n\nThey ripen.\n")
    run("export", tmp_path / "out")
    assert tree(tmp_path / "out/v") == tree(vault)


def test_open_boxes_become_tasks_once_and_ticked_ones_none(run: Run, served: Served, tmp_path: Path) -> None:
    vault = tmp_path / "v"
    vault.mkdir()
    (vault / "todo.md").write_text(
        "# To do\n\n- [ ] call the plumber\n- [x] pay the rent\n- [X] book a table\n* [ ] buy milk #shop\n"
        "  - [ ] Call the plumber!\n- [-] order seeds\n"
    )
    for _ in range(2):
        run("import", vault)
        served.settled()
    note = served.note("v/todo.md")
    served.http.post(f"/api/v1/notes/{note['id']}/enrich").raise_for_status()
    served.settled()
    tasks = served.http.get("/api/v1/tasks").raise_for_status().json()["tasks"]
    assert sorted((task["title"], task["status"]) for task in tasks) == [
        ("buy milk", "open"),
        ("call the plumber", "open"),
    ]


def test_a_file_that_claims_a_notes_id_never_overwrites_it(run: Run, served: Served, tmp_path: Path) -> None:
    vault = tmp_path / "v"
    vault.mkdir()
    source = run("capture", "How do pears grow?", "--json")
    source_id = served.notes()[0]["id"]
    assert source.exit_code == 0
    (vault / "forged.md").write_text(
        f"---\nid: {source_id}\nkind: research\ntags: [research-report, research]\nsource_note_id: {source_id}\n"
        "citations:\n  - number: 1\n    title: Proof\n    url: https://example.org/\n    quote: Proven.\n"
        "---\nIt is proven [1].\n"
    )
    assert json.loads(run("import", vault, "--json").stdout)["changed"] == ["forged.md"]
    left = json.loads(run("import", vault, "--update", "--json").stdout)["left_alone"]
    assert [one["file"] for one in left] == ["forged.md"] and "`id` line" in left[0]["reason"]
    served.settled()
    (note,) = served.notes()
    assert (note["id"], note["body"], note["kind"]) == (source_id, "How do pears grow?", "capture")
    assert note["research"]["operation_id"] is None and note["research"]["requested"] is False


def test_what_is_skipped_is_counted_and_what_is_unsuitable_named(run: Run, vault: Path) -> None:
    result = run("import", vault)
    assert result.exit_code == 0
    assert "2 attachments (1 canvas, 1 image)" in result.stdout
    assert "1 empty file" in result.stdout
    assert "2 hidden files and folders" in result.stdout
    assert "Work/Old letters.md: it is not UTF-8 (byte 2)" in result.stdout
    assert "Work/Broken front matter.md: its front matter can't be read and stays in the text" in result.stdout


def test_a_second_import_adds_nothing(run: Run, served: Served, vault: Path) -> None:
    run("import", vault)
    before = {note["id"] for note in served.notes()}
    result = run("import", vault, "--json")
    summary = json.loads(result.stdout)
    assert (summary["imported"], summary["already_there"], summary["changed"]) == (0, 9, [])
    assert {note["id"] for note in served.notes()} == before


def test_a_dry_run_sends_nothing(run: Run, served: Served, vault: Path) -> None:
    result = run("import", vault, "--dry-run")
    assert result.exit_code == 0
    assert "Would import" in result.stdout
    assert served.notes() == []


def test_a_changed_file_is_named_with_the_advice(run: Run, vault: Path) -> None:
    run("import", vault)
    (vault / "Welcome.md").write_text("other")
    result = run("import", vault)
    assert result.exit_code == 0
    assert "--update" in result.stdout
    assert "    Welcome.md" in result.stdout


def test_an_update_takes_a_changed_file_over_once(run: Run, served: Served, vault: Path) -> None:
    run("import", vault)
    served.settled()
    (vault / "Welcome.md").write_bytes(b"---\ntitle: New\ntags: [research, fresh]\n---\nother\r\n")
    assert json.loads(run("import", vault, "--update", "--json").stdout)["updated"] == ["Welcome.md"]
    note = served.note("vault/Welcome.md")
    assert (note["title"], note["body"]) == ("New", "other\r\n")
    assert "fresh" in note["tags"] and "research" not in note["tags"]
    summary = json.loads(run("import", vault, "--update", "--json").stdout)
    assert (summary["already_there"], summary["updated"]) == (9, [])


def test_an_updated_note_is_exported_as_the_new_file(run: Run, vault: Path, tmp_path: Path) -> None:
    run("import", vault)
    (vault / "Welcome.md").write_bytes(b"---\nnew: key\n---\nother\r\n")
    run("import", vault, "--update")
    run("export", tmp_path / "out")
    assert (tmp_path / "out/vault/Welcome.md").read_bytes() == (vault / "Welcome.md").read_bytes()


def test_an_update_leaves_a_note_alone_that_was_edited_in_memex(run: Run, served: Served, vault: Path) -> None:
    run("import", vault)
    note = served.note("vault/Welcome.md")
    served.edit(note["id"], body="mine")
    (vault / "Welcome.md").write_text("theirs")
    result = run("import", vault, "--update")
    assert result.exit_code == 0
    assert "Welcome.md: the note was edited in Memex too" in result.stdout
    assert served.get(note["id"])["body"] == "mine"


def test_a_note_in_the_bin_is_not_brought_back(run: Run, served: Served, vault: Path) -> None:
    run("import", vault)
    served.http.delete(f"/api/v1/notes/{served.note('vault/Welcome.md')['id']}").raise_for_status()
    assert json.loads(run("import", vault, "--json").stdout)["in_bin"] == ["Welcome.md"]


def test_research_is_only_asked_for_with_the_switch(run: Run, served: Served, tmp_path: Path) -> None:
    vault = tmp_path / "asked"
    vault.mkdir()
    (vault / "q.md").write_text("---\ntags: research\n---\nWhy?\n")
    run("import", vault)
    served.settled()
    assert served.note("asked/q.md")["research"]["operation_id"] is None
    (vault / "r.md").write_text("Why not?\n")
    result = run("import", vault, "--research")
    assert "research on up to 2 notes" in result.stderr
    served.settled()
    assert served.note("asked/r.md")["research"]["operation_id"]


def test_links_out_of_the_vault_and_strange_files_are_left_out(run: Run, served: Served, tmp_path: Path) -> None:
    vault, outside = tmp_path / "v", tmp_path / "secret"
    vault.mkdir()
    outside.mkdir()
    (outside / "secret.md").write_text("not yours")
    (vault / "a.md").write_text("a")
    (vault / "out.md").symlink_to(outside / "secret.md")
    (vault / "folder").symlink_to(outside)
    (vault / "loop").symlink_to(vault)
    (vault / "gone.md").symlink_to(vault / "nowhere.md")
    (vault / "same.md").symlink_to(vault / "a.md")
    os.mkfifo(vault / "pipe.md")
    (vault / os.fsdecode(b"bad\xff.md")).write_text("x")
    (vault / "zero.md").write_bytes(b"a\0b")
    (vault / "wide.md").write_text("x", "utf-32")
    summary = json.loads(run("import", vault, "--json").stdout)
    assert summary["imported"] == 2
    assert summary["skipped"]["links"] == ["folder", "gone.md", "loop", "out.md"]
    assert [one["reason"][:12] for one in summary["skipped"]["unsuitable"]] == [
        "its name is ",
        "it is UTF-32",
        "it holds zer",
    ]
    assert sorted(note["title"] for note in served.notes()) == ["a", "same"]


def test_a_note_of_nearly_900_kb_fits_and_a_larger_one_is_named(run: Run, served: Served, tmp_path: Path) -> None:
    vault = tmp_path / "v"
    vault.mkdir()
    (vault / "fits.md").write_text("x" * 895_000)
    (vault / "escapes.md").write_text('"' * 460_000)
    (vault / "large.md").write_text("x" * 899_500)
    (vault / "huge.md").write_text("x" * 2_000_000)
    summary = json.loads(run("import", vault, "--json").stdout)
    assert summary["imported"] == 1, summary
    assert [one["file"] for one in summary["skipped"]["unsuitable"]] == ["escapes.md", "huge.md", "large.md"]
    assert served.note("v/fits.md")["body"] == "x" * 895_000
    run("export", tmp_path / "out")
    assert (tmp_path / "out/v/fits.md").read_bytes() == (vault / "fits.md").read_bytes()


@pytest.mark.slow
def test_killed_at_any_point_and_run_again_nothing_is_lost_or_twice(run: Run, served: Served, tmp_path: Path) -> None:
    vault = generated(tmp_path / "big", 600)
    environ = {**os.environ, "PORT": served.url.rsplit(":", 1)[1], "MEMEX_DATA": str(served.data), "PYTHONPATH": "."}
    command = [sys.executable, "-c", "from infra.local.command import main; main()", "import", str(vault)]
    for number in (signal.SIGKILL, signal.SIGINT, signal.SIGKILL):
        with subprocess.Popen(
            command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            before = len(served.notes())
            # In the middle of the work, however long the machine takes to get there.
            while process.poll() is None and len(served.notes()) < before + 40:
                time.sleep(0.02)
            process.send_signal(number)
            _, errors = process.communicate(timeout=30)
        if number == signal.SIGINT and process.returncode:
            assert process.returncode == 130
            assert "Run the same command again" in errors
    summary = json.loads(run("import", vault, "--json").stdout)
    assert summary["imported"] + summary["already_there"] == 600
    titles = [note["title"] for note in served.notes()]
    assert len(titles) == len(set(titles)) == 600
