import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from infra.local.store.documents import SqliteDocuments
from infra.local.store.lock import NAME, FolderLock, Holder, announce, holder
from shared.errors import Conflict


def test_a_folder_has_one_owner_and_the_error_names_folder_and_process(tmp_path: Path) -> None:
    with SqliteDocuments(tmp_path), pytest.raises(Conflict) as caught:
        SqliteDocuments(tmp_path)
    assert str(tmp_path) in caught.value.message
    assert f"process {os.getpid()}" in caught.value.message
    assert caught.value.code == "folder_in_use"
    assert caught.value.message.endswith(".")
    assert "DATA=" in caught.value.next and "--data" in caught.value.next


def test_another_process_is_kept_out_too(tmp_path: Path) -> None:
    script = (
        "import sys, pathlib\n"
        "from infra.local.store.documents import SqliteDocuments\n"
        "from shared.errors import Conflict\n"
        "try: SqliteDocuments(pathlib.Path(sys.argv[1]))\n"
        "except Conflict as error: print(error.message)\n"
    )
    with SqliteDocuments(tmp_path):
        other = subprocess.run(
            [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True
        )
    assert f"process {os.getpid()}" in other.stdout


def test_a_closed_folder_can_be_opened_again(tmp_path: Path) -> None:
    for _ in range(3):
        documents = SqliteDocuments(tmp_path)
        documents.close()
        documents.close()


def test_a_lock_file_left_behind_locks_nothing(tmp_path: Path) -> None:
    (tmp_path / "memex.lock").write_text(" 1\n")
    lock = FolderLock(tmp_path)
    lock.release()


def test_a_failed_opening_gives_the_folder_back(tmp_path: Path) -> None:
    (tmp_path / "memex.db").write_text("this is no database, and long enough to be seen as none" * 10)
    for _ in range(2):
        with pytest.raises(Exception, match="not a database"):
            SqliteDocuments(tmp_path)
    (tmp_path / "memex.db").unlink()
    SqliteDocuments(tmp_path).close()


def test_the_owner_says_where_it_serves_and_whoever_comes_next_is_told(tmp_path: Path) -> None:
    held = FolderLock(tmp_path)
    assert holder(tmp_path) == Holder(os.getpid(), "")
    announce(tmp_path, "http://127.0.0.1:8799")
    assert holder(tmp_path) == Holder(os.getpid(), "http://127.0.0.1:8799")
    with pytest.raises(Conflict) as caught:
        FolderLock(tmp_path)
    assert f"process {os.getpid()}, which serves http://127.0.0.1:8799." in caught.value.message
    assert holder(tmp_path) == Holder(os.getpid(), "http://127.0.0.1:8799"), "who is refused changes nothing"
    held.release()
    assert holder(tmp_path) is None
    assert (tmp_path / NAME).read_bytes() == b""


def test_what_a_dead_process_said_is_believed_by_nobody(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text(" 4711\nhttp://127.0.0.1:8799\n")
    assert holder(tmp_path) is None
    held = FolderLock(tmp_path)
    assert holder(tmp_path) == Holder(os.getpid(), ""), "the next owner has not said yet where it serves"
    held.release()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", None),
        (b" nobody\nhttp://127.0.0.1:1\n", None),
        (b" 12", Holder(12, "")),
        (b" 12\nhttp://127.0.0.1:87", Holder(12, "")),
        (b" 12\nhttp://127.0.0.1:8765\n", Holder(12, "http://127.0.0.1:8765")),
        (b"\xff\xfe\xff\n", None),
    ],
)
def test_half_of_what_was_said_is_nothing(tmp_path: Path, content: bytes, told: Holder | None) -> None:
    held = FolderLock(tmp_path)
    (tmp_path / NAME).write_bytes(content)
    assert holder(tmp_path) == told
    held.release()


def test_a_look_at_the_lock_stands_in_no_starts_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / NAME).write_text(" 4711\n")
    looking = os.open(tmp_path / NAME, os.O_RDONLY)
    fcntl.flock(looking, fcntl.LOCK_SH)
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        os.close(looking)

    monkeypatch.setattr("infra.local.store.lock.time.sleep", pause)
    FolderLock(tmp_path).release()
    assert len(pauses) == 1
