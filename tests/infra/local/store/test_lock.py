import os
import subprocess
import sys
from pathlib import Path

import pytest

from infra.local.store.documents import SqliteDocuments
from infra.local.store.lock import FolderLock
from shared.errors import Conflict


def test_a_folder_has_one_owner_and_the_error_names_folder_and_process(tmp_path: Path) -> None:
    with SqliteDocuments(tmp_path), pytest.raises(Conflict) as caught:
        SqliteDocuments(tmp_path)
    assert str(tmp_path) in caught.value.message
    assert f"process {os.getpid()}" in caught.value.message
    assert caught.value.code == "folder_in_use"


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
