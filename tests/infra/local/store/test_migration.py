"""A file of an older format is brought up to date. `format-1.db.gz` was written by the program of that time."""

import gzip
import json
import sqlite3
from pathlib import Path

import pytest
from pydantic import JsonValue

from infra.local.store import facets, fulltext, schema
from infra.local.store.documents import SqliteDocuments
from shared import beginning, search
from shared.models.base import JsonDict
from shared.store.documents import Query, Where, Write

OLD = Path(__file__).with_name("format-1.db.gz")
ID = "01m8p1tzsmywsxmbh2qgnw8n{:02d}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / schema.NAME).write_bytes(gzip.decompress(OLD.read_bytes()))
    return tmp_path


def rows(folder: Path, sql: str) -> list[tuple[object, ...]]:
    db = sqlite3.connect(folder / schema.NAME)
    try:
        return db.execute(sql).fetchall()
    finally:
        db.close()


async def test_what_became_indexed_since_is_found_in_it(folder: Path) -> None:
    assert rows(folder, "PRAGMA user_version") == [(1,)]
    with SqliteDocuments(folder) as documents:

        async def ids(collection: str, parent: str | None, field: str, value: str | bool) -> list[str]:
            query = Query(collection, parent, (Where(field, "==", value),))
            return [document.id for document in await documents.query(query)]

        assert await ids("notes", None, "deleted", True) == [ID.format(n) for n in (0, 4, 8)]
        assert await ids("operations", "tenants/x", "source_note_id", ID.format(1)) == [ID.format(n) for n in (1, 3, 5)]
        assert await ids("tasks", "tenants/y", "source_note_id", ID.format(0)) == [ID.format(3)]
        assert await ids("notes", None, "enrichment.status", "pending") == [ID.format(3)]
        assert [hit.id for hit in await documents.search("x", ["7"], kind=None, tag=None, limit=5)] == [ID.format(7)]
    assert rows(folder, "PRAGMA user_version") == [(schema.VERSION,)]


async def test_documents_and_their_versions_stay_as_they_were(folder: Path) -> None:
    # Search documents are no one's words: what is in them is made of the note, and made anew.
    sql = "SELECT collection, scope, id, version, data FROM documents WHERE collection != 'search' ORDER BY n"
    before = rows(folder, sql)
    SqliteDocuments(folder).close()
    assert rows(folder, sql) == before


async def test_later_writes_keep_the_entries_right(folder: Path) -> None:
    with SqliteDocuments(folder) as documents:
        restored = await documents.get(f"tenants/x/notes/{ID.format(0)}")
        assert restored is not None
        data = {**restored.data, "deleted": False}
        await documents.commit([Write(restored.path, data, restored.version)])
        await documents.commit([Write(f"tenants/x/notes/{ID.format(4)}", None)])
    entries = rows(folder, "SELECT id FROM facets WHERE facet = 'notes deleted=true' ORDER BY id")
    assert entries == [(ID.format(8),)]


async def test_a_file_brought_up_has_the_same_entries_as_one_written_now(folder: Path, tmp_path: Path) -> None:
    SqliteDocuments(folder).close()
    with SqliteDocuments(tmp_path / "now") as documents:
        for scope, id, data in rows(folder, "SELECT scope, id, data FROM documents ORDER BY n"):
            await documents.commit([Write(f"{str(scope).replace(chr(1), '/')}/{id}", json.loads(str(data)))])
    entries = "SELECT facet, scope, id FROM facets ORDER BY facet, scope, id"
    assert rows(tmp_path / "now", entries) == rows(folder, entries)
    by_document = "SELECT scope, id, facets FROM documents ORDER BY scope, id"
    assert rows(tmp_path / "now", by_document) == rows(folder, by_document)


async def before_beginnings(folder: Path) -> None:
    """A folder of format 2: notes whose search documents hold whole words only."""
    notes: list[tuple[str, str, str, list[JsonValue]]] = [
        ("Zettelkasten", "Call the landlord", "", ["ideas"]),
        ("", "", "https://nytimes.com/a", []),
    ]
    with SqliteDocuments(folder) as documents:
        for n, (title, body, url, tags) in enumerate(notes, 1):
            words = search.tokens(title, f"{body}\n{url}", [str(tag) for tag in tags])
            note: JsonDict = {"title": title or None, "body": body, "url": url or None, "tags": tags}
            entry: JsonDict = {"tokens": [*words], "kind": "capture", "tags": tags, "title": title}
            await documents.commit(
                [
                    Write(f"tenants/x/notes/{ID.format(n)}", note),
                    Write(f"tenants/x/search/{ID.format(n)}", entry),
                ]
            )
        # A note that can't be read keeps its words, and one that is not there, too.
        await documents.commit([Write(f"tenants/x/notes/{ID.format(3)}", {"body": "alone"})])
        for n in (3, 4):
            await documents.commit([Write(f"tenants/x/search/{ID.format(n)}", {"tokens": ["alone"], "tags": []})])
    db = sqlite3.connect(folder / schema.NAME)
    db.execute("UPDATE documents SET data = '{torn' WHERE id = ? AND collection = 'notes'", (ID.format(3),))
    db.execute("PRAGMA user_version = 2")
    db.commit()
    db.close()


async def test_notes_of_an_older_file_are_found_by_beginnings(tmp_path: Path) -> None:
    await before_beginnings(tmp_path)
    with SqliteDocuments(tmp_path) as documents:

        async def ids(*words: str) -> list[str]:
            return [hit.id for hit in await documents.search("x", words, kind=None, tag=None, limit=9)]

        for word in ("^landlo", "^zettel", "^idea", "landlord", "zettelkasten"):
            assert await ids(word) == [ID.format(1)], word
        assert await ids("^nytim") == [ID.format(2)]
        assert await ids("alone") == [ID.format(4), ID.format(3)]
        # Nothing stays behind in the index of what has changed since.
        await documents.commit([Write(f"tenants/x/search/{ID.format(n)}", None) for n in (1, 2, 3, 4)])
        assert await ids("^landlo", "^zettel", "^idea", "landlord", "^nytim", "alone") == []
    assert rows(tmp_path, "PRAGMA user_version") == [(schema.VERSION,)]


async def test_search_documents_brought_up_are_those_that_would_be_made_now(tmp_path: Path) -> None:
    await before_beginnings(tmp_path)
    SqliteDocuments(tmp_path).close()
    sql = "SELECT data FROM documents WHERE collection = 'search' ORDER BY id"
    first, second, *alone = [json.loads(str(data)) for (data,) in rows(tmp_path, sql)]
    assert first["tokens"] == beginning.indexed("Zettelkasten", "Call the landlord\n", ["ideas"])
    assert second["tokens"] == beginning.indexed("", "\nhttps://nytimes.com/a", [])
    assert alone == [{"tokens": ["alone"], "tags": []}] * 2


async def test_a_death_among_the_beginnings_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*_: object) -> list[str]:
        raise KeyboardInterrupt

    await before_beginnings(tmp_path)
    sql = "SELECT data FROM documents ORDER BY n"
    before = rows(tmp_path, sql)
    with monkeypatch.context() as patch:
        patch.setattr(fulltext, "_add", dies)
        with pytest.raises(KeyboardInterrupt):
            SqliteDocuments(tmp_path)
    assert (rows(tmp_path, "PRAGMA user_version"), rows(tmp_path, sql)) == ([(2,)], before)
    with SqliteDocuments(tmp_path) as documents:
        hits = await documents.search("x", ["^landlo"], kind=None, tag=None, limit=9)
    assert [hit.id for hit in hits] == [ID.format(1)]


async def test_a_death_on_the_way_leaves_the_old_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(*_: object) -> list[str]:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(facets, "entries", dies)
        with pytest.raises(KeyboardInterrupt):
            SqliteDocuments(folder)
    assert rows(folder, "PRAGMA user_version") == [(1,)]
    assert rows(folder, "SELECT count(*) FROM facets WHERE facet LIKE '% deleted=true'") == [(0,)]
    SqliteDocuments(folder).close()
    assert rows(folder, "SELECT count(*) FROM facets WHERE facet LIKE '% deleted=true'") == [(3,)]
