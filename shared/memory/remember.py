"""At a turn's end: what the person said in it is to be remembered, if they want that. It starts nothing by itself."""

from shared.models.chat import ChatSession
from shared.models.ids import derived
from shared.models.operation import MemoryInput
from shared.operations.start import queued
from shared.preferences import Preferences
from shared.store.documents import Documents, Expect, Write
from shared.store.operations import Operations


def remember(
    documents: Documents, tenant: str, session: ChatSession, turn: str, mine: Preferences, now: float
) -> list[Write]:
    """The operation that does it, for the commit that ends the turn: neither can then be there without the other.

    Empty where memory is off, or the conversation is to leave no trace. Its id is the turn's, so there is one at most.
    """
    if session.incognito or not mine.memory_enabled:
        return []
    wanted = MemoryInput(session_id=session.id, turn=turn)
    made = queued(derived(turn, "memory"), "memory_generation", wanted, mine, now)
    return Operations(documents, tenant).put(made.operation, made.events, Expect.ABSENT)
