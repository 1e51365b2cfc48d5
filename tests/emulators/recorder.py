"""A pytest plugin: each query that the product asks in a test must have its index, and each index some query.

Firestore refuses a query without its index and its emulator answers it, so nothing else would tell before a deployment.
A test that asks for what is not declared fails; indexes that nobody needs fail the run, where all tests were run.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from infra.local.store.documents import SqliteDocuments
from shared.store.documents import Document, Hit, Query
from tests.emulators.indexes import FILE, SEARCH, Index, declared, needed

ROOT = Path(__file__).parents[2]
OF_THE_PORT = ("tests/contracts", "tests/infra/local/store")
"""They ask a store for anything that the port allows; the product doesn't."""
HEARD = "indexes"
"""Under this name a worker of pytest-xdist hands over what it heard."""


class Recorder:
    """Which indexes were needed by the tests of this process and of its workers."""

    def __init__(self) -> None:
        self.used: set[Index] = set()
        self._declared = declared()
        self._listens = False
        self._missing: set[str] = set()

    def note(self, query: Query) -> None:
        """A query of the test that runs."""
        if not self._listens:
            return
        indexes = needed(query)
        self.used |= indexes
        self._missing |= {f"{index} for {query}" for index in indexes if not self._declared.has(index)}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Listen where it is the product that asks."""
        place = item.path.relative_to(ROOT).as_posix()
        self._listens, self._missing = not place.startswith(OF_THE_PORT), set()
        return (yield)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        """Fail the test whose queries Firestore would refuse."""
        assert not self._missing, f"declare in {FILE.relative_to(ROOT)}: {sorted(self._missing)}"

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over what a worker heard."""
        heard = getattr(node, "workeroutput", {}).get(HEARD, "[]")
        self.used |= {Index(name, tuple(map(tuple, fields)), group) for name, fields, group in json.loads(heard)}

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand over what was heard, or look for indexes that nobody needed."""
        heard = [(index.collection, index.fields, index.group) for index in sorted(self.used)]
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput[HEARD] = json.dumps(heard)
            return
        if not _everything(session) or session.exitstatus:
            return
        if idle := self._declared.all() - self.used:
            session.config.get_terminal_writer().line(
                f"\nno query needs these of {FILE.name}: {sorted(idle)}", red=True
            )
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _everything(session: pytest.Session) -> bool:
    options = session.config.option
    return session.config.args_source is pytest.Config.ArgsSource.TESTPATHS and not (
        options.keyword or options.markexpr
    )


def pytest_configure(config: pytest.Config) -> None:
    """Listen at the local store, which most tests run on."""
    recorder = Recorder()
    config.pluginmanager.register(recorder, "queries")
    ask, search = SqliteDocuments.query, SqliteDocuments.search

    async def listening_query(store: SqliteDocuments, query: Query) -> list[Document]:
        recorder.note(query)
        return await ask(store, query)

    async def listening_search(
        store: SqliteDocuments, tenant: str, words: Sequence[str], *, kind: str | None, tag: str | None, limit: int
    ) -> list[Hit]:
        recorder.note(SEARCH)
        return await search(store, tenant, words, kind=kind, tag=tag, limit=limit)

    SqliteDocuments.query = listening_query  # type: ignore[method-assign,assignment]  # ends with the process
    SqliteDocuments.search = listening_search  # type: ignore[method-assign,assignment]
