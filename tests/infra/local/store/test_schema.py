import sqlite3
from pathlib import Path

import pytest

from infra.local.store import conditions, schema
from infra.local.store.documents import SqliteDocuments
from shared.errors import NotConfigured
from shared.store.documents import Query, Where, Write


def test_a_newer_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    SqliteDocuments(tmp_path).close()
    db = sqlite3.connect(tmp_path / "memex.db", isolation_level=None)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(NotConfigured, match="newer Memex") as caught:
        SqliteDocuments(tmp_path)
    assert "99" in caught.value.message and caught.value.next
    db = sqlite3.connect(tmp_path / "memex.db")
    assert db.execute("PRAGMA user_version").fetchone() == (99,)
    db.close()


def test_the_settings_that_keep_commits_through_a_power_cut_are_on(tmp_path: Path) -> None:
    schema.create(tmp_path)
    db = schema.connect(tmp_path)
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert db.execute("PRAGMA synchronous").fetchone() == (2,)
    db.close()


async def test_versions_go_on_after_a_restart(tmp_path: Path) -> None:
    versions = []
    for _ in range(3):
        with SqliteDocuments(tmp_path) as documents:
            await documents.commit([Write("tenants/x/notes/n1", {"a": 1})])
            found = await documents.get("tenants/x/notes/n1")
            assert found is not None
            versions.append(int(found.version))
            await documents.commit([Write("tenants/x/notes/n1", None)])
    assert versions == sorted(set(versions))


def plan(tmp_path: Path, query: Query) -> str:
    if not (tmp_path / "memex.db").exists():
        schema.create(tmp_path)
    db = schema.connect(tmp_path)
    try:
        found = conditions.statement(query)
        rows = db.execute(f"EXPLAIN QUERY PLAN {found.sql}", found.parameters).fetchall()
        return "\n".join(str(row[3]) for row in rows)
    finally:
        db.close()


REQUESTED = Where("research.requested", "==", True)
PENDING = Where("enrichment.status", "==", "pending")
OPEN = Where("remote_open", "==", True)
QUEUED = Where("status", "==", "queued")
ACTIVE = Where("status", "in", ["queued", "running"])
TAG = Where("tags", "contains", "work")
DELETED = Where("deleted", "==", True)
KIND = Where("kind", "==", "capture")
OF_NOTE = Where("source_note_id", "==", "n1")
OTHER = Where("input.note_id", "==", "n1")


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("parent", ["tenants/x", None])
def test_a_collection_is_read_by_its_index_without_sorting(
    tmp_path: Path, parent: str | None, descending: bool
) -> None:
    after = "n1" if parent else "tenants/x/notes/n1"
    found = plan(tmp_path, Query("notes", parent, descending=descending, after=after))
    assert "USING INDEX documents_by_path (collection=" in found
    assert "SCAN" not in found and "TEMP B-TREE" not in found


@pytest.mark.parametrize("parent", ["tenants/x", None])
@pytest.mark.parametrize(
    "where",
    [
        *((one,) for one in (REQUESTED, PENDING, OPEN, QUEUED, ACTIVE, TAG, DELETED)),
        *((QUEUED, OTHER), (ACTIVE, OTHER), (TAG, PENDING), (DELETED, KIND), (DELETED, OTHER)),
    ],
)
def test_the_frequent_conditions_are_found_by_index(
    tmp_path: Path, where: tuple[Where, ...], parent: str | None
) -> None:
    _goes_by_the_index(plan(tmp_path, Query("notes", parent, where)))


@pytest.mark.parametrize(("collection", "where"), [("operations", (OF_NOTE,)), ("tasks", (QUEUED, OF_NOTE))])
def test_what_belongs_to_a_note_is_found_by_index(tmp_path: Path, collection: str, where: tuple[Where, ...]) -> None:
    _goes_by_the_index(plan(tmp_path, Query(collection, "tenants/x", where, descending=True)))


def _goes_by_the_index(found: str) -> None:
    lines = found.splitlines()
    assert any("USING PRIMARY KEY (facet=?" in line and line.startswith("SEARCH f") for line in lines)
    # The only thing gone through is the list of what the index found.
    assert [line for line in lines if line.startswith("SCAN")] in ([], ["SCAN found"])
    assert all("USING INTEGER PRIMARY KEY (rowid=?)" in line for line in lines if line.startswith("SEARCH d "))


@pytest.mark.parametrize("parent", ["tenants/x", None])
@pytest.mark.parametrize("where", [REQUESTED, PENDING, OPEN, QUEUED, DELETED])
def test_one_value_comes_out_of_the_index_in_order(tmp_path: Path, where: Where, parent: str | None) -> None:
    before = "n9" if parent else "tenants/x/notes/n9"
    inner = plan(tmp_path, Query("notes", parent, (where,), descending=True, before=before)).partition("SCAN found")[0]
    assert "TEMP B-TREE" not in inner


def test_a_condition_without_an_index_reads_one_collection_only(tmp_path: Path) -> None:
    found = plan(tmp_path, Query("notes", "tenants/x", (OTHER,)))
    assert found.startswith("SEARCH d USING INDEX documents_by_path (collection=? AND scope=?)")
