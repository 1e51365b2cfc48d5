"""ADK, loaded once a process and beside the event loop: it takes a second, in which others must be served."""

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shared.agent.play import Play


async def player() -> "type[Play]":
    """The class that plays turns, with all that it needs in memory."""
    module = await asyncio.to_thread(import_module, "shared.agent.play")
    play: type[Play] = module.Play
    return play
