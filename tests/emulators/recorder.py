"""A pytest plugin that writes down every shape of query that the tests ask of the documents port.

`MEMEX_RECORD_QUERIES=file pytest -p tests.emulators.recorder ...`
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from infra.local.store.documents import SqliteDocuments
from shared.store.documents import Document, Hit, Query
from tests.emulators.indexes import SEARCH

_shapes: set[str] = set()


def pytest_configure(config: pytest.Config) -> None:
    """Listen at the local store, which these tests run on."""
    ask, search = SqliteDocuments.query, SqliteDocuments.search

    async def listening_query(store: SqliteDocuments, query: Query) -> list[Document]:
        _note(query)
        return await ask(store, query)

    async def listening_search(
        store: SqliteDocuments, tenant: str, words: Sequence[str], *, kind: str | None, tag: str | None, limit: int
    ) -> list[Hit]:
        _note(SEARCH)
        return await search(store, tenant, words, kind=kind, tag=tag, limit=limit)

    SqliteDocuments.query = listening_query  # type: ignore[method-assign,assignment]  # ends with the process
    SqliteDocuments.search = listening_search  # type: ignore[method-assign,assignment]


def pytest_unconfigure(config: pytest.Config) -> None:
    """Write what was heard."""
    Path(os.environ["MEMEX_RECORD_QUERIES"]).write_text("\n".join(sorted(_shapes)))


def _note(query: Query) -> None:
    shape = {
        "collection": query.collection,
        "parent": None if query.parent is None else "tenants/any",
        "where": sorted((where.field, where.op) for where in query.where),
        "descending": query.descending,
    }
    _shapes.add(json.dumps(shape))
