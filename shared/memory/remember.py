"""After a turn: have what the person said in it remembered, if they want that. A turn starts one operation at most."""

from shared.doors import Doors
from shared.models.chat import ChatSession
from shared.models.ids import derived
from shared.models.operation import MemoryInput, Operation
from shared.operations.start import start
from shared.preferences import preferences


async def remember(doors: Doors, tenant: str, session: ChatSession, turn: str) -> Operation | None:
    """The operation that does it; None where memory is off, or the conversation is to leave no trace."""
    if session.incognito or not (await preferences(doors.documents, doors.settings, tenant)).memory_enabled:
        return None
    wanted = MemoryInput(session_id=session.id, turn=turn)
    return await start(doors, tenant, "memory_generation", wanted, operation_id=derived(turn, "memory"))
