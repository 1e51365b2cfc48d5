import os
import signal
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from infra.local.store import schema
from infra.local.store.documents import SqliteDocuments
from shared.store.documents import Query

KILLS = 4
LINES = 250
ROOT = Path(__file__).parents[4]


def write_until_killed(folder: Path, run: str) -> list[str]:
    """Kill the process in the middle of its work; everything it had said by then."""
    command = [sys.executable, "-m", "tests.infra.local.store.writing", str(folder), run]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        lines = [child.stdout.readline() for _ in range(LINES)]
        os.kill(child.pid, signal.SIGKILL)
        lines += child.stdout.readlines()
    assert child.returncode == -signal.SIGKILL
    return [line.decode().strip() for line in lines if line.endswith(b"\n")]


def deliver_the_rest(folder: Path) -> list[str]:
    """Start once more without new work, as after a crash."""
    command = [sys.executable, "-m", "tests.infra.local.store.writing", str(folder), ""]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=60)
    return done.stdout.decode().splitlines()


async def test_what_was_acknowledged_survives_kill_9_and_every_change_and_message_is_delivered(
    tmp_path: Path,
) -> None:
    said: defaultdict[str, set[str]] = defaultdict(set)
    for run in range(KILLS):
        for line in write_until_killed(tmp_path, f"r{run}"):
            what, _, which = line.partition(" ")
            said[what].add(which.rpartition("/")[2])
    for line in deliver_the_rest(tmp_path):
        what, _, which = line.partition(" ")
        said[what].add(which.rpartition("/")[2])

    with SqliteDocuments(tmp_path) as documents:
        notes = {one.id for one in await documents.query(Query("notes", "tenants/x", limit=100_000))}
        traces = {str(one.data["of"]) for one in await documents.query(Query("trace", None, limit=100_000))}
        found = {
            one.id
            for run in range(KILLS)
            for one in await documents.search("x", [f"wordr{run}"], kind=None, tag=None, limit=100_000)
        }
    assert len(said["committed"]) > KILLS * LINES / 10
    assert said["committed"] <= notes, "an acknowledged commit is missing"
    assert notes == traces == found, "a commit was applied in part"
    assert notes <= said["event"], "a change was never delivered"
    assert said["published"] <= said["message"], "an acknowledged message was never delivered"
    db = schema.connect(tmp_path)
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    db.execute("INSERT INTO word_index (word_index) VALUES ('integrity-check')")
    assert db.execute("SELECT count(*) FROM changes").fetchall() == [(0,)]
    db.close()
