"""`memex serve`: the whole product on this machine until it is stopped."""

import asyncio
import os
import signal
from collections.abc import Mapping
from pathlib import Path

import click

from infra.local.command.cli import Connection
from infra.local.command.target import DATA, PORT
from shared.errors import MemexError


@click.command()
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="N", help=f"Port on the loopback interface (PORT, {PORT})."
)
@click.option("--data", metavar="FOLDER", help=f"Folder that keeps everything (MEMEX_DATA, {DATA}).")
@click.pass_context
def serve(ctx: click.Context, port: int | None, data: str | None) -> None:
    """Serve the whole product on this machine."""
    from shared.log import described, set_up

    asked = ctx.find_object(Connection) or Connection()
    if asked.url:
        raise click.UsageError("--url is for the commands that talk to Memex; serve takes --port and --data.")
    given = [one for one in (port, asked.port) if one is not None]
    at = given[0] if given else _port(os.environ.get("PORT") or PORT)
    folder = Path(data or asked.data or os.environ.get("MEMEX_DATA") or DATA)
    environ = {**os.environ, "MEMEX_DEVICE_KEY": asked.key} if asked.key else os.environ
    set_up()
    try:
        asyncio.run(_serve(at, folder, environ))
    except MemexError as error:
        raise click.ClickException(f"{error.message} {error.next}".strip()) from None
    except KeyboardInterrupt:
        pass
    except Exception as error:
        # An unforeseen error's text may quote a note, and this goes where logs go.
        raise click.ClickException(f"Memex stopped on an unforeseen error: {described(error)}.") from None


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise click.UsageError(f"PORT is {text!r}, which is no port.")
    return int(text)


async def _serve(port: int, data: Path, environ: Mapping[str, str]) -> None:
    from infra.local.product import Product

    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with Product(data, port=port, environ=environ, tick=True) as product:
        click.echo(f"ready {product.origin}/#key={product.key}")
        click.echo(f"everything is kept in {data.resolve()}; stop with Ctrl-C")
        await stop.wait()
