"""Waiting for the service's work: the same operation is asked again until it is done or the time is over."""

from shared.errors import Upstream
from shared.memory.service import MemoryBank, Work
from shared.services import Services

PAUSE_SECONDS = 0.5
LONGEST_PAUSE = 4.0


async def wait(services: Services, bank: MemoryBank, work: Work, seconds: float) -> Work:
    """The operation as it is at its end, or when the time is over. Trouble at looking says nothing about the work."""
    deadline, pause = services.now() + seconds, PAUSE_SECONDS
    while not work.done and services.now() < deadline:
        try:
            work = await bank.operation(work.name)
        except Upstream:
            pass  # it is asked again
        if not work.done:
            await services.sleep(min(pause, max(0.0, deadline - services.now())))
            pause = min(LONGEST_PAUSE, pause * 2)
    return work
