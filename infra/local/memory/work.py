"""What an operation does: from its request and what is kept, the changes to make. It makes none."""

import secrets
from dataclasses import dataclass

from pydantic import JsonValue

from infra.local.memory.consolidate import Change, consolidate
from infra.local.memory.extract import Said, facts
from infra.local.memory.faults import Faults
from infra.local.memory.store import Effect, MemoryStore, Task
from shared.models.base import JsonDict
from shared.models.memory import Action


@dataclass(frozen=True, slots=True)
class Generated:
    """What a generation reports of one memory."""

    action: Action
    id: str
    previous: int | None = None


@dataclass(frozen=True, slots=True)
class Worked:
    """How an operation ended."""

    effects: tuple[Effect, ...] = ()
    generated: tuple[Generated, ...] = ()
    purged: int = 0
    error: int = 0


def perform(store: MemoryStore, task: Task, now: float, faults: Faults) -> Worked:
    """The work of one operation."""
    asked = task.request
    match task.verb:
        case "generate":
            if faults.error_code:
                return Worked(error=faults.error_code)
            return Worked() if faults.empty else _generate(store, asked, now)
        case "create":
            expires = asked.get("expires")
            made = Effect(
                "CREATED",
                str(asked["id"]),
                now,
                scope=str(asked["scope"]),
                fact=str(asked["fact"]),
                metadata=_map(asked.get("metadata")),
                labels=_map(asked.get("labels")),
                expires=float(str(expires)) if expires is not None else None,
            )
            return Worked(effects=(made,))
        case "update":
            changed = Effect(
                "UPDATED",
                str(asked["id"]),
                now,
                fact=str(asked["fact"]),
                metadata=_map(asked.get("metadata")),
                labels=_map(asked.get("labels")),
            )
            return Worked(effects=(changed,))
        case "rollback":
            return _rollback(store, str(asked["id"]), int(str(asked["revision"])), now)
        case "purge":
            found = store.memories(str(asked["scope"]))
            gone = tuple(Effect("DELETED", one.id, now) for one in found) if asked["force"] is True else ()
            return Worked(effects=gone, purged=len(found))
        case _:
            return Worked(effects=(Effect("DELETED", str(asked["id"]), now),))


def _generate(store: MemoryStore, asked: JsonDict, now: float) -> Worked:
    scope = str(asked["scope"])
    said = [Said(text) for text in _texts(asked.get("facts"))]
    for text in _texts(asked.get("said")):
        said += facts(text)
    known = {one.id: one.fact for one in store.memories(scope)}
    effects: list[Effect] = []
    generated: list[Generated] = []
    for change in consolidate(known, said):
        id = change.id or f"m{secrets.token_hex(8)}"
        past = store.revisions(id) if change.id else []
        effects.append(_effect(change, id, scope, asked, now))
        generated.append(Generated(change.action, id, past[0].id if past else None))
    return Worked(tuple(effects), tuple(generated))


def _effect(change: Change, id: str, scope: str, asked: JsonDict, now: float) -> Effect:
    if change.action == "DELETED":
        return Effect("DELETED", id, now)
    return Effect(
        change.action,
        id,
        now,
        scope=scope,
        fact=change.fact,
        metadata=_map(asked.get("metadata")),
        labels=_map(asked.get("labels")),
        extracted=(change.fact,),
    )


def _rollback(store: MemoryStore, id: str, revision: int, now: float) -> Worked:
    target = next((one for one in store.revisions(id) if one.id == revision), None)
    if target is None:
        return Worked(error=5)
    back = Effect("UPDATED", id, now, fact=target.fact, metadata=target.metadata, to_revision=revision)
    return Worked(effects=(back,))


def _map(value: JsonValue) -> JsonDict:
    return value if isinstance(value, dict) else {}


def _texts(value: JsonValue) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
