"""Exporting: imported files byte for byte, edits and nothing else shown, nothing of the user's overwritten."""

import json
from pathlib import Path

import yaml

from tests.infra.local.command.conftest import Run, Served, tree
from tests.infra.local.command.test_import import UNIMPORTABLE, generated


def notes_of(folder: Path) -> dict[str, bytes]:
    return {name: raw for name, raw in tree(folder).items() if name.endswith(".md") and name not in UNIMPORTABLE}


def test_a_vault_comes_out_byte_for_byte_even_after_enrichment(
    run: Run, served: Served, tmp_path: Path, vault: Path
) -> None:
    run("import", vault)
    served.settled()
    assert any(note["enrichment"]["tags"] for note in served.notes())
    result = run("export", tmp_path / "out")
    assert result.exit_code == 0, result.stderr
    assert tree(tmp_path / "out/vault") == notes_of(vault)


def test_generated_notes_come_out_as_they_went_in(run: Run, tmp_path: Path) -> None:
    vault = generated(tmp_path / "big", 300)
    run("import", vault)
    assert run("export", tmp_path / "out").exit_code == 0
    assert tree(tmp_path / "out/big") == tree(vault)


def test_research_asked_at_import_does_not_change_the_file(run: Run, served: Served, tmp_path: Path) -> None:
    vault = tmp_path / "v"
    vault.mkdir()
    (vault / "q.md").write_text("Why do pears grow?\n")
    run("import", vault, "--research")
    served.settled()
    assert "research" in served.note("v/q.md")["tags"]
    run("export", tmp_path / "out", "--no-reports")
    assert tree(tmp_path / "out") == {"v/q.md": b"Why do pears grow?\n"}


def test_an_edited_title_changes_only_the_title(run: Run, served: Served, tmp_path: Path, vault: Path) -> None:
    run("import", vault)
    served.edit(served.note("vault/Welcome.md")["id"], title="Begin: here")
    served.edit(served.note("vault/Journal/2026-03-01.md")["id"], title="A day")
    run("export", tmp_path / "out")
    was = (vault / "Welcome.md").read_bytes()
    assert (tmp_path / "out/vault/Welcome.md").read_bytes() == was.replace(
        b"title: Start here", b"title: 'Begin: here'"
    )
    plain = (vault / "Journal/2026-03-01.md").read_bytes()
    assert (tmp_path / "out/vault/Journal/2026-03-01.md").read_bytes() == b"---\ntitle: A day\n---\n" + plain


def test_edited_tags_change_only_the_tags(run: Run, served: Served, tmp_path: Path, vault: Path) -> None:
    run("import", vault)
    served.settled()
    note = served.note("vault/Welcome.md")
    served.edit(note["id"], tags=[*(tag for tag in note["tags"] if tag != "home"), "new/one"])
    pears = served.note("vault/Garden/Pears.md")
    served.edit(pears["id"], tags=[*pears["tags"], "orchard"])
    run("export", tmp_path / "out")
    was = (vault / "Welcome.md").read_bytes()
    assert (tmp_path / "out/vault/Welcome.md").read_bytes() == was.replace(b"  - home\n", b"").replace(
        b"  - Reading List   # spelled with a space\n", b"  - Reading List\n  - new/one   # spelled with a space\n"
    )
    was = (vault / "Garden/Pears.md").read_bytes()
    assert (tmp_path / "out/vault/Garden/Pears.md").read_bytes() == was.replace(
        b"fruit, Espalier", b"fruit, Espalier, orchard"
    )


def test_an_edited_text_keeps_the_front_matter_to_the_byte(
    run: Run, served: Served, tmp_path: Path, vault: Path
) -> None:
    run("import", vault)
    served.settled()
    served.edit(served.note("vault/Garden/Pears.md")["id"], body="All new, the tag in the text is gone.\r\n")
    run("export", tmp_path / "out")
    head = b"---\r\ntags: fruit, Espalier\r\nrating: 5\r\n---\r\n"
    assert (tmp_path / "out/vault/Garden/Pears.md").read_bytes() == head + b"All new, the tag in the text is gone.\r\n"


def test_other_notes_get_files_of_their_own(run: Run, served: Served, tmp_path: Path) -> None:
    run("capture", "A thought: about *pears* / walls?", "--tag", "garden")
    run("capture", "https://example.org/", "--title", "CON")
    run("capture", "https://example.org/", "--title", "con")
    served.settled()
    assert run("export", tmp_path / "out").exit_code == 0
    files = tree(tmp_path / "out")
    day = served.notes()[0]["created_at"][:10]
    assert set(files) == {f"{day} A thought about pears walls.md", f"{day} CON.md", f"{day} con (2).md"}
    linked = files[f"{day} CON.md"].decode()
    front = yaml.safe_load(linked.split("---\n")[1])
    assert (front["kind"], front["url"], front["title"]) == ("link", "https://example.org/", "CON")


def test_a_report_comes_with_its_sources_and_a_link_to_its_note(run: Run, served: Served, tmp_path: Path) -> None:
    for text in ("Pears grow flat against a sunny wall.", "A south wall stores warmth for pears."):
        run("capture", text)
    served.settled()
    assert run("research", "How do pears grow against a wall?").exit_code == 0
    run("export", tmp_path / "out")
    report = next(raw.decode() for raw in tree(tmp_path / "out").values() if b"kind: research" in raw)
    front = yaml.safe_load(report.split("---\n")[1])
    assert front["source_note"].startswith("[[2") and (tmp_path / f"out/{front['source_note'][2:-2]}.md").is_file()
    assert "ources" in report and "#/notes/" in report
    assert run("export", tmp_path / "none", "--no-reports").exit_code == 0
    assert not any(b"kind: research" in raw for raw in tree(tmp_path / "none").values())


def test_an_exported_report_says_what_it_is_made_of_and_is_known_again(
    run: Run, served: Served, tmp_path: Path
) -> None:
    for text in ("Pears grow flat against a sunny wall.", "A south wall stores warmth for pears."):
        run("capture", text)
    served.settled()
    assert run("research", "How do pears grow against a wall?").exit_code == 0
    report = next(served.get(note["id"]) for note in served.notes(kind="research"))
    run("export", tmp_path / "out")
    raw = next(raw for raw in tree(tmp_path / "out").values() if b"kind: research" in raw)
    front = yaml.safe_load(raw.decode().split("---\n")[1])
    assert (front["id"], front["source_note_id"]) == (report["id"], report["source_note_id"])
    kept = ("number", "title", "url", "quote")
    assert front["citations"] == [{key: one[key] for key in kept if one[key]} for one in report["citations"]] != []
    assert all(one["url"] in raw.decode() for one in report["citations"])
    assert json.loads(run("import", tmp_path / "out", "--json").stdout)["imported"] == 0
    served.settled()
    assert served.get(report["id"])["citations"] == report["citations"]


def test_a_second_export_writes_nothing_and_an_edit_replaces_its_own_file(
    run: Run, served: Served, tmp_path: Path, vault: Path
) -> None:
    run("import", vault)
    run("capture", "a thought")
    served.settled()
    run("export", tmp_path / "out")
    again = json.loads(run("export", tmp_path / "out", "--json").stdout)
    assert (again["written"], again["unchanged"]) == (0, 10)
    served.edit(served.note("vault/Welcome.md")["id"], body="edited")
    assert json.loads(run("export", tmp_path / "out", "--json").stdout)["written"] == 1


def test_a_file_of_the_users_is_never_overwritten_without_force(
    run: Run, served: Served, tmp_path: Path, vault: Path
) -> None:
    run("import", vault)
    mine = tmp_path / "out/vault/Welcome.md"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    result = run("export", tmp_path / "out")
    assert result.exit_code == 1
    assert "vault/Welcome.md" in result.stdout and "--force" in result.stdout
    assert mine.read_text() == "mine"
    changed = tmp_path / "out/vault/Garden/Pears.md"
    changed.write_text("edited after the export")
    served.edit(served.note("vault/Garden/Pears.md")["id"], body="edited in Memex")
    assert run("export", tmp_path / "out").exit_code == 1
    assert changed.read_text() == "edited after the export"
    assert run("export", tmp_path / "out", "--force").exit_code == 0
    assert mine.read_bytes() == (vault / "Welcome.md").read_bytes()


def test_no_path_leads_out_of_the_folder(run: Run, served: Served, tmp_path: Path) -> None:
    out, outside = tmp_path / "out", tmp_path / "outside"
    outside.mkdir()
    out.mkdir()
    (out / "linked").symlink_to(outside)
    (out / "v").mkdir()
    (outside / "target.md").write_text("keep")
    (out / "v/file.md").symlink_to(outside / "target.md")
    paths = [
        "../outside/up.md",
        "/etc/absolute.md",
        "v/../../x.md",
        ".git/config",
        "linked/in.md",
        "v/file.md",
        "v/a.sh",
    ]
    for path in paths:
        entry = {
            "text": f"from {path}",
            "source": "import",
            "origin": {"path": path, "content_sha256": "0" * 64},
        }
        served.http.post("/api/v1/captures", json=entry).raise_for_status()
    result = run("export", out)
    assert result.exit_code == 1
    assert sorted(path.name for path in outside.iterdir()) == ["target.md"]
    assert (outside / "target.md").read_text() == "keep"
    assert not (tmp_path / "x.md").exists() and not (out / ".git").exists()
    assert sorted(tree(out)) == [
        "_../outside/up.md",
        "_.git/config.md",
        "etc/absolute.md",
        "v/_../_../x.md",
        "v/a.sh.md",
        "v/file.md",
    ]


def test_files_of_notes_that_are_gone_are_named_and_stay(run: Run, served: Served, tmp_path: Path, vault: Path) -> None:
    run("import", vault)
    for n in range(6):
        run("capture", f"thought number {n}")
    served.settled()
    out = tmp_path / "out"
    first = run("export", out)
    assert "Left over" not in first.stdout
    (out / "mine.md").write_text("no export wrote it")
    served.http.delete(f"/api/v1/notes/{served.note('vault/Welcome.md')['id']}").raise_for_status()
    before = tree(out)
    result = run("export", out)
    assert result.exit_code == 0, result.stderr
    assert (
        "Left over           1  files of no note any more; none is deleted here\n    vault/Welcome.md\n"
        in result.stdout
    )
    assert tree(out) == before
    thoughts = [note["id"] for note in served.notes() if note["body"].startswith("thought number")]
    for note_id in thoughts:
        served.http.delete(f"/api/v1/notes/{note_id}").raise_for_status()
    result = run("export", out)
    assert "Left over           7" in result.stdout
    assert "... and 2 more files (--json names all)" in result.stdout
    left = json.loads(run("export", out, "--json").stdout)["left_over"]
    assert len(left) == 7 and "vault/Welcome.md" in left and "mine.md" not in left
    assert tree(out) == before
    # What a person has put away is not missed, and what came back has its file again.
    (out / "vault/Welcome.md").unlink()
    for note_id in thoughts:
        served.http.post(f"/api/v1/notes/{note_id}/restore").raise_for_status()
    assert json.loads(run("export", out, "--json").stdout)["left_over"] == []


def test_a_report_that_was_not_asked_for_is_no_file_without_a_note(run: Run, served: Served, tmp_path: Path) -> None:
    for text in ("Pears grow flat against a sunny wall.", "A south wall stores warmth for pears."):
        run("capture", text)
    served.settled()
    assert run("research", "How do pears grow against a wall?").exit_code == 0
    run("export", tmp_path / "out")
    assert json.loads(run("export", tmp_path / "out", "--no-reports", "--json").stdout)["left_over"] == []


def test_a_list_that_was_tampered_with_tells_of_no_file_elsewhere(run: Run, served: Served, tmp_path: Path) -> None:
    run("capture", "a thought")
    served.settled()
    out = tmp_path / "out"
    run("export", out)
    (tmp_path / "secret.md").write_text("not yours")
    (out / "link.md").symlink_to(tmp_path / "secret.md")
    names = ("../secret.md", str(tmp_path / "secret.md"), "link.md", "n" * 5000)
    with (out / ".memex-export.jsonl").open("a") as stream:
        stream.writelines(json.dumps({"path": name, "sha256": "0" * 64, "note": "x"}) + "\n" for name in names)
    assert json.loads(run("export", out, "--json").stdout)["left_over"] == []


def test_tasks_that_stand_in_no_box_are_told_and_not_lost_without_a_word(
    run: Run, served: Served, tmp_path: Path
) -> None:
    run("capture", "Week\n\n- [ ] buy milk\n- [x] sleep\n\nRemember to call the office.")
    served.settled()
    assert "in no box of a file" in run("export", tmp_path / "out").stdout
    for title in ("pay Ben", "Buy milk", "gone"):
        served.http.post("/api/v1/tasks", json={"title": title}).raise_for_status()
    for one in served.http.get("/api/v1/tasks").json()["tasks"]:
        if status := {"pay Ben": "done", "gone": "dropped"}.get(one["title"]):
            served.http.patch(f"/api/v1/tasks/{one['id']}", json={"status": status}).raise_for_status()
    told = json.loads(run("export", tmp_path / "out", "--json").stdout)
    assert told["tasks_not_written"] == ["pay Ben", "call the office"]
    result = run("export", tmp_path / "out")
    assert result.exit_code == 0
    assert result.stdout.endswith(
        "Not written         2  tasks in no box of a file: memex tasks --status all\n    pay Ben\n    call the office\n"
    )
