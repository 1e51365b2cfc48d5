"""A process to be killed: commits notes and publishes messages as fast as it can, and says what is acknowledged."""

import asyncio
import os
import sys
from pathlib import Path

from infra.local.store.documents import SqliteDocuments
from infra.local.store.queue import SqliteBus, Subscription
from infra.local.store.triggers import Triggers
from shared.models.base import JsonDict
from shared.store.documents import Expect, Write


def say(line: str) -> None:
    """One write, so that a line is there whole or not at all."""
    os.write(1, f"{line}\n".encode())


async def deliver_change(headers: dict[str, str], body: bytes) -> int:
    """Say which note the event names."""
    say(f"event {headers['ce-document']}")
    return 200


async def deliver_message(push: JsonDict) -> int:
    """Say which note the message names."""
    message = push["message"]
    assert isinstance(message, dict) and isinstance(message["attributes"], dict)
    say(f"message {message['attributes']['note_id']}")
    return 200


async def write(documents: SqliteDocuments, bus: SqliteBus, run: str, way: int) -> None:
    """Create notes with a child each, one after the other, for ever."""
    number = 0
    while True:
        id = f"{run}-{way}-{number:06d}"
        note: JsonDict = {"body": "x" * 500, "status": "open"}
        await documents.commit(
            [
                Write(f"tenants/x/notes/{id}", note, Expect.ABSENT),
                Write(f"tenants/x/notes/{id}/trace/000001", {"of": id}, Expect.ABSENT),
                Write(f"tenants/x/search/{id}", {"tokens": [f"word{run}", f"word{way}"], "tags": []}),
            ]
        )
        say(f"committed {id}")
        await bus.publish("note-events", {"note_id": id})
        say(f"published {id}")
        number += 1


async def main(folder: Path, run: str) -> None:
    """Write and deliver until killed; with an empty `run`, deliver what is left and end."""
    documents = SqliteDocuments(folder)
    bus = SqliteBus(documents, [Subscription("all", "note-events", deliver_message)])
    triggers = Triggers(documents, deliver_change)
    pumps = [asyncio.create_task(bus.run()), asyncio.create_task(triggers.run())]
    if run:
        await asyncio.gather(*(write(documents, bus, run, way) for way in range(4)))
    await triggers.settled()
    await bus.settled()
    for pump in pumps:
        pump.cancel()
    await asyncio.gather(*pumps, return_exceptions=True)
    documents.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
