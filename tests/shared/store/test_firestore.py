"""What only Firestore does; what it has in common with the local store is in tests/contracts."""

import random
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from itertools import product as combinations
from pathlib import Path

import pytest
from google.api_core import exceptions as google
from google.auth.exceptions import DefaultCredentialsError, RefreshError, TransportError
from google.cloud.firestore import AsyncClient
from pydantic import JsonValue

from infra.local.store.documents import SqliteDocuments
from shared import beginning, search
from shared.errors import (
    Conflict,
    Invalid,
    MemexError,
    NotConfigured,
    TooLarge,
    TooMany,
    Unreachable,
    Upstream,
    UpstreamTimeout,
)
from shared.models.base import JsonDict
from shared.models.operation import ACTIVE
from shared.store import firestore
from shared.store.documents import Document, Query, Where, Write
from shared.store.firestore import FirestoreDocuments
from shared.store.notes import Notes
from shared.store.operations import Operations
from shared.store.tasks import Tasks
from tests.emulators.fixtures import firestore_emulator, project
from tests.emulators.indexes import Index, declared, needed

__all__ = ["firestore_emulator", "project"]

ROOT = Path(__file__).parents[3]
NOTE = "tenants/x/notes/n1"
TIME = "2026-11-01T12:00:00.123456Z"


@pytest.fixture
async def documents(
    firestore_emulator: str, project: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[FirestoreDocuments]:
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", firestore_emulator)
    opened = FirestoreDocuments(project)
    yield opened
    await opened.close()


async def read(documents: FirestoreDocuments, path: str = NOTE) -> Document:
    found = await documents.get(path)
    assert found is not None
    return found


# What is stored


async def test_an_expiry_is_a_native_time_in_the_store_and_text_outside(
    documents: FirestoreDocuments, project: str
) -> None:
    data: JsonDict = {"expires_at": TIME, "created_at": TIME, "gate": {"expires_at": TIME}}
    await documents.commit([Write(NOTE, data)])
    assert (await read(documents)).data == data
    client = AsyncClient(project=project)
    stored = (await client.document(NOTE).get()).to_dict() or {}
    client.close()  # type: ignore[no-untyped-call]  # the library has no types here
    assert stored["expires_at"].rfc3339() == TIME
    assert (stored["created_at"], stored["gate"]["expires_at"]) == (TIME, TIME)
    found = await documents.query(Query("notes", "tenants/x", (Where("expires_at", "==", TIME),)))
    assert [one.id for one in found] == ["n1"]


@pytest.mark.parametrize(
    "value", [None, "", "soon", "2026-11-01", "2026-11-01T12:00:00Z", "2026-11-01T12:00:00.123456+00:00", 5, [TIME]]
)
async def test_any_other_expiry_comes_back_as_it_was(documents: FirestoreDocuments, value: JsonValue) -> None:
    await documents.commit([Write(NOTE, {"expires_at": value})])
    assert (await read(documents)).data == {"expires_at": value}


@pytest.mark.parametrize("value", [[[]], [[1, [2, [None]]], {"a": [["b"]]}], [["x"], "y"], [{"[]": [1], "more": 2}]])
async def test_lists_in_lists_are_kept(documents: FirestoreDocuments, value: JsonValue) -> None:
    await documents.commit([Write(NOTE, {"list": value})])
    assert (await read(documents)).data == {"list": value}


@pytest.mark.parametrize("data", [{"_path": 1}, {"a": {"[]": []}}, {"a": 2**63}, {"": 1}, {"__a__": 1}])
async def test_what_firestore_cannot_hold_is_refused(documents: FirestoreDocuments, data: JsonDict) -> None:
    with pytest.raises(Invalid):
        await documents.commit([Write(NOTE, data)])


@pytest.mark.parametrize("id", [".", "..", "__id__", "x" * 2_000])
async def test_ids_that_firestore_keeps_for_itself_are_refused(documents: FirestoreDocuments, id: str) -> None:
    with pytest.raises(Invalid):
        await documents.commit([Write(f"tenants/x/notes/{id}", {})])


@pytest.mark.parametrize(("value", "op", "found"), [(None, "==", "b"), ([None, 1], "in", "ab"), ([None], "in", "b")])
async def test_null_is_stored_and_found(documents: FirestoreDocuments, value: JsonValue, op: str, found: str) -> None:
    fields: dict[str, JsonDict] = {"a": {"f": 1}, "b": {"f": None}, "c": {}}
    await documents.commit([Write(f"tenants/x/notes/{id}", data) for id, data in fields.items()])
    where = (Where("f", "in" if op == "in" else "==", value),)
    for descending in (False, True):
        query = Query("notes", "tenants/x", where, descending=descending)
        assert sorted(one.id for one in await documents.query(query)) == list(found)


async def test_a_field_may_have_any_name(documents: FirestoreDocuments) -> None:
    await documents.commit([Write(NOTE, {"größe": {"a b": {"`": 1}}})])
    assert await documents.query(Query("notes", "tenants/x", (Where("größe.a b.`", "==", 1),)))


async def test_many_documents_are_read_and_written_at_once(documents: FirestoreDocuments) -> None:
    paths = [f"tenants/x/notes/n{n:03d}" for n in range(400)]
    await documents.commit([Write(path, {"body": "x" * 1_000}) for path in paths])
    assert [one and one.path for one in await documents.get_many(paths)] == paths


# Versions


async def test_a_version_is_exact_to_the_nanosecond(documents: FirestoreDocuments) -> None:
    await documents.commit([Write(NOTE, {"n": 1})])
    seconds, _, nanos = (await read(documents)).version.partition(".")
    assert abs(int(seconds) - time.time()) < 60 and len(nanos) == 9
    for version in (f"{seconds}.{(int(nanos) + 1_000) % 10**9:09d}", "soon", "", f"{seconds}.x", "12345"):
        with pytest.raises(Conflict):
            await documents.commit([Write(NOTE, {"n": 2}, version)])
    await documents.commit([Write(NOTE, {"n": 2}, f"{seconds}.{nanos}")])


async def test_a_write_that_changes_nothing_is_no_change(documents: FirestoreDocuments) -> None:
    await documents.commit([Write(NOTE, {"n": 1})])
    before = await read(documents)
    await documents.commit([Write(NOTE, {"n": 1}, before.version)])
    assert await read(documents) == before
    await documents.commit([Write(NOTE, {"n": 2}, before.version)])


# Failures


def subclasses(base: type[Exception]) -> Iterator[type[Exception]]:
    for one in base.__subclasses__():
        yield one
        yield from subclasses(one)


def failure(kind: type[Exception], message: str) -> Exception:
    return kind(message)


EXPECTED: dict[type[Exception], type[MemexError]] = {
    google.InvalidArgument: Invalid,
    google.OutOfRange: Invalid,
    google.FailedPrecondition: NotConfigured,
    google.NotFound: NotConfigured,
    google.PermissionDenied: NotConfigured,
    google.Unauthenticated: NotConfigured,
    google.ResourceExhausted: TooMany,
    google.DeadlineExceeded: UpstreamTimeout,
    google.ServiceUnavailable: Unreachable,
    DefaultCredentialsError: NotConfigured,
    RefreshError: Upstream,
    TransportError: Upstream,
}
ON_COMMIT: dict[type[Exception], type[MemexError]] = {
    google.AlreadyExists: Conflict,
    google.FailedPrecondition: Conflict,
    google.NotFound: Conflict,
    google.Aborted: Conflict,
    google.ServiceUnavailable: UpstreamTimeout,
    google.InternalServerError: UpstreamTimeout,
}


@pytest.mark.parametrize("kind", [*subclasses(google.GoogleAPICallError), *EXPECTED])
def test_every_failure_of_the_library_has_a_meaning(kind: type[Exception]) -> None:
    exact = EXPECTED.get(kind, Upstream)
    assert type(firestore._refused_read(kind("what it says"))) is exact
    committing = firestore._refused_commit(kind("what it says"))
    on_commit = [meaning for one, meaning in ON_COMMIT.items() if issubclass(kind, one)]
    assert type(committing) is (on_commit[0] if on_commit else exact)
    assert "what it says" not in committing.message


@pytest.mark.parametrize(
    "message",
    [
        "Document 'x' cannot be written because its size (1,200,000 bytes) exceeds the maximum allowed size.",
        "Request payload size exceeds the limit: 11534336 bytes.",
        'The value of property "body" is longer than 1048487 bytes.',
    ],
)
def test_what_is_too_large_says_so(message: str) -> None:
    assert type(firestore._refused_commit(failure(google.InvalidArgument, message))) is TooLarge


def test_a_missing_database_is_no_conflict() -> None:
    error = failure(google.NotFound, "The database (default) does not exist for project p.")
    assert type(firestore._refused_commit(error)) is NotConfigured


@pytest.mark.parametrize("error", [google.ServiceUnavailable, google.Aborted, google.InternalServerError])
async def test_what_may_pass_is_tried_again(error: type[Exception]) -> None:
    answers: list[Exception | str] = [error("once"), error("twice"), "answer"]

    async def call() -> str:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    assert await firestore._tried(call, firestore._refused_read) == "answer"


async def test_what_will_not_pass_is_not_tried_again() -> None:
    async def call() -> None:
        calls.append(1)
        raise failure(google.FailedPrecondition, "no")

    calls: list[int] = []
    with pytest.raises(Conflict):
        await firestore._tried(call, firestore._refused_commit)
    assert len(calls) == 1


async def test_a_store_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", "127.0.0.1:9")
    monkeypatch.setattr(firestore, "ATTEMPTS", 2)
    documents = FirestoreDocuments("p")
    with pytest.raises(Unreachable):
        await documents.get(NOTE)
    with pytest.raises(Unreachable):
        await documents.query(Query("notes", "tenants/x"))
    with pytest.raises(UpstreamTimeout):
        await documents.commit([Write(NOTE, {})])
    await documents.close()
    await documents.close()


async def test_without_credentials_the_store_is_not_set_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("FIRESTORE_EMULATOR_HOST", "GOOGLE_CLOUD_PROJECT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "")
    monkeypatch.setenv("CLOUDSDK_CONFIG", str(tmp_path))
    monkeypatch.setenv("NO_GCE_CHECK", "true")
    with pytest.raises(NotConfigured):
        await FirestoreDocuments("p").get(NOTE)


def test_google_s_library_is_loaded_with_the_first_use_only() -> None:
    code = "import sys, shared.store.firestore; print({'grpc', 'google.api_core', 'google.auth'} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


# Search


async def index(documents: FirestoreDocuments | SqliteDocuments, notes: dict[str, tuple[str, str]]) -> None:
    writes = []
    for id, (title, body) in notes.items():
        data: JsonDict = {
            "tokens": [*beginning.indexed(title, body, [])],
            "kind": "capture",
            "tags": [],
            "title": title,
        }
        writes.append(Write(f"tenants/x/search/{id}", data))
    for start in range(0, len(writes), 200):
        await documents.commit(writes[start : start + 200])


async def found(documents: FirestoreDocuments | SqliteDocuments, question: str, limit: int = 10) -> list[str]:
    hits = await documents.search("x", search.words(question), kind=None, tag=None, limit=limit)
    return [hit.id for hit in hits]


async def test_the_ranking_is_that_of_the_local_store(documents: FirestoreDocuments, tmp_path: Path) -> None:
    dice = random.Random(7)
    words = [f"word{n}" for n in range(60)]
    often = [1 / (n + 1) for n in range(60)]
    notes = {
        f"n{n:03d}": (" ".join(dice.choices(words, often, k=2)), " ".join(dice.choices(words, often, k=20)))
        for n in range(150)
    }
    with SqliteDocuments(tmp_path) as local:
        await index(local, notes)
        await index(documents, notes)
        for _ in range(20):
            asked = search.words(" ".join(dice.choices(words, k=4)))
            ours = await documents.search("x", asked, kind=None, tag=None, limit=10)
            assert ours == await local.search("x", asked, kind=None, tag=None, limit=10)
            typed = [*asked, beginning.asked(dice.choice(words)[:5])]
            ours = await documents.search("x", typed, kind=None, tag=None, limit=10)
            assert ours == await local.search("x", typed, kind=None, tag=None, limit=10)


async def test_rare_words_reach_back_and_common_ones_to_the_newest(
    documents: FirestoreDocuments, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(firestore, "CANDIDATES", 10)
    notes = {f"n{n:02d}": ("", "a common meeting") for n in range(40)}
    notes["a0"] = ("", "armadillo")
    notes["a1"] = ("", "an armadillo at the meeting")
    await index(documents, notes)
    assert await found(documents, "meeting armadillo", 5) == ["a1", "a0", "n39", "n38", "n37"]
    assert await found(documents, "meeting", 100) == [f"n{n}" for n in range(39, 29, -1)]
    assert await found(documents, "meeting armadillo", 100) == ["a1", "a0", *(f"n{n}" for n in range(39, 31, -1))]


# Indexes


@pytest.mark.parametrize(
    ("query", "index"),
    [
        (Query("c", "p/x"), None),
        (Query("c", None), None),
        (Query("c", "p/x", descending=True), Index("c", (("_path", "DESCENDING"),))),
        (Query("c", "p/x", (Where("a", "==", 1),)), Index("c", (("a", "ASCENDING"),))),
        (Query("c", None, (Where("a", "in", [1]),)), Index("c", (("a", "ASCENDING"),), group=True)),
        (
            Query("c", None, (Where("b", "==", 1), Where("a", "==", 1))),
            Index("c", (("a", "ASCENDING"), ("b", "ASCENDING")), group=True),
        ),
        (
            Query("c", "p/x", (Where("t", "contains", 1), Where("a", "==", 1)), descending=True),
            Index("c", (("a", "ASCENDING"), ("t", "CONTAINS"), ("_path", "DESCENDING"))),
        ),
    ],
)
def test_which_index_a_query_needs(query: Query, index: Index | None) -> None:
    assert needed(query) == ({index} if index else set())


async def test_all_that_lists_can_be_narrowed_by_has_its_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Whatever else is asked in any test is looked at by tests/emulators/recorder.py.
    queries: list[Query] = []
    query = SqliteDocuments.query

    async def listening(self: SqliteDocuments, one: Query) -> list[Document]:
        queries.append(one)
        return await query(self, one)

    monkeypatch.setattr(SqliteDocuments, "query", listening)
    id = "01" + "a" * 24
    with SqliteDocuments(tmp_path / "local") as local:
        for kind, tag, deleted in combinations([None, "link"], [None, "t"], [False, True]):
            await Notes(local, "x").page(kind=kind, tag=tag, deleted=deleted, before=id)
        for statuses, kind, upkeep in combinations([(), ACTIVE, ACTIVE[:1]], [None, "deep_research"], [True, False]):
            await Operations(local, "x").page(statuses=statuses, kind=kind, upkeep=upkeep, before=id)
        for status, note in combinations([None, "open"], [None, id]):
            await Tasks(local, "x").page(status=status, source_note_id=note, before=id)
    known = declared()
    assert len(queries) >= 18
    assert [index for query in queries for index in needed(query) if not known.has(index)] == []
