"""The deployed product: every function a process, on Google's emulators, as Terraform plans it."""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio

from shared.models.base import JsonDict
from shared.models.ids import ulid
from shared.net.sse import EventReader
from shared.store.chats import Chats
from shared.store.documents import Write
from shared.store.operations import Operations
from tests.emulators import fixtures
from tests.emulators.delivery import EVENTARC, Weather
from tests.emulators.identity import Key
from tests.emulators.product import Person, Product, missing

pytestmark = pytest.mark.asyncio(loop_scope="module")

FACTS = [
    "# Espalier\n\nPears grow flat against a sunny wall when they are tied to wires every spring.",
    "# Pruning pears\n\nPruning pears in August keeps the flat shape of an espalier and lets light in.",
    "# Walls\n\nA south wall stores warmth, and pears ripen two weeks earlier in front of it.",
    "# Bread\n\nFlour, water, salt and time.",
]
QUESTION = "How do I grow pears flat against a wall?"
ENDED = ("completed", "failed", "cancelled")
PATIENCE = 60


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def product() -> AsyncIterator[Product]:
    fixtures.need(missing)
    async with Product() as running:
        yield running


class Life:
    """A person with some notes, who asks."""

    def __init__(self, product: Product, person: Person, client: httpx.AsyncClient) -> None:
        self.product = product
        self.tenant = person.tenant
        self.client = client

    async def capture(self, text: str, **fields: object) -> str:
        answer = await self.client.post("/api/v1/captures", json={"text": text, **fields})
        return str(answer.raise_for_status().json()["note"]["id"])

    async def ask(self) -> str:
        """Have the facts, and capture the question, tagged."""
        for fact in FACTS:
            await self.capture(fact)
        return await self.capture(QUESTION, tags=["research"])

    async def note(self, note_id: str) -> JsonDict:
        answer = await self.client.get(f"/api/v1/notes/{note_id}")
        return dict(answer.raise_for_status().json()["note"])

    async def operations(self) -> list[JsonDict]:
        answer = await self.client.get("/api/v1/operations")
        return list(answer.raise_for_status().json()["operations"])

    async def ended(self) -> JsonDict:
        """The only operation, once it has ended."""
        async with asyncio.timeout(PATIENCE):
            while True:
                found = await self.operations()
                if found and found[0]["status"] in ENDED:
                    return found[0]
                await asyncio.sleep(0.1)

    async def underway(self) -> JsonDict:
        """The only operation, once its outside run has been started."""
        async with asyncio.timeout(PATIENCE):
            while True:
                found = await self.operations()
                if found and found[0]["interaction_id"]:
                    return found[0]
                await asyncio.sleep(0.05)

    async def check(self, note_id: str) -> None:
        """One create, one report with its sources, a log without gaps, and the slot is free again."""
        operation = await self.ended()
        assert operation["status"] == "completed", operation["error"]
        await self.product.delivery.quiet()
        assert self.product.research.store.count("create", tenant=self.tenant) == 1
        assert len(await self.operations()) == 1
        (report,) = (await self.client.get("/api/v1/notes", params={"kind": "research"})).json()["notes"]
        assert (report["id"], report["source_note_id"]) == (operation["result_note_id"], note_id)
        assert report["citations"]
        for citation in report["citations"]:
            assert citation["quote"] in str((await self.note(citation["note_id"]))["body"])
        source = await self.note(note_id)
        research = source["research"]
        assert isinstance(research, dict)
        assert (research["status"], research["operation_id"]) == ("completed", operation["id"])
        log = (await self.client.get(f"/api/v1/operations/{operation['id']}/events")).json()["events"]
        assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
        assert [event["event"] for event in log if event["event"].removeprefix("task.") in ENDED] == ["task.completed"]
        assert log[-1]["event"] == "task.completed"
        assert (await Operations(self.product.documents, self.tenant).slots()).holders == {}
        async with asyncio.timeout(PATIENCE):
            while any(one.state == "ACTIVE" for one in self.product.engine.list("research").executions):
                await asyncio.sleep(0.05)


@pytest_asyncio.fixture(loop_scope="module")
async def life(product: Product) -> AsyncIterator[Life]:
    person = product.person()
    async with product.client(person) as client:
        yield Life(product, person, client)
    await product.delivery.quiet()


async def test_a_note_tagged_research_comes_back_as_a_cited_report(product: Product, life: Life) -> None:
    note_id = await life.ask()
    await life.check(note_id)
    for road in (EVENTARC, "enrich", "research", "dispatch"):
        assert product.delivery.made[road] >= 1
    notes = (await life.client.get("/api/v1/notes")).json()["notes"]
    assert {note["enrichment"]["status"] for note in notes} == {"enriched", "none"}, "reports need no enrichment"
    assert {note["title"] for note in notes} >= {"Espalier", "Bread"}
    printed = "".join(instance.printed() for instance in product.instances.values())
    assert "Traceback" not in printed
    assert "pears" not in printed.lower()


async def test_a_conversation_survives_its_process_and_waits_for_a_word(product: Product, life: Life) -> None:
    """The chat is a function of its own; what it was told to do outlives it, in Firestore alone."""
    for fact in FACTS:
        await life.capture(fact)
    await product.delivery.quiet()
    # In the cloud a model would answer by default; the one that needs nothing reaches nobody.
    (await life.client.put("/api/v1/settings", json={"model": "offline"})).raise_for_status()
    told = (await life.client.get("/config.json")).json()
    assert told["chat"] == product.deployment.address("chat")
    began = await life.client.post(f"{told['chat']}/api/v1/chat/sessions", json={})
    session_id = began.raise_for_status().json()["session"]["id"]
    session = f"/api/v1/chat/sessions/{session_id}"

    asked = await frames(life.client, f"{session}/messages", {"text": "What did I note about pruning pears?"})
    types = [data["type"] for name, data in asked if name == "trace"]
    assert (types[:3], asked[-1][0]) == (["user", "tool_call", "tool_result"], "done")
    (citations,) = [data["citations"] for name, data in asked if name == "trace" and data["type"] == "citations"]
    assert "Pruning pears" in {citation["title"] for citation in citations}

    waiting = await frames(life.client, f"{session}/messages", {"text": "Delete the note about bread"})
    (gate,) = [data for name, data in waiting if name == "approval_request"]
    assert (gate["tool"], waiting[-1][0] == "done") == ("delete_note", False)
    note_id = gate["arguments"]["note_id"]
    assert (await life.note(note_id))["deleted_at"] is None

    stored = await Chats(product.documents, life.tenant).events(session_id)
    assert [event.seq for event in stored] == list(range(1, len(stored) + 1))
    assert [event.type for event in stored if event.turn == gate["run_id"]].count("approval_request") == 1

    starts = product.instances["chat"].starts
    product.instances["chat"].kill()
    decided = await frames(life.client, f"/api/v1/chat/{gate['run_id']}/resume", {"decision": "approve"})
    assert product.instances["chat"].starts == starts + 1
    assert decided[-1][0] == "done" and decided[-1][1]["session"]["turn"]["status"] == "done"
    assert [data["ok"] for name, data in decided if name == "trace" and data["type"] == "tool_result"] == [True]
    assert (await life.note(note_id))["deleted_at"] is not None
    again = await life.client.post(f"/api/v1/chat/{gate['run_id']}/resume", json={"decision": "approve"})
    assert (again.status_code, again.json()["error"]["code"]) == (409, "already_resumed")
    assert "bread" not in product.instances["chat"].printed().lower()


async def frames(client: httpx.AsyncClient, path: str, body: JsonDict) -> list[tuple[str, Any]]:
    """The whole stream that answers a POST: name and data of each frame."""
    reader = EventReader()
    found: list[tuple[str, Any]] = []
    async with client.stream("POST", path, json=body, headers={"Accept": "text/event-stream"}) as answer:
        if answer.status_code != 200:
            pytest.fail((await answer.aread()).decode())
        async for chunk in answer.aiter_bytes():
            found += [(event.name, json.loads(event.data)) for event in reader.feed(chunk)]
    return found


async def test_the_web_client_finds_the_functions_at_the_addresses_that_it_is_told(
    product: Product, life: Life
) -> None:
    page = await life.client.get("/")
    assert page.status_code == 200
    (script,) = re.findall(r'src="(/assets/[^"]+\.js)"', page.text)
    assert (await life.client.get(script)).status_code == 200
    told = (await life.client.get("/config.json")).json()
    assert (await life.client.get(f"{told['api']}/api/v1/notes")).json()["notes"] == []
    made = await life.client.post(f"{told['capture']}/api/v1/captures", json={"text": "a thought"})
    assert made.status_code == 201
    assert (await without_key(f"{told['api']}/api/v1/notes")).status_code == 401


async def without_key(url: str) -> httpx.Response:
    async with httpx.AsyncClient(trust_env=False, timeout=30) as client:
        return await client.get(url)


async def test_a_run_survives_the_death_of_its_function_between_two_looks(product: Product, life: Life) -> None:
    instance = product.instances["research"]
    before = instance.starts
    note_id = await life.ask()
    await life.underway()
    instance.kill()
    await life.check(note_id)
    assert instance.starts == before + 1


async def test_a_run_survives_the_death_of_its_function_while_it_writes(product: Product, life: Life) -> None:
    instance = product.instances["research"]
    before = instance.starts
    note_id = await life.ask()
    product.front.strike("research", "/finish", 0.03)
    await life.check(note_id)
    assert product.front.struck
    assert instance.starts == before + 1


async def test_a_run_survives_the_death_of_all_functions(product: Product, life: Life) -> None:
    note_id = await life.ask()
    await life.underway()
    for instance in product.instances.values():
        instance.kill()
    await life.check(note_id)


async def test_deliveries_that_come_three_times_do_nothing_twice(product: Product, life: Life) -> None:
    before = product.delivery.made.copy()
    with product.delivery.changed(Weather(copies=3)):
        note_id = await life.ask()
        await life.check(note_id)
    made = product.delivery.made - before
    for road in (EVENTARC, "enrich", "research", "dispatch"):
        assert made[road] >= 3


async def test_deliveries_that_come_late_and_overtake_each_other_are_borne(product: Product, life: Life) -> None:
    with product.delivery.changed(Weather(copies=2, delay=2.0)):
        note_id = await life.ask()
        await life.check(note_id)


async def test_old_news_after_new_changes_nothing(product: Product, life: Life) -> None:
    """Everything about a note arrives in reverse, after it was edited, put into the bin and taken out again."""
    async with product.delivery.held(EVENTARC) as (road,):
        note_id = await life.ask()
        url = f"/api/v1/notes/{note_id}"
        (await life.client.patch(url, json={"title": "Edited"})).raise_for_status()
        (await life.client.delete(url)).raise_for_status()
        (await life.client.post(f"{url}/restore")).raise_for_status()
        async with asyncio.timeout(PATIENCE):
            while len(road.waiting) < len(FACTS) + 4:
                await asyncio.sleep(0.05)
    await life.check(note_id)
    assert (await life.note(note_id))["title"] == "Edited"


@pytest.mark.parametrize("road", [EVENTARC, "dispatch"])
async def test_what_a_lost_delivery_would_have_told_is_found_by_the_tick(
    product: Product, life: Life, road: str
) -> None:
    with product.delivery.changed(Weather(lost=frozenset({road}))):
        note_id = await life.ask()
        await product.delivery.quiet()
        assert [one["status"] for one in await life.operations()] == (["queued"] if road == "dispatch" else [])
    assert await product.tick() == 200
    await life.check(note_id)


async def test_a_poisonous_message_ends_among_the_dead_letters_and_holds_nobody_up(
    product: Product, life: Life
) -> None:
    poison = ulid(time.time())
    path = f"tenants/{life.tenant}/notes/{poison}"
    before = product.delivery.made.copy()
    await product.documents.commit([Write(path, {"no": "note"})])
    try:
        attributes = {"tenant": life.tenant, "note_id": poison, "enrich": "true", "research": "true"}
        message = {"messages": [{"attributes": attributes}]}
        (await product.pubsub.post("/topics/note-events:publish", json=message)).raise_for_status()
        async with asyncio.TaskGroup() as group:
            group.create_task(a_whole_run(product))
            dead = group.create_task(dead_letters(product, 2))
        found = {one["CloudPubSubDeadLetterSourceSubscription"]: one for one in dead.result()}
        assert found.keys() == {"enrich", "research"}
        for one in found.values():
            assert attributes.items() <= one.items()
            assert one["CloudPubSubDeadLetterSourceDeliveryCount"] == "10"
        assert (product.delivery.made - before)[EVENTARC] > 1, "the event of the poison was retried too"
        before = product.delivery.made.copy()
        await asyncio.sleep(4)
        assert not (product.delivery.made - before).keys() & {"enrich", "research"}, "it came again"
    finally:
        await product.documents.commit([Write(path, None)])


async def a_whole_run(product: Product) -> None:
    person = product.person()
    async with product.client(person) as client:
        life = Life(product, person, client)
        await life.check(await life.ask())


async def dead_letters(product: Product, count: int) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    async with asyncio.timeout(100):
        while len(found) < count:
            found += await product.dead_letters("note-events")
            await asyncio.sleep(0.5)
    return found


STEPS = {"agent": "/step", "memory": "/generate"}
"""An address of those functions that take no messages."""


async def test_private_functions_let_in_their_callers_alone(product: Product) -> None:
    deployment, identity = product.deployment, product.identity
    everybody = {account for name in deployment.private for account in deployment.callers(name)}
    stranger, person = Key(), product.person()
    now = int(time.time())
    async with httpx.AsyncClient(trust_env=False, timeout=60) as client:
        for name in deployment.private:
            url, callers = deployment.address(name), deployment.callers(name)
            path = url + STEPS.get(name, "/")
            forged = {
                "missing": "",
                "a person's": person.key,
                "garbage": "x.y.z",
                "foreign key": identity.sign(callers[0], url, key=stranger),
                "foreign audience": identity.sign(callers[0], deployment.address("api")),
                "expired": identity.sign(callers[0], url, {"iat": now - 7200, "exp": now - 3600}),
                "not yet": identity.sign(callers[0], url, {"iat": now + 3600}),
                "wrong issuer": identity.sign(callers[0], url, {"iss": "https://accounts.google.com"}),
                "unverified": identity.sign(callers[0], url, {"email_verified": False}),
                "unsigned": identity.unsigned(callers[0], url),
                **{f"{other}": identity.sign(other, url) for other in everybody - set(callers)},
            }
            for what, token in forged.items():
                headers = {"Authorization": f"Bearer {token}"} if token else {}
                answer = await client.post(path, headers=headers, json={})
                assert answer.status_code in (401, 403), (name, what)
            for caller in callers:
                headers = {"Authorization": f"Bearer {identity.sign(caller, url)}"}
                answer = await client.post(path, headers=headers, json={})
                assert answer.status_code in (200, 400, 422), (name, caller)


async def test_public_functions_take_no_service_for_a_person(product: Product) -> None:
    url = product.deployment.address("api")
    token = product.identity.sign(product.deployment.callers("fanout")[0], url)
    async with httpx.AsyncClient(trust_env=False, timeout=30) as client:
        answer = await client.get(f"{url}/api/v1/notes", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 401
