"""Planted markers: no receipt, log line or activity entry, and no operation, holds a fact, a raw user id or a token."""

import json
import logging
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest

from infra.local.store.schema import NAME
from shared.errors import MemexError
from shared.log import set_up
from shared.memory.canary import sing
from shared.memory.change import edit, everything, forget, forget_all, person, roll_back
from tests.infra.local.memory.standin import key
from tests.shared.memory.world import TENANT, World

FACT, PERSON, PAGE = "Xylophone7F3A", "Quetzal-person-91b", "Zarzuela55"
FAULTS: list[dict[str, Any]] = [
    {}, {"no_similarity": True}, {"foreign_rows": True}, {"keep_old": True}, {"keep_deleted": True},
    {"never_shown": True}, {"error_code": 13}, {"no_answer": True}, {"down": True}, {"busy": 3}, {"lag": 3},
]  # fmt: skip


async def live(world: World) -> None:
    """Everything that is done with memories, with the service in every mood."""
    await world.remembers(f"My {FACT} is {PAGE}.", PERSON)
    for number, fault in enumerate(FAULTS):
        world.bank.fails(**fault)
        await world.remembers(f"My {FACT} number {number} is {PAGE}. I no longer live in {PAGE}.", PERSON)
        await world.recalls(f"What about my {FACT}?", PERSON)
        who = await person(world.services, TENANT, PERSON)
        try:
            for memory in (await everything(who))[:2]:
                await edit(who, memory.id, f"My {FACT} is now {PAGE}.")
                await roll_back(who, memory.id, "1")
                await forget(who, memory.id)
        except MemexError as error:
            assert not planted(f"{error.message} {error.next}")
        await sing(world.services)
    world.bank.fails()
    await forget_all(who)


def planted(text: str) -> list[str]:
    token = "k3y"
    return [mark for mark in (FACT, PERSON, PAGE, token, "yellow") if mark.lower() in text.lower()]


@contextmanager
def logging_as_in_the_cloud() -> Iterator[None]:
    """Logs go to standard error, from INFO on; afterwards all is as it was."""
    root, http = logging.getLogger(), logging.getLogger("httpx")
    kept = root.handlers[:], root.level, http.level
    hooks = sys.excepthook, sys.unraisablehook, threading.excepthook
    try:
        set_up(logging.INFO)
        yield
    finally:
        root.handlers[:], (root.level, http.level) = kept[0], kept[1:]
        sys.excepthook, sys.unraisablehook, threading.excepthook = hooks


async def test_nothing_that_is_told_holds_what_is_secret(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    assert await key() == {"x-goog-api-key": "k3y"}
    with logging_as_in_the_cloud():
        logging.getLogger("memex.memory").info("the log is heard")
        await live(world)
    said = capsys.readouterr()
    assert "the log is heard" in said.err
    assert not planted(said.out + said.err)
    file = world.services.folder.path / NAME
    with closing(sqlite3.connect(file)) as database:
        rows = database.execute("SELECT collection, scope, id, data FROM documents").fetchall()
    kept: dict[str, list[str]] = {}
    for collection, scope, id, data in rows:
        kept.setdefault(collection, []).append(json.dumps([scope, id, data]))
    told = {"receipts", "memories", "memory_scopes", "operations", "activity", "days", "slots"}
    for collection in told & kept.keys():
        for text in kept[collection]:
            assert not planted(text), f"{collection}: {text}"
    assert len(kept["receipts"]) > 20 and len(kept["memories"]) > 3
    # An event of an operation's log is told, one of a conversation is what the person said.
    events = [json.dumps([scope, data]) for collection, scope, _, data in rows if collection == "events"]
    assert not [text for text in events if "operations" in json.loads(text)[0] and planted(text)]
    # The protected mapping says what the hashes stand for, and stands apart: the test would find a marker there.
    assert [text for text in kept["memory_names"] if PERSON.lower() in text.lower()]


async def test_an_operator_can_find_what_a_receipt_is_about_and_nobody_else(world: World) -> None:
    operation = await world.remembers(f"My {FACT} is {PAGE}.", PERSON)
    who = await person(world.services, TENANT, PERSON)
    (receipt,) = await who.memories.receipts(who.references.scope(who.scope))
    named = [
        await who.memories.named(str(ref))
        for ref in (receipt.scope, receipt.operation_ref, receipt.items[0].memory_ref)
    ]
    assert named[0] and PERSON in named[0]
    assert named[1] == operation.interaction_id
    (row,) = await world.bank.client.inventory(who.scope)
    assert named[2] == row.name
    stranger = await person(world.services, "elsewhere", PERSON)
    assert await stranger.memories.named(receipt.scope) is None
    assert stranger.references.scope(who.scope) != receipt.scope, "each tenant has a salt of its own"
