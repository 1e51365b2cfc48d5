"""The tool that takes back the last change of a conversation. It reaches no other conversation, and no earlier request.

A request may have changed several things: said again, it takes back what is left of that request, newest first.
"""

from contextlib import suppress
from typing import Any, Literal

from shared.errors import Conflict, NotFound
from shared.events.trace import ToolResult
from shared.gateway.tool import Errand, Outcome, Tool
from shared.models.base import Model
from shared.models.ids import Id
from shared.store import effects
from shared.store.answers import Key
from shared.store.chats import Chats
from shared.tools.shapes import plain
from shared.undo import button, target, undo


class UndoChange(Model):
    """Nothing is needed: it is the last one."""


class TakenBack(Model):
    """What was taken back, and how many changes of the same request are left."""

    undone: Literal["note_created", "note_changed", "note_deleted", "tasks_created", "task_changed"]
    note_id: Id | None = None
    task_ids: list[Id] | None = None
    left: int


async def _undo(errand: Errand, asked: UndoChange) -> Outcome:
    documents, now = errand.doors.documents, errand.doors.now()
    chats = Chats(documents, errand.tenant, errand.subject)
    await chats.get(errand.session_id)  # whether it is this person's
    events = await chats.newest(errand.session_id)
    changes = [one for one in events if isinstance(one, ToolResult) and one.undo]
    last = [change for change in changes if change.turn == changes[-1].turn]
    # A repeat of this very call takes back the same again, which changes nothing.
    done = await effects.known(documents, errand.effect, now)
    left = [one for one in last if not await effects.known(documents, _key(errand, one), now)]
    again = [one for one in last if done and one.undo and target(one.undo) == done.target_id]
    if not left and not again:
        raise NotFound(
            "The last change of this conversation was taken back already." if changes else _NOTHING,
            code="nothing_to_undo",
            next="Beside an earlier change, the web client has a button Undo; deleted notes wait in the bin.",
        )
    change = ([one for one in again if one in left] or again or left)[-1]
    assert change.undo
    taken = await undo(errand.doors, errand.tenant, change.undo, now, errand.effect)
    with suppress(Conflict):  # the button was pressed at the same moment
        await documents.commit([effects.write(_key(errand, change), target(change.undo), now, None)])
    return Outcome(plain(TakenBack.model_validate({**taken, "left": len([one for one in left if one != change])})))


def _key(errand: Errand, change: ToolResult) -> Key:
    return button(errand.tenant, errand.session_id, change.seq)


_NOTHING = "Nothing was changed in this conversation that could be taken back."
TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "undo_change",
        "Take back the last change that was made in this conversation, where the person asks for that.",
        UndoChange,
        _undo,
        answer=TakenBack,
    ),
)
