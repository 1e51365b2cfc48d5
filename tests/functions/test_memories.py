"""Memories over HTTP: seen, corrected, rolled back, forgotten, each with its proof; and never anybody else's."""

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from infra.local.services import LocalServices
from shared.memory.scope import scope_of
from shared.preferences import Choices, choose
from tests.functions.conftest import Serve, digest
from tests.shared.memory.world import World

MEMORIES = "/api/v1/memories"
ME, ADA = "owner", "ada"


@pytest.fixture
async def world(product: LocalServices, tmp_path: Path) -> AsyncIterator[World]:
    """A product whose people are remembered; one more person of the same tenant has a key."""
    table = json.loads(product.folder.device_keys_file.read_text())
    (mine,) = table.values()
    mine["subject"] = ME
    table["hers"] = {"key_sha256": digest("adas-key"), "tenant": "default", "subject": ADA}
    table["other"] = {"key_sha256": digest("others-key"), "tenant": "elsewhere", "subject": ME}
    product.folder.device_keys_file.write_text(json.dumps(table))
    made = World(tmp_path, product)
    await choose(product.documents, product.settings, "default", Choices(memory_enabled=True), product.now())
    yield made
    await made.bank.aclose()


@pytest.fixture
def client(world: World, serve: Serve) -> Iterator[TestClient]:
    with serve("api") as made:
        yield made


def memories(client: TestClient) -> list[dict[str, Any]]:
    answer = client.get(MEMORIES)
    assert answer.status_code == 200, answer.text
    return list(answer.json()["memories"])


async def test_each_memory_is_shown_with_its_origin_and_whether_it_may_be_used(
    world: World, client: TestClient
) -> None:
    operation = await world.remembers("I drink green tea.", ME)
    await world.remembers("I drink coffee.", ADA)
    (found,) = memories(client)
    assert found["fact"] == "I drink green tea."
    assert found["origin"] == {"kind": "chat", "source": operation.input.turn, "session_id": operation.input.session_id}  # type: ignore[union-attr]
    assert (found["judgement"]["case"], found["judgement"]["decision"]) == ("clean_write", "allow")
    first = client.get(MEMORIES)
    assert client.get(MEMORIES, headers={"If-None-Match": first.headers["etag"]}).status_code == 304


async def test_a_list_has_pages(world: World, client: TestClient) -> None:
    for number in range(3):
        await world.remembers(f"My favourite number {number} is {number}.", ME)
    first = client.get(MEMORIES, params={"limit": 2}).json()
    rest = client.get(MEMORIES, params={"limit": 2, "cursor": first["next_cursor"]}).json()
    assert [len(first["memories"]), len(rest["memories"]), rest["next_cursor"]] == [2, 1, None]
    assert client.get(MEMORIES, params={"cursor": "unknown"}).json()["memories"] == []


async def test_a_memory_is_corrected_and_rolled_back_each_with_its_proof(world: World, client: TestClient) -> None:
    await world.remembers("I live in Leiden.", ME)
    (found,) = memories(client)
    url = f"{MEMORIES}/{found['id']}"
    world.clock.advance(1)
    changed = client.patch(url, json={"fact": " I live in Delft. "}).json()
    assert changed["memory"]["fact"] == "I live in Delft." and changed["memory"]["origin"]["kind"] == "edit"
    receipt = changed["receipt"]
    assert (receipt["occasion"], receipt["verdict"], receipt["decision"]) == ("change", "healthy", "allow")
    assert {way: count["hits"] for way, count in receipt["reads"].items()} == dict.fromkeys(receipt["reads"], 1)
    assert await world.used("Where do I live?", ME) == {"I live in Delft."}
    states = client.get(f"{url}/revisions").json()["revisions"]
    assert [one["fact"] for one in states] == ["I live in Delft.", "I live in Leiden."]
    world.clock.advance(1)
    back = client.post(f"{url}/rollback", json={"revision_id": states[1]["id"]}).json()
    assert back["memory"]["fact"] == "I live in Leiden." and back["receipt"]["verdict"] == "healthy"
    assert await world.used("Where do I live?", ME) == {"I live in Leiden."}
    assert [one["occasion"] for one in client.get(f"{MEMORIES}/receipts").json()["receipts"]] == [
        "recall", "change", "recall", "change", "generation",
    ]  # fmt: skip


async def test_forgetting_one_leaves_the_others_and_every_read_path_without_it(
    world: World, client: TestClient
) -> None:
    await world.remembers("I drink green tea. I live in Leiden.", ME)
    tea = next(one for one in memories(client) if "tea" in one["fact"])
    answer = client.delete(f"{MEMORIES}/{tea['id']}").json()
    assert answer["forgotten"] == 1
    (item,) = answer["receipt"]["items"]
    assert (item["judgement"]["case"], item["evidence"]["get_status"]) == ("deletion_converged", 404)
    assert [one["fact"] for one in memories(client)] == ["I live in Leiden."]
    assert await world.used("green tea", ME) == {"I live in Leiden."}
    assert client.get(f"{MEMORIES}/{tea['id']}/revisions").status_code == 404
    assert client.delete(f"{MEMORIES}/{tea['id']}").status_code == 404


async def test_forgetting_everything_leaves_the_other_persons_byte_for_byte(world: World, client: TestClient) -> None:
    await world.remembers("I drink green tea. I live in Leiden.", ME)
    await world.remembers("I drink green tea. I live in Delft.", ADA)
    hers = [row for row in world.bank.everything() if ADA in row[1]]
    answer = client.delete(MEMORIES).json()
    assert answer["forgotten"] == 2 and answer["receipt"]["verdict"] == "healthy"
    assert memories(client) == [] and await world.used("tea", ME) == set()
    assert [row for row in world.bank.everything() if ADA in row[1]] == hers
    assert len(await world.used("tea", ADA)) == 2
    assert client.delete(MEMORIES).json()["forgotten"] == 0


async def test_a_deletion_that_does_not_converge_is_told_and_withheld_from_then_on(
    world: World, client: TestClient
) -> None:
    await world.remembers("I live in Leiden.", ME)
    world.bank.fails(keep_deleted=True)
    (found,) = memories(client)
    receipt = client.delete(f"{MEMORIES}/{found['id']}").json()["receipt"]
    assert (receipt["verdict"], receipt["decision"]) == ("failed", "block")
    assert "Quarantine" in receipt["safe_action"]
    assert await world.used("Leiden", ME) == set()
    (shown,) = memories(client)
    assert shown["judgement"]["case"] == "deleted_still_visible"


async def test_a_change_that_never_ends_is_uncertain_and_withheld(world: World, client: TestClient) -> None:
    await world.remembers("I live in Leiden.", ME)
    (found,) = memories(client)
    world.bank.fails(never_done=True)
    receipt = client.patch(f"{MEMORIES}/{found['id']}", json={"fact": "I live in Delft."}).json()["receipt"]
    assert (receipt["verdict"], receipt["decision"]) == ("uncertain", "wait")
    assert await world.used("Leiden", ME) == set()
    world.bank.fails()
    world.clock.advance(60)
    assert await world.used("Delft", ME) == {"I live in Delft."}, "once it is there, it is proved"


async def test_a_change_that_was_never_taken_leaves_the_memory_as_usable_as_it_was(
    world: World, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    from shared.memory.service import Refused

    await world.remembers("I live in Leiden.", ME)
    (found,) = memories(client)

    async def refuse(*_: object) -> object:
        raise Refused("The memory service refused (HTTP 403)", upstream_status=403)

    monkeypatch.setattr(world.bank.client, "update", refuse)
    answer = client.patch(f"{MEMORIES}/{found['id']}", json={"fact": "I live in Delft."})
    assert (answer.status_code, answer.json()["error"]["code"]) == (502, "memory_refused")
    assert await world.used("Leiden", ME) == {"I live in Leiden."}


async def test_memories_of_unknown_origin_are_shown_as_withheld_and_can_be_adopted(
    world: World, client: TestClient
) -> None:
    await world.bank.ended(await world.bank.client.create(scope_of("default", ME), "I own a boat.", "evt"))
    (found,) = memories(client)
    assert found["origin"] is None and found["judgement"]["case"] == "unknown_source"
    client.patch(f"{MEMORIES}/{found['id']}", json={"fact": "I own a boat."}).raise_for_status()
    assert await world.used("boat", ME) == {"I own a boat."}


@pytest.mark.parametrize("key", ["adas-key", "others-key"])
async def test_what_is_someone_elses_is_unknown_to_every_route(world: World, serve: Serve, key: str) -> None:
    await world.remembers("I drink green tea.", ME)
    (row,) = await world.bank.client.inventory(scope_of("default", ME))
    before = world.bank.everything()
    with serve("api", key=key) as client:
        assert memories(client) == []
        assert client.get(f"{MEMORIES}/receipts").json()["receipts"] == []
        for method, path, body in (
            ("PATCH", "", {"fact": "stolen"}),
            ("DELETE", "", None),
            ("GET", "/revisions", None),
            ("POST", "/rollback", {"revision_id": "1"}),
        ):
            answer = client.request(method, f"{MEMORIES}/{row.id}{path}", json=body)
            assert (answer.status_code, answer.json()["error"]["code"]) == (404, "memory_not_found"), method
        assert client.delete(MEMORIES).json()["forgotten"] == 0
    assert world.bank.everything() == before


async def test_a_service_that_answers_other_peoples_memories_is_shown_to_nobody_and_deletes_nothing(
    world: World, client: TestClient
) -> None:
    await world.remembers("I drink green tea.", ME)
    await world.remembers("I drink coffee.", ADA)
    world.bank.fails(foreign_rows=True)
    (mine,) = memories(client)
    assert mine["judgement"]["case"] == "wrong_scope_result"
    answer = client.delete(MEMORIES)
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "memory_isolation")
    world.bank.fails()
    assert len(await world.used("coffee", ADA)) == 1


@pytest.mark.parametrize("body", [{}, {"fact": ""}, {"fact": "  "}, {"fact": "x" * 2001}, {"text": "x"}])
async def test_what_is_no_fact_is_422(world: World, client: TestClient, body: dict[str, str]) -> None:
    assert client.patch(f"{MEMORIES}/m1", json=body).status_code == 422


async def test_unknown_revisions_and_odd_ids_are_404(world: World, client: TestClient) -> None:
    await world.remembers("I drink green tea.", ME)
    (found,) = memories(client)
    answer = client.post(f"{MEMORIES}/{found['id']}/rollback", json={"revision_id": "99"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "revision_not_found")
    for odd in ("..%2F..%2Foperations", "m%3Arollback", "%2A", "m1%3Fx=1"):
        assert client.get(f"{MEMORIES}/{odd}/revisions").status_code == 404, odd


async def test_the_canary_sings_and_leaves_nothing(world: World, client: TestClient) -> None:
    before = world.bank.everything()
    answer = client.post(f"{MEMORIES}/canary").json()
    assert answer["healthy"] and answer["problem"] == ""
    assert [one["occasion"] for one in (answer["written"], answer["cleaned"])] == ["canary", "canary"]
    assert answer["cleaned"]["items"][0]["judgement"]["case"] == "deletion_converged"
    left = [row for row in world.bank.everything() if row not in before]
    assert [row[7] is not None for row in left] == [True], "it is deleted"
    assert memories(client) == []


def test_without_a_bank_every_route_says_what_to_set(serve: Serve) -> None:
    with serve("api") as client:
        for method, path in (("GET", ""), ("DELETE", ""), ("GET", "/m/revisions"), ("POST", "/canary")):
            answer = client.request(method, f"{MEMORIES}{path}")
            if path == "/canary":
                assert answer.json()["problem"] and not answer.json()["healthy"]
                continue
            assert (answer.status_code, answer.json()["error"]["code"]) == (503, "not_configured"), path
            assert "MEMEX_MEMORY_ENGINE" in answer.json()["error"]["next"]


async def test_with_the_service_down_the_routes_say_so(world: World, client: TestClient) -> None:
    world.bank.fails(down=True)
    answer = client.get(MEMORIES)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "memory_unavailable")
    assert answer.json()["error"]["next"]
