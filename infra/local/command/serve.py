"""`memex serve`: the whole product on this machine until it is stopped."""

import asyncio
import os
import signal
from pathlib import Path

import click

from shared.errors import MemexError


@click.command()
@click.option("--port", default=8765, show_default=True, envvar="PORT", help="Port on the loopback interface.")
@click.option("--data", default=".memex", show_default=True, envvar="MEMEX_DATA", help="Folder that keeps everything.")
def serve(port: int, data: str) -> None:
    """Serve the whole product on this machine."""
    from infra.local.log import set_up

    set_up()
    try:
        asyncio.run(_serve(port, Path(data)))
    except MemexError as error:
        raise click.ClickException(f"{error.message} {error.next}".strip()) from None
    except KeyboardInterrupt:
        pass


async def _serve(port: int, data: Path) -> None:
    from infra.local.product import Product

    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with Product(data, port=port, environ=os.environ, tick=True) as product:
        click.echo(f"ready {product.origin}/#key={product.key}")
        click.echo(f"everything is kept in {data.resolve()}; stop with Ctrl-C")
        await stop.wait()
