"""The data folder as the doctor sees it; looking leaves it as it was."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from infra.local.doctor import folder as looked
from infra.local.doctor.finding import Check, Finding, Level, Section, Unanswered, examine
from infra.local.doctor.folder import DataFolder
from infra.local.folder import Folder
from infra.local.store import schema
from infra.local.store.lock import NAME, FolderLock, Holder, announce

START = "make run"


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    """A folder that has been used, and is not in use."""
    folder = Folder(tmp_path / "data")
    folder.device_key(None)
    folder.signing_key()
    schema.create(folder.path)
    return DataFolder(folder.path, START)


def write(data: DataFolder, statement: str, *values: Any) -> None:
    db = sqlite3.connect(data.path / schema.NAME)
    with db:
        db.execute(statement, values)
    db.close()


def look(data: DataFolder) -> dict[str, Finding]:
    checks = (data.permissions, data.space, data.lock, data.format, data.sound, data.dead_letters)
    return {check.__name__: check() for check in checks}


def test_a_sound_folder_is_sound_and_stays_untouched(data: DataFolder) -> None:
    def state() -> dict[str, tuple[int, bytes]]:
        return {file.name: (file.stat().st_mtime_ns, file.read_bytes()) for file in data.path.iterdir()}

    before = state()
    assert {name: found.level for name, found in look(data).items()} == dict.fromkeys(look(data), "ok")
    assert data.active() == []
    assert state() == before


def test_a_folder_that_is_written_to_can_be_looked_at(data: DataFolder) -> None:
    db = schema.connect(data.path)
    db.execute("INSERT INTO searchable VALUES (1, 'x', '')")
    try:
        assert data.sound().level == "ok"
        assert data.format().level == "ok"
        assert data.dead_letters().level == "ok"
    finally:
        db.close()


async def found_by(data: DataFolder, check: str) -> Finding:
    (result,) = await examine([Section("Data", [Check(check, getattr(data, check))])])
    return result.finding


class Row(NamedTuple):
    """What is spoilt, and what must be said."""

    name: str
    spoil: Callable[[DataFolder], object]
    check: str
    level: Level
    what: str
    mend: str = ""


LETTERS = (
    "INSERT INTO dead_letters SELECT value, 'enrich', '1', '{}', 0, 10, 0, 'was answered 500' FROM json_each('[1, 2]')"
)
ROWS = [
    Row("missing", lambda data: shutil.rmtree(data.path), "permissions", "warning", "not there yet", START),
    Row(
        "a_file",
        lambda data: data.path.rename(data.path.with_name("moved")).with_name("data").write_text(""),
        "permissions",
        "problem",
        "is no folder",
        "--data",
    ),
    Row("open", lambda data: data.path.chmod(0o755), "permissions", "warning", "mode 0755", "chmod 700 "),
    Row(
        "open_key",
        lambda data: (data.path / "device-key").chmod(0o644),
        "permissions",
        "problem",
        "others can read device-key",
        "chmod 600 ",
    ),
    Row(
        "newer",
        lambda data: write(data, f"PRAGMA user_version = {schema.VERSION + 1}"),
        "format",
        "problem",
        "by a newer Memex",
        "Update Memex",
    ),
    Row("older", lambda data: write(data, "PRAGMA user_version = 1"), "format", "ok", "the next start brings it to"),
    Row(
        "no_database",
        lambda data: (data.path / schema.NAME).write_bytes(b"no database at all" * 100),
        "format",
        "problem",
        "is damaged",
        "Restore the data folder",
    ),
    Row(
        "dead_letter",
        lambda data: write(data, LETTERS),
        "dead_letters",
        "warning",
        "2 for enrich (the last one was answered 500)",
        "memex ops",
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
async def test_each_fault_is_found(data: DataFolder, row: Row) -> None:
    row.spoil(data)
    found = await found_by(data, row.check)
    assert (found.level, row.what in found.what, row.mend in found.mend) == (row.level, True, True), found


async def test_a_damaged_page_is_found(data: DataFolder) -> None:
    for n in range(200):
        write(data, "INSERT INTO searchable VALUES (?, ?, ?)", n, f"id{n}", "words " * 50)
    file = data.path / schema.NAME
    whole = bytearray(file.read_bytes())
    size = int.from_bytes(whole[16:18], "big")
    whole[-size * 3 : -size] = os.urandom(size * 2)
    file.write_bytes(whole)
    found = await found_by(data, "sound")
    assert (found.level, "memex.db is damaged" in found.what) == ("problem", True)


@pytest.mark.parametrize(("free", "level"), [(5_000_000, "problem"), (500_000_000, "warning"), (5_000_000_000, "ok")])
def test_the_disk_has_room_or_not(data: DataFolder, free: int, level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(data.path)._replace(free=free)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage)
    assert data.space().level == level


def test_who_holds_the_folder_is_told_and_a_dead_owner_is_none(data: DataFolder) -> None:
    held = FolderLock(data.path)
    assert data.holder() == Holder(os.getpid(), "")
    assert data.lock().what == f"held by process {os.getpid()}"
    announce(data.path, "http://127.0.0.1:8799")
    assert data.lock().what == f"held by process {os.getpid()}, which serves http://127.0.0.1:8799"
    held.release()
    assert data.holder() is None
    (data.path / NAME).write_text(" 4711\n")  # as a process that was killed leaves it
    assert data.holder() is None
    assert data.lock().what.startswith("free")


def test_nothing_kept_is_unknown(tmp_path: Path) -> None:
    empty = DataFolder(tmp_path / "none", START)
    for check in (empty.format, empty.sound, empty.dead_letters):
        with pytest.raises(Unanswered):
            check()
    assert empty.space().level == "ok"
    assert empty.lock().what.startswith("free")
    assert not empty.path.exists()


def test_looking_through_large_files_ends(data: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looked, "PATIENCE", -1.0)
    db = sqlite3.connect(data.path / schema.NAME)
    with db:
        db.executemany("INSERT INTO searchable VALUES (?, ?, '')", ((n, "x") for n in range(200_000)))
    db.close()
    with pytest.raises(Unanswered, match="large"):
        data.sound()
