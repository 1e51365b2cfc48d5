"""What a change under a key did and how it is taken back, in the key's own document: a repeat finds both there."""

from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from shared.events.trace import Undo
from shared.models.base import LATER
from shared.store import answers
from shared.store.documents import Documents, Write

_UNDO: TypeAdapter[Undo] = TypeAdapter(Undo, config=LATER)


@dataclass(frozen=True, slots=True)
class Effect:
    """What an earlier request with the same key changed; `undo` is None where it changed nothing."""

    target_id: str
    undo: Undo | None


def write(kept: answers.Key, target_id: str, now: float, undo: Undo | None) -> Write:
    """The effect to keep, for the commit that has it."""
    answer = answers.write(kept, target_id, now)
    told = None if undo is None else undo.model_dump(mode="json")
    return replace(answer, data={**(answer.data or {}), "undo": told})


async def known(documents: Documents, kept: answers.Key, now: float) -> Effect | None:
    """The effect that this key has had already; Conflict where the key was used for something else."""
    target_id = await answers.known(documents, kept, now)
    if target_id is None:
        return None
    document = await documents.get(kept.path)
    undo = document.data.get("undo") if document else None
    return Effect(target_id, None if undo is None else _UNDO.validate_python(undo))
