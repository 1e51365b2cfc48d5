"""The deployed product on this machine, to look at: `python -m tests.emulators`; Ctrl-C ends all of it."""

import asyncio
import contextlib
import signal
import sys

from shared import log
from tests.emulators.product import Product, missing


async def main() -> None:
    """Serve until told to end."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for one in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(one, ended.set)
    async with Product() as product:
        person = product.person()
        print(f"open    {product.origin}/#key={person.key}")
        print(f"console {product.origin}/console")
        print(f"logs    {product.folder}/*.log", flush=True)
        await ended.wait()


if __name__ == "__main__":
    if reason := missing():
        sys.exit(reason)
    log.set_up()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main())
