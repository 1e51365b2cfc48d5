"""The client's exact requests, and what it makes of every answer."""

import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qs

import httpx
import pytest
import respx

from shared.config import Settings
from shared.errors import MemexError, NotConfigured, Unreachable, UpstreamTimeout
from shared.memory.client import PAGE, MemoryBankClient
from shared.memory.scope import References, canary_scope, canonical, scope_of
from shared.memory.service import Outcome, Refused, Trouble
from shared.net.http import Http

ENGINE = "projects/p-1/locations/europe-west4/reasoningEngines/42"
ROOT = "https://europe-west4-aiplatform.googleapis.com/v1beta1"
BANK = f"{ROOT}/{ENGINE}"
M1 = f"{ENGINE}/memories/m1"
SCOPE = scope_of("home", "sam@example.org")
EVENT = "01arz3ndektsv4rrffq69g5fav"
MARKED = {"revisionLabels": {"source_event": EVENT}, "metadata": {"source_event": {"stringValue": EVENT}}}
WIRE_SCOPE = {"app_name": "memex", "tenant": "home", "user_id": "sam@example.org"}
MEMORY = {
    "name": M1,
    "fact": "I drink green tea.",
    "scope": {"user_id": "sam@example.org", "tenant": "home", "app_name": "memex"},
    "createTime": "2026-11-01T10:00:00.123456789Z",
    "updateTime": "2026-11-02T10:00:00Z",
    "expireTime": "2027-11-01T10:00:00Z",
    "metadata": {"source_event": {"stringValue": EVENT}},
    "memoryType": "NATURAL_LANGUAGE_COLLECTION",
}


async def token() -> str:
    return "t0k3n"


@pytest.fixture
async def http() -> AsyncIterator[Http]:
    made = Http()
    yield made
    await made.aclose()


def settings(**values: Any) -> Settings:
    return Settings(project="p", region="r", device_keys_file="k", **values)


@pytest.fixture
def bank(http: Http) -> MemoryBankClient:
    return MemoryBankClient.from_settings(settings(memory_engine=ENGINE), http, token)


def sent(route: respx.Route) -> Any:
    return json.loads(route.calls.last.request.content)


# -- requests --------------------------------------------------------------------------------------------------


async def test_a_generation_sends_the_persons_words_their_scope_and_an_opaque_source(
    bank: MemoryBankClient, respx_mock: respx.MockRouter
) -> None:
    route = respx_mock.post(f"{BANK}/memories:generate").respond(json={"name": f"{ENGINE}/operations/7"})
    work = await bank.generate(SCOPE, ["Call me Sam.", "I drink tea."], EVENT)
    assert (work.name, work.done, work.outcomes) == (f"{ENGINE}/operations/7", False, ())
    assert sent(route) == {
        "directContentsSource": {
            "events": [
                {"content": {"role": "user", "parts": [{"text": "Call me Sam."}]}},
                {"content": {"role": "user", "parts": [{"text": "I drink tea."}]}},
            ]
        },
        "scope": WIRE_SCOPE,
        **MARKED,
        "metadataMergeStrategy": "OVERWRITE",
    }
    assert route.calls.last.request.headers["authorization"] == "Bearer t0k3n"


async def test_writes_are_exactly_these(bank: MemoryBankClient, respx_mock: respx.MockRouter) -> None:
    below = {"name": f"{M1}/operations/8", "done": False}
    create = respx_mock.post(f"{BANK}/memories").respond(json=below)
    change = respx_mock.patch(f"{ROOT}/{M1}").respond(json=below)
    delete = respx_mock.delete(f"{ROOT}/{M1}").respond(
        json={"name": f"{ENGINE}/operations/9", "done": True, "response": {"@type": "google.protobuf.Empty"}}
    )
    back = respx_mock.post(f"{ROOT}/{M1}:rollback").respond(json=below)
    purge = respx_mock.post(f"{BANK}/memories:purge").respond(
        json={"name": f"{ENGINE}/operations/10", "done": True, "response": {"purgeCount": 2}}
    )
    assert (await bank.create(SCOPE, "I drink tea.", EVENT, ttl_seconds=60)).memory == M1
    assert sent(create) == {"fact": "I drink tea.", "scope": WIRE_SCOPE, **MARKED, "ttl": "60s"}
    assert (await bank.update(M1, "I drink coffee.", EVENT)).memory == M1
    assert sent(change) == {"fact": "I drink coffee.", **MARKED}
    assert change.calls.last.request.url.query == b"updateMask=fact%2Cmetadata"
    gone = await bank.delete(M1)
    assert (gone.done, gone.memory, gone.error_code) == (True, None, None)
    assert delete.calls.last.request.content == b""
    await bank.rollback(M1, "7")
    assert sent(back) == {"targetRevisionId": "7"}
    assert (await bank.purge(SCOPE, force=False)).purged == 2
    asked = sent(purge)
    assert asked.keys() == {"filter", "force"} and asked["force"] is False
    assert json.loads(json.loads(asked["filter"].removeprefix("scope="))) == WIRE_SCOPE


async def test_every_read_names_a_number_and_reads_all_pages(
    bank: MemoryBankClient, respx_mock: respx.MockRouter
) -> None:
    pages = [{"retrievedMemories": [{"memory": MEMORY}], "nextPageToken": "n"}, {"retrievedMemories": []}]
    route = respx_mock.post(f"{BANK}/memories:retrieve").mock(
        side_effect=[httpx.Response(200, json=page) for page in pages]
    )
    assert len(await bank.inventory(SCOPE)) == 1
    asked = [json.loads(call.request.content) for call in route.calls]
    assert asked == [
        {"scope": WIRE_SCOPE, "simpleRetrievalParams": {"pageSize": PAGE}},
        {"scope": WIRE_SCOPE, "simpleRetrievalParams": {"pageSize": PAGE, "pageToken": "n"}},
    ]
    near = {"retrievedMemories": [{"memory": MEMORY, "distance": 0.4}]}
    similar = respx_mock.post(f"{BANK}/memories:retrieve").respond(json=near)
    assert [row.name for row in await bank.similar(SCOPE, "tea?", 10)] == [M1]
    assert sent(similar) == {"scope": WIRE_SCOPE, "similaritySearchParams": {"searchQuery": "tea?", "topK": 10}}
    listed = respx_mock.get(url__startswith=f"{BANK}/memories?").mock(
        side_effect=[
            httpx.Response(200, json={"memories": [MEMORY], "nextPageToken": "x"}),
            httpx.Response(200, json={}),
        ]
    )
    assert [row.id for row in await bank.listed(SCOPE)] == ["m1"]
    query = parse_qs(listed.calls.last.request.url.query.decode())
    assert query["pageToken"] == ["x"] and query["pageSize"] == [str(PAGE)]
    assert json.loads(json.loads(query["filter"][0].removeprefix("scope="))) == WIRE_SCOPE


async def test_a_memory_comes_with_its_scope_its_source_and_its_times(
    bank: MemoryBankClient, respx_mock: respx.MockRouter
) -> None:
    respx_mock.get(f"{ROOT}/{M1}").respond(json=MEMORY)
    row = await bank.get(M1)
    assert row is not None and (row.source, row.fact, row.id) == (EVENT, "I drink green tea.", "m1")
    assert canonical(row.scope) == canonical(SCOPE)
    assert row.created_at.isoformat() == "2026-11-01T10:00:00.123456+00:00"
    respx_mock.get(f"{ROOT}/{M1}").respond(404, json={"error": {"code": 404, "status": "NOT_FOUND"}})
    assert await bank.get(M1) is None
    assert await bank.find("m1") is None
    respx_mock.get(f"{BANK}/memories/..%2Fm1").respond(404)
    assert await bank.find("../m1") is None


async def test_revisions_come_newest_first(bank: MemoryBankClient, respx_mock: respx.MockRouter) -> None:
    old = {"name": f"{M1}/revisions/9", "fact": "a", "createTime": "2026-11-01T10:00:00Z", "labels": {"x": "y"}}
    new = {**old, "name": f"{M1}/revisions/10", "labels": {"source_event": EVENT}}
    respx_mock.get(f"{ROOT}/{M1}/revisions?pageSize={PAGE}").respond(json={"memoryRevisions": [old, new]})
    assert [(state.id, state.source) for state in await bank.revisions(M1)] == [("10", EVENT), ("9", None)]


# -- operations ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pending", [{}, {"done": False}])
async def test_pending_is_not_done_whether_the_answer_says_so_or_not(
    pending: dict[str, object], bank: MemoryBankClient, respx_mock: respx.MockRouter
) -> None:
    name = f"{ENGINE}/operations/7"
    respx_mock.get(f"{ROOT}/{name}").respond(json={"name": name, **pending})
    work = await bank.operation(name)
    assert (work.done, work.error_code) == (False, None)


async def test_actions_are_kept_apart(bank: MemoryBankClient, respx_mock: respx.MockRouter) -> None:
    name = f"{ENGINE}/operations/7"
    made = [{"memory": {"name": f"{M1}{word}"}, "action": word} for word in ("CREATED", "UPDATED", "DELETED")]
    respx_mock.get(f"{ROOT}/{name}").respond(
        json={"name": name, "done": True, "response": {"@type": "t", "generatedMemories": made}}
    )
    work = await bank.operation(name)
    assert work.outcomes == (
        Outcome(f"{M1}CREATED", "CREATED"),
        Outcome(f"{M1}UPDATED", "UPDATED"),
        Outcome(f"{M1}DELETED", "DELETED"),
    )


@pytest.mark.parametrize(("error", "code"), [({"code": 13, "message": "I drink tea"}, 13), ({}, 2), ({"code": "x"}, 2)])
async def test_an_operation_that_ended_with_an_error_says_only_its_code(
    error: object, code: int, bank: MemoryBankClient, respx_mock: respx.MockRouter
) -> None:
    respx_mock.post(f"{BANK}/memories:generate").respond(json={"name": "o", "done": True, "error": error})
    work = await bank.generate(SCOPE, ["x"], EVENT)
    assert (work.done, work.error_code, work.outcomes) == (True, code, ())
    assert "tea" not in repr(work)


# -- errors ----------------------------------------------------------------------------------------------------

ERRORS: list[tuple[httpx.Response | Exception, type[MemexError], bool]] = [
    (httpx.ConnectError("x"), Unreachable, True),
    (httpx.ReadTimeout("x"), UpstreamTimeout, True),
    (httpx.RemoteProtocolError("x"), UpstreamTimeout, True),
    (httpx.Response(429, json={"error": {"message": "I drink tea"}}), Trouble, True),
    (httpx.Response(503, text="I drink tea"), Trouble, True),
    (httpx.Response(500), Trouble, True),
    (httpx.Response(400, json={"error": {"message": "I drink tea"}}), Refused, False),
    (httpx.Response(401), Refused, False),
    (httpx.Response(403), Refused, False),
    (httpx.Response(302, headers={"location": "https://elsewhere.test"}), Refused, False),
    (httpx.Response(200, text="I drink tea"), Trouble, True),
    (httpx.Response(200, json=[]), Trouble, True),
    (httpx.Response(200, json={"done": True}), Trouble, True),
    (httpx.Response(200, json={"name": "o", "done": True, "response": {"generatedMemories": [{}]}}), Trouble, True),
    (
        httpx.Response(
            200,
            json={
                "name": "o",
                "done": True,
                "response": {"generatedMemories": [{"memory": {"name": "m"}, "action": "MERGED"}]},
            },
        ),
        Trouble,
        True,
    ),
]


@pytest.mark.parametrize(("answer", "error", "retryable"), ERRORS)
async def test_each_bad_answer_has_its_meaning_its_words_and_is_asked_for_once(
    answer: httpx.Response | Exception,
    error: type[MemexError],
    retryable: bool,
    bank: MemoryBankClient,
    respx_mock: respx.MockRouter,
) -> None:
    route = respx_mock.post(f"{BANK}/memories:generate")
    if isinstance(answer, Exception):
        route.side_effect = answer
    else:
        route.return_value = answer
    with pytest.raises(error) as caught:
        await bank.generate(SCOPE, ["I drink tea"], EVENT)
    assert type(caught.value) is error
    assert caught.value.retryable is retryable
    assert route.call_count == 1
    assert "tea" not in f"{caught.value.message} {caught.value.next}"


async def test_of_a_memory_that_is_told_twice_the_last_counts(
    bank: MemoryBankClient, respx_mock: respx.MockRouter
) -> None:
    told = [{"memory": {"name": name}, "action": action} for name, action in
            (("m1", "CREATED"), ("m2", "CREATED"), ("m1", "UPDATED"))]  # fmt: skip
    answer = {"name": "o", "done": True, "response": {"generatedMemories": told}}
    respx_mock.post(f"{BANK}/memories:generate").respond(json=answer)
    work = await bank.generate(SCOPE, ["I drink tea"], EVENT)
    assert [(one.name, one.action) for one in work.outcomes] == [("m1", "UPDATED"), ("m2", "CREATED")]


@pytest.mark.parametrize("engine", ["", "42", "projects/p/locations/l/reasoningEngines", "a/p/b/l/c/e"])
def test_without_a_bank_the_client_says_what_to_set(engine: str, http: Http) -> None:
    with pytest.raises(NotConfigured) as caught:
        MemoryBankClient.from_settings(settings(memory_engine=engine), http, token)
    assert "MEMEX_MEMORY_ENGINE" in caught.value.next


async def test_an_address_in_the_settings_replaces_googles(http: Http, respx_mock: respx.MockRouter) -> None:
    configured = settings(memory_engine=ENGINE, memory_url="http://127.0.0.1:1/bank/v1beta1/")
    route = respx_mock.get(f"http://127.0.0.1:1/bank/v1beta1/{M1}").respond(json=MEMORY)
    assert await MemoryBankClient.from_settings(configured, http, token).get(M1)
    assert route.call_count == 1


# -- scopes ----------------------------------------------------------------------------------------------------


def test_different_people_never_share_a_scope_and_none_shares_the_canarys() -> None:
    people = [("a", "b"), ("a", "B"), ("a", "b*"), ("a", "b%2A"), ("a", "b "), ("ab", ""), ("b", "a"), ("a", "*")]
    scopes = [canonical(scope_of(*one)) for one in people] + [canonical(canary_scope("b"))]
    assert len(set(scopes)) == len(scopes)
    assert not [scope for scope in scopes if "*" in scope]


def test_references_depend_on_the_salt_and_not_on_the_order_of_keys() -> None:
    mine, other = References("00" * 32), References("11" * 32)
    turned = dict(reversed(list(SCOPE.items())))
    assert mine.scope(SCOPE) == mine.scope(turned) != other.scope(SCOPE)
    assert mine.memory("x") != mine.operation("x")
    assert "sam" not in mine.scope(SCOPE)
