"""Follows a running operation to its end: the live stream, or look after look where none gets through."""

import asyncio
import json
import time
from collections.abc import AsyncIterator

import httpx

from infra.local.command import deeds, screen
from infra.local.command.answers import Json, Note, Operation, child, children, note, operation, text, whole
from infra.local.command.failure import FAILED, Failure
from infra.local.command.http import Api
from infra.local.command.report import parts

LOOK_SECONDS = 2.0
_BROKEN = 3
"""Streams in a row that said nothing before we look instead."""
_PAUSE_SECONDS = 0.5


async def fetch(api: Api, operation_id: str) -> Operation:
    """An operation as it is now."""
    return operation(child(await api.get(f"/api/v1/operations/{operation_id}"), "operation"))


async def follow(api: Api, operation_id: str) -> Operation:
    """Print what happens until it has ended."""
    began = time.monotonic()
    async for event in _events(api, operation_id):
        if said := told(event):
            seconds = int(time.monotonic() - began)
            screen.say(f"{seconds // 60:3d}:{seconds % 60:02d}  {screen.fit(said, max(40, screen.width() - 8))}")
    return await fetch(api, operation_id)


async def log(api: Api, operation_id: str, after: int = 0) -> list[Json]:
    """The log after a number, whole."""
    found: list[Json] = []
    while True:
        page = await api.get(f"/api/v1/operations/{operation_id}/events", after=after, limit=200)
        events = children(page, "events")
        found += events
        if not events or not text(page, "next_cursor"):
            return found
        after = whole(events[-1], "seq")


def told(event: Json) -> str:
    """An event of the log in words."""
    match text(event, "event"):
        case "task.started":
            return "Started"
        case "task.progress":
            return f"{whole(event, 'percent')} %  {text(event, 'message')}"
        case "task.thinking":
            return f"Thinking: {text(event, 'message')}"
        case "task.tool_call":
            return deeds.sentence(deeds.doing(text(event, "tool_name"), child(event, "input")))
        case "task.completed":
            return "Finished"
        case "task.failed":
            return f"Failed: {text(event, 'error_message')}"
        case "task.cancelled":
            return "Cancelled"
    return ""


async def _events(api: Api, operation_id: str) -> AsyncIterator[Json]:
    """Each event of the log once, in order, until the last."""
    seen = silent = 0
    while silent < _BROKEN:
        before = seen
        try:
            async for name, event in _streamed(api, operation_id, seen):
                if name == "done":
                    return
                if (seq := whole(event, "seq")) > seen:
                    seen = seq
                    yield event
        except (httpx.HTTPError, _NoStream):
            broken = True
        else:
            broken = False
        # A stream that worked may break or come to its end; one that never says anything is held back on the way.
        silent = silent + 1 if seen == before else 0
        if broken or silent:
            await asyncio.sleep(_PAUSE_SECONDS)
    async for event in _looked(api, operation_id, seen):
        yield event


class _NoStream(Exception):
    """The answer is no stream."""


async def _streamed(api: Api, operation_id: str, after: int) -> AsyncIterator[tuple[str, Json]]:
    from shared.errors import MemexError
    from shared.net.sse import EventReader

    reader = EventReader()
    async with api.stream(f"/api/v1/operations/{operation_id}/events", after) as response:
        kind = response.headers.get("content-type", "")
        if response.status_code != httpx.codes.OK or not kind.startswith("text/event-stream"):
            raise _NoStream
        async for chunk in response.aiter_bytes():
            try:
                for event in reader.feed(chunk):
                    data = json.loads(event.data)
                    yield event.name, data if isinstance(data, dict) else {}
            except (ValueError, MemexError):
                raise _NoStream from None


async def _looked(api: Api, operation_id: str, after: int) -> AsyncIterator[Json]:
    while True:
        ended = (await fetch(api, operation_id)).ended
        for event in await log(api, operation_id, after):
            after = whole(event, "seq")
            yield event
        if ended:
            return
        await asyncio.sleep(LOOK_SECONDS)


def ended_well(ended: Operation) -> None:
    """A Failure where it ended without a result."""
    if ended.status == "cancelled":
        raise Failure(
            f"{ended.error or ended.message or 'Cancelled'}: there is no result.", ended.advice or anew(ended)
        )
    if ended.status != "completed":
        raise Failure(ended.error or f"It is {ended.status}.", ended.advice or anew(ended), exit_code=FAILED)


async def report_of(api: Api, ended: Operation) -> Note:
    """The report that an operation wrote; a Failure where there is none."""
    ended_well(ended)
    if not ended.result_note_id:
        raise Failure("It ended without a report.", anew(ended), exit_code=FAILED)
    return note(child(await api.get(f"/api/v1/notes/{ended.result_note_id}"), "note"))


def show_report(found: Note, address: str = "") -> None:
    """The report on standard output, its sources numbered; below it where a browser shows it."""
    if found.title and found.title not in found.body[: len(found.title) + 10]:
        screen.out(f"# {found.title}\n")
    body, listed = parts(found)
    screen.out(body)
    if listed:
        screen.out("\n## Sources\n")
        for line in listed:
            screen.out(line)
    if address:
        screen.say(f"\n{address}")


def anew(one: Operation) -> str:
    """How to start the same work once more."""
    if one.kind in ("", "deep_research") and one.source_note_id:
        return f"Start it anew with: memex research {one.source_note_id}"
    if one.kind == "routine":
        return "Start it anew in a browser, under Routines: Run now."
    return "Start it anew in a browser: open it under Running work."


def ways_back(operation_id: str) -> str:
    """How to return to work that goes on, or stop it."""
    return f"Come back to it: memex ops --follow {operation_id}\nStop it:         memex ops --cancel {operation_id}"
