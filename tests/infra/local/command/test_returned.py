"""What an export wrote comes back: known where it is there, whole where it is not, and nothing is overwritten by it."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from infra.local.command.cli import memex
from infra.local.command.vault.claim import claim
from infra.local.product import Pace
from tests.infra.local.command.conftest import UNSET, Run, Served, tree

A, B = "01j0000000000000000000000a", "01j0000000000000000000000b"


def at(served: Served) -> Run:
    """The command, told of this product by its environment."""
    environ = {**UNSET, "PORT": served.url.rsplit(":", 1)[1], "MEMEX_DATA": str(served.data)}

    def command(*args: str | Path, input: str | bytes | None = None) -> Result:
        return CliRunner().invoke(memex, [str(arg) for arg in args], input=input, env=environ)

    return command


def brought(run: Run, folder: Path, *more: str) -> dict[str, Any]:
    result = run("import", folder, *more, "--json")
    assert result.exit_code == 0, result.stderr
    summary: dict[str, Any] = json.loads(result.stdout)
    return summary


def filled(run: Run, served: Served, out: Path, vault: Path | None = None) -> None:
    """Notes of every sort, and an export of them."""
    for text in ("Pears grow flat against a sunny wall. #garden", "A south wall stores warmth for pears."):
        run("capture", text)
    run("capture", "--url", "https://example.org/pears", "--title", "On pears")
    if vault:
        run("import", vault)
    served.settled()
    assert run("research", "How do pears grow against a wall?").exit_code == 0
    served.settled()
    assert run("export", out).exit_code == 0


def named(folder: Path, part: str) -> Path:
    return next(file for file in folder.rglob("*.md") if part in file.name)


def test_an_export_that_is_imported_again_adds_nothing(run: Run, served: Served, tmp_path: Path, vault: Path) -> None:
    out = tmp_path / "out"
    filled(run, served, out, vault)
    before = {note["id"]: note["revision"] for note in served.notes()}
    for update in ([], ["--update"]):
        summary = brought(run, out, *update)
        assert (summary["imported"], summary["already_there"]) == (0, len(before)), summary
        assert (summary["changed"], summary["updated"], summary["left_alone"]) == ([], [], [])
    assert {note["id"]: note["revision"] for note in served.notes()} == before


def test_it_is_known_without_the_exports_list_and_from_another_folder(run: Run, served: Served, tmp_path: Path) -> None:
    out = tmp_path / "out"
    filled(run, served, out)
    copied = tmp_path / "copied/deep"
    shutil.copytree(out, copied, ignore=shutil.ignore_patterns(".*"))
    count = len(served.notes())
    assert brought(run, tmp_path / "copied")["already_there"] == count == len(served.notes())


def test_what_was_edited_in_memex_and_exported_is_known_too(
    run: Run, served: Served, tmp_path: Path, vault: Path
) -> None:
    run("import", vault)
    served.edit(served.note("vault/Welcome.md")["id"], body="edited", title="Other")
    run("export", tmp_path / "out")
    summary = brought(run, tmp_path / "out")
    assert (summary["imported"], summary["already_there"], summary["changed"]) == (0, 9, [])


def test_tags_that_enrichment_found_since_are_no_difference(run: Run, served: Served, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    note = json.loads(run("capture", "Pears on a wall in the garden, pears on a wall.", "--json").stdout)
    served.settled()
    page = f"---\nid: {note['id']}\nkind: capture\n---\n{note['body']}"
    (tmp_path / "out/x.md").write_text(page)
    assert served.get(note["id"])["title"]
    assert brought(run, tmp_path / "out")["already_there"] == 1


def test_a_file_that_was_changed_is_taken_over_only_when_asked_for_and_again_after_an_export(
    run: Run, served: Served, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    filled(run, served, out)
    file = named(out, "sunny")
    note_id = yaml.safe_load(file.read_text().split("---\n")[1])["id"]
    was = served.get(note_id)
    for text in ("Pears grow anywhere.", "Pears grow in pots."):
        file.write_text(file.read_text().rpartition("---\n")[0] + f"---\n{text}")
        summary = brought(run, out)
        assert (summary["changed"], summary["imported"]) == ([file.name], 0)
        assert brought(run, out, "--update")["updated"] == [file.name]
        assert brought(run, out, "--update")["updated"] == []
        note = served.get(note_id)
        assert (note["body"], note["title"], note["origin"]) == (text, was["title"], None)
        assert set(was["tags"]) <= {*note["tags"], "garden"}
        assert run("export", out).exit_code == 0


def test_a_note_that_was_changed_since_the_export_is_left_alone(run: Run, served: Served, tmp_path: Path) -> None:
    out = tmp_path / "out"
    filled(run, served, out)
    file = named(out, "sunny")
    note_id = yaml.safe_load(file.read_text().split("---\n")[1])["id"]
    served.edit(note_id, body="mine")
    file.write_text(file.read_text() + " theirs")
    (left,) = brought(run, out, "--update")["left_alone"]
    assert left["file"] == file.name and "changed in Memex since" in left["reason"]
    assert served.get(note_id)["body"] == "mine"


def test_a_copy_with_the_same_id_does_not_take_the_notes_place(run: Run, served: Served, tmp_path: Path) -> None:
    out = tmp_path / "out"
    filled(run, served, out)
    file = named(out, "sunny")
    (out / "copy.md").write_text(file.read_text() + " and more")
    before = {note["id"]: note["revision"] for note in served.notes()}
    (left,) = brought(run, out, "--update")["left_alone"]
    assert left["file"] == "copy.md" and "`id` line" in left["reason"]
    assert {note["id"]: note["revision"] for note in served.notes()} == before


def test_an_empty_memex_gets_every_note_whole_and_once(
    tmp_path: Path, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    out = tmp_path / "out"
    # One after the other: a process has the services of one Memex.
    with Served(tmp_path / "data", Pace(research_seconds=1.0)) as first:
        filled(at(first), first, out, vault)
        notes = [first.get(note["id"]) for note in first.notes()]
    with Served(tmp_path / "other", Pace(research_seconds=1.0)) as other:
        run = at(other)
        assert brought(run, out)["imported"] == len(notes)
        other.settled()
        for was in notes:
            now = other.get(was["id"])
            for field in ("kind", "title", "url", "source_note_id", "citations"):
                assert now[field] == was[field], field
            assert now["created_at"][:19] == was["created_at"][:19]
            assert set(was["tags"]) <= set(now["tags"])
            assert now["body"].startswith(was["body"].rstrip("\n"))
            assert now["research"]["requested"] is False and now["research"]["operation_id"] is None
        assert any(note["citations"] for note in other.notes(kind="research"))
        summary = brought(run, out, "--update")
        assert (summary["imported"], summary["already_there"]) == (0, len(notes))
        # The vault itself is known as well, and what goes out again is what came in.
        assert brought(run, vault)["imported"] == 0
        assert run("export", tmp_path / "again").exit_code == 0
        assert tree(tmp_path / "again") == tree(out)


@pytest.mark.parametrize(
    ("block", "known_as", "found"),
    [
        (f"id: {A}\nkind: capture", "", A),
        (f"id: {A}\nkind: capture", B, B),
        ("title: x", B, B),
        ("title: x", "", None),
        ("title: x", "../../elsewhere", None),
        (f"id: {A}", "", None),
        (f"id: {A}\nkind: project", "", None),
        ("id: 7\nkind: capture", "", None),
        (f"id: {A.upper()}\nkind: capture", "", None),
        (f"id: [{A}]\nkind: capture", "", None),
        (f"id: {A}\nkind: [", "", None),
    ],
)
def test_only_what_an_export_writes_is_a_claim(block: str, known_as: str, found: str | None) -> None:
    made = claim(f"---\n{block}\n---\n", known_as)
    assert (made.id if made else None) == found


def test_of_a_claim_only_what_can_be_followed_is_taken() -> None:
    listed = [
        {"number": 1, "title": "A", "url": "https://example.org/a", "quote": "Word for word."},
        {"number": 2, "title": "B", "url": f"#/notes/{B}"},
        {"number": 3, "title": "C", "url": "javascript:alert(1)"},
        {"number": "x", "title": "D", "url": "https://example.org/d"},
        {"number": 5, "title": "E", "url": "#/settings"},
        "loose",
    ]
    fields = {"id": A, "kind": "research", "url": "javascript:alert(1)", "source_note_id": "x", "citations": listed}
    made = claim(f"---\n{yaml.safe_dump(fields)}---\n")
    assert made and (made.url, made.source_note_id) == ("", "")
    assert made.as_json()["citations"] == [
        {"number": 1, "title": "A", "url": "https://example.org/a", "quote": "Word for word."},
        {"number": 2, "title": "B", "url": f"#/notes/{B}", "source_kind": "note", "note_id": B},
    ]
    thesis = claim(f"---\nid: {A}\nkind: thesis\n---\n")
    assert thesis and thesis.kind == "capture"
