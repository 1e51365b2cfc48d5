"""The bank over its own wire: consolidation, revisions, expiry, isolation, its faults, and a process that dies."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.services import ENGINE
from shared.errors import MemexError
from shared.memory.scope import scope_of
from shared.memory.service import Refused, Trouble
from tests.infra.local.memory.standin import ROOT, Standin

SAM, ADA = scope_of("home", "sam"), scope_of("home", "ada")
MEMORIES = f"{ROOT}/{ENGINE}/memories"


async def raw(standin: Standin, method: str, url: str, body: object = None, **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(standin.app)) as client:
        return await client.request(method, url, json=body, headers={"x-goog-api-key": "k", **headers})


async def test_a_fact_is_created_updated_and_deleted_each_told_apart(standin: Standin) -> None:
    created = await standin.told(SAM, "I live in Leiden. I drink tea.", source="e1")
    assert [one.action for one in created.outcomes] == ["CREATED", "CREATED"]
    updated = await standin.told(SAM, "I live in Delft.", source="e2")
    assert [one.action for one in updated.outcomes] == ["UPDATED"]
    assert updated.outcomes[0].name == created.outcomes[0].name
    deleted = await standin.told(SAM, "I no longer drink tea.", source="e3")
    assert [(one.action, one.name) for one in deleted.outcomes] == [("DELETED", created.outcomes[1].name)]
    assert await standin.client.get(deleted.outcomes[0].name) is None
    assert await standin.facts(SAM) == {"I live in Delft."}
    states = await standin.client.revisions(updated.outcomes[0].name)
    assert [(one.fact, one.source) for one in states] == [("I live in Delft.", "e2"), ("I live in Leiden.", "e1")]


async def test_the_same_fact_twice_is_kept_once(standin: Standin) -> None:
    first = await standin.told(SAM, "I drink green tea.", source="e1")
    again = await standin.told(SAM, "I drink green tea.", source="e2")
    assert [one.action for one in again.outcomes] == ["UPDATED"]
    (row,) = await standin.client.inventory(SAM)
    assert (row.name, row.source) == (first.outcomes[0].name, "e2")


async def test_nothing_durable_is_done_with_nothing(standin: Standin) -> None:
    work = await standin.told(SAM, "When do pears ripen?")
    assert (work.done, work.error_code, work.outcomes) == (True, None, ())
    assert await standin.facts(SAM) == set()


@pytest.mark.survival(12)
async def test_forgetting_one_person_leaves_the_other_byte_for_byte(standin: Standin) -> None:
    await standin.told(SAM, "I drink tea.")
    await standin.told(ADA, "I drink coffee. I live in Delft.")
    before = [row for row in standin.everything() if "ada" in row[1]]
    await standin.ended(await standin.client.purge(SAM, force=True))
    assert [row for row in standin.everything() if "ada" in row[1]] == before
    assert await standin.facts(SAM) == set()
    assert await standin.client.similar(SAM, "tea", 100) == []
    assert await standin.client.listed(SAM) == []
    assert len(await standin.client.inventory(ADA)) == 2


async def test_a_scope_matches_as_a_whole_and_whatever_the_order_of_its_keys(standin: Standin) -> None:
    await standin.told(SAM, "I drink tea.")
    turned = dict(reversed(list(SAM.items())))
    assert await standin.facts(turned) == {"I drink tea."}
    assert await standin.facts({key: value for key, value in SAM.items() if key != "tenant"}) == set()
    assert await standin.facts({**SAM, "user_id": "Sam"}) == set()
    assert [row.fact for row in await standin.client.listed(turned)] == ["I drink tea."]
    assert await standin.client.listed(ADA) == []


async def test_an_edit_makes_a_revision_and_a_rollback_brings_one_back(standin: Standin) -> None:
    name = (await standin.told(SAM, "I live in Leiden.", source="e1")).outcomes[0].name
    await standin.ended(await standin.client.update(name, "I live in Delft.", "e2"))
    row = await standin.client.get(name)
    assert row is not None and (row.fact, row.source) == ("I live in Delft.", "e2")
    oldest = (await standin.client.revisions(name))[-1]
    await standin.ended(await standin.client.rollback(name, oldest.id))
    row = await standin.client.get(name)
    assert row is not None and (row.fact, row.source) == ("I live in Leiden.", "e1")
    assert [one.id for one in await standin.client.revisions(name)] == [oldest.id]
    with pytest.raises(Refused):
        await standin.client.rollback(name, "99")


async def test_revisions_of_what_was_deleted_stay_for_two_days_and_bring_it_back(standin: Standin) -> None:
    name = (await standin.told(SAM, "I live in Leiden.")).outcomes[0].name
    await standin.ended(await standin.client.delete(name))
    assert await standin.client.get(name) is None
    (state,) = await standin.client.revisions(name)
    await standin.ended(await standin.client.rollback(name, state.id))
    assert await standin.facts(SAM) == {"I live in Leiden."}
    await standin.ended(await standin.client.delete(name))
    standin.clock.advance(48 * 3600 + 1)
    with pytest.raises(Refused):
        await standin.client.revisions(name)


async def test_what_has_a_time_limit_is_gone_after_it(standin: Standin) -> None:
    work = await standin.ended(await standin.client.create(SAM, "I drink tea.", "e1", ttl_seconds=60))
    assert work.memory is not None
    row = await standin.client.get(work.memory)
    assert row is not None and row.expires_at is not None
    standin.clock.advance(61)
    assert await standin.client.get(work.memory) is None
    assert await standin.facts(SAM) == set()


async def test_reads_give_three_rows_unless_told_and_say_that_there_are_more(standin: Standin) -> None:
    for number in range(7):
        await standin.ended(await standin.client.create(SAM, f"I own book {number}.", "e"))
    bare = (await raw(standin, "POST", f"{MEMORIES}:retrieve", {"scope": dict(SAM)})).json()
    assert len(bare["retrievedMemories"]) == 3 and bare["nextPageToken"]
    assert len(await standin.client.inventory(SAM)) == len(await standin.client.listed(SAM)) == 7
    near = {"scope": dict(SAM), "similaritySearchParams": {"search_query": "book"}}
    assert len((await raw(standin, "POST", f"{MEMORIES}:retrieve", near)).json()["retrievedMemories"]) == 3
    standin.fails(cut=True)
    assert len(await standin.client.inventory(SAM)) == 7, "all pages are read, however small"


async def test_both_casings_are_taken_and_keys_that_are_data_are_left_alone(standin: Standin) -> None:
    scope = {"user_id": "u", "appName": "x"}
    body = {
        "directMemoriesSource": {"direct_memories": [{"fact": "I drink tea."}]},
        "scope": scope,
        "revision_labels": {"source_event": "e1"},
        "metadata": {"source_event": {"string_value": "e1"}},
    }
    await standin.ended_raw(await raw(standin, "POST", f"{MEMORIES}:generate", body))
    (row,) = await standin.client.inventory(scope)
    assert (dict(row.scope), row.source) == (scope, "e1")
    assert [one.source for one in await standin.client.revisions(row.name)] == ["e1"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", ":generate", {"scope": {"a": "b"}}, 400),
        ("POST", ":generate", {"scope": {"a": "b"}, "directContentsSource": {"events": []}}, 400),
        ("POST", ":retrieve", {}, 400),
        ("POST", ":retrieve", {"scope": {"a": "b*"}}, 400),
        ("POST", ":retrieve", {"scope": {"a": "b"}, "similaritySearchParams": {}}, 400),
        ("POST", ":purge", {}, 400),
        ("POST", "", {"scope": {"a": "b"}, "fact": " "}, 400),
        ("POST", "", {"scope": {"a": "b"}, "fact": "x", "metadata": {"k": {"one": 1}}}, 400),
        ("POST", "", {"scope": {"a": "b"}, "fact": "x", "ttl": "60"}, 400),
        ("GET", "?filter=fact:tea", None, 400),
        ("GET", "/none", None, 404),
        ("PATCH", "/none", {"fact": "x"}, 404),
        ("DELETE", "/none", None, 404),
        ("GET", "/none/revisions", None, 404),
        ("POST", "/none:rollback", {"targetRevisionId": "1"}, 404),
        ("GET", "/none/operations/1", None, 404),
    ],
)
async def test_what_the_service_would_refuse_is_refused(
    standin: Standin, method: str, path: str, body: Any, status: int
) -> None:
    answer = await raw(standin, method, f"{MEMORIES}{path}", body)
    assert answer.status_code == status
    assert answer.json()["error"]["code"] == status


async def test_nobody_without_credentials_is_served(standin: Standin) -> None:
    assert (await raw(standin, "GET", MEMORIES, **{"x-goog-api-key": ""})).status_code == 401


# -- faults ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("says", [False, True])
async def test_an_operation_is_done_after_as_many_looks_and_works_once(standin: Standin, says: bool) -> None:
    standin.fails(looks=3, says_done_false=says)
    work = await standin.client.generate(SAM, ["I drink tea."], "e1")
    seen = []
    for _ in range(5):
        seen.append((await standin.client.operation(work.name)).done)
    assert seen == [False, False, True, True, True]
    assert len(await standin.client.inventory(SAM)) == 1
    standin.fails(looks=0)
    assert (await standin.client.generate(SAM, ["I drink tea."], "e1")).done


async def test_a_generation_that_never_ends_never_does(standin: Standin) -> None:
    standin.fails(never_done=True)
    work = await standin.client.generate(SAM, ["I drink tea."], "e1")
    for _ in range(20):
        standin.clock.advance(3600)
        assert not (await standin.client.operation(work.name)).done
    assert await standin.facts(SAM) == set()


async def test_work_that_nobody_looks_at_ends_by_itself(standin: Standin) -> None:
    await standin.client.generate(SAM, ["I drink tea."], "e1")
    standin.clock.advance(10)
    assert await standin.facts(SAM) == {"I drink tea."}


async def test_each_fault_reports_one_thing_and_shows_another(standin: Standin) -> None:
    name = (await standin.told(SAM, "I live in Leiden.", source="e1")).outcomes[0].name
    standin.fails(keep_old=True)
    assert [one.action for one in (await standin.told(SAM, "I live in Delft.", source="e2")).outcomes] == ["UPDATED"]
    row = await standin.client.get(name)
    assert row is not None and row.source == "e1"
    assert (await standin.client.revisions(name))[0].source == "e1"
    standin.fails(never_shown=True)
    assert [one.action for one in (await standin.told(SAM, "I drink tea.")).outcomes] == ["CREATED"]
    assert await standin.facts(SAM) == {"I live in Leiden."}
    standin.fails(keep_deleted=True)
    assert (await standin.told(SAM, "I no longer live in Leiden.")).outcomes[0].action == "DELETED"
    assert await standin.facts(SAM) == {"I live in Leiden."}
    standin.fails(no_similarity=True)
    assert await standin.client.similar(SAM, "Leiden", 10) == []
    assert await standin.facts(SAM) == {"I live in Leiden."}
    standin.fails(empty=True)
    assert (await standin.told(SAM, "I speak Dutch.")).outcomes == ()
    standin.fails(error_code=13)
    assert (await standin.told(SAM, "I speak Dutch.")).error_code == 13


async def test_foreign_rows_are_those_of_every_scope(standin: Standin) -> None:
    await standin.told(ADA, "I drink coffee.")
    await standin.told(SAM, "I drink tea.")
    standin.fails(foreign_rows=True)
    for rows in (
        await standin.client.inventory(SAM),
        await standin.client.listed(SAM),
        await standin.client.similar(SAM, "drink", 10),
    ):
        assert {row.scope["user_id"] for row in rows} == {"sam", "ada"}


async def test_a_change_is_seen_after_so_many_reads(standin: Standin) -> None:
    standin.fails(lag=2)
    await standin.told(SAM, "I drink tea.")
    assert [len(await standin.client.inventory(SAM)) for _ in range(3)] == [0, 1, 1]


async def test_a_service_that_is_busy_or_down_says_so(standin: Standin) -> None:
    standin.fails(busy=1)
    with pytest.raises(Trouble) as busy:
        await standin.client.inventory(SAM)
    assert busy.value.upstream_status == 429
    assert await standin.client.inventory(SAM) == []
    standin.fails(down=True)
    with pytest.raises(MemexError):
        await standin.client.inventory(SAM)


async def test_a_generation_whose_answer_is_lost_was_taken_all_the_same(standin: Standin) -> None:
    standin.fails(no_answer=True)
    with pytest.raises(Trouble):
        await standin.client.generate(SAM, ["I drink tea."], "e1")
    assert standin.store.count("generate") == 1


async def test_faults_are_set_over_the_wire_and_only_those_that_there_are(standin: Standin) -> None:
    url = f"{ROOT.removesuffix('/v1beta1')}/control"
    assert (await raw(standin, "POST", url, {"lag": 2, "keep_deleted": True})).status_code == 200
    assert (standin.service.faults.lag, standin.service.faults.keep_deleted) == (2, True)
    unknown: list[object] = [[], {"lags": 1}, {"lag": "2"}, {"down": 1}, {"lag": True}]
    for wrong in unknown:
        assert (await raw(standin, "POST", url, wrong)).status_code == 400


# -- a process that dies ---------------------------------------------------------------------------------------


async def test_everything_is_there_in_the_next_process(tmp_path: Path) -> None:
    first = Standin(tmp_path)
    await first.told(SAM, "I drink tea.")
    work = await first.client.generate(SAM, ["I live in Leiden."], "e2")
    first.fails(lag=1)
    await first.told(SAM, "I speak Dutch.")
    second = Standin(tmp_path, first.clock)  # the first one is never closed
    assert (await second.ended(work)).outcomes[0].action == "CREATED"
    assert await second.facts(SAM) == {"I drink tea.", "I live in Leiden.", "I speak Dutch."}
    await first.aclose()
    await second.aclose()


async def test_what_a_person_said_is_not_kept_once_the_work_is_done(standin: Standin) -> None:
    await standin.told(SAM, "I drink tea. And here is a xylophone.")
    kept = json.dumps(standin.store._db.execute("SELECT * FROM operations").fetchall())
    assert "xylophone" not in kept and "generate" in kept
