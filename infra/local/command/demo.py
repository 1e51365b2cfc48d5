"""`memex demo`: the main job from end to end, on an empty store that is thrown away afterwards."""

import asyncio
import os
import re
import tempfile
from pathlib import Path

import click

from infra.local.command import screen
from infra.local.command.answers import child, children, note, text, texts
from infra.local.command.cli import Connection
from infra.local.command.failure import Failure
from infra.local.command.follow import fetch, report_of
from infra.local.command.http import Api, encode
from infra.local.command.research import Run
from infra.local.command.target import port_from
from infra.local.product import Product
from shared.errors import MemexError

NOTES = Path(__file__).with_name("demo_notes.md")
QUESTION = "How can I remember more of what I read?"
ENOUGH_SOURCES = 3
_AGAIN = "Its store is thrown away, and your own notes were not touched. Run `make demo` again."


@click.command()
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="N", help="Port while it lasts (PORT); otherwise any free one."
)
@click.pass_context
def demo(ctx: click.Context, port: int | None) -> None:
    """Capture, research, cited report: the main job on an empty temporary store.

    The store is thrown away at the end, so it is never the data folder of your own notes.
    """
    asked = ctx.find_object(Connection) or Connection()
    at = next((one for one in (port, asked.port) if one is not None), None)
    if at is None:
        at = port_from(os.environ.get("PORT") or "0")
    screen.out("On an empty store of its own, which is thrown away at the end; your own notes are not touched.")
    with tempfile.TemporaryDirectory(prefix="memex-demo-") as folder:
        showing = _Demo(Path(folder), at)
        try:
            asyncio.run(showing.run())
        except MemexError as error:
            raise Failure(f"The demo failed: {error.message}", _AGAIN if showing.began else error.next) from None
        except Failure as failure:
            # What a command advises is about the store that it ran on, and that one is gone.
            raise Failure(f"The demo failed: {failure.message}", _AGAIN, exit_code=failure.exit_code) from None
    screen.out("\nNext: `make run` starts Memex for your own notes; open the address that it prints.")


class _Demo:
    """One demo."""

    def __init__(self, folder: Path, port: int) -> None:
        self._folder = folder
        self._port = port
        self.began = False
        """Whether the product came up: what keeps it from starting can be mended, and the error says how."""

    async def run(self) -> None:
        """The main job, from end to end."""
        async with Product(self._folder, port=self._port, environ={}) as product:
            self.began = True
            connection = Connection(product.origin, product.key)
            async with Api(connection.target()) as api:
                written = [one.strip() for one in re.split(r"^---$", NOTES.read_text(), flags=re.M) if one.strip()]
                screen.out(f"Capturing {len(written)} notes ...")
                for one in written:
                    await api.capture(encode({"text": one}))
                await product.settled()
                await _show_enrichment(api)
                screen.out(f"\nCapturing, with research: {QUESTION}")
                run = Run(connection, as_json=False, passing=True)
                await run.do(QUESTION, follow=True)
                await _check(api, run.operation_id)


async def _show_enrichment(api: Api) -> None:
    found = children(await api.get("/api/v1/notes", limit=100), "notes")
    enriched = [one for one in found if text(child(one, "enrichment"), "status") == "enriched"]
    screen.out(f"{len(enriched)} of {len(found)} enriched, each from its own words. For example:")
    for one in enriched[:3]:
        screen.out(f"  {text(one, 'title')}   {' '.join(f'#{tag}' for tag in texts(one, 'tags'))}")


async def _check(api: Api, operation_id: str) -> None:
    """Every citation must lead to a source that says what is quoted."""
    report = await report_of(api, await fetch(api, operation_id))
    for one in report.citations:
        source = note(child(await api.get(f"/api/v1/notes/{one.url.removeprefix('#/notes/')}"), "note"))
        if not one.quote or one.quote not in source.body:
            raise Failure(f"citation {one.number} quotes what its source does not say.")
    numbers = {one.number for one in report.citations}
    cited = {int(n) for marker in re.findall(r"\[cite: ([\d, ]+)\]", report.body) for n in marker.split(",")}
    if not cited or not cited <= numbers:
        raise Failure("the report cites what is not in its list of sources.")
    if len(numbers) < ENOUGH_SOURCES:
        raise Failure(f"there are only {len(numbers)} sources.")
    screen.out(
        f"\n{len(numbers)} sources, each quoted word for word from a note that was read. "
        "The report is filed as a note, linked to the question."
    )
