"""`memex demo`: the main job from end to end, on an empty store that is thrown away afterwards."""

import asyncio
import json
import re
import sys
import tempfile
import time
import uuid
from pathlib import Path

import click
import httpx

from infra.local.product import Product

NOTES = Path(__file__).with_name("demo_notes.md")
QUESTION = "How can I remember more of what I read?"
ENOUGH_SOURCES = 3
JsonDict = dict[str, object]


@click.command()
def demo() -> None:
    """Capture, research, cited report: the main job on an empty temporary store."""
    with tempfile.TemporaryDirectory(prefix="memex-demo-") as folder:
        problem = asyncio.run(_run(Path(folder)))
    if problem:
        click.echo(f"\nThe demo failed: {problem}", err=True)
        sys.exit(1)


async def _run(folder: Path) -> str:
    """The demo; what went wrong, or nothing."""
    async with Product(folder, environ={}) as product:
        client = httpx.AsyncClient(
            base_url=product.origin, headers={"Authorization": f"Bearer {product.key}"}, timeout=30
        )
        async with client:
            texts = [text.strip() for text in re.split(r"^---$", NOTES.read_text(), flags=re.M) if text.strip()]
            click.echo(f"Capturing {len(texts)} notes ...")
            for text in texts:
                (await client.post("/api/v1/captures", json={"text": text})).raise_for_status()
            await product.settled()
            await _show_enrichment(client)
            click.secho(f"\nCapturing, tagged research: {QUESTION}", bold=True)
            note = await _capture(client)
            operation = await _follow(client, note)
            return await _report(client, operation)


async def _capture(client: httpx.AsyncClient) -> str:
    answer = await client.post(
        "/api/v1/captures",
        json={"text": QUESTION, "tags": ["research"]},
        headers={"Idempotency-Key": str(uuid.uuid4())},
    )
    return str(answer.raise_for_status().json()["note"]["id"])


async def _show_enrichment(client: httpx.AsyncClient) -> None:
    found = (await client.get("/api/v1/notes", params={"limit": 100})).raise_for_status().json()["notes"]
    enriched = [note for note in found if note["enrichment"]["status"] == "enriched"]
    click.echo(f"{len(enriched)} of {len(found)} enriched, each from its own words. For example:")
    for note in enriched[:3]:
        click.echo(f"  {note['title']}   {' '.join('#' + tag for tag in note['tags'])}")


async def _follow(client: httpx.AsyncClient, note_id: str) -> str:
    """Print the run's events as they come; the operation's id once it has ended."""
    began = time.monotonic()
    operation_id = ""
    while not operation_id:
        note = (await client.get(f"/api/v1/notes/{note_id}")).raise_for_status().json()["note"]
        operation_id = note["research"]["operation_id"] or ""
        await asyncio.sleep(0 if operation_id else 0.05)
    headers = {"Accept": "text/event-stream"}
    async with client.stream("GET", f"/api/v1/operations/{operation_id}/events", headers=headers) as stream:
        async for line in stream.aiter_lines():
            if line.startswith("data: ") and (said := _told(json.loads(line.removeprefix("data: ")))):
                click.echo(f"  {time.monotonic() - began:4.1f} s  {said}")
    return operation_id


def _told(event: JsonDict) -> str:
    match event.get("event"):
        case "task.started":
            return "started"
        case "task.progress":
            return f"{event['percent']:>3} %  {event['message']}"
        case "task.completed":
            return "finished"
        case "task.failed":
            return f"failed: {event['error_message']}"
    return ""


async def _report(client: httpx.AsyncClient, operation_id: str) -> str:
    """Print the report, and check that every citation leads to a source that says what is quoted."""
    operation = (await client.get(f"/api/v1/operations/{operation_id}")).raise_for_status().json()["operation"]
    if operation["status"] != "completed":
        return f"the operation is {operation['status']}"
    note = (await client.get(f"/api/v1/notes/{operation['result_note_id']}")).raise_for_status().json()["note"]
    click.echo("\n" + str(note["body"]).strip() + "\n")
    cited = {int(n) for marker in re.findall(r"\[cite: ([\d, ]+)\]", note["body"]) for n in marker.split(",")}
    for citation in note["citations"]:
        source = await client.get(f"/api/v1/notes/{citation['note_id']}")
        if source.status_code != httpx.codes.OK:
            return f"citation {citation['number']} leads nowhere"
        if not citation["quote"] or citation["quote"] not in source.json()["note"]["body"]:
            return f"citation {citation['number']} quotes what its source does not say"
    numbers = {citation["number"] for citation in note["citations"]}
    if not cited or not cited <= numbers:
        return "the report cites what is not in its list of sources"
    if len(numbers) < ENOUGH_SOURCES:
        return f"only {len(numbers)} sources"
    click.secho(
        f"{len(numbers)} sources, each quoted word for word from a note that was read. "
        "It is filed as a note, linked to the question.",
        fg="green",
    )
    return ""
