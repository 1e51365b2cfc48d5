"""`memex serve`: the whole product on this machine until it is stopped. Where it runs already, it says where."""

import asyncio
import os
import signal
from collections.abc import Mapping
from pathlib import Path

import click

from infra.local.command.cli import Connection
from infra.local.command.failure import Failure
from infra.local.command.target import DATA, PORT, port_from
from infra.local.store.lock import Holder, announce, holder, in_use
from shared.errors import MemexError


@click.command()
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="N", help=f"Port on the loopback interface (PORT, {PORT})."
)
@click.option("--data", metavar="FOLDER", help=f"Folder that keeps everything (MEMEX_DATA, {DATA}).")
@click.pass_context
def serve(ctx: click.Context, port: int | None, data: str | None) -> None:
    """Serve the whole product on this machine.

    Where it runs already, its address is printed, and nothing is started; the exit code is 0, unless another port was
    asked for.
    """
    from shared.log import described, set_up

    asked = ctx.find_object(Connection) or Connection()
    if asked.url:
        raise click.UsageError("--url is for the commands that talk to Memex; serve takes --port and --data.")
    given = [one for one in (port, asked.port) if one is not None]
    named = given[0] if given else port_from(os.environ["PORT"]) if os.environ.get("PORT") else None
    folder = Path(data or asked.data or os.environ.get("MEMEX_DATA") or DATA)
    environ = {**os.environ, "MEMEX_DEVICE_KEY": asked.key} if asked.key else os.environ
    if running := _running(folder):
        _tell(running, folder, named, environ.get("MEMEX_DEVICE_KEY"))
        return
    set_up()
    try:
        asyncio.run(_serve(int(PORT) if named is None else named, folder, environ))
    except MemexError as error:
        raise Failure(error.message, error.next) from None
    except KeyboardInterrupt:
        pass
    except Exception as error:
        # An unforeseen error's text may quote a note, and this goes where logs go.
        raise click.ClickException(f"Memex stopped on an unforeseen error: {described(error)}.") from None


def _running(folder: Path) -> Holder | None:
    """Who serves the folder already, if somebody does; what can't be seen is found out by the start itself."""
    try:
        return holder(folder)
    except OSError:
        return None


def _tell(running: Holder, folder: Path, port: int | None, key: str | None) -> None:
    """The address of the one that runs, with its key."""
    from infra.local.folder import Folder

    if not running.address:
        known = in_use(folder, running)
        raise Failure(known.message, f"If it is just starting, try again in a moment. {known.next}")
    if port and not running.address.endswith(f":{port}"):
        known = in_use(folder, running)
        raise Failure(known.message, known.next)
    found = Folder(folder).key_in_use(key)
    click.echo(f"Memex runs already: {running.address}/" + (f"#key={found}" if found else ""))
    if not found:
        click.echo("its key is the one that it was started with (MEMEX_DEVICE_KEY or --key)")
    click.echo(
        f"everything is kept in {folder.resolve()}; stop it with Ctrl-C where it runs, or: kill {running.process}"
    )


async def _serve(port: int, data: Path, environ: Mapping[str, str]) -> None:
    from infra.local.product import Product

    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with Product(data, port=port, environ=environ, tick=True) as product:
        # From here on the other commands find it by its folder.
        announce(data, product.origin)
        click.echo(f"ready {product.origin}/#key={product.key}")
        click.echo(f"everything is kept in {data.resolve()}; stop with Ctrl-C")
        await stop.wait()
