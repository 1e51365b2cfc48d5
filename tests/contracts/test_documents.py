"""What every store of documents does. The cases know no implementation; conftest.py names them."""

import asyncio
import math

import pytest
from pydantic import JsonValue

from shared import beginning, search
from shared.errors import Conflict, Invalid, TooLarge
from shared.models.base import JsonDict
from shared.store.documents import Documents, Expect, Query, Where, Write

NOTES = "tenants/x/notes"


async def put(documents: Documents, path: str, **data: JsonValue) -> None:
    await documents.commit([Write(path, dict(data))])


async def version(documents: Documents, path: str) -> str:
    found = await documents.get(path)
    assert found is not None
    return found.version


async def ids(documents: Documents, query: Query) -> list[str]:
    return [document.id for document in await documents.query(query)]


# Reading and writing


async def test_a_document_is_read_as_it_was_written(documents: Documents) -> None:
    data: JsonDict = {
        "text": 'größe 東京 👩‍🚀 \u2028 "quoted" \\ \n\t',
        "nothing": None,
        "yes": True,
        "no": False,
        "number": 3,
        "fraction": 0.1,
        "large": 9_007_199_254_740_993,
        "list": [1, "two", None, {"three": 3}],
        "map": {"a": {"b": {"c": "deep"}}},
        "empty": {},
        "none": [],
    }
    await documents.commit([Write(f"{NOTES}/n1", data)])
    found = await documents.get(f"{NOTES}/n1")
    assert found is not None
    assert (found.path, found.id, found.data) == (f"{NOTES}/n1", "n1", data)


async def test_what_is_not_there_is_none(documents: Documents) -> None:
    assert await documents.get(f"{NOTES}/n1") is None
    assert await documents.get_many([f"{NOTES}/n1", "tenants/x"]) == [None, None]
    assert await documents.get_many([]) == []


async def test_several_are_read_in_the_order_asked(documents: Documents) -> None:
    await put(documents, f"{NOTES}/a", n=1)
    await put(documents, "tenants/y/notes/a", n=2)
    await put(documents, f"{NOTES}/b", n=3)
    wanted = [f"{NOTES}/b", "tenants/y/notes/a", f"{NOTES}/missing", f"{NOTES}/a", f"{NOTES}/b"]
    found = await documents.get_many(wanted)
    assert [one and one.data["n"] for one in found] == [3, 2, None, 1, 3]
    assert [one and one.path for one in found] == [path if path != f"{NOTES}/missing" else None for path in wanted]
    assert found[0] == await documents.get(f"{NOTES}/b")


async def test_a_write_replaces_the_whole_document(documents: Documents) -> None:
    await put(documents, f"{NOTES}/n1", a=1, b=2)
    await put(documents, f"{NOTES}/n1", a=3)
    found = await documents.get(f"{NOTES}/n1")
    assert found is not None and found.data == {"a": 3}


async def test_a_deleted_document_is_gone_and_its_children_are_not(documents: Documents) -> None:
    await put(documents, f"{NOTES}/n1", a=1)
    await put(documents, f"{NOTES}/n1/trace/000001", a=1)
    await documents.commit([Write(f"{NOTES}/n1", None)])
    assert await documents.get(f"{NOTES}/n1") is None
    assert await documents.get(f"{NOTES}/n1/trace/000001") is not None


async def test_deleting_what_is_not_there_does_nothing(documents: Documents) -> None:
    await documents.commit([Write(f"{NOTES}/n1", None)])
    assert await documents.get(f"{NOTES}/n1") is None


async def test_a_commit_without_writes_does_nothing(documents: Documents) -> None:
    await documents.commit([])


async def test_large_documents_are_kept_whole(documents: Documents) -> None:
    bodies = {f"n{number}": f"{number} " + "ä" * 100_000 for number in range(5)}
    await documents.commit([Write(f"{NOTES}/{id}", {"body": body}) for id, body in bodies.items()])
    found = await documents.query(Query("notes", "tenants/x"))
    assert {one.id: one.data["body"] for one in found} == bodies


async def test_a_document_over_a_megabyte_is_refused(documents: Documents) -> None:
    with pytest.raises(TooLarge):
        await put(documents, f"{NOTES}/n1", body="ä" * 600_000)


@pytest.mark.parametrize("data", [{"a": math.nan}, {"a": math.inf}, {"a": "\ud800"}])
async def test_what_json_cannot_hold_is_refused(documents: Documents, data: JsonDict) -> None:
    with pytest.raises(Invalid):
        await documents.commit([Write(f"{NOTES}/n1", data)])


@pytest.mark.parametrize("path", ["", "tenants", "tenants/x/notes", "/tenants/x", "tenants//notes/n", "tenants/x/"])
async def test_a_path_that_names_no_document_is_refused(documents: Documents, path: str) -> None:
    with pytest.raises(Invalid):
        await documents.get(path)
    with pytest.raises(Invalid):
        await documents.commit([Write(path, {})])


@pytest.mark.parametrize(
    "id", ["größe", "東京", "a b", "it's", 'quo"ted', "100%", "a-b.c~d", "semi;colon", "'--", "👩‍🚀"]
)
async def test_ids_may_hold_any_text(documents: Documents, id: str) -> None:
    await put(documents, f"tenants/{id}/notes/{id}", status="open")
    found = await documents.get(f"tenants/{id}/notes/{id}")
    assert found is not None and found.id == id
    assert await ids(documents, Query("notes", f"tenants/{id}")) == [id]
    assert await ids(documents, Query("notes", f"tenants/{id}", (Where("status", "==", "open"),))) == [id]


# Versions and expectations


async def test_every_write_gives_a_new_version(documents: Documents) -> None:
    seen = []
    for number in range(4):
        await put(documents, f"{NOTES}/n1", number=number)
        seen.append(await version(documents, f"{NOTES}/n1"))
    assert len(set(seen)) == 4


async def test_a_write_that_changes_nothing_leaves_a_version_that_counts(documents: Documents) -> None:
    """The version may stay or change (Firestore's stays): nobody may rely on either."""
    await put(documents, f"{NOTES}/n1", a=1)
    await documents.commit([Write(f"{NOTES}/n1", {"a": 1}, await version(documents, f"{NOTES}/n1"))])
    await documents.commit([Write(f"{NOTES}/n1", {"a": 2}, await version(documents, f"{NOTES}/n1"))])


async def test_a_recreated_document_never_gets_an_old_version(documents: Documents) -> None:
    await put(documents, f"{NOTES}/n1", a=1)
    old = await version(documents, f"{NOTES}/n1")
    await documents.commit([Write(f"{NOTES}/n1", None)])
    await put(documents, f"{NOTES}/n1", a=1)
    with pytest.raises(Conflict):
        await documents.commit([Write(f"{NOTES}/n1", {"a": 2}, old)])


async def test_reading_does_not_change_the_version(documents: Documents) -> None:
    await put(documents, f"{NOTES}/n1", a=1)
    await put(documents, f"{NOTES}/n2", a=1)
    one = await documents.get(f"{NOTES}/n1")
    (many,) = await documents.get_many([f"{NOTES}/n1"])
    (asked, _) = await documents.query(Query("notes", "tenants/x"))
    assert one == many == asked


async def test_the_version_that_was_read_may_be_replaced_or_deleted(documents: Documents) -> None:
    await put(documents, f"{NOTES}/n1", a=1)
    await documents.commit([Write(f"{NOTES}/n1", {"a": 2}, await version(documents, f"{NOTES}/n1"))])
    await documents.commit([Write(f"{NOTES}/n1", None, await version(documents, f"{NOTES}/n1"))])
    assert await documents.get(f"{NOTES}/n1") is None


@pytest.mark.parametrize("data", [{"a": 3}, None])
async def test_an_old_version_is_a_conflict(documents: Documents, data: JsonDict | None) -> None:
    await put(documents, f"{NOTES}/n1", a=1)
    old = await version(documents, f"{NOTES}/n1")
    await put(documents, f"{NOTES}/n1", a=2)
    with pytest.raises(Conflict) as caught:
        await documents.commit([Write(f"{NOTES}/n1", data, old)])
    assert caught.value.code == "conflict"
    found = await documents.get(f"{NOTES}/n1")
    assert found is not None and found.data == {"a": 2}


@pytest.mark.parametrize("data", [{"a": 3}, None])
async def test_a_version_of_a_deleted_document_is_a_conflict(documents: Documents, data: JsonDict | None) -> None:
    await put(documents, f"{NOTES}/n1", a=1)
    old = await version(documents, f"{NOTES}/n1")
    await documents.commit([Write(f"{NOTES}/n1", None)])
    with pytest.raises(Conflict):
        await documents.commit([Write(f"{NOTES}/n1", data, old)])
    assert await documents.get(f"{NOTES}/n1") is None


async def test_absence_can_be_expected(documents: Documents) -> None:
    await documents.commit([Write(f"{NOTES}/n1", {"a": 1}, Expect.ABSENT)])
    with pytest.raises(Conflict):
        await documents.commit([Write(f"{NOTES}/n1", {"a": 2}, Expect.ABSENT)])
    await documents.commit([Write(f"{NOTES}/n1", None)])
    await documents.commit([Write(f"{NOTES}/n1", {"a": 3}, Expect.ABSENT)])


async def test_a_commit_is_all_or_nothing(documents: Documents) -> None:
    await put(documents, f"{NOTES}/n2", a=1)
    await put(documents, f"{NOTES}/n3", a=1)
    before = await documents.query(Query("notes", "tenants/x"))
    with pytest.raises(Conflict):
        await documents.commit(
            [
                Write(f"{NOTES}/n1", {"a": 9}),
                Write(f"{NOTES}/n2", {"a": 9}),
                Write(f"{NOTES}/n3", None),
                Write("tenants/x/search/n1", {"tokens": ["word"]}),
                Write("tenants/x/slots/all", {"holders": {}}, "12345"),
            ]
        )
    assert await documents.query(Query("notes", "tenants/x")) == before
    assert await documents.search("x", ["word"], kind=None, tag=None, limit=5) == []


async def test_a_commit_names_a_document_once(documents: Documents) -> None:
    with pytest.raises(Invalid):
        await documents.commit([Write(f"{NOTES}/n1", {"a": 1}), Write(f"{NOTES}/n1", {"a": 2})])
    assert await documents.get(f"{NOTES}/n1") is None


async def test_of_many_commits_at_once_one_wins_each_version(documents: Documents) -> None:
    await put(documents, "tenants/x/slots/all", count=0, last=-1)
    won: list[int] = []

    async def claim(number: int) -> None:
        while True:
            found = await documents.get("tenants/x/slots/all")
            assert found is not None
            count = found.data["count"]
            assert isinstance(count, int)
            try:
                await documents.commit(
                    [
                        Write(found.path, {"count": count + 1, "last": number}, found.version),
                        Write(f"tenants/x/claims/{count:03d}", {"by": number}, Expect.ABSENT),
                    ]
                )
            except Conflict:
                continue
            won.append(number)
            return

    await asyncio.gather(*(claim(number) for number in range(50)))
    found = await documents.get("tenants/x/slots/all")
    assert found is not None and found.data == {"count": 50, "last": won[-1]}
    claims = await documents.query(Query("claims", "tenants/x", limit=100))
    assert [claim.id for claim in claims] == [f"{number:03d}" for number in range(50)]
    assert sorted(str(claim.data["by"]) for claim in claims) == sorted(map(str, range(50)))


async def test_of_fifty_commits_on_one_version_exactly_one_succeeds(documents: Documents) -> None:
    await put(documents, f"{NOTES}/n1", by=-1)
    read = await version(documents, f"{NOTES}/n1")
    results = await asyncio.gather(
        *(documents.commit([Write(f"{NOTES}/n1", {"by": number}, read)]) for number in range(50)),
        return_exceptions=True,
    )
    assert sum(result is None for result in results) == 1
    assert sum(isinstance(result, Conflict) for result in results) == 49
    found = await documents.get(f"{NOTES}/n1")
    assert found is not None and found.data == {"by": results.index(None)}


async def test_of_fifty_creations_exactly_one_succeeds(documents: Documents) -> None:
    results = await asyncio.gather(
        *(documents.commit([Write(f"{NOTES}/n1", {"by": number}, Expect.ABSENT)]) for number in range(50)),
        return_exceptions=True,
    )
    assert sum(result is None for result in results) == 1
    assert sum(isinstance(result, Conflict) for result in results) == 49


async def test_a_conflict_does_not_touch_commits_made_at_the_same_time(documents: Documents) -> None:
    await put(documents, f"{NOTES}/taken", a=1)
    commits = []
    for number in range(20):
        commits.append(documents.commit([Write(f"{NOTES}/n{number:02d}", {"a": number}, Expect.ABSENT)]))
        commits.append(
            documents.commit(
                [
                    Write(f"{NOTES}/bad{number:02d}", {"a": number}),
                    Write(f"{NOTES}/taken", {"a": number}, Expect.ABSENT),
                ]
            )
        )
    results = await asyncio.gather(*commits, return_exceptions=True)
    assert all(result is None for result in results[::2])
    assert all(isinstance(result, Conflict) for result in results[1::2])
    assert await ids(documents, Query("notes", "tenants/x", limit=100)) == [
        *(f"n{number:02d}" for number in range(20)),
        "taken",
    ]


# Queries


@pytest.fixture
async def filled(documents: Documents) -> Documents:
    def note(n: int) -> JsonDict:
        return {
            "n": n,
            "kind": ("capture", "link")[n % 2],
            "tags": list[JsonValue]([["work"], ["work", "home"], []][n % 3]),
            "research": {"requested": n in (2, 5)},
            "enrichment": {"status": "pending" if n < 3 else "enriched"},
            "done": n % 2 == 0,
            "score": n / 2,
            "empty": None if n == 4 else "full",
            "deep": {"er": {"still": f"v{n % 4}"}},
        }

    writes = [Write(f"{NOTES}/n{n}", note(n)) for n in range(8)]
    writes += [Write(f"tenants/y/notes/n{n}", note(n)) for n in range(2)]
    writes += [Write(f"{NOTES}/n{n}/trace/{k:06d}", {"k": k}) for n in range(3) for k in range(3)]
    writes += [Write("tenants/x", {"name": "x"}), Write("tenants/y", {"name": "y"})]
    await documents.commit(writes)
    return documents


async def test_a_collection_comes_in_order_of_id(filled: Documents) -> None:
    assert await ids(filled, Query("notes", "tenants/x")) == [f"n{n}" for n in range(8)]
    assert await ids(filled, Query("notes", "tenants/x", descending=True)) == [f"n{n}" for n in range(7, -1, -1)]
    assert await ids(filled, Query("notes", "tenants/none")) == []
    assert await ids(filled, Query("trace", f"{NOTES}/n1")) == ["000000", "000001", "000002"]
    assert await ids(filled, Query("tenants", "")) == ["x", "y"]


async def test_order_is_that_of_the_text_s_bytes(documents: Documents) -> None:
    unordered = ["b", "a", "B", "_", "10", "9", "é", "z", "東", "👍", "a-b", "aa", "a."]
    await documents.commit([Write(f"{NOTES}/{id}", {}) for id in unordered])
    assert await ids(documents, Query("notes", "tenants/x")) == sorted(unordered, key=lambda id: id.encode())


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize(
    ("after", "before", "found"),
    [
        ("n2", None, "34567"),
        (None, "n2", "01"),
        ("n2", "n5", "34"),
        ("n2", "n3", ""),
        ("n25", "n3", ""),
        ("n7", None, ""),
        ("", None, "01234567"),
    ],
)
async def test_bounds_are_values_of_the_id_and_exclusive(
    filled: Documents, after: str | None, before: str | None, found: str, descending: bool
) -> None:
    if after == "":
        after = "a"
    query = Query("notes", "tenants/x", after=after, before=before, descending=descending)
    expected = [f"n{n}" for n in found]
    assert await ids(filled, query) == (expected[::-1] if descending else expected)


async def test_a_limit_takes_from_the_beginning_of_the_order(filled: Documents) -> None:
    assert await ids(filled, Query("notes", "tenants/x", limit=2)) == ["n0", "n1"]
    assert await ids(filled, Query("notes", "tenants/x", limit=2, descending=True)) == ["n7", "n6"]
    assert await ids(filled, Query("notes", "tenants/x", limit=2, after="n3")) == ["n4", "n5"]
    assert await ids(filled, Query("notes", "tenants/x", limit=2, before="n3", descending=True)) == ["n2", "n1"]


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ([Where("kind", "==", "link")], "1357"),
        ([Where("kind", "in", ["link", "nothing"])], "1357"),
        ([Where("kind", "in", ["link", "capture"])], "01234567"),
        ([Where("tags", "contains", "work")], "013467"),
        ([Where("tags", "contains", "home")], "147"),
        ([Where("tags", "contains", "wor")], ""),
        ([Where("kind", "==", "link"), Where("tags", "contains", "home")], "17"),
        ([Where("research.requested", "==", True)], "25"),
        ([Where("research.requested", "==", False)], "013467"),
        ([Where("enrichment.status", "==", "pending")], "012"),
        ([Where("enrichment.status", "in", ["pending", "enriched"])], "01234567"),
        ([Where("enrichment.status", "==", "enriched"), Where("kind", "==", "link")], "357"),
        ([Where("done", "==", True)], "0246"),
        ([Where("done", "==", 1)], ""),
        ([Where("n", "==", 1)], "1"),
        ([Where("n", "==", True)], ""),
        ([Where("n", "==", "1")], ""),
        ([Where("n", "in", [1, 3, 99])], "13"),
        ([Where("score", "==", 0.5)], "1"),
        ([Where("score", "==", 1)], "2"),
        ([Where("empty", "==", None)], "4"),
        ([Where("missing", "==", None)], ""),
        ([Where("missing.deeper", "==", "x")], ""),
        ([Where("deep.er.still", "==", "v3")], "37"),
        ([Where("deep.er.still", "in", ["v3", "v0"]), Where("done", "==", False)], "37"),
        ([Where("tags", "==", "work")], ""),
        ([Where("kind", "contains", "link")], ""),
        ([Where("kind", "==", "link' OR 1=1 --")], ""),
    ],
)
async def test_conditions(filled: Documents, where: list[Where], found: str) -> None:
    query = Query("notes", "tenants/x", tuple(where))
    expected = [f"n{n}" for n in found]
    assert await ids(filled, query) == expected
    backwards = Query("notes", "tenants/x", tuple(where), descending=True, before="n6", limit=2)
    assert await ids(filled, backwards) == [id for id in expected[::-1] if id < "n6"][:2]


@pytest.mark.parametrize(
    "where",
    [
        Where("kind", "in", []),
        Where("kind", "in", [str(n) for n in range(31)]),
        Where("kind", "==", ["a"]),
        Where("", "==", "a"),
        Where("a..b", "==", "a"),
    ],
)
async def test_a_condition_that_no_store_can_answer_is_refused(documents: Documents, where: Where) -> None:
    with pytest.raises(Invalid):
        await documents.query(Query("notes", "tenants/x", (where,)))


async def test_queries_follow_changes(documents: Documents) -> None:
    query = Query("operations", "tenants/x", (Where("status", "in", ["queued", "running"]),))
    await put(documents, "tenants/x/operations/o1", status="queued", remote_open=False)
    assert await ids(documents, query) == ["o1"]
    await put(documents, "tenants/x/operations/o1", status="running", remote_open=True)
    assert await ids(documents, query) == ["o1"]
    assert await ids(documents, Query("operations", None, (Where("remote_open", "==", True),))) == ["o1"]
    await put(documents, "tenants/x/operations/o1", status="completed", remote_open=False)
    assert await ids(documents, query) == []
    assert await ids(documents, Query("operations", None, (Where("remote_open", "==", True),))) == []
    await documents.commit([Write("tenants/x/operations/o1", None)])
    assert await ids(documents, Query("operations", "tenants/x", (Where("status", "==", "completed"),))) == []


async def test_a_new_document_inherits_nothing_from_a_deleted_one(documents: Documents) -> None:
    await put(documents, f"{NOTES}/n1", status="open", tags=["work"])
    await put(documents, "tenants/x/search/n1", tokens=["word"], tags=["work"], kind="link")
    await documents.commit([Write(f"{NOTES}/n1", None), Write("tenants/x/search/n1", None)])
    await put(documents, f"{NOTES}/n1", status="done", tags=[])
    await put(documents, "tenants/x/search/n1", tokens=["other"], tags=[], kind="capture")
    for where in (Where("status", "==", "open"), Where("tags", "contains", "work")):
        assert await ids(documents, Query("notes", "tenants/x", (where,))) == []
        assert await ids(documents, Query("notes", None, (where,))) == []
    assert await documents.search("x", ["word"], kind=None, tag=None, limit=5) == []
    assert await documents.search("x", ["other"], kind="link", tag=None, limit=5) == []


# Group queries


async def paths(documents: Documents, query: Query) -> list[str]:
    return [document.path for document in await documents.query(query)]


async def test_a_group_query_covers_every_parent_in_order_of_path(documents: Documents) -> None:
    tenants = ["x", "a-b", "a", "b", "a.b"]
    wanted = [f"tenants/{tenant}/notes/{id}" for tenant in tenants for id in ("n2", "n1")]
    await documents.commit([Write(path, {"status": "open"}) for path in wanted])
    await documents.commit([Write(f"{path}/trace/000001", {"status": "open"}) for path in wanted])
    expected = sorted(wanted, key=lambda path: path.split("/"))
    assert await paths(documents, Query("notes", None)) == expected
    assert await paths(documents, Query("notes", None, descending=True)) == expected[::-1]
    open_ = (Where("status", "==", "open"),)
    assert await paths(documents, Query("notes", None, open_, after=expected[3], limit=3)) == expected[4:7]
    assert await paths(documents, Query("notes", None, after=expected[3], before=expected[6])) == expected[4:6]
    assert await paths(documents, Query("notes", None, before=expected[3], descending=True)) == expected[2::-1]
    assert len(await paths(documents, Query("trace", None, limit=100))) == len(wanted)


async def test_a_group_query_goes_down_to_every_depth(documents: Documents) -> None:
    wanted = [
        "tenants/x/events/e1",
        "tenants/x/operations/o1/events/000001",
        "tenants/x/operations/o1/events/000002",
        "tenants/x/runs/r1/events/000001",
    ]
    await documents.commit([Write(path, {}) for path in reversed(wanted)])
    assert await paths(documents, Query("events", None)) == wanted


@pytest.mark.parametrize(
    "where",
    [
        Where("status", "==", "queued"),
        Where("status", "in", ["queued", "running"]),
        Where("research.requested", "==", True),
        Where("enrichment.status", "==", "pending"),
        Where("remote_open", "==", True),
    ],
)
async def test_a_group_query_finds_the_few_among_many(documents: Documents, where: Where) -> None:
    def data(hit: bool) -> JsonDict:
        return {
            "status": "queued" if hit else "completed",
            "research": {"requested": hit},
            "enrichment": {"status": "pending" if hit else "enriched"},
            "remote_open": hit,
        }

    await documents.commit([Write(f"tenants/t{n % 3}/notes/n{n:03d}", data(n % 50 == 7)) for n in range(200)])
    expected = sorted(f"tenants/t{n % 3}/notes/n{n:03d}" for n in range(200) if n % 50 == 7)
    assert await paths(documents, Query("notes", None, (where,))) == expected
    assert await paths(documents, Query("notes", None, (where,), after=expected[0], limit=2)) == expected[1:3]


# Search


async def index(
    documents: Documents, id: str, body: str, *, title: str = "", kind: str = "capture", tags: tuple[str, ...] = ()
) -> None:
    data: JsonDict = {
        "tokens": list(beginning.indexed(title, body, list(tags))),
        "kind": kind,
        "tags": list(tags),
        "title": title or None,
    }
    await documents.commit([Write(f"tenants/x/search/{id}", data)])


async def found(
    documents: Documents, question: str, *, kind: str | None = None, tag: str | None = None, limit: int = 20
) -> list[str]:
    return await hits(documents, search.words(question), kind=kind, tag=tag, limit=limit)


async def typed(documents: Documents, question: str) -> list[str]:
    """What is found while the question is typed."""
    return await hits(documents, [*search.words(question), beginning.asked(question)])


async def hits(
    documents: Documents, words: list[str], *, kind: str | None = None, tag: str | None = None, limit: int = 20
) -> list[str]:
    best = await documents.search("x", words, kind=kind, tag=tag, limit=limit)
    assert [hit.score for hit in best] == sorted((hit.score for hit in best), reverse=True)
    assert all(hit.score > 0 for hit in best)
    return [hit.id for hit in best]


async def test_notes_with_any_word_are_found_and_those_with_more_come_first(documents: Documents) -> None:
    await index(documents, "n1", "postgres backups")
    await index(documents, "n2", "postgres migration with many many other words in a long text about databases")
    await index(documents, "n3", "gardening")
    assert await found(documents, "postgres migration") == ["n2", "n1"]
    assert await found(documents, "nothing like it") == []


async def test_rare_words_weigh_more_than_common_ones(documents: Documents) -> None:
    for n in range(20):
        await index(documents, f"n{n:02d}", "meeting notes")
    await index(documents, "a0", "the armadillo")
    assert (await found(documents, "meeting armadillo"))[0] == "a0"


async def test_of_equal_notes_the_newest_come_first(documents: Documents) -> None:
    for n in (3, 11, 1, 7, 5, 9, 8, 2, 10, 6, 4, 12):
        await index(documents, f"n{n:02d}", "the same words")
    assert await found(documents, "same words", limit=5) == ["n12", "n11", "n10", "n09", "n08"]
    assert await found(documents, "same", limit=1) == ["n12"]


async def test_few_notes_rank_as_well_as_many(documents: Documents) -> None:
    await index(documents, "n1", "alpha beta")
    await index(documents, "n2", "alpha")
    assert await found(documents, "alpha beta") == ["n1", "n2"]


async def test_a_title_that_holds_the_word_comes_first(documents: Documents) -> None:
    await index(documents, "n1", "how to write them", title="Callouts")
    await index(documents, "n2", "one could also use callouts here")
    assert await found(documents, "callouts") == ["n1", "n2"]


async def test_a_word_is_found_while_it_is_typed(documents: Documents) -> None:
    await index(documents, "n1", "Call the landlord", tags=("ideas",))
    await index(documents, "n2", "Die Mietpreisbremse", title="Zettelkasten")
    for question, ids in {
        "landlo": ["n1"],
        "#idea": ["n1"],
        "Mietpreisbrem": ["n2"],
        "zett": ["n2"],
        "call landlo": ["n1"],
        "landlo ": [],
        "landscape": [],
        "la": [],
    }.items():
        assert await typed(documents, question) == ids, question
    assert await found(documents, "landlo") == await found(documents, "zett") == []


async def test_a_word_counts_more_than_a_beginning(documents: Documents) -> None:
    for n in range(12):
        await index(documents, f"n{n:02d}", "a note")
    # The newest, the rarest, and in the title: still not what was typed.
    await index(documents, "n99", "of paper", title="Notebooks")
    assert await typed(documents, "note") == [*(f"n{n:02d}" for n in range(11, -1, -1)), "n99"]
    assert await typed(documents, "noteb") == ["n99"]
    await index(documents, "n50", "notebooks here, too")
    assert await typed(documents, "noteb") == ["n99", "n50"]


async def test_the_search_of_a_beginning_follows_changes(documents: Documents) -> None:
    await index(documents, "n1", "landlord", title="Zettelkasten")
    await index(documents, "n1", "tenant", title="Letters")
    assert await typed(documents, "landlo") == await typed(documents, "zettel") == []
    assert await typed(documents, "tenan") == await typed(documents, "lette") == ["n1"]
    await documents.commit([Write("tenants/x/search/n1", None)])
    assert await typed(documents, "tenan") == await typed(documents, "lette") == []


async def test_kind_and_tag_narrow_the_search(documents: Documents) -> None:
    await index(documents, "n1", "solar", kind="capture", tags=("home",))
    await index(documents, "n2", "solar", kind="research", tags=("home", "research-report"))
    await index(documents, "n3", "solar", kind="research")
    assert sorted(await found(documents, "solar", kind="research")) == ["n2", "n3"]
    assert sorted(await found(documents, "solar", tag="home")) == ["n1", "n2"]
    assert await found(documents, "solar", kind="research", tag="home") == ["n2"]
    assert await found(documents, "solar", tag="hom") == []
    assert await found(documents, "solar", kind="nothing") == []


async def test_tenants_never_mix(documents: Documents) -> None:
    await index(documents, "n1", "secret")
    for tenant in ("X", "x ", "xx", "y"):
        await put(
            documents, f"tenants/{tenant}/search/n2", tokens=["secret", "1/secret", "a 1/secret"], kind="k", tags=[]
        )
    assert await found(documents, "secret") == ["n1"]
    for tenant in ("X", "x ", "xx", "y"):
        hits = await documents.search(tenant, ["secret"], kind=None, tag=None, limit=5)
        assert [hit.id for hit in hits] == ["n2"]
    assert await documents.search("z", ["secret"], kind=None, tag=None, limit=5) == []


async def test_search_follows_changes(documents: Documents) -> None:
    await index(documents, "n1", "first version", title="Draft")
    await index(documents, "n1", "second version", title="Final")
    assert await found(documents, "first") == []
    assert await found(documents, "draft") == []
    assert await found(documents, "second") == await found(documents, "final") == ["n1"]
    await documents.commit([Write("tenants/x/search/n1", None)])
    assert await found(documents, "second version final") == []
    await index(documents, "n1", "third")
    assert await found(documents, "third") == ["n1"]


async def test_search_documents_are_documents_too(documents: Documents) -> None:
    await index(documents, "n1", "some words", title="T", tags=("a",))
    one = await documents.get("tenants/x/search/n1")
    assert one is not None and one.data["title"] == "T"
    assert await documents.query(Query("search", "tenants/x")) == [one]


@pytest.mark.parametrize(
    "word",
    [
        '"',
        "'",
        "*",
        "a*",
        "(",
        "NEAR",
        "OR",
        "AND",
        "NOT",
        "-a",
        "^a",
        "a:b",
        "{",
        "\\",
        "%",
        ";",
        "c++",
        "f(x)",
        "\x00",
        " ",
    ],
)
async def test_words_are_never_read_as_a_query(documents: Documents, word: str) -> None:
    await put(documents, "tenants/x/search/n1", tokens=[word, "other"], kind="capture", tags=[])
    await put(documents, "tenants/x/search/n2", tokens=["a", "b"], kind="capture", tags=[])
    hits = await documents.search("x", [word], kind=None, tag=None, limit=5)
    assert [hit.id for hit in hits] == (["n1"] if word.strip(" \x00") else [])


async def test_a_search_without_words_finds_nothing(documents: Documents) -> None:
    await index(documents, "n1", "word")
    assert await documents.search("x", [], kind=None, tag=None, limit=5) == []
    assert await documents.search("x", ["word"], kind=None, tag=None, limit=0) == []


async def test_a_question_of_many_words_is_answered(documents: Documents) -> None:
    await index(documents, "n1", " ".join(f"word{n}" for n in range(1_000)))
    await index(documents, "n2", "word999")
    assert (await found(documents, " ".join(f"word{n}" for n in range(900, 1_000))))[0] == "n1"
