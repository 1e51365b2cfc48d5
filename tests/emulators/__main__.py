"""The deployed product on this machine, to look at: `python -m tests.emulators`; Ctrl-C ends all of it."""

import asyncio
import os
import signal
import sys


async def main() -> None:
    """Serve until told to end."""
    from tests.emulators.product import Product, missing

    if reason := missing():
        sys.exit(reason)
    ended = asyncio.Event()
    for one in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(one, ended.set)
    async with Product() as product:
        person = product.person()
        print(f"open    {product.origin}/#key={person.key}")
        print(f"console {product.origin}/console")
        print(f"logs    {product.folder}/*.log", flush=True)
        await ended.wait()


if __name__ == "__main__":
    # Before the library is loaded: it would tell of each process that is started.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    asyncio.run(main())
